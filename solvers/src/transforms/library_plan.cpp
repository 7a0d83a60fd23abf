// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dft_plan.hpp"

namespace karman::detail {

template <ExecutionSpace Exec, Real T>
struct DftPlan<Exec, T>::State {
  LibraryPlan<Exec, T> plan;
};

template <ExecutionSpace Exec, Real T>
DftPlan<Exec, T>::DftPlan(Exec const& space, DftShape const& shape, DftKind kind, bool in_place, FftPlanning planning)
    : state_("DftPlan",
             std::unique_ptr<State>(new State{LibraryPlan<Exec, T>(space, shape, kind, in_place, planning)})) {}

template <ExecutionSpace Exec, Real T>
void DftPlan<Exec, T>::execute(Exec const& space, void const* in, void* out) const {
  state_->plan.execute(space, in, out);
}

template <ExecutionSpace Exec, Real T>
std::int64_t DftPlan<Exec, T>::work_bytes() const {
  return state_->plan.work_bytes();
}

template <ExecutionSpace Exec, Real T>
void DftPlan<Exec, T>::set_work(void* work) {
  state_->plan.set_work(work);
}

#define KARMAN_INSTANTIATE(Exec)       \
  template class DftPlan<Exec, float>; \
  template class DftPlan<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
