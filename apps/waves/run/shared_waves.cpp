// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared_waves.hpp"

#include <span>

namespace karman::waves {
namespace {

template <class Values>
auto arrays_of(Values& values) {
  return std::array{&values.elevation, &values.friction, &values.breaking, &values.share, &values.amplitude};
}

}  // namespace

SharedWaves::SharedWaves(Communicator const& processes, SolvedWaves const* own) {
  Numbers numbers;
  std::vector<double> packed;
  std::string text;
  std::vector<PicardSample> history;
  if (own != nullptr) {
    WaveReport const& report = own->report;
    numbers = {true,
               report.converged,
               report.stopped,
               report.fell_back,
               report.linear_iterations,
               report.seconds,
               report.assembly_seconds,
               report.linear_seconds,
               {},
               report.trouble.size()};
    std::size_t n = 0;
    for (std::vector<double> const* array : arrays_of(own->values)) {
      numbers.sizes[n++] = array->size();
      packed.insert(packed.end(), array->begin(), array->end());
    }
    text = report.trouble + report.solver;
    history = report.history;
  }
  numbers_ = processes.all_gather(numbers);
  values_ = processes.all_gather_arrays(std::span<double const>(packed));
  texts_ = processes.all_gather_arrays(std::span<char const>(text));
  histories_ = processes.all_gather_arrays(std::span<PicardSample const>(history));
}

SolvedWaves SharedWaves::of(std::size_t process) const {
  Numbers const& numbers = numbers_[process];
  SolvedWaves result;
  auto from = values_[process].begin();
  std::size_t n = 0;
  for (std::vector<double>* array : arrays_of(result.values)) {
    auto const end = from + static_cast<std::ptrdiff_t>(numbers.sizes[n++]);
    array->assign(from, end);
    from = end;
  }
  std::string const text(texts_[process].begin(), texts_[process].end());
  WaveReport& report = result.report;
  report.converged = numbers.converged;
  report.stopped = numbers.stopped;
  report.trouble = text.substr(0, numbers.trouble);
  report.solver = text.substr(numbers.trouble);
  report.fell_back = numbers.fell_back;
  report.linear_iterations = numbers.linear_iterations;
  report.seconds = numbers.seconds;
  report.assembly_seconds = numbers.assembly_seconds;
  report.linear_seconds = numbers.linear_seconds;
  report.history = histories_[process];
  return result;
}

std::int64_t SharedWaves::bytes(std::size_t nodes, int processes) {
  // Six values per node: packed and joined, then one component unpacked twice.
  constexpr std::int64_t of_node = 6 * sizeof(double);
  return of_node * static_cast<std::int64_t>(nodes) * (2 * std::int64_t{processes} + 3);
}

}  // namespace karman::waves
