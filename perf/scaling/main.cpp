// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weak and strong scaling of solvers on grids: mpirun -n 4 karman-perf-scaling [--cells N] [--precision f32|f64]
//   [--transport nccl|direct|staged] [--backend NAME] [--repeats N]
// Each process first solves alone, all at the same time. That takes the place of a run with one process.
#include <karman/core/backend.hpp>
#include <karman/core/box_decomposition.hpp>
#include <karman/core/compat.hpp>
#include <karman/core/exchange.hpp>
#include <karman/core/mpi.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

using karman::Communicator;
using karman::Transport;

struct Arguments {
  int cells = 256;  ///< along each axis, for each process
  bool is_double = false;
  int repeats = 5;
  Transport fastest = Transport::nccl;
  karman::Backend backend = karman::enabled_backends().front();
};

Arguments read(int argc, char** argv) {
  Arguments result;
  for (int n = 1; n < argc; n += 2) {
    std::string const key = argv[n];
    std::string const value = n + 1 < argc ? argv[n + 1] : "";
    if (key == "--cells") {
      result.cells = std::stoi(value);
    } else if (key == "--precision" && (value == "f32" || value == "f64")) {
      result.is_double = value == "f64";
    } else if (key == "--repeats") {
      result.repeats = std::stoi(value);
    } else if (key == "--transport" && (value == "nccl" || value == "direct" || value == "staged")) {
      result.fastest = value == "nccl" ? Transport::nccl : value == "direct" ? Transport::direct : Transport::staged;
    } else if (key == "--backend") {
      result.backend = karman::parse_backend(value).value();
    } else {
      throw std::invalid_argument("unknown argument " + key + " " + value);
    }
  }
  return result;
}

/// Seconds of one iteration of red-black SOR on the grid, the median of all repeats; the slowest process counts.
template <class T, class Exec>
double sor_seconds(Exec const& space, karman::UniformGrid const& grid, Communicator const& processes, int repeats) {
  karman::RedBlackSor<Exec, T> sor(space, {grid, karman::Boundaries{}}, {.communicator = processes});
  karman::Field<Exec, T> const x(Kokkos::view_alloc(space, "x"), grid.nz(), grid.ny(), grid.nx());
  karman::Field<Exec, T> const rhs(Kokkos::view_alloc(space, "rhs"), grid.nz(), grid.ny(), grid.nx());
  Kokkos::deep_copy(space, rhs, T(1));
  sor.load(space, x, rhs);
  constexpr int count = 20;
  sor.iterate(space, count, 1.5);
  karman::compat::fence(space, "scaling");
  std::vector<double> times;
  for (int n = 0; n < repeats; ++n) {
    processes.barrier();
    auto const start = std::chrono::steady_clock::now();
    sor.iterate(space, count, 1.5);
    karman::compat::fence(space, "scaling");
    std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - start;
    times.push_back(processes.largest(passed.count() / count));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

template <class T, class Exec>
void run(Exec const& space, Communicator const& processes, Arguments const& arguments) {
  int const n = arguments.cells;
  auto const part = [&](std::array<int, 3> cells) {
    karman::UniformGrid const whole(cells, {1, 1, 1});
    return karman::BoxDecomposition(cells, processes.size()).part(whole, processes.rank());
  };
  double const alone =
      processes.largest(sor_seconds<T>(space, karman::UniformGrid({n, n, n}, {1, 1, 1}), {}, arguments.repeats));
  double const weak = sor_seconds<T>(space, part({n, n * processes.size(), n}), processes, arguments.repeats);
  double const strong = sor_seconds<T>(space, part({n, n, n}), processes, arguments.repeats);
  karman::Exchange<Exec, T> const probe(space, processes, [&] {
    std::vector<karman::IndexNeighbor> ring;
    if (processes.size() > 1) {
      int const next = (processes.rank() + 1) % processes.size();
      int const last = (processes.rank() + processes.size() - 1) % processes.size();
      if (next == last) {
        ring = {{next, {0}, {0}}};
      } else {
        ring = {{next, {0}, {}}, {last, {}, {0}}};
      }
    }
    return ring;
  }());
  if (!processes.is_first()) return;
  double const bytes = double(n) * n * n * (sizeof(T) * 4 + 2);
  std::printf(
      "sor %s %d^3 per process, %d processes, %s by %s: alone %.1f us (%.0f GB/s), weak %.1f us (%.3f), "
      "strong %.1f us (%.3f)\n",
      sizeof(T) == 4 ? "f32" : "f64", n, processes.size(), std::string(karman::name(arguments.backend)).c_str(),
      std::string(karman::name(probe.transport())).c_str(), 1e6 * alone, bytes / alone * 1e-9, 1e6 * weak, alone / weak,
      1e6 * strong, alone / strong / processes.size());
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  try {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    Arguments const arguments = read(argc, argv);
    Communicator const processes = karman::communicator_of(MPI_COMM_WORLD, arguments.fastest);
    karman::dispatch(arguments.backend, [&](auto const& space) {
      if (arguments.is_double) {
        run<double>(space, processes, arguments);
      } else {
        run<float>(space, processes, arguments);
      }
    });
  } catch (std::exception const& error) {
    std::fprintf(stderr, "karman-perf-scaling: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
  return 0;
}
