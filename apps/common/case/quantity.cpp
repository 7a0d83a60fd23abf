// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quantity.hpp"

#include "host_work.hpp"
#include "texts.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <mutex>

namespace karman::app {
namespace {

bool is_finite(double value) { return std::isfinite(value); }
bool is_positive(double value) { return std::isfinite(value) && value > 0; }

/// Fewer rows per thread do not pay for the start of a thread.
constexpr std::int64_t least_values_a_thread = 1 << 15;

/// Rows of the file's dataset as doubles, whatever its precision.
CellValues read_dataset(Case const& input, Quantity const& quantity, UniformGrid const& grid) {
  Hdf5File const file = Hdf5File::open(quantity.file);
  if (!file.exists(quantity.dataset)) {
    throw input.error(quantity.pointer + "/dataset", "expected a dataset in " + quantity.file.string());
  }
  DatasetInfo const info = file.info(quantity.dataset);
  auto const [nx, ny, nz] = grid.global_cells();
  ArrayExtents const whole(nz, ny, nx);
  ArrayExtents const plane(ny, nx);
  ArrayExtents const line(nx);
  bool const fits =
      info.extents == whole || (nz == 1 && info.extents == plane) || (nz == 1 && ny == 1 && info.extents == line);
  if (!fits) {
    throw input.error(quantity.pointer + "/dataset",
                      "expected the extents of the cells, " + whole.text() + ", found " + info.extents.text());
  }
  // The dataset has the last extents of the grid: (k, j, i), (j, i) or (i).
  ArrayExtents begin, own;
  std::array const extents = grid.extents(Location::cell);
  for (std::size_t axis = 3 - info.extents.rank(); axis < 3; ++axis) {
    begin.append(grid.own_box().begin[2 - axis]);
    own.append(extents[axis]);
  }
  if (info.type == ScalarType::float64) {
    CellValues values(own.count());
    file.read_box(quantity.dataset, {values.data(), own}, begin);
    return values;
  }
  if (info.type == ScalarType::float32) {
    std::vector<float> values(own.count());
    file.read_box(quantity.dataset, {values.data(), own}, begin);
    return CellValues(values.begin(), values.end());
  }
  throw input.error(quantity.pointer + "/dataset",
                    "expected float32 or float64, found " + std::string(scalar_name(info.type)));
}

}  // namespace

bool Quantity::depends_on(char variable) const {
  if (from_file()) return variable != 't';
  return expression && expression->uses(variable);
}

Quantity read_quantity(Case const& input, std::string const& pointer, Variables variables,
                       ExpressionConstants const& constants, std::vector<CaseProblem>& problems) {
  Quantity quantity;
  quantity.pointer = pointer;
  nlohmann::json const& value = input.json().at(nlohmann::json::json_pointer(pointer));
  if (value.is_number()) {
    quantity.constant = value.get<double>();
  } else if (value.is_string()) {
    try {
      quantity.expression.emplace(value.get<std::string>(), variables, constants);
    } catch (ExpressionError const& error) {
      std::string const where =
          error.position() > 0 ? " (character " + std::to_string(error.position()) + ")" : std::string();
      problems.push_back(input.problem(pointer, allowed_words(variables) + ": " + error.what() + where));
    }
  } else {
    std::filesystem::path const file = input.get<std::string>(pointer + "/file");
    quantity.file = file.is_absolute() ? file : std::filesystem::path(input.source()).parent_path() / file;
    quantity.dataset = input.get<std::string>(pointer + "/dataset");
  }
  return quantity;
}

std::vector<Quantity> read_quantities(Case const& input, std::vector<std::string> const& pointers, Variables variables,
                                      ExpressionConstants const& constants) {
  std::vector<CaseProblem> problems;
  std::vector<Quantity> quantities;
  for (std::string const& pointer : pointers)
    quantities.push_back(read_quantity(input, pointer, variables, constants, problems));
  if (!problems.empty()) throw CaseError(input.source(), problems);
  return quantities;
}

std::optional<BadValue> evaluate(Expression const& expression, std::array<int, 3> const& extents,
                                 std::function<Point(int, int, int)> const& point_of,
                                 std::function<bool(double)> const& good, CellValues& values) {
  std::int64_t const rows = std::int64_t{extents[0]} * extents[1];
  std::int64_t const count = rows * extents[2];
  values.resize(static_cast<std::size_t>(count));
  std::int64_t const least_rows = std::max<std::int64_t>(1, least_values_a_thread / std::max(1, extents[2]));
  std::mutex lock;
  std::int64_t row_of_first = rows;
  std::optional<BadValue> first;
  for_parts(rows, least_rows, [&](std::int64_t begin, std::int64_t end) {
    Expression own = expression;
    for (std::int64_t row = begin; row < end; ++row) {
      int const k = static_cast<int>(row / extents[1]);
      int const j = static_cast<int>(row % extents[1]);
      for (int i = 0; i < extents[2]; ++i) {
        Point const point = point_of(k, j, i);
        double const value = own(point);
        values[static_cast<std::size_t>(row * extents[2] + i)] = value;
        if (good(value)) continue;
        std::scoped_lock const held(lock);
        if (row < row_of_first) first = BadValue{{k, j, i}, point, value};
        row_of_first = std::min(row_of_first, row);
        return;
      }
    }
  });
  return first;
}

void throw_bad_value(Case const& input, Quantity const& quantity, BadValue const& bad, char const* place,
                     char const* expected) {
  throw input.error(
      quantity.pointer,
      formatted("%s, found %g in %s (k, j, i) = (%d, %d, %d), at (x, y, z) = (%g, %g, %g)", expected, bad.value, place,
                bad.cell[0], bad.cell[1], bad.cell[2], bad.point.x, bad.point.y, bad.point.z) +
          (quantity.depends_on('t') ? formatted(", t = %g", bad.point.t) : ""));
}

std::array<int, 3> in_whole(UniformGrid const& grid, std::array<int, 3> const& cell) {
  auto const& begin = grid.own_box().begin;
  return {cell[0] + begin[2], cell[1] + begin[1], cell[2] + begin[0]};
}

CellValues cell_values(Case const& input, Quantity const& quantity, UniformGrid const& grid, bool positive,
                       double time) {
  auto const good = positive ? is_positive : is_finite;
  char const* const expected = positive ? "expected positive values" : "expected finite values";
  auto const center = [&](int k, int j, int i) {
    return Point{grid.x_center(i), grid.y_center(j), grid.z_center(k), time};
  };
  std::size_t const count = static_cast<std::size_t>(grid.cell_count());
  CellValues values;
  if (quantity.expression) {
    if (auto bad = evaluate(*quantity.expression, grid.extents(Location::cell), center, good, values)) {
      bad->cell = in_whole(grid, bad->cell);
      throw_bad_value(input, quantity, *bad, "cell", expected);
    }
    return values;
  }
  if (!quantity.from_file()) {
    if (!good(quantity.constant)) throw_bad_value(input, quantity, {{}, {}, quantity.constant}, "cell", expected);
    values.assign(count, quantity.constant);
    return values;
  }
  values = read_dataset(input, quantity, grid);
  auto const wrong = std::find_if_not(values.begin(), values.end(), good);
  if (wrong != values.end()) {
    std::int64_t const n = wrong - values.begin();
    int const i = static_cast<int>(n % grid.nx());
    int const j = static_cast<int>(n / grid.nx() % grid.ny());
    int const k = static_cast<int>(n / grid.nx() / grid.ny());
    throw_bad_value(input, quantity, {in_whole(grid, {k, j, i}), center(k, j, i), *wrong}, "cell", expected);
  }
  return values;
}

}  // namespace karman::app
