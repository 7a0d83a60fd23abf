// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reduction_peers.hpp"

namespace karman::perf {

namespace {

/// One level: every element tests whether it is the left one of a pair at this distance.
template <class Exec, class T>
void join_pairs(Exec const& space, Values<Exec, T> const& x, std::int64_t distance) {
  auto const n = static_cast<std::int64_t>(x.extent(0));
  Kokkos::parallel_for(
      "karman::perf::plain_tree", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, n),
      KOKKOS_LAMBDA(std::int64_t i) {
        if (i % (2 * distance) == 0 && i + distance < n && x(i + distance) > x(i)) x(i) = x(i + distance);
      });
}

template <class Exec, class T>
class PlainTree final : public Reduction<Exec, T> {
 public:
  PlainTree(Exec const& space, std::int64_t n) : copy_(allocate<Values<Exec, T>>(space, "karman::perf::copy", n)) {}

  void run(Exec const& space, ReductionFields<Exec, T> const& fields) override {
    Kokkos::deep_copy(space, copy_, fields.u);
    auto const n = static_cast<std::int64_t>(copy_.extent(0));
    for (std::int64_t distance = 1; distance < n; distance *= 2) join_pairs<Exec, T>(space, copy_, distance);
    auto const first = Kokkos::subview(copy_, 0);
    Kokkos::deep_copy(space, Kokkos::View<T, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(&result_),
                      first);
    compat::fence(space, "karman::perf::result");
  }
  std::vector<double> results(Exec const&) override { return {double(result_)}; }

 private:
  Values<Exec, T> copy_;
  T result_ = 0;
};

template <class Exec, class T>
class CopyToHost final : public Reduction<Exec, T> {
 public:
  explicit CopyToHost(std::int64_t n)
      : host_(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("karman::perf::host")), n) {}

  void run(Exec const& space, ReductionFields<Exec, T> const& fields) override {
    Kokkos::deep_copy(space, host_, fields.u);
    compat::fence(space, "karman::perf::copied");
    result_ = host_(0);
    for (std::size_t i = 1; i < host_.extent(0); ++i) {
      if (host_(i) > result_) result_ = host_(i);
    }
  }
  std::vector<double> results(Exec const&) override { return {double(result_)}; }

 private:
  Kokkos::View<T*, Kokkos::LayoutRight, Kokkos::HostSpace> host_;
  T result_ = 0;
};

}  // namespace

template <class Exec, class T>
ReductionMaker<Exec, T> plain_tree_reduction() {
  return [](Exec const& space, std::int64_t n) { return std::make_unique<PlainTree<Exec, T>>(space, n); };
}

template <class Exec, class T>
ReductionMaker<Exec, T> copy_to_host_reduction() {
  return [](Exec const&, std::int64_t n) { return std::make_unique<CopyToHost<Exec, T>>(n); };
}

#define KARMAN_INSTANTIATE(Exec)                                              \
  template ReductionMaker<Exec, double> plain_tree_reduction<Exec, double>(); \
  template ReductionMaker<Exec, double> copy_to_host_reduction<Exec, double>();
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::perf
