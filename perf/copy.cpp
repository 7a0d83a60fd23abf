// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Yardsticks: memory bandwidth of the simplest loops on each backend, and the peak of its arithmetic.
#include "peers/host_fma.hpp"
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

/// Independent chains of x <- a x + b in the registers of each thread of a device.
template <class Exec, class T>
struct FmaChains {
  static constexpr int chains = 8;
  int steps;
  T start, a, b;
  Kokkos::View<T*, typename Exec::memory_space> sums;

  KOKKOS_FUNCTION void operator()(int thread) const {
    T x[chains];
    for (int n = 0; n < chains; ++n) x[n] = start;
    for (int step = 0; step < steps; ++step) {
      for (int n = 0; n < chains; ++n) x[n] = a * x[n] + b;
    }
    T sum = 0;
    for (int n = 0; n < chains; ++n) sum += x[n];
    sums(thread) = sum;
  }
};

/// The peak of arithmetic. Every chain starts at its fixed point, 2, and must stay there.
template <class Exec, class T>
class FmaWork : public SpaceWork<Exec> {
 public:
  FmaWork(Exec const& space, std::int64_t steps)
      : SpaceWork<Exec>(space), steps_(steps), sums_("karman::perf::sums", runs_on_host<Exec> ? 1 : device_threads) {
    this->fence();
  }

  /// Flops of an operation.
  static double flops(Exec const& space, std::int64_t steps) {
    if constexpr (runs_on_host<Exec>) return double(simd::fma_flops_per_step<T>()) * double(steps) * threads_of(space);
    else return 2.0 * FmaChains<Exec, T>::chains * double(steps) * device_threads;
  }

  std::string check(bool spoil) override {
    run();
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums_);
    double sum = spoil ? 1 : 0;
    for (std::size_t n = 0; n < host.extent(0); ++n) sum += double(host(n));
    double const chains = flops(this->space(), 1) / 2;
    return compare("the sum of all chains", sum, 2 * chains, 0);
  }

 protected:
  void run() override {
    if constexpr (runs_on_host<Exec>) {
      sums_(0) = simd::fma_chains(steps_, T(2), T(0.5), T(1), threads_of(this->space()));
    } else {
      Kokkos::parallel_for("karman::perf::fma", Kokkos::RangePolicy<Exec>(this->space(), 0, device_threads),
                           FmaChains<Exec, T>{int(steps_), T(2), T(0.5), T(1), sums_});
    }
  }

 private:
  static constexpr int device_threads = 1 << 20;
  std::int64_t steps_;
  Kokkos::View<T*, typename Exec::memory_space> sums_;
};

template <class Exec, class T>
void append_peak(std::vector<Row>& rows) {
  std::int64_t const steps = runs_on_host<Exec> ? 1 << 18 : 1 << 10;
  Row row;
  row.family = "copy";
  row.algorithm = "fma_peak";
  row.backend = name(backend_of<Exec>());
  row.precision = precision_name<T>;
  row.size = std::to_string(steps);
  row.unit = "flops";
  row.units = row.flops = FmaWork<Exec, T>::flops(Exec(), steps);
  row.back_to_back = true;
  row.peak = true;
  row.prepare = [steps] { return std::make_unique<FmaWork<Exec, T>>(Exec(), steps); };
  rows.push_back(std::move(row));
}

template <class Exec>
void append_copy(std::vector<Row>& rows, Selection const& selection) {
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
  append_peak<Exec, double>(rows);
  append_peak<Exec, float>(rows);
}

}  // namespace

void append_copy_rows(std::vector<Row>& rows, Selection const& selection) {
#define KARMAN_APPEND(Exec) append_copy<Exec>(rows, selection);
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
}

}  // namespace karman::perf
