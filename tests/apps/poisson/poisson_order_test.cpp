// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Manufactured solutions: every method converges with second order on every kind of side, and all agree.
#include "poisson_problems.hpp"

namespace poisson_order_test {

using namespace karman;
using namespace karman::test;
using nlohmann::json;
using poisson::Method;

template <class>
class PoissonOrder : public ::testing::Test {};
TYPED_TEST_SUITE(PoissonOrder, AllBackendsDouble, BackendNames);

json side(char const* kind, json const& value = {}) {
  json result{{"kind", kind}};
  if (!value.is_null()) result[std::string(kind) == "dirichlet" ? "value" : "flux"] = value;
  return result;
}

/// A problem on the grid n with every kind of sides.
json problem(std::string const& kind, int n) {
  json result{{"problem", "poisson"}, {"solver", {{"tolerance", 1e-9}}}};
  result["domain"] = {{"cells", {n, n}}, {"size", {1, 1}}};
  if (kind == "dirichlet") {
    result["exact"] = "exp(x) * sin(2 * y + 1)";
    result["right_hand_side"] = "-3 * exp(x) * sin(2 * y + 1)";
    result["sides"] = {{"west", side("dirichlet", "sin(2 * y + 1)")},
                       {"east", side("dirichlet", "e * sin(2 * y + 1)")},
                       {"south", side("dirichlet", "exp(x) * sin(1)")},
                       {"north", side("dirichlet", "exp(x) * sin(3)")}};
  } else if (kind == "mixed") {
    result["exact"] = "exp(x) * sin(2 * y + 1)";
    result["right_hand_side"] = "-3 * exp(x) * sin(2 * y + 1)";
    result["sides"] = {{"west", side("neumann", "-sin(2 * y + 1)")},
                       {"east", side("dirichlet", "e * sin(2 * y + 1)")},
                       {"south", side("neumann", "-2 * exp(x) * cos(1)")},
                       {"north", side("dirichlet", "exp(x) * sin(3)")}};
  } else if (kind == "insulated") {
    result["right_hand_side"] = {{"kind", "named"}, {"name", "cosines"}};
    for (char const* name : {"west", "east", "south", "north"}) result["sides"][name] = side("neumann", 0);
  } else if (kind == "periodic") {
    result["right_hand_side"] = {{"kind", "named"}, {"name", "waves"}};
    for (char const* name : {"west", "east", "south", "north"}) result["sides"][name] = side("periodic");
  } else if (kind == "half periodic") {
    result["exact"] = "sin(2 * pi * x) * cos(y)";
    result["right_hand_side"] = "-(4 * pi^2 + 1) * sin(2 * pi * x) * cos(y)";
    result["sides"] = {{"west", side("periodic")},
                       {"east", side("periodic")},
                       {"south", side("neumann", 0)},
                       {"north", side("dirichlet", "sin(2 * pi * x) * cos(1)")}};
  } else if (kind == "varying") {
    result["exact"] = "exp(x) * sin(2 * y + 1)";
    result["coefficient"] = "1 + x * y";
    result["right_hand_side"] =
        "exp(x) * (y * sin(2 * y + 1) + 2 * x * cos(2 * y + 1) - 3 * (1 + x * y) * sin(2 * y + 1))";
    result["sides"] = {{"west", side("neumann", "-sin(2 * y + 1)")},
                       {"east", side("dirichlet", "e * sin(2 * y + 1)")},
                       {"south", side("dirichlet", "exp(x) * sin(1)")},
                       {"north", side("neumann", "2 * (1 + x) * exp(x) * cos(3)")}};
  } else if (kind == "space") {
    result["domain"] = {{"cells", {n / 2, n / 2, n / 2}}, {"size", {1, 1, 1}}};
    result["exact"] = "sin(pi * x) * cos(pi * y) * exp(z)";
    result["right_hand_side"] = "(1 - 2 * pi^2) * sin(pi * x) * cos(pi * y) * exp(z)";
    result["sides"] = {{"west", side("dirichlet", 0)},
                       {"east", side("dirichlet", 0)},
                       {"south", side("neumann", 0)},
                       {"north", side("neumann", 0)},
                       {"bottom", side("neumann", "-sin(pi * x) * cos(pi * y)")},
                       {"top", side("dirichlet", "sin(pi * x) * cos(pi * y) * e")}};
  } else {
    result["domain"] = {{"cells", {n}}, {"size", {1}}};
    result["exact"] = "sin(3 * x)";
    result["coefficient"] = "1 + x";
    result["right_hand_side"] = "3 * cos(3 * x) - 9 * (1 + x) * sin(3 * x)";
    result["sides"] = {{"west", side("dirichlet", 0)}, {"east", side("neumann", "6 * cos(3)")}};
  }
  return result;
}

/// Iterations grow with the square of n, and so do the kernels that a sweep launches.
bool is_slow(Method method) {
  return method == Method::jacobi || method == Method::gauss_seidel || method == Method::red_black_gs ||
         method == Method::sor;
}

TYPED_TEST(PoissonOrder, IsTwoForEveryMethodAndSide) {
  using Exec = typename TypeParam::execution_space;
  for (std::string const kind :
       {"dirichlet", "mixed", "insulated", "periodic", "half periodic", "varying", "space", "line"}) {
    for (bool const slow : {false, true}) {
      std::vector<int> const cells = slow ? std::vector{8, 12, 16, 24} : std::vector{8, 16, 32, 64};
      std::vector<Problem> grids;
      for (int n : cells) grids.emplace_back(problem(kind, n));
      for (Method method : methods_for(grids.front())) {
        if (is_slow(method) != slow) continue;
        std::vector<double> errors;
        for (Problem const& grid : grids) {
          poisson::SolveResult const result = solve<Exec>(grid, method);
          EXPECT_TRUE(result.outcome.converged) << kind << ' ' << name(method) << ' ' << result.outcome.residual;
          errors.push_back(result.error->root_mean_square);
        }
        EXPECT_NEAR(measured_order(cells, errors), 2, 0.05) << kind << ' ' << name(method);
      }
    }
  }
}

TYPED_TEST(PoissonOrder, ALineIsExactToRoundOff) {
  using Exec = typename TypeParam::execution_space;
  constexpr double tolerance = 1e-14, length = 1.5;
  json line{
      {"problem", "poisson"}, {"exact", "3 - 2 * x"}, {"right_hand_side", 0}, {"solver", {{"tolerance", tolerance}}}};
  line["domain"] = {{"cells", {33}}, {"size", {length}}};
  line["sides"] = {{"west", side("dirichlet", 3)}, {"east", side("neumann", -2)}};
  Problem const grid(line);
  // The largest row sum of the inverse: the solution for f = -1, which is x (length - x / 2).
  double const inverse = length * length / 2;
  double const epsilon = 2.3e-16;
  for (Method method : methods_for(grid)) {
    // Rounding in every row of the elimination, or the allowed residual of the iteration.
    double const left = poisson::is_direct(method) ? 4 * epsilon : tolerance;
    EXPECT_LT(solve<Exec>(grid, method).error->largest, left * grid.system.largest_b * inverse) << name(method);
  }
}

TYPED_TEST(PoissonOrder, DirectEqualsIterated) {
  using Exec = typename TypeParam::execution_space;
  for (std::string const kind : {"dirichlet", "mixed", "insulated", "periodic", "half periodic", "space"}) {
    Problem const grid(problem(kind, 48));
    poisson::SolveResult const direct = solve<Exec>(grid, Method::direct);
    poisson::SolveResult const iterated = solve<Exec>(grid, Method::mg_pcg);
    double largest = 0, difference = 0;
    for (std::size_t n = 0; n < direct.p.size(); ++n) {
      largest = std::max(largest, std::abs(direct.p[n]));
      difference = std::max(difference, std::abs(direct.p[n] - iterated.p[n]));
    }
    // Bound from the tolerance: |b| is at most 8 / h^2 times the solution, and the inverse at most 1.
    EXPECT_LT(difference, 1e-9 * 8 * 48 * 48 * largest) << kind;
  }
}

}  // namespace poisson_order_test
