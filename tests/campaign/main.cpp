// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// campaign [--seed S] [--problems N] [--seconds T] [--family grid|tridiagonal|sparse|all]
//
// Random problems by every solver against direct solutions. Problem n of a family has the seed S + n. Prints one line
// per failure and a table. Exits with 1 after a failure, with 2 for wrong arguments. As several processes of MPI: the
// family grid in random parts.
#include "families.hpp"
#include "world.hpp"

#include <Kokkos_Core.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

namespace {

struct Arguments {
  std::uint64_t seed = 1;
  long long problems = 100;  ///< of each family
  double seconds = 1e9;
  std::string family = "all";
};

bool read_arguments(int argc, char** argv, Arguments& arguments) {
  for (int n = 1; n < argc; ++n) {
    std::string_view const name = argv[n];
    if (name.substr(0, 9) == "--kokkos-") continue;
    if (n + 1 == argc) return false;
    char const* const value = argv[++n];
    char* end = nullptr;
    if (name == "--seed") arguments.seed = std::strtoull(value, &end, 10);
    else if (name == "--problems") arguments.problems = std::strtoll(value, &end, 10);
    else if (name == "--seconds") arguments.seconds = std::strtod(value, &end);
    else if (name == "--family") arguments.family = value;
    else return false;
    if (end != nullptr && *end != '\0') return false;
  }
  auto const& f = arguments.family;
  return f == "grid" || f == "tridiagonal" || f == "sparse" || f == "all";
}

/// All problems of the arguments, by all processes. Returns the exit code.
int run(Arguments const& arguments, karman::Communicator const& processes) {
  using karman::campaign::Record;
  Record record(processes.is_first());
  auto const start = std::chrono::steady_clock::now();
  for (long long n = 0; n < arguments.problems; ++n) {
    std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - start;
    if (!processes.agree(elapsed.count() < arguments.seconds)) break;
    std::uint64_t const seed = arguments.seed + static_cast<std::uint64_t>(n);
    auto const takes = [&](char const* family) { return arguments.family == "all" || arguments.family == family; };
    if (takes("grid")) karman::campaign::run_grid_problem(seed, processes, record);
    if (processes.size() > 1) continue;
    if (takes("tridiagonal")) karman::campaign::run_tridiagonal_problem(seed, record);
    if (takes("sparse")) karman::campaign::run_sparse_problem(seed, record);
  }
  if (processes.is_first()) std::printf("%s", record.table().c_str());
  return record.failures() > 0 || record.problems() == 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  karman::campaign::World const world(argc, argv);
  Arguments arguments;
  if (!read_arguments(argc, argv, arguments)) {
    if (world.processes().is_first())
      std::fprintf(stderr,
                   "usage: campaign [--seed S] [--problems N] [--seconds T] [--family grid|tridiagonal|sparse|all]\n");
    return 2;
  }
  try {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    return run(arguments, world.processes());
  } catch (std::exception const& error) {
    std::fprintf(stderr, "campaign: process %d: %s\n", world.processes().rank(), error.what());
    karman::campaign::World::abort();
  }
}
