// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_simd.hpp"
#include "reduction_peers.hpp"

namespace karman::perf {

namespace {

template <class Exec, class T>
class HostSimdReduction final : public Reduction<Exec, T> {
 public:
  explicit HostSimdReduction(Task task) : task_(task) {}

  void run(Exec const& space, ReductionFields<Exec, T> const& fields) override {
    T const* const u = fields.u.data();
    auto const n = static_cast<std::int64_t>(fields.u.extent(0));
    int const threads = threads_of(space);
    switch (task_) {
      case Task::max:
      case Task::max_on_device: result_.max = simd::maximum(u, n, threads); break;
      case Task::sum: result_.sum = simd::sum(u, n, threads); break;
      case Task::min_max_sum: result_ = simd::min_max_sum(u, n, threads); break;
      case Task::max_speed: result_.max = simd::max_speed(u, fields.v.data(), fields.w.data(), n, threads); break;
    }
  }

  std::vector<double> results(Exec const&) override {
    if (task_ == Task::sum) return {double(result_.sum)};
    if (task_ == Task::min_max_sum) return {double(result_.min), double(result_.max), double(result_.sum)};
    return {double(result_.max)};
  }

 private:
  Task task_;
  simd::MinMaxSum<T> result_{};
};

}  // namespace

template <class Exec, class T>
ReductionMaker<Exec, T> host_simd_reduction(Task task) {
  return [task](Exec const&, std::int64_t) { return std::make_unique<HostSimdReduction<Exec, T>>(task); };
}

#define KARMAN_INSTANTIATE(Exec)                                               \
  template ReductionMaker<Exec, float> host_simd_reduction<Exec, float>(Task); \
  template ReductionMaker<Exec, double> host_simd_reduction<Exec, double>(Task);
KARMAN_IF_SERIAL(KARMAN_INSTANTIATE)
KARMAN_IF_OPENMP(KARMAN_INSTANTIATE)
KARMAN_IF_THREADS(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::perf
