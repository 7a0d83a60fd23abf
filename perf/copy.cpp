// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Yardsticks: memory bandwidth of the simplest loops on each backend.
#include "peers/host_simd.hpp"
#include "space_work.hpp"
#include "traffic.hpp"

namespace karman::perf {

namespace {

template <class Exec>
using Array = Kokkos::View<double*, typename Exec::memory_space>;

constexpr double scale = 3.0;

template <class Exec>
void fill(Exec const& space, Array<Exec> const& a, Array<Exec> const& b, Array<Exec> const& c) {
  Kokkos::parallel_for(
      "karman::perf::fill", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, b.extent(0)),
      KOKKOS_LAMBDA(std::int64_t i) {
        a(i) = 0;
        b(i) = double(i % 1021);
        c(i) = double(i % 509);
      });
}

/// Number of a(i) that differ from b(i) + s c(i). All values are small integers, so that equality is exact.
template <class Exec>
std::int64_t count_wrong(Exec const& space, Array<Exec> const& a, double b_part, double c_part, double offset) {
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce(
      "karman::perf::check", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, a.extent(0)),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t& count) {
        double const expected = b_part * double(i % 1021) + c_part * double(i % 509);
        if (a(i) + offset != expected) ++count;
      },
      wrong);
  return wrong;
}

template <class Exec>
void device_triad(Exec const& space, Array<Exec> const& a, Array<Exec> const& b, Array<Exec> const& c) {
  double const s = scale;
  Kokkos::parallel_for(
      "karman::perf::triad", Kokkos::RangePolicy<Exec>(space, 0, a.extent(0)),
      KOKKOS_LAMBDA(int i) { a(i) = b(i) + s * c(i); });
}

template <class Exec>
class StreamWork : public SpaceWork<Exec> {
 public:
  StreamWork(Exec const& space, std::int64_t n, bool triad) : SpaceWork<Exec>(space), triad_(triad) {
    a_ = allocate<Array<Exec>>(space, "karman::perf::a", n);
    b_ = allocate<Array<Exec>>(space, "karman::perf::b", n);
    c_ = allocate<Array<Exec>>(space, "karman::perf::c", n);
    fill(space, a_, b_, c_);
    this->fence();
  }

  std::string check(bool spoil) override {
    run();
    this->fence();
    auto const wrong = count_wrong(this->space(), a_, 1.0, triad_ ? scale : 0.0, spoil ? 1.0 : 0.0);
    return compare("the number of wrong elements", double(wrong), 0, 0);
  }

 protected:
  void run() override {
    if constexpr (runs_on_host<Exec>) {
      auto const n = static_cast<std::int64_t>(a_.extent(0));
      int const threads = threads_of(this->space());
      if (triad_) simd::triad(a_.data(), b_.data(), c_.data(), scale, n, threads);
      else simd::copy(a_.data(), b_.data(), n, threads);
    } else {
      if (triad_) device_triad(this->space(), a_, b_, c_);
      else Kokkos::deep_copy(this->space(), a_, b_);
    }
  }

 private:
  Array<Exec> a_, b_, c_;
  bool triad_;
};

template <class Exec>
void append(std::vector<Row>& rows, Selection const& selection) {
  // Far larger than any cache: 1 GiB per array on a device, 256 or 128 MiB on a processor.
  std::int64_t const n = runs_on_host<Exec> ? (std::int64_t(1) << (selection.quick ? 24 : 25)) : std::int64_t(1) << 27;
  for (bool triad : {false, true}) {
    Row row;
    row.family = "copy";
    row.algorithm = triad ? "triad" : "copy";
    row.backend = name(backend_of<Exec>());
    row.precision = "f64";
    row.size = std::to_string(n);
    row.unit = "elements";
    row.units = double(n);
    row.bytes = triad ? traffic::triad(double(n), sizeof(double)) : traffic::copy(double(n), sizeof(double));
    row.memory_bytes = 3.0 * double(n) * sizeof(double);
    row.back_to_back = true;
    row.yardstick = triad == runs_on_host<Exec>;
    row.prepare = [n, triad] { return std::make_unique<StreamWork<Exec>>(Exec(), n, triad); };
    rows.push_back(std::move(row));
  }
}

}  // namespace

void append_copy_rows(std::vector<Row>& rows, Selection const& selection) {
#define KARMAN_APPEND(Exec) append<Exec>(rows, selection);
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
}

}  // namespace karman::perf
