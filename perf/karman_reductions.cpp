// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "karman_reductions.hpp"

#include <karman/core/reductions.hpp>

namespace karman::perf {

namespace {

template <class Exec, class T>
class KarmanReduction final : public Reduction<Exec, T> {
 public:
  KarmanReduction(Exec const& space, Task task) : task_(task), reducer_(space), device_("karman::perf::result") {}

  void run(Exec const& space, ReductionFields<Exec, T> const& fields) override {
    switch (task_) {
      case Task::max: results_ = {double(reducer_.max(space, fields.u))}; break;
      case Task::max_on_device: reducer_.max(space, fields.u, device_); break;
      case Task::sum: results_ = {double(reducer_.sum(space, fields.u))}; break;
      case Task::min_max_sum: {
        auto const all = reducer_.min_max_sum(space, fields.u);
        results_ = {double(all.min), double(all.max), double(all.sum)};
        break;
      }
      case Task::max_speed: results_ = {double(reducer_.max_speed(space, fields.u, fields.v, fields.w))}; break;
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

#define KARMAN_INSTANTIATE(Exec)                                            \
  template ReductionMaker<Exec, float> karman_reduction<Exec, float>(Task); \
  template ReductionMaker<Exec, double> karman_reduction<Exec, double>(Task);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::perf
