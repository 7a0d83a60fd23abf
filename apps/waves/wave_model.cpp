// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wave_model.hpp"

#include <stdexcept>

namespace karman::waves {

std::unique_ptr<WaveModel> make_wave_model(Backend, WaveProblem const& problem) {
  auto const problems = problems_of(problem, 1);
  if (!problems.empty()) throw std::invalid_argument(problems.front());
  throw std::logic_error("the wave model is not yet part of this build");
}

std::int64_t wave_model_bytes(WaveProblem const& problem) {
  return static_cast<std::int64_t>(problem.mesh.triangles.size()) * 1000;
}

}  // namespace karman::waves
