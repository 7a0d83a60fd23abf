// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weak and strong scaling of solvers on grids over processes. In a run with n processes a row with k of them is
// measured by n / k groups at the same time: processes of one machine share its memory, which is as busy in every row.
#include "../arguments.hpp"
#include "../space_work.hpp"
#include "processes.hpp"
#include "solver_cases.hpp"
#include <karman/core/box_decomposition.hpp>
#include <karman/core/exchange.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace karman::perf {

namespace {

using Cells = std::array<int, 3>;

/// Groups of as many processes.
struct Team {
  Communicator all, group;
  int size = 1;
  bool works = true;  ///< false in processes that are left over, whose group is smaller
};

std::string text_of(Cells const& cells) {
  return std::to_string(cells[0]) + 'x' + std::to_string(cells[1]) + 'x' + std::to_string(cells[2]);
}

/// Values from -15 to 15 by the numbers of the cell in the whole grid.
template <class Exec, class T>
Field<Exec, T> right_hand_side(Exec const& space, UniformGrid const& grid) {
  Field<Exec, T> const rhs(Kokkos::view_alloc(space, std::string("karman::perf::rhs")), grid.nz(), grid.ny(),
                           grid.nx());
  int const i0 = grid.own_box().begin[0], j0 = grid.own_box().begin[1], k0 = grid.own_box().begin[2];
  Kokkos::parallel_for(
      "karman::perf::rhs",
      Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>>(space, {0, 0, 0}, {grid.nz(), grid.ny(), grid.nx()}),
      KOKKOS_LAMBDA(int k, int j, int i) {
        rhs(k, j, i) = T((7 * (i0 + i) + 13 * (j0 + j) + 29 * (k0 + k)) % 31 - 15);
      });
  return rhs;
}

template <class Exec, class T>
Field<Exec, T> zeros(Exec const& space, UniformGrid const& grid) {
  return Field<Exec, T>(Kokkos::view_alloc(space, std::string("karman::perf::x")), grid.nz(), grid.ny(), grid.nx());
}

/// The solver on a grid with its fields.
template <template <class, class> class Case, class Exec, class T>
struct Solve {
  Solve(Exec const& space, UniformGrid const& grid, Communicator const& processes)
      : solver(space, grid, processes), x(zeros<Exec, T>(space, grid)), rhs(right_hand_side<Exec, T>(space, grid)) {
    solver.load(space, x, rhs);
  }
  Case<Exec, T> solver;
  Field<Exec, T> x, rhs;
};

/// Boxes of the solver for a grid.
template <class Case>
BoxDecomposition boxes_of(Cells const& cells, int processes) {
  bool const enough = cells[1] >= 2 * Case::multiple * processes;
  return {cells, processes, {.multiple = enough ? Case::multiple : scaling_multiple}};
}

/// Seconds of a call, the median of several measurements after a first one. Each begins everywhere at once and ends
/// with the slowest process. A long operation is called once in each.
template <class Exec, class Function>
double median_seconds(Exec const& space, Team const& team, Function const& function) {
  constexpr int measurements = 7;
  constexpr double short_call = 5e-3;  // seconds
  int calls = 1;
  std::vector<double> times;
  for (int n = 0; n <= measurements; ++n) {
    team.all.barrier();
    auto const start = std::chrono::steady_clock::now();
    if (team.works) {
      for (int call = 0; call < calls; ++call) function();
      compat::fence(space, "karman::perf::scaling");
    }
    std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - start;
    double const slowest = team.all.largest(passed.count() / calls);
    if (n > 0) times.push_back(slowest);
    else if (slowest < short_call) calls = 3;
  }
  std::nth_element(times.begin(), times.begin() + measurements / 2, times.end());
  return times[measurements / 2];
}

/// The messages of an operation alone: exchanges of as many values, and gathers.
template <class Exec, class T>
class MessagesAlone {
 public:
  MessagesAlone(Exec const& space, Team const& team, BoxDecomposition const& boxes, Messages const& messages)
      : messages_(messages), group_(team.group) {
    std::vector<BlockNeighbor> neighbors;
    std::int64_t next = 0;
    Box const own = boxes.box(group_.rank());
    for (int axis = 0; axis < 2; ++axis) {
      for (int const step : {-1, 1}) {
        int const rank = boxes.neighbor(group_.rank(), axis, step, false);
        if (rank < 0) continue;
        double face = 1;
        for (int other = 0; other < 3; ++other) {
          if (other != axis) face *= own.end[std::size_t(other)] - own.begin[std::size_t(other)];
        }
        StridedBlock const block{
            .first = next, .extents = {1, 1, std::int64_t(messages.planes * face)}, .strides = {0, 0, 1}};
        next += block.size();
        neighbors.push_back({rank, {block}, {block}});
      }
    }
    values_ = Kokkos::View<T*, typename Exec::memory_space>(
        Kokkos::view_alloc(space, std::string("karman::perf::planes")), static_cast<std::size_t>(next));
    exchange_ = Exchange<Exec, T>(space, group_, neighbors);
  }

  void exchanges(Exec const& space) {
    for (int n = 0; n < messages_.exchanges; ++n) exchange_.exchange(space, values_.data());
  }
  void gathers() const {
    for (int n = 0; n < messages_.gathers; ++n) group_.all_gather(std::array<double, 3>{});
  }
  double bytes_sent() const { return double(messages_.exchanges) * double(exchange_.bytes_sent()); }

 private:
  Messages messages_;
  Communicator group_;
  Kokkos::View<T*, typename Exec::memory_space> values_;
  Exchange<Exec, T> exchange_;
};

/// Parts of the time of an operation.
struct Parts {
  double compute = 0;    ///< the part of the slowest process as a grid of its own, seconds
  double exchanges = 0;  ///< seconds
  double gathers = 0;    ///< seconds
  double bytes_sent = 0;
};

template <template <class, class> class Case, class Exec, class T>
class ScalingWork final : public Work {
 public:
  ScalingWork(Exec const& space, Team team, Cells const& cells)
      : space_(space),
        team_(std::move(team)),
        boxes_(boxes_of<Case<Exec, T>>(cells, team_.size)),
        whole_(cells, {1, 1, 1}) {}

  std::string check(bool spoil) override {
    std::string const complaint = compare_with_one_process(spoil);
    if (!complaint.empty()) return complaint;
    if (has_parts()) measure_parts();
    int made = Case<Exec, T>::iterations;
    if (team_.works) {
      timed_.emplace(space_, boxes_.part(whole_, team_.group.rank()), team_.group);
      made = timed_->solver.run(space_);
    }
    return compare_iterations(made);
  }

  double time(int calls) override {
    team_.all.barrier();
    auto const start = std::chrono::steady_clock::now();
    if (team_.works) {
      for (int call = 0; call < calls; ++call) timed_->solver.run(space_);
      compat::fence(space_, "karman::perf::scaling");
    }
    std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - start;
    double const slowest = team_.all.largest(passed.count());
    times_.push_back(slowest / calls);
    return slowest;
  }

  Figures figures() const override {
    Figures list{{"processes", team_.size}, {"iterations", Case<Exec, T>::iterations}};
    if (timed_) {
      Figures const own = timed_->solver.figures();
      list.insert(list.end(), own.begin(), own.end());
    }
    if (!has_parts() || times_.empty()) return list;
    std::vector<double> times = times_;
    auto const middle = times.begin() + std::ptrdiff_t(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    double const messages = parts_.exchanges + parts_.gathers;
    list.insert(list.end(), {{"bytes_sent", parts_.bytes_sent},
                             {"compute_us", 1e6 * parts_.compute},
                             {"exchange_us", 1e6 * parts_.exchanges},
                             {"gather_us", 1e6 * parts_.gathers},
                             {"overlap", (parts_.compute + messages - *middle) / std::min(parts_.compute, messages)},
                             {"model", (std::max(parts_.compute, parts_.exchanges) + parts_.gathers) / *middle}});
    return list;
  }

 private:
  /// Whether computing and messages are measured apart.
  bool has_parts() const { return Case<Exec, T>::messages.exchanges > 0 && team_.size > 1; }

  /// A small grid, solved by the group and by each of its processes alone.
  std::string compare_with_one_process(bool spoil) {
    constexpr int side = Case<Exec, T>::check_side;
    double error = 0, largest = 0;
    if (team_.works) {
      Cells const cells{side, side * team_.size, side};
      UniformGrid const whole(cells, {1, 1, 1});
      BoxDecomposition const boxes = boxes_of<Case<Exec, T>>(cells, team_.size);
      UniformGrid const part = boxes.part(whole, team_.group.rank());
      auto const found = solution(part, team_.group);
      auto const expected = solution(whole, {});
      if (spoil) found(0, 0, 0) += T(1);
      Box const own = part.own_box();
      for (int k = 0; k < part.nz(); ++k) {
        for (int j = 0; j < part.ny(); ++j) {
          for (int i = 0; i < part.nx(); ++i) {
            double const value = double(expected(own.begin[2] + k, own.begin[1] + j, own.begin[0] + i));
            double const distance = std::abs(double(found(k, j, i)) - value);
            if (!(distance <= error)) error = distance;
            largest = std::max(largest, std::abs(value));
          }
        }
      }
    }
    error = team_.all.largest(error);
    largest = team_.all.largest(largest);
    return compare("the largest difference to one process", error, 0, Case<Exec, T>::tolerance * largest);
  }

  /// A time over another number of iterations would be compared with that of one process.
  std::string compare_iterations(int made) {
    // The one that is farthest off, so that all processes end the row.
    double const missing = team_.all.largest(std::abs(double(Case<Exec, T>::iterations - made)));
    return compare("the difference in iterations", missing, 0, 0);
  }

  auto solution(UniformGrid const& grid, Communicator const& processes) {
    Solve<Case, Exec, T> solve(space_, grid, processes);
    solve.solver.run(space_);
    solve.solver.store(space_, solve.x);
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), solve.x);
  }

  void measure_parts() {
    std::optional<Solve<Case, Exec, T>> alone;
    std::optional<MessagesAlone<Exec, T>> messages;
    if (team_.works) {
      UniformGrid const part = boxes_.part(whole_, team_.group.rank());
      alone.emplace(space_, UniformGrid({part.nx(), part.ny(), part.nz()}, {1, 1, 1}), Communicator());
      messages.emplace(space_, team_, boxes_, Case<Exec, T>::messages);
    }
    parts_.compute = median_seconds(space_, team_, [&] { alone->solver.run(space_); });
    alone.reset();
    int const count = Case<Exec, T>::iterations;
    parts_.exchanges = count * median_seconds(space_, team_, [&] { messages->exchanges(space_); });
    parts_.gathers = count * median_seconds(space_, team_, [&] { messages->gathers(); });
    parts_.bytes_sent = count * team_.all.largest(messages ? messages->bytes_sent() : 0.0);
  }

  Exec space_;
  Team team_;
  BoxDecomposition boxes_;
  UniformGrid whole_;
  Parts parts_;
  std::optional<Solve<Case, Exec, T>> timed_;
  std::vector<double> times_;
};

/// Makes rows for chosen solvers.
struct RowMaker {
  std::vector<Row>& rows;
  ScalingSelection const& scaling;
  int cells;  ///< along each axis
  std::vector<Team> teams{};
  std::set<std::string> solvers{};  ///< all that there are

  /// One solver: cells^3 in each process, then cells^3 in all of them.
  template <template <class, class> class Case, class Exec, class T>
  void append() {
    using Solver = Case<Exec, T>;
    solvers.insert(Solver::name);
    auto const& wanted = scaling.solvers;
    constexpr bool by_name_alone = requires { requires Solver::by_name_alone; };
    bool const named = std::find(wanted.begin(), wanted.end(), Solver::name) != wanted.end();
    if (!named && (by_name_alone || !wanted.empty())) return;
    for (Team const& team : teams) {
      int const count = team.size;
      for (bool const weak : {true, false}) {
        if (!weak && (count == 1 || cells < 2 * count)) continue;  // one process: the row of weak scaling
        Cells const grid{cells, weak ? cells * count : cells, cells};
        double const all = double(grid[0]) * grid[1] * grid[2], own = all / count;
        Row row;
        row.family = "scaling";
        row.algorithm = std::string(Solver::name) + (weak ? "_weak_" : "_strong_") + std::to_string(count);
        row.backend = std::string(karman::name(backend_of<Exec>()));
        row.precision = precision_name<T>;
        row.size = text_of(grid);
        row.unit = "cell-iterations";
        row.units = Solver::iterations * all;
        row.bytes = Solver::iterations * own * Solver::bytes();
        // On a host all processes take from the same memory.
        row.memory_bytes = Solver::memory_bytes * own * (runs_on_host<Exec> ? team.all.size() : 1);
        row.back_to_back = true;
        row.prepare = [team, grid] { return std::make_unique<ScalingWork<Case, Exec, T>>(Exec(), team, grid); };
        rows.push_back(std::move(row));
      }
    }
  }

  template <class Exec, class T>
  void append_solvers() {
    append<SorCase, Exec, T>();
    append<CgCase, Exec, T>();
    append<MultigridAloneCase, Exec, T>();
    append<MultigridPcgCase, Exec, T>();
    append<FastPoissonCase, Exec, T>();
    append<FastPoissonCase1, Exec, T>();
    append<FastPoissonCase2, Exec, T>();
    append<FastPoissonCase4, Exec, T>();
    append<FastPoissonCase8, Exec, T>();
    append<FastPoissonCase16, Exec, T>();
  }
};

/// Groups of 1, 2, 4, ... processes, and of all.
std::vector<Team> teams_of(Communicator const& all) {
  std::vector<Team> teams;
  for (int count = 1;; count = std::min(2 * count, all.size())) {
    int const group = all.rank() / count;
    teams.push_back({all, all.split(group), count, group < all.size() / count});
    if (count == all.size()) return teams;
  }
}

}  // namespace

void append_scaling_rows(std::vector<Row>& rows, Selection const& selection) {
  if (selection.scaling.processes == nullptr) return;
  Communicator const& all = *selection.scaling.processes;
  int const cells = selection.scaling.cells > 0 ? selection.scaling.cells : selection.quick ? 64 : 256;
  std::size_t const first = rows.size();
  RowMaker maker{.rows = rows, .scaling = selection.scaling, .cells = cells, .teams = teams_of(all)};
#define KARMAN_APPEND(Exec)             \
  maker.append_solvers<Exec, double>(); \
  maker.append_solvers<Exec, float>();
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
  for (std::string const& word : selection.scaling.solvers) {
    if (maker.solvers.contains(word)) continue;
    std::string known;
    for (std::string const& name : maker.solvers) known += (known.empty() ? "" : ", ") + name;
    throw UsageError("--solver " + word + ": expected one of " + known);
  }
  if (!all.is_first()) return;
  for (std::size_t n = first; n < rows.size(); ++n) lead(rows[n], int(n), all);
}

}  // namespace karman::perf
