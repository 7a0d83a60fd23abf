// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Owner of the private data of a plan. Needs no Kokkos.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

namespace karman::detail {

/// Pointer to the data of a plan, complete only where the plan is constructed. A plan with this member needs no special
/// member functions of its own: it moves, and it copies as `Pointer` does. A constant plan has constant data. Use of a
/// plan after a move throws std::logic_error with the name of its class.
template <class State, class Pointer = std::unique_ptr<State, void (*)(State*)>>
class PlanState {
 public:
  /// Without data, for a constructor that assigns them later.
  PlanState() : state_(nullptr, destroy) {}
  /// \param plan name of the class in messages, a literal
  /// \param state data
  PlanState(char const* plan, std::unique_ptr<State> state)
      : plan_(plan), state_(state.release(), [](State* all) { delete all; }) {}

  State& operator*() {
    require_data();
    return *state_;
  }
  State const& operator*() const {
    require_data();
    return *state_;
  }
  State* operator->() { return &**this; }
  State const* operator->() const { return &**this; }

 private:
  static void destroy(State*) {}
  void require_data() const {
    if (!state_)
      throw std::logic_error(std::string(plan_) + ": this object was moved from; assign another one before its use");
  }

  char const* plan_ = "plan";
  Pointer state_;
};

/// Data that copies of a plan share.
template <class State>
using SharedPlanState = PlanState<State, std::shared_ptr<State>>;

}  // namespace karman::detail
