// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace karman::perf {

namespace {

std::vector<std::string> split(std::string const& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

int parse_count(std::string const& option, std::string const& text, int least, int most) {
  int count = 0;
  auto const parsed = std::from_chars(text.data(), text.data() + text.size(), count);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || count < least || count > most) {
    throw UsageError(option + ' ' + text + ": expected a number from " + std::to_string(least) + " to " +
                     std::to_string(most));
  }
  return count;
}

constexpr int most_threads = 4096;
// Of a side of the grid of one process.
constexpr int least_cells = 8, most_cells = 2048;

}  // namespace

double parse_duration(std::string const& text) {
  char* end = nullptr;
  double const value = std::strtod(text.c_str(), &end);
  std::string const unit(end);
  double seconds = value;
  if (unit == "m" || unit == "min") seconds = 60 * value;
  else if (!unit.empty() && unit != "s") seconds = 0;
  if (end == text.c_str() || !std::isfinite(seconds) || seconds <= 0) {
    throw UsageError("--budget " + text + ": expected a positive time such as 60s or 2m");
  }
  return seconds;
}

std::string usage() {
  return "karman-perf: measures every kernel on every backend of this build next to the usual "
         "alternatives\n"
         "\n"
         "  --quick               fewer sizes and repetitions: less than two minutes\n"
         "  --budget TIME         time limit (60s, 2m): fewer repetitions, then rows skipped, with a message\n"
         "  --family NAME[,NAME]  only these families: copy, reductions, sor, poisson, tridiagonal,\n"
         "                        tridiagonal_algorithms, tridiagonal_hybrid, assembly, assembly_strategies,\n"
         "                        coloring, amg, euler, euler_sizes, euler_threads, vorticity, waves\n"
         "  --backend NAME[,NAME] only these backends: cuda, openmp, threads, serial\n"
         "  --threads N           threads of the host backends and their peers; default: OMP_NUM_THREADS, else all\n"
         "  --list, --dry-run     print the selected rows with their traffic and memory, and end\n"
         "  --spoil-answers       alter every answer before its check: every row must fail\n"
         "  --benchmark_...       Google Benchmark's own flags: --benchmark_filter=REGEX, --benchmark_out=FILE.json,\n"
         "                        --benchmark_repetitions=N, --benchmark_min_time=SECONDS, ...\n"
         "  --kokkos-...          Kokkos' own flags\n"
         "\n"
         "Builds with MPI: mpirun -n N karman-perf --family scaling measures solvers by 1, 2, 4, ..., N processes.\n"
         "  --solver NAME[,NAME]  only these solvers: sor, cg, multigrid, mg_pcg, fast_poisson, and only so\n"
         "                        fast_poisson_slabsN: N = 1, 2, 4, 8, 16 slabs beside whose messages others are "
         "computed\n"
         "  --cells N             cells of each process along each axis; default: 256, with --quick 64\n"
         "  --transport NAME      fastest way between devices: nccl, direct, staged; default: the fastest that works\n"
         "\n"
         "A row is <family>/<algorithm>/<backend>/<f32|f64>/<size>[/peer:<name>]. The answer is checked first; a "
         "wrong\n"
         "answer gets no time, and the program ends with 1. Exit codes: 0 done, 1 a wrong answer, 2 usage, 4 no "
         "output.\n";
}

Arguments parse_arguments(std::vector<std::string> const& arguments) {
  Arguments result;
  for (std::size_t n = 0; n < arguments.size(); ++n) {
    std::string argument = arguments[n];
    if (argument.starts_with("--kokkos-")) continue;  // for Kokkos, which reads the command line itself
    if (argument.starts_with("--benchmark_") || argument.starts_with("--v=")) {
      result.benchmark.push_back(argument);
      continue;
    }
    std::string value;
    bool has_value = false;
    if (auto const equals = argument.find('='); equals != std::string::npos) {
      value = argument.substr(equals + 1);
      argument = argument.substr(0, equals);
      has_value = true;
    }
    bool const takes_value = argument == "--budget" || argument == "--family" || argument == "--backend" ||
                             argument == "--threads" || argument == "--serve" || argument == "--solver" ||
                             argument == "--cells" || argument == "--transport";
    if (takes_value && !has_value) {
      if (n + 1 == arguments.size()) throw UsageError(argument + " needs a value; see --help");
      value = arguments[++n];
    }
    if (!takes_value && has_value) throw UsageError("unknown option " + arguments[n] + "; see --help");
    if (argument == "--help" || argument == "-h") result.help = true;
    else if (argument == "--quick") result.quick = true;
    else if (argument == "--list" || argument == "--dry-run") result.list = true;
    else if (argument == "--spoil-answers") result.spoil_answers = true;
    else if (argument == "--budget") result.budget = parse_duration(value);
    else if (argument == "--threads") result.threads = parse_count(argument, value, 1, most_threads);
    else if (argument == "--serve") result.serve = value;
    else if (argument == "--family") result.families = split(value);
    else if (argument == "--backend") result.backends = split(value);
    else if (argument == "--solver") result.solvers = split(value);
    else if (argument == "--cells") result.cells = parse_count(argument, value, least_cells, most_cells);
    else if (argument == "--transport") result.transport = value;
    else throw UsageError("unknown option " + arguments[n] + "; see --help");
  }
  if (result.scaling()) {
    if (result.families.size() > 1) throw UsageError("--family scaling is measured alone, without other families");
  } else if (!result.solvers.empty() || result.cells > 0 || !result.transport.empty()) {
    throw UsageError("--solver, --cells and --transport belong to --family scaling");
  }
  return result;
}

bool Arguments::scaling() const { return std::find(families.begin(), families.end(), "scaling") != families.end(); }

}  // namespace karman::perf
