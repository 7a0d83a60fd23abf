// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid_solves.hpp"

#include "fields.hpp"
#include "grid_theory.hpp"
#include "verdict.hpp"
#include <karman/core/backend.hpp>
#include <karman/solvers/grid/adi.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/fast_poisson.hpp>
#include <karman/solvers/grid/multigrid.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>
#include <karman/solvers/grid/relaxation.hpp>
#include <karman/solvers/grid/seven_point.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace karman::campaign {

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using test::HostField;
using test::to_device;
using test::to_host;

/// Limits of iterations; lower where no solution exists.
struct Limits {
  int sweeps, cycles, krylov, adi;
};
constexpr Limits usual{3000, 100, 4000, 2000}, unsolvable{150, 30, 150, 100};

/// Properties of a solver in special cases.
struct Manner {
  bool removes_mean = true;  ///< of b, where the problem is singular
  bool keeps = true;         ///< cells without an equation keep their value
  bool direct = false;       ///< no tolerance of the caller: the limit of the precision
};

/// Solves in the parts of a grid, one for each process.
template <class T>
class GridSolves {
 public:
  GridSolves(GridProblem const& problem, GridEquations const& equations, Communicator const& processes,
             BoxDecomposition const& boxes, Record& record)
      : p_(problem),
        e_(equations),
        processes_(processes),
        boxes_(boxes),
        box_(boxes.box(processes.rank())),
        record_(record),
        grid_(boxes.part(problem.grid(), processes.rank())),
        rhs_(to_device(space_, field(problem.rhs))),
        limits_(equations.imbalance() > problem.tolerance ? unsolvable : usual),
        theory_(theory_of(problem, equations, epsilon, limits_.sweeps)) {
    auto const solid = to_device(space_, cut<std::uint8_t>(p_.solid, box_));
    codes_ = make_wall_codes<Exec>(space_, grid_, p_.sides, ConstField<Exec, std::uint8_t>(solid), processes_);
    for (std::size_t f = 0; f < 6; ++f) face_[f] = to_device(space_, field(p_.face[f]));
  }

  /// Solvers whose parts begin at even cells.
  void run_colored() {
    run_sor();
    run_multigrid();
  }
  /// Solvers that take any parts.
  void run_others() {
    run_on_operator();
    if (!p_.has_walls() && p_.decades == 0) run_fast_poisson();
  }

 private:
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();
  using Solve = std::function<SolveReport(Field<Exec, T> const&)>;

  bool is_alone() const { return processes_.size() == 1; }

  /// Values of the cells of a box.
  template <class V, class From>
  HostField<V> cut(std::vector<From> const& values, Box const& box) const {
    HostField<V> result({box.end[2] - box.begin[2], box.end[1] - box.begin[1], box.end[0] - box.begin[0]});
    result.fill([&](int k, int j, int i) {
      return static_cast<V>(values[p_.index(k + box.begin[2], j + box.begin[1], i + box.begin[0])]);
    });
    return result;
  }
  HostField<T> field(std::vector<double> const& values) const { return cut<T>(values, box_); }
  HostField<T> whole(std::vector<double> const& values) const { return cut<T>(values, {{0, 0, 0}, p_.cells}); }

  /// The whole field from the parts of all processes.
  HostField<T> joined(HostField<T> const& part) const {
    auto const all = processes_.all_gather_arrays(std::span<T const>(part.values));
    HostField<T> result({p_.cells[2], p_.cells[1], p_.cells[0]});
    for (int rank = 0; rank < processes_.size(); ++rank) {
      Box const box = boxes_.box(rank);
      auto value = all[static_cast<std::size_t>(rank)].begin();
      for (int k = box.begin[2]; k < box.end[2]; ++k)
        for (int j = box.begin[1]; j < box.end[1]; ++j)
          for (int i = box.begin[0]; i < box.end[0]; ++i) result(k, j, i) = *value++;
    }
    return result;
  }

  /// True where all processes report the same end.
  bool same_in_all(SolveReport const& report) const {
    struct Numbers {
      double residual;
      int iterations, ends;
      bool operator==(Numbers const&) const = default;
    };
    Numbers const mine{std::isnan(report.residual) ? -1 : report.residual, report.iterations,
                       int(report.converged) + 2 * int(report.stopped) + 4 * int(report.breakdown.empty())};
    auto const all = processes_.all_gather(mine);
    return std::all_of(all.begin(), all.end(), [&](Numbers const& other) { return other == all[0]; });
  }

  FaceCoefficients<Exec, T> faces() const { return {face_[0], face_[1], face_[2], face_[3], face_[4], face_[5]}; }
  bool as_codes() const { return p_.decades == 0; }
  SevenPointProblem<Exec, T> from_codes() const { return {grid_, p_.sides, codes_, p_.weights}; }
  SevenPointProblem<Exec, T> from_faces() const { return {grid_, p_.sides, faces(), p_.weights}; }
  SevenPointProblem<Exec, T> equation() const { return as_codes() ? from_codes() : from_faces(); }

  template <class Solver>
  void set_sides(Solver& solver) const {
    for (int side = 0; side < 6; ++side) {
      auto const& values = p_.side_values[std::size_t(side)];
      if (values.empty()) continue;
      int const axis = side / 2;
      std::size_t const slow = axis == 2 ? 1 : 2, fast = axis == 0 ? 1 : 0;
      int const row = p_.cells[fast];
      auto const value = [&](int a, int b) {
        return values[std::size_t((a + box_.begin[slow]) * row + b + box_.begin[fast])];
      };
      solver.set_boundary_values(
          space_, static_cast<Side>(side),
          test::make_plane<T>(space_, box_.end[slow] - box_.begin[slow], box_.end[fast] - box_.begin[fast], value));
    }
  }

  Truth measure(HostField<T> const& solution, double tolerance, Manner const& manner) const {
    Truth truth;
    std::vector<double> const x(solution.values.begin(), solution.values.end());
    truth.finite = std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
    auto const& b = manner.removes_mean ? e_.balanced() : e_.b();
    auto const largest = [&](std::vector<double> const& at) {
      double most = 0;
      for (double r : e_.residual(at, b)) most = r <= most && -r <= most ? most : std::abs(r);
      return most;
    };
    truth.residual = largest(x);
    double const first = largest(p_.guess);
    // max |b| before or after its mean is subtracted.
    double norm = e_.norm();
    if (manner.removes_mean) {
      for (double value : b) norm = std::max(norm, std::abs(value));
    }
    truth.scale = norm > 0 ? norm : first > 0 ? first : 1;
    // A row is a sum of six products and the right-hand side, each coefficient itself of some roundings.
    constexpr double roundings = 32;
    truth.rounding = roundings * epsilon * e_.magnitude(x);
    if (manner.direct) truth.rounding += roundings * epsilon * e_.greatest_magnitude(x);
    double const of_reference = roundings * 0x1p-52 * e_.magnitude(e_.solution());
    truth.error_bound = 1.01 * e_.inverse_norm() * (1.01 * tolerance * truth.scale + truth.rounding + of_reference);
    for (std::size_t n = 0; n < x.size(); ++n) {
      if (e_.is_held(n)) truth.error = std::max(truth.error, std::abs(x[n] - e_.solution()[n]));
    }
    return truth;
  }

  void attempt(std::string const& name, int max_iterations, int required, Manner const& manner, Solve const& solve) {
    try {
      auto const guess = whole(p_.guess);
      auto const x = to_device(space_, field(p_.guess));
      double const tolerance = manner.direct ? 0 : p_.tolerance;
      Claim const claim{solve(x), tolerance, max_iterations, required};
      if (!same_in_all(claim.report)) return record_.add(name, End::wrong, "the processes report different ends");
      auto const solution = joined(to_host(space_, x));
      auto const verdict = judge(claim, measure(solution, tolerance, manner));
      if (verdict.end == End::converged && manner.keeps) {
        for (std::size_t n = 0; n < e_.size(); ++n) {
          if (!e_.has_equation(n) && solution.values[n] != guess.values[n]) {
            return record_.add(name, End::wrong, "a cell without an equation changed");
          }
        }
      }
      record_.add(name, verdict.end, verdict.reason);
    } catch (std::exception const& exception) {
      record_.add(name, End::refused, exception.what());
    }
  }

  void run_sor() {
    for (SorStorage storage : {SorStorage::packed, SorStorage::folded, SorStorage::coefficients}) {
      if (storage == SorStorage::packed && !as_codes()) continue;
      for (bool optimal : {false, true}) {
        attempt("sor " + std::string(name(storage)) + (optimal ? "" : ", omega 1"), limits_.sweeps,
                optimal || e_.singular() ? 0 : theory_.gauss_seidel, {.removes_mean = false}, [&](auto const& x) {
                  RedBlackSor<Exec, T> sor(space_, equation(), {storage, processes_});
                  set_sides(sor);
                  return sor.solve(space_, x, ConstField<Exec, T>(rhs_),
                                   {.omega = 1,
                                    .optimal_omega = optimal,
                                    .tolerance = p_.tolerance,
                                    .max_iterations = limits_.sweeps,
                                    .check_every = 10});
                });
      }
    }
  }

  Multigrid<Exec, T> multigrid(MultigridSetup setup) const {
    setup.communicator = processes_;
    Multigrid<Exec, T> made(space_, equation(), setup);
    set_sides(made);
    return made;
  }

  void run_multigrid() {
    struct Case {
      char const* name;
      MultigridSetup setup;
      bool conjugate_gradients;
    };
    std::vector<Case> cases;
    for (bool conjugate_gradients : {false, true}) {
      for (MultigridCycle cycle : {MultigridCycle::v, MultigridCycle::w, MultigridCycle::f}) {
        cases.push_back({cycle == MultigridCycle::v   ? "v"
                         : cycle == MultigridCycle::w ? "w"
                                                      : "f",
                         {.cycle = cycle},
                         conjugate_gradients});
      }
    }
    cases.push_back({"v double", {.single_precision_cycles = false}, true});
    cases.push_back({"v symmetric", {.symmetric = true}, true});
    // Documented limits of the line smoother: more than one layer, and lines with ends.
    if (p_.cells[2] > 1 && !p_.sides.periodic()[2])
      cases.push_back({"v line", {.smoother = MultigridSmoother::line}, true});
    for (auto const& c : cases) {
      // Guaranteed for the default and its parts.
      bool const promised = std::string(c.name) != "v line";
      attempt(std::string("multigrid ") + c.name + (c.conjugate_gradients ? ", cg" : ""), limits_.cycles,
              promised ? (c.conjugate_gradients ? theory_.multigrid_cg : theory_.multigrid) : 0, {},
              [&](auto const& x) {
                auto plan = multigrid(c.setup);
                return plan.solve(space_, x, ConstField<Exec, T>(rhs_),
                                  {.tolerance = p_.tolerance,
                                   .max_iterations = limits_.cycles,
                                   .conjugate_gradients = c.conjugate_gradients});
              });
    }
  }

  SevenPoint<Exec, T> seven_point() const {
    bool const box = as_codes() && !p_.has_walls() && p_.seed % 3 != 0;
    SevenPoint<Exec, T> made(space_,
                             box                              ? SevenPointProblem<Exec, T>(grid_, p_.sides, p_.weights)
                             : as_codes() && p_.seed % 5 != 0 ? from_codes()
                                                              : from_faces(),
                             {.communicator = processes_});
    set_sides(made);
    return made;
  }

  ConjugateGradients<Exec, T> conjugate_gradients(SevenPoint<Exec, T> const& a, bool preconditioned) const {
    return ConjugateGradients<Exec, T>(space_, a.extents(),
                                       {.preconditioned = preconditioned, .communicator = processes_});
  }

  void run_on_operator() {
    ConstField<Exec, T> const rhs = rhs_;
    int const check_every = 1 + static_cast<int>(p_.seed % 4) * 3;
    KrylovOptions options{.tolerance = p_.tolerance, .max_iterations = limits_.krylov, .check_every = check_every};
    auto const allowed = [&](int required) { return required > 0 ? required + check_every : 0; };
    attempt("cg", limits_.krylov, allowed(theory_.conjugate_gradients), {}, [&](auto const& x) {
      auto a = seven_point();
      return conjugate_gradients(a, false).solve(space_, a, x, rhs, options);
    });
    for (bool flexible : {false, true}) {
      options.flexible = flexible;
      attempt(flexible ? "cg diagonal, flexible" : "cg diagonal", limits_.krylov,
              allowed(theory_.conjugate_gradients_diagonal), {}, [&](auto const& x) {
                auto a = seven_point();
                DiagonalPreconditioner<Exec, T> diagonal(a);
                return conjugate_gradients(a, true).solve(space_, a, diagonal, x, rhs, options);
              });
      attempt(flexible ? "cg multigrid, flexible" : "cg multigrid, symmetric", limits_.krylov,
              allowed(theory_.multigrid_cg), {}, [&](auto const& x) {
                auto a = seven_point();
                auto cycle = multigrid({.symmetric = !flexible, .single_precision_cycles = flexible});
                return conjugate_gradients(a, true).solve(space_, a, cycle, x, rhs, options);
              });
    }
    RelaxationOptions const sweeps{
        .omega = 0.8, .tolerance = p_.tolerance, .max_iterations = limits_.sweeps, .check_every = 10};
    attempt("jacobi", limits_.sweeps, theory_.jacobi, {},
            [&](auto const& x) { return Jacobi<Exec, T>(space_, seven_point()).solve(space_, x, rhs, sweeps); });
    if (!is_alone()) return;
    attempt("gauss-seidel", limits_.sweeps, theory_.gauss_seidel, {}, [&](auto const& x) {
      auto with_one = sweeps;
      with_one.omega = 1;
      return GaussSeidel<Exec, T>(space_, seven_point()).solve(space_, x, rhs, with_one);
    });
    attempt("adi", limits_.adi, theory_.adi, {}, [&](auto const& x) {
      return Adi<Exec, T>(space_, seven_point())
          .solve(space_, x, rhs, {.tolerance = p_.tolerance, .max_iterations = limits_.adi});
    });
  }

  void run_fast_poisson() {
    // The residual contains the mean that no solution can meet.
    Manner const manner{.removes_mean = false, .keeps = false, .direct = true};
    attempt("fast poisson", 1, theory_.direct, manner, [&](auto const& x) {
      FastPoisson<Exec, T> plan(space_, {grid_, p_.sides, p_.weights}, {.communicator = processes_});
      set_sides(plan);
      return plan.solve(space_, x, ConstField<Exec, T>(rhs_));
    });
  }

  GridProblem const& p_;
  GridEquations const& e_;
  Communicator const& processes_;
  BoxDecomposition const& boxes_;
  Box box_;  ///< of this process
  Record& record_;
  Exec space_;
  UniformGrid grid_;
  Field<Exec, T> rhs_;
  Limits limits_;
  GridTheory theory_;
  WallCodes<Exec> codes_;
  std::array<Field<Exec, T>, 6> face_;
};

}  // namespace

template <class T>
void solve_grid_problem(GridProblem const& problem, GridEquations const& equations, Communicator const& processes,
                        Record& record) {
  if (auto const even = random_parts(problem, processes.size(), 2))
    GridSolves<T>(problem, equations, processes, *even, record).run_colored();
  auto const any = *random_parts(problem, processes.size(), 1);
  GridSolves<T>(problem, equations, processes, any, record).run_others();
}

template void solve_grid_problem<float>(GridProblem const&, GridEquations const&, Communicator const&, Record&);
template void solve_grid_problem<double>(GridProblem const&, GridEquations const&, Communicator const&, Record&);

}  // namespace karman::campaign
