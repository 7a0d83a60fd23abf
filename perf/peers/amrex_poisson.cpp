// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Geometric multigrid of AMReX (MLMG with MLPoisson) on the problem of poisson_source.hpp, in a separate program,
// compiled as AMReX itself. An AMReX with CUDA runs on one device.
//
//   karman-perf-amrex-cuda NX NY NZ TOLERANCE [LONGEST_BOX]
//
// LONGEST_BOX: most cells of a box along an axis; without it, one box has all cells. Prints "ready", the seconds of the
// set-up, the iterations and max |residual| / max |f|. Then, for every line of input, it solves once more from zero and
// prints the seconds. It ends with its input.
#include "../poisson_source.hpp"
#include "program_answers.hpp"

#include <AMReX.H>
#include <AMReX_MLMG.H>
#include <AMReX_MLPoisson.H>
#include <AMReX_MultiFab.H>
#include <AMReX_ParReduce.H>
#include <AMReX_ParmParse.H>

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <stdexcept>

namespace {

using namespace karman::perf;

void fill_source(amrex::MultiFab& f) {
  auto const& values = f.arrays();
  amrex::ParallelFor(f, [=] AMREX_GPU_DEVICE(int box, int i, int j, int k) noexcept {
    values[box](i, j, k) = poisson_source(k, j, i);
  });
  amrex::Gpu::synchronize();
}

/// max |f - div grad p| / max |f|, by code of its own. Beyond a side p is that of the cell before it, with the other
/// sign.
double residual_of(amrex::MultiFab const& p, amrex::MultiFab const& f, amrex::Box const& domain) {
  auto const& p_of = p.const_arrays();
  auto const& f_of = f.const_arrays();
  amrex::Dim3 const lower = amrex::lbound(domain), upper = amrex::ubound(domain);
  auto const largest = amrex::ParReduce(
      amrex::TypeList<amrex::ReduceOpMax, amrex::ReduceOpMax>{}, amrex::TypeList<amrex::Real, amrex::Real>{}, p,
      amrex::IntVect(0),
      [=] AMREX_GPU_DEVICE(int box, int i, int j, int k) noexcept -> amrex::GpuTuple<amrex::Real, amrex::Real> {
        auto const& values = p_of[box];
        amrex::Real const own = values(i, j, k);
        amrex::Real sum = -6 * own;
        sum += i > lower.x ? values(i - 1, j, k) : -own;
        sum += i < upper.x ? values(i + 1, j, k) : -own;
        sum += j > lower.y ? values(i, j - 1, k) : -own;
        sum += j < upper.y ? values(i, j + 1, k) : -own;
        sum += k > lower.z ? values(i, j, k - 1) : -own;
        sum += k < upper.z ? values(i, j, k + 1) : -own;
        amrex::Real const source = f_of[box](i, j, k);
        return {amrex::Math::abs(source - sum), amrex::Math::abs(source)};
      });
  return amrex::get<0>(largest) / amrex::get<1>(largest);
}

class Problem {
 public:
  Problem(std::array<int, 3> const& cells, int longest_box)
      : domain_(amrex::IntVect(0), amrex::IntVect(cells[0] - 1, cells[1] - 1, cells[2] - 1)),
        geometry_(domain_, amrex::RealBox({0, 0, 0}, {double(cells[0]), double(cells[1]), double(cells[2])}), 0,
                  {0, 0, 0}),
        boxes_(domain_) {
    boxes_.maxSize(longest_box > 0 ? longest_box : *std::max_element(cells.begin(), cells.end()));
    places_.define(boxes_);
    p_.define(boxes_, places_, 1, 1);  // with the cells around a box, which MLMG else copies
    f_.define(boxes_, places_, 1, 0);
    fill_source(f_);
  }

  amrex::Geometry const& geometry() const { return geometry_; }
  amrex::BoxArray const& boxes() const { return boxes_; }
  amrex::DistributionMapping const& places() const { return places_; }
  amrex::MultiFab& p() { return p_; }
  amrex::MultiFab const& f() const { return f_; }

  static double seconds_now() {
    amrex::Gpu::synchronize();
    return clock_seconds();
  }
  void set_first_guess() { p_.setVal(0); }
  double relative_residual() {
    p_.FillBoundary(geometry_.periodicity());
    return residual_of(p_, f_, domain_);
  }

 private:
  amrex::Box domain_;
  amrex::Geometry geometry_;
  amrex::BoxArray boxes_;
  amrex::DistributionMapping places_;
  amrex::MultiFab p_, f_;
};

/// AMReX's defaults: V-cycles with two sweeps of red-black Gauss-Seidel each way, BiCGStab on the coarsest grid.
/// Values beyond the sides are linear in the given value and one cell, as in Karman.
class Solver {
 public:
  explicit Solver(Problem& problem)
      : problem_(problem), operator_({problem.geometry()}, {problem.boxes()}, {problem.places()}) {
    operator_.setMaxOrder(2);
    amrex::Array<amrex::LinOpBCType, 3> const sides{amrex::LinOpBCType::Dirichlet, amrex::LinOpBCType::Dirichlet,
                                                    amrex::LinOpBCType::Dirichlet};
    operator_.setDomainBC(sides, sides);
    operator_.setLevelBC(0, nullptr);
    multigrid_ = std::make_unique<amrex::MLMG>(operator_);
    multigrid_->setMaxIter(200);
    multigrid_->setThrowException(true);
    multigrid_->setVerbose(0);
  }

  void solve(double tolerance) { multigrid_->solve({&problem_.p()}, {&problem_.f()}, tolerance, 0); }
  int iterations() const { return multigrid_->getNumIters(); }

 private:
  Problem& problem_;
  amrex::MLPoisson operator_;
  std::unique_ptr<amrex::MLMG> multigrid_;
};

/// No lines on the standard output, and no memory before it is needed.
void set_parameters() {
  amrex::ParmParse parameters("amrex");
  parameters.add("verbose", 0);
  parameters.add("the_arena_init_size", 0);
}

}  // namespace

int main(int argc, char** argv) {
  amrex::Initialize(argc, argv, false, MPI_COMM_WORLD, set_parameters, std::cerr, std::cerr);
  int const status = exit_code("karman-perf-amrex-cuda", [&] {
    if (argc != 5 && argc != 6) throw std::runtime_error("usage: NX NY NZ TOLERANCE [LONGEST_BOX]");
    std::array<int, 3> const cells{number_of<int>("NX", argv[1]), number_of<int>("NY", argv[2]),
                                   number_of<int>("NZ", argv[3])};
    double const tolerance = number_of<double>("TOLERANCE", argv[4]);
    bool sound = tolerance > 0;
    for (int n : cells) sound = sound && n >= 1;
    if (!sound) throw std::runtime_error("extents and tolerance must be positive");
    Problem problem(cells, argc == 6 ? number_of<int>("LONGEST_BOX", argv[5]) : 0);
    run_solver(problem, [&] { return Solver(problem); }, {tolerance});
  });
  amrex::Finalize();
  return status;
}
