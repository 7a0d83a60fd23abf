// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// campaign [--seed S] [--problems N] [--seconds T] [--family grid|tridiagonal|sparse|all]
//
// Random problems by every solver against direct solutions. Problem n of a family has the seed S + n. Prints one line
// per failure and a table. Exits with 1 after a failure, with 2 for wrong arguments.
#include "families.hpp"

#include <Kokkos_Core.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!read_arguments(argc, argv, arguments)) {
    std::fprintf(stderr,
                 "usage: campaign [--seed S] [--problems N] [--seconds T] [--family grid|tridiagonal|sparse|all]\n");
    return 2;
  }
  Kokkos::ScopeGuard const kokkos(argc, argv);
  using karman::campaign::Record;
  struct Family {
    char const* name;
    void (*run)(std::uint64_t, Record&);
  };
  constexpr Family families[] = {{"grid", karman::campaign::run_grid_problem},
                                 {"tridiagonal", karman::campaign::run_tridiagonal_problem},
                                 {"sparse", karman::campaign::run_sparse_problem}};
  Record record;
  auto const start = std::chrono::steady_clock::now();
  for (long long n = 0; n < arguments.problems; ++n) {
    std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - start;
    if (elapsed.count() >= arguments.seconds) break;
    for (auto const& family : families) {
      if (arguments.family == "all" || arguments.family == family.name) {
        family.run(arguments.seed + static_cast<std::uint64_t>(n), record);
      }
    }
  }
  std::printf("%s", record.table().c_str());
  return record.failures() > 0 ? 1 : 0;
}
