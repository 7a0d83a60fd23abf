// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "karman_reductions.hpp"

#include <karman/core/reductions.hpp>

#include <cmath>

namespace karman::perf {

namespace {

template <class Exec, class T>
struct Element {
  Values<Exec, T> x;
  KOKKOS_FUNCTION T operator()(std::int64_t i) const { return x(i); }
};

template <class Exec, class T>
struct ThreeTimes {
  Values<Exec, T> x;
  KOKKOS_FUNCTION MinMaxSum<T> operator()(std::int64_t i) const { return {x(i), x(i), x(i)}; }
};

template <class Exec, class T>
struct SquaredSpeed {
  Values<Exec, T> u, v, w;
  KOKKOS_FUNCTION T operator()(std::int64_t i) const { return u(i) * u(i) + v(i) * v(i) + w(i) * w(i); }
};

template <class Exec, class T>
class KarmanReduction final : public Reduction<Exec, T> {
 public:
  KarmanReduction(Exec const& space, Task task) : task_(task), reducer_(space), device_("karman::perf::result") {}

  void run(Exec const& space, ReductionFields<Exec, T> const& fields) override {
    auto const n = static_cast<std::int64_t>(fields.u.extent(0));
    Element<Exec, T> const element{fields.u};
    if (task_ == Task::max_on_device) {
      reducer_.reduce(space, n, element, MaxOf<T>{}, device_);
    } else if (task_ == Task::max) {
      results_ = {double(reducer_.reduce(space, n, element, MaxOf<T>{}))};
    } else if (task_ == Task::sum) {
      results_ = {double(reducer_.reduce(space, n, element, SumOf<T>{}))};
    } else if (task_ == Task::min_max_sum) {
      auto const all = reducer_.reduce(space, n, ThreeTimes<Exec, T>{fields.u}, MinMaxSumOf<T>{});
      results_ = {double(all.min), double(all.max), double(all.sum)};
    } else {
      SquaredSpeed<Exec, T> const square{fields.u, fields.v, fields.w};
      results_ = {std::sqrt(double(reducer_.reduce(space, n, square, MaxOf<T>{})))};
    }
  }

  std::vector<double> results(Exec const& space) override {
    compat::fence(space, "karman::perf::result");
    if (task_ != Task::max_on_device) return results_;
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), device_);
    return {double(host())};
  }

 private:
  Task task_;
  Reducer<Exec> reducer_;
  Kokkos::View<T, typename Exec::memory_space> device_;
  std::vector<double> results_;
};

}  // namespace

template <class Exec, class T>
ReductionMaker<Exec, T> karman_reduction(Task task) {
  return [task](Exec const& space, std::int64_t) { return std::make_unique<KarmanReduction<Exec, T>>(space, task); };
}

#define KARMAN_INSTANTIATE(Exec)                                              \
  template ReductionMaker<Exec, float> karman_reduction<Exec, float>(Task);   \
  template ReductionMaker<Exec, double> karman_reduction<Exec, double>(Task);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::perf
