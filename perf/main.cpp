// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// karman-perf: the performance comparison. This file and its includes do not use Kokkos.
#include "arguments.hpp"
#include "measurement.hpp"
#include "reporters.hpp"
#include "row.hpp"
#include "running_order.hpp"
#include "runtime.hpp"
#include "scaling/processes.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/core/communicator.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace karman::perf {

namespace {

bool contains(std::vector<std::string> const& list, std::string const& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string joined(std::set<std::string> const& words) {
  std::string text;
  for (auto const& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Free bytes of each backend.
using FreeMemory = std::map<std::string, double>;

/// The least of all processes; all of them make the call.
FreeMemory free_memory_of(Communicator const& processes) {
  FreeMemory result;
  for (Backend backend : enabled_backends())
    result[std::string(name(backend))] = processes.smallest(double(describe(backend).free_memory_bytes));
  return result;
}

/// The rows of the chosen families and backends, in running order. A row that does not fit in memory is skipped, with a
/// message.
std::vector<Row> choose(std::vector<Row> const& rows, Arguments const& arguments, FreeMemory const& free_memory) {
  std::set<std::string> families, backends;
  for (Row const& row : rows) {
    families.insert(row.family);
    backends.insert(row.backend);
  }
  for (auto const& word : arguments.families) {
    if (!families.contains(word)) throw UsageError("--family " + word + ": expected one of " + joined(families));
  }
  for (auto const& word : arguments.backends) {
    if (!backends.contains(word)) throw UsageError("--backend " + word + ": expected one of " + joined(backends));
  }
  std::vector<std::string> fastest_first;
  for (Backend backend : enabled_backends()) fastest_first.emplace_back(name(backend));
  std::vector<Row> chosen;
  for (Row const& row : rows) {
    if (!arguments.families.empty() && !contains(arguments.families, row.family)) continue;
    if (!arguments.backends.empty() && !contains(arguments.backends, row.backend)) continue;
    double const room = free_memory.at(row.backend);
    if (room > 0 && row.memory_bytes > 0.8 * room) {
      std::fprintf(stderr, "skipped: %s needs %.1f GB, %.1f GB are free\n", row.name().c_str(), row.memory_bytes * 1e-9,
                   room * 1e-9);
      continue;
    }
    chosen.push_back(row);
  }
  // When time runs out, the reference on one thread matters least.
  return running_order(std::move(chosen), fastest_first, arguments.quick || arguments.budget > 0);
}

void print_list(std::vector<Row> const& rows) {
  for (Row const& row : rows) {
    std::printf("%-64s %10.3f MB moved, %10.3f MB held\n", row.name().c_str(), row.bytes * 1e-6,
                row.memory_bytes * 1e-6);
  }
  std::printf("%zu rows\n", rows.size());
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void add_context(Runtime const& runtime, std::string const& command) {
  BuildInfo const build = build_info();
  benchmark::AddCustomContext("command", command);
  benchmark::AddCustomContext("karman_version", build.karman_version);
  benchmark::AddCustomContext("commit", build.commit);
  benchmark::AddCustomContext("compiler", build.compiler);
  benchmark::AddCustomContext("kokkos_version", build.kokkos_version);
  if (!build.cuda_version.empty()) benchmark::AddCustomContext("cuda_version", build.cuda_version);
  benchmark::AddCustomContext("kokkos_configuration", one_line(runtime.configuration()));
  for (Backend backend : enabled_backends()) {
    BackendInfo const info = describe(backend);
    std::string const prefix = "backend_" + std::string(name(backend));
    benchmark::AddCustomContext(prefix + "_device", info.device);
    benchmark::AddCustomContext(prefix + "_concurrency", std::to_string(info.concurrency));
  }
  for (char const* variable : {"OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES", "CUDA_VISIBLE_DEVICES"}) {
    char const* const value = std::getenv(variable);
    benchmark::AddCustomContext(variable, value ? value : "not set");
  }
}

void add_figure(std::string const& name, double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  benchmark::AddCustomContext(name, text);
}

/// Measures the yardstick of every backend in use, and the peak of its arithmetic where a row has flops. Records them
/// in the context.
Yardsticks measure_yardsticks(std::vector<Row> const& all, std::vector<Row> const& chosen) {
  Yardsticks result;
  for (Row const& row : all) {
    bool const used = std::any_of(chosen.begin(), chosen.end(), [&](Row const& r) { return r.backend == row.backend; });
    bool const computes = std::any_of(chosen.begin(), chosen.end(), [&](Row const& r) {
      return r.backend == row.backend && r.precision == row.precision && r.flops > 0;
    });
    if (row.yardstick && used) {
      double const bandwidth = result.bandwidth[row.backend] = measure_yardstick(row);
      benchmark::AddCustomContext("yardstick_" + row.backend, row.algorithm);
      add_figure("yardstick_" + row.backend + "_GBps", bandwidth * 1e-9);
    }
    if (row.peak && computes) {
      double const peak = result.peak[row.backend + '/' + row.precision] = measure_peak(row);
      add_figure("peak_" + row.backend + '_' + row.precision + "_GFlops", peak * 1e-9);
    }
  }
  return result;
}

void print_context(Yardsticks const& yardsticks) {
  BuildInfo const build = build_info();
  std::printf("Karman %s (%s), Kokkos %s, %s%s%s\n", build.karman_version.c_str(), build.commit.c_str(),
              build.kokkos_version.c_str(), build.compiler.c_str(), build.cuda_version.empty() ? "" : ", CUDA ",
              build.cuda_version.c_str());
  for (Backend backend : enabled_backends()) {
    BackendInfo const info = describe(backend);
    auto const yardstick = yardsticks.bandwidth.find(std::string(name(backend)));
    if (yardstick == yardsticks.bandwidth.end()) continue;
    std::printf("%s: %s, concurrency %d, copy bandwidth %.1f GB/s", yardstick->first.c_str(), info.device.c_str(),
                info.concurrency, yardstick->second * 1e-9);
    for (auto const& [place, peak] : yardsticks.peak) {
      if (place.starts_with(yardstick->first + '/'))
        std::printf(", peak %s %.0f GFlop/s", place.substr(yardstick->first.size() + 1).c_str(), peak * 1e-9);
    }
    std::printf("\n");
  }
  std::printf("\n");
}

/// Error of an output file.
struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// True if results go to a file. Throws OutputError when that file cannot be written: now, instead of after minutes.
bool writes_file(Arguments const& arguments) {
  std::string const flag = "--benchmark_out=";
  bool found = false;
  for (std::string const& argument : arguments.benchmark) {
    if (!argument.starts_with(flag)) continue;
    std::string const path = argument.substr(flag.size());
    if (!std::ofstream(path, std::ios::app)) throw OutputError(path + ": cannot be written");
    found = true;
  }
  return found;
}

/// Google Benchmark's command line: our defaults first, so that the user's flags override them.
std::vector<std::string> benchmark_flags(Arguments const& arguments, double budget, std::vector<Row> const& rows,
                                         Yardsticks const& yardsticks) {
  int repetitions = arguments.quick ? 5 : 11;
  double min_time = arguments.quick ? 0.02 : 0.05;
  if (budget > 0 && !rows.empty()) {
    // Allocation, checks and calibration take about as long as the measurements themselves.
    double const share = 0.4 * budget;
    double once = 0;  // every row, at the speed of the yardstick
    for (Row const& row : rows) once += row.bytes / yardsticks.bandwidth.at(row.backend);
    while (repetitions > fewest_repetitions && repetitions * once > share) --repetitions;
    min_time = std::min(min_time, share / double(rows.size()) / repetitions);
  }
  std::vector<std::string> flags{"karman-perf", "--benchmark_repetitions=" + std::to_string(repetitions),
                                 "--benchmark_min_time=" + std::to_string(min_time) + KARMAN_PERF_SECONDS};
  flags.insert(flags.end(), arguments.benchmark.begin(), arguments.benchmark.end());
  return flags;
}

int run(Arguments const& arguments, Runtime const& runtime, std::string const& command, std::vector<Row> const& all,
        FreeMemory const& free_memory) {
  std::vector<Row> const chosen = choose(all, arguments, free_memory);
  if (arguments.list) {
    print_list(chosen);
    return 0;
  }
  bool const to_file = writes_file(arguments);
  // A quick run ends within two minutes; the last row and the yardsticks may exceed the budget.
  double const budget = arguments.budget > 0 ? arguments.budget : arguments.quick ? 95.0 : 0.0;
  Session session(measure_yardsticks(all, chosen), arguments.spoil_answers, budget, arguments.scaling());
  add_context(runtime, command);
  print_context(session.yardsticks());
  for (Row const& row : chosen) session.add(row);

  std::vector<std::string> flags = benchmark_flags(arguments, budget, chosen, session.yardsticks());
  std::vector<char*> argv;
  for (auto& flag : flags) argv.push_back(flag.data());
  int argc = int(argv.size());
  benchmark::Initialize(&argc, argv.data());
  if (argc > 1) throw UsageError(std::string("unknown option ") + argv[1] + "; see --help");

  Table table;
  BareJson json;
  std::size_t const ran = benchmark::RunSpecifiedBenchmarks(&table, to_file ? &json : nullptr);
  session.finish();
  if (ran == 0) throw UsageError("no row matches");
  if (session.left_out() > 0) std::fprintf(stderr, "%d rows skipped: the time budget is over\n", session.left_out());
  if (session.failures() > 0) {
    std::fprintf(stderr, "%d rows FAILED: wrong answers, no times\n", session.failures());
    return 1;
  }
  return 0;
}

/// The family "scaling": the first process measures, and the others join in.
int run_together(Arguments const& arguments, Runtime const& runtime, std::string const& command,
                 Communicator const& processes) {
  std::vector<Row> const all =
      all_rows({.quick = arguments.quick,
                .scaling = {.processes = &processes, .solvers = arguments.solvers, .cells = arguments.cells}});
  FreeMemory const free_memory = free_memory_of(processes);
  if (!processes.is_first()) {
    follow(all, processes);
    return 0;
  }
  benchmark::AddCustomContext("processes", std::to_string(processes.size()));
  benchmark::AddCustomContext("message_library", processes.description());
  try {
    int const code = run(arguments, runtime, command, all, free_memory);
    release(processes);
    return code;
  } catch (std::exception const&) {
    release(processes);  // between two calls, where the others wait for the next one
    throw;
  }
}

}  // namespace

}  // namespace karman::perf

int main(int argc, char** argv) {
  using namespace karman::perf;
  std::string command = "karman-perf";
  for (int n = 1; n < argc; ++n) command += std::string(" ") + argv[n];
  auto const report = [](std::exception const& error, int code) {
    if (code == 1 || is_first_process()) std::fprintf(stderr, "karman-perf: %s\n", error.what());
    return code;
  };
  try {
    Arguments const arguments = parse_arguments({argv + 1, argv + argc});
    if (arguments.help) {
      if (is_first_process()) std::fputs(usage().c_str(), stdout);
      return 0;
    }
    if (!arguments.scaling() && launched_processes() > 1) {
      throw UsageError(std::to_string(launched_processes()) +
                       " processes measure --family scaling alone; start one for the others");
    }
    // Kokkos passes it on to OpenMP's runtime, from which the peers take it.
    if (arguments.threads > 0) ::setenv("KOKKOS_NUM_THREADS", std::to_string(arguments.threads).c_str(), 1);
    // Only its own flags: before version 3.7 Kokkos refuses our --threads N.
    std::vector<char*> kokkos{argv[0]};
    std::copy_if(argv + 1, argv + argc, std::back_inserter(kokkos),
                 [](std::string const& word) { return word.starts_with("--kokkos-"); });
    int count = int(kokkos.size());
    kokkos.push_back(nullptr);
    // Other families start programs with an MPI of their own: for them it does not begin here.
    std::optional<Processes> processes;
    if (arguments.scaling()) processes.emplace();
    Runtime const runtime(count, kokkos.data());
    if (processes) return run_together(arguments, runtime, command, processes->communicator(arguments.transport));
    if (!arguments.serve.empty()) return serve(arguments.serve, arguments.spoil_answers);
    return run(arguments, runtime, command, all_rows({.quick = arguments.quick}), free_memory_of({}));
  } catch (UsageError const& error) {
    return report(error, 2);
  } catch (OutputError const& error) {
    return report(error, 4);
  } catch (std::exception const& error) {
    return report(error, 1);
  }
}
