// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wind model on parts of a domain. Runs as any number of processes; each also computes the whole domain alone.
#include "all_zones.hpp"
#include "chosen_cases.hpp"
#include "solvers/common/allocated_bytes.hpp"
#include "wind/case/wind/sensor_wind.hpp"
#include "wind/output/probe_output.hpp"
#include "wind/run/wind_estimate.hpp"
#include "wind_fields.hpp"
#include "world.hpp"
#include <karman/core/reductions.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

/// Bytes of the persistent sends of this process, of each and of all that were started.
std::map<MPI_Request, std::int64_t> bytes_of_send;
std::int64_t bytes_sent = 0;

}  // namespace

// The profiling interface of MPI: a program may have functions of these names, which call the library.
extern "C" int MPI_Send_init(void const* values, int count, MPI_Datatype type, int rank, int tag, MPI_Comm communicator,
                             MPI_Request* request) {
  int const code = PMPI_Send_init(values, count, type, rank, tag, communicator, request);
  int size = 0;
  MPI_Type_size(type, &size);
  bytes_of_send[*request] = std::int64_t{count} * size;
  return code;
}

extern "C" int MPI_Request_free(MPI_Request* request) {
  bytes_of_send.erase(*request);
  return PMPI_Request_free(request);
}

extern "C" int MPI_Startall(int count, MPI_Request* requests) {
  for (int n = 0; n < count; ++n) {
    auto const send = bytes_of_send.find(requests[n]);
    if (send != bytes_of_send.end()) bytes_sent += send->second;
  }
  return PMPI_Startall(count, requests);
}

namespace distributed_wind_test {

using namespace karman;
using namespace karman::test;
using wind::DomainPart;
using wind::ModelField;
using wind::ProjectionEnd;
using wind::ProjectionState;
using wind::WindCase;
using wind::WindModel;

template <class>
class DistributedWind : public ::testing::Test {};
TYPED_TEST_SUITE(DistributedWind, AllBackends, BackendNames);

/// Six rows let four and eight processes cut x too.
enum class Rows { many, six };
enum class Ground { flat, hill };
enum class Wind { profile, sensors };
struct Variant {
  char const* name;
  Rows rows;
  Ground ground;
  wind::WallForm walls;
  bool zones;
  Wind wind;
};

std::vector<Variant> const variants{
    {"boxes", Rows::many, Ground::flat, wind::WallForm::stairs, false, Wind::profile},
    {"boxes, x cut", Rows::six, Ground::flat, wind::WallForm::stairs, false, Wind::profile},
    {"zones", Rows::many, Ground::flat, wind::WallForm::stairs, true, Wind::profile},
    {"zones over a hill, x cut", Rows::six, Ground::hill, wind::WallForm::stairs, true, Wind::profile},
    {"sensors over a hill", Rows::many, Ground::hill, wind::WallForm::stairs, true, Wind::sensors},
    {"sensors, x cut", Rows::six, Ground::flat, wind::WallForm::stairs, true, Wind::sensors},
    {"cut cells", Rows::many, Ground::flat, wind::WallForm::cut, true, Wind::profile},
    {"cut cells over a hill, x cut", Rows::six, Ground::hill, wind::WallForm::cut, true, Wind::sensors}};

template <class Exec, class T>
WindCase case_of(Variant const& variant) {
  WindCase wind_case =
      small_case<Exec, T>({block(20, 20, 8, 8, 8), block(34, 12, 5, 9, 12, 30), block(30, 25, 4, 7, 9)});
  int const rows = variant.rows == Rows::six ? 6 : 20;
  wind_case.grid = UniformGrid({24, rows, 16}, {2, 40.0 / rows, 2}, {1000, 50, 0});
  wind_case.solver.method = wind::Method::sor;
  wind_case.solver.walls = variant.walls;
  wind_case.profile.direction = 256;
  wind_case.outputs.divergence = true;
  if (variant.zones) {
    wind_case.buildings.push_back(court_block());
    wind_case.vegetation = every_plant();
    wind_case.parameterisations = all_zones();
  }
  if (variant.ground == Ground::hill) {
    UniformGrid const& grid = wind_case.grid;
    std::vector<double> heights;
    for (int j = 0; j < grid.ny(); ++j) {
      for (int i = 0; i < grid.nx(); ++i)
        heights.push_back(6 * std::exp(-std::pow((i - 13) / 4.0, 2) - std::pow((j + 0.5) * grid.dy() / 12 - 1.6, 2)));
    }
    wind_case.terrain = wind::Terrain(grid, heights);
  }
  if (variant.wind == Wind::sensors) {
    wind::WindSensor one{"a", 5, 5, wind_case.profile}, other{"b", 40, 30, wind_case.profile};
    other.profile.direction = 230;
    other.profile.speed = 6;
    wind_case.sensors = {one, other};
    wind_case.profile = wind::SensorWind(wind_case.sensors, wind_case.sensor_passes).mean(wind_case.grid);
  }
  return wind_case;
}

/// Calls function(value, value of one process, place in the whole domain) for the own values of a field.
template <class T, class Function>
void for_each_pair(WindModel& part, WindModel& whole, ModelField field, Function const& function) {
  UniformGrid const& own = part.part().own;
  HostValues const mine = copy<T>(part, field, own), all = copy<T>(whole, field, whole.part().own);
  Box const box = own.own_box();
  for (int k = 0; k < mine.extents[0]; ++k) {
    for (int j = 0; j < mine.extents[1]; ++j) {
      for (int i = 0; i < mine.extents[2]; ++i) {
        int const y = box.begin[1] + j, x = box.begin[0] + i;
        function(mine(k, j, i), all(k, y, x), std::array{k, y, x});
      }
    }
  }
}

/// Bits of the own values of a field against the field of the whole domain.
template <class T>
void expect_same(WindModel& part, WindModel& whole, ModelField field) {
  int different = 0;
  for_each_pair<T>(part, whole, field, [&](double a, double b, std::array<int, 3> const& place) {
    if (a == b && std::signbit(a) == std::signbit(b)) return;
    if (++different < 4)
      ADD_FAILURE() << name(field) << " at " << place[0] << ' ' << place[1] << ' ' << place[2] << ": " << a
                    << ", alone " << b;
  });
  EXPECT_EQ(different, 0) << name(field);
}

template <class T>
void expect_same_fields(WindModel& part, WindModel& whole, std::vector<ModelField> const& fields) {
  for (ModelField const field : fields) expect_same<T>(part, whole, field);
}

std::vector<ModelField> const state_fields{ModelField::u, ModelField::v, ModelField::w, ModelField::lambda,
                                           ModelField::flag};

void expect_same_history(ProjectionState const& part, ProjectionState const& whole) {
  EXPECT_EQ(part.iteration, whole.iteration);
  EXPECT_EQ(part.passes, whole.passes);
  EXPECT_EQ(part.initial_divergence, whole.initial_divergence);
  ASSERT_EQ(part.history.size(), whole.history.size());
  for (std::size_t n = 0; n < part.history.size(); ++n)
    EXPECT_EQ(part.history[n].relative_divergence, whole.history[n].relative_divergence) << n;
}

/// Velocities at random points, and on a plane through all columns.
void expect_same_samples(WindModel& part, WindModel& whole, WindCase const& wind_case) {
  UniformGrid const& grid = wind_case.grid;
  wind::VelocityInterpolation interpolation(grid, wind_case.profile,
                                            wind_case.terrain.empty() ? nullptr : &wind_case.terrain);
  std::vector<wind::VelocitySample> samples;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> fraction(0, 1);
  for (int n = 0; n < 2000; ++n) {
    double const x = fraction(random) * grid.nx() * grid.dx(), y = fraction(random) * grid.ny() * grid.dy();
    samples.push_back(interpolation.at({x, y, fraction(random) * grid.z_face(grid.nz())}));
  }
  std::vector<std::array<double, 3>> found(samples.size()), expected(samples.size());
  part.sample_velocity(samples, found);
  whole.sample_velocity(samples, expected);
  int in_air = 0;
  for (std::size_t n = 0; n < samples.size(); ++n) {
    for (std::size_t c = 0; c < 3; ++c) {
      bool const solid = std::isnan(expected[n][c]);
      in_air += solid ? 0 : 1;
      EXPECT_TRUE(solid ? std::isnan(found[n][c]) : found[n][c] == expected[n][c])
          << n << ", component " << c << ": " << found[n][c] << ", alone " << expected[n][c];
    }
  }
  EXPECT_GT(in_air, 3000);
}

template <class T>
void expect_same_slices(WindModel& part, WindModel& whole, UniformGrid const& grid) {
  std::array<int, 3> const cells{grid.nx(), grid.ny(), grid.nz()};
  for (Axis const axis : {Axis::x, Axis::y, Axis::z}) {
    int const rows = axis == Axis::z ? cells[1] : cells[2], columns = axis == Axis::x ? cells[1] : cells[0];
    for (int index = 0; index < cells[static_cast<std::size_t>(axis)]; index += 3) {
      std::vector<T> found(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), T(-1)), expected = found;
      part.copy_lambda_slice({axis, index, 1}, {found.data(), {rows, columns}});
      whole.copy_lambda_slice({axis, index, 1}, {expected.data(), {rows, columns}});
      EXPECT_EQ(found, expected) << static_cast<int>(axis) << ' ' << index;
    }
  }
}

/// The model of all processes, and that of this process alone.
template <class Exec>
struct Both {
  std::unique_ptr<WindModel> part, whole;
  explicit Both(WindCase const& wind_case)
      : part(wind::make_wind_model(backend_of<Exec>(), wind_case, world())),
        whole(wind::make_wind_model(backend_of<Exec>(), wind_case)) {
    for (auto const& model : {part.get(), whole.get()}) {
      model->set_initial_field();
      model->keep_divergence_before();
    }
  }
};

template <class Exec, class T>
void compare(Variant const& variant) {
  SCOPED_TRACE(variant.name);
  WindCase const wind_case = case_of<Exec, T>(variant);
  Both<Exec> const both(wind_case);
  EXPECT_EQ(both.part->omega(), both.whole->omega());
  expect_same_fields<T>(*both.part, *both.whole, state_fields);
  if (cuts_cells(wind_case))
    expect_same_fields<T>(*both.part, *both.whole, {ModelField::open_u, ModelField::open_v, ModelField::open_w});
  ProjectionState part_state, whole_state;
  EXPECT_EQ((WindOn<Exec, T>::solve(*both.part, wind_case, part_state)), ProjectionEnd::converged);
  EXPECT_EQ((WindOn<Exec, T>::solve(*both.whole, wind_case, whole_state)), ProjectionEnd::converged);
  expect_same_history(part_state, whole_state);
  expect_same_fields<T>(*both.part, *both.whole, state_fields);
  expect_same_fields<T>(*both.part, *both.whole, {ModelField::divergence_before, ModelField::divergence});
  expect_same_samples(*both.part, *both.whole, wind_case);
  expect_same_slices<T>(*both.part, *both.whole, wind_case.grid);
}

TYPED_TEST(DistributedWind, PartsHaveTheBitsOfOneProcess) {
  for (Variant const& variant : chosen_cases<typename TypeParam::execution_space>(variants, 3))
    compare<typename TypeParam::execution_space, typename TypeParam::real>(variant);
}

/// Largest difference of the own values of a field from the field of the whole domain.
template <class T>
double largest_difference(WindModel& part, WindModel& whole, ModelField field) {
  double largest = 0;
  for_each_pair<T>(part, whole, field, [&](double a, double b, std::array<int, 3> const&) {
    if (!(std::abs(a - b) <= largest)) largest = std::abs(a - b);
  });
  return world().largest(largest);
}

TYPED_TEST(DistributedWind, MultigridFindsTheWindOfOneProcess) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  // The first variant and the last one together have every form.
  for (Variant const& variant : chosen_cases<Exec>(variants, variants.size() - 1)) {
    for (wind::Method const method : {wind::Method::multigrid, wind::Method::mg_pcg}) {
      SCOPED_TRACE(std::string(variant.name) + ", " + std::string(name(method)));
      WindCase wind_case = case_of<Exec, T>(variant);
      wind_case.solver.method = method;
      // Without the law: it multiplies differences of the velocities next to walls.
      wind_case.parameterisations.wall_law = false;
      Both<Exec> const both(wind_case);
      expect_same_fields<T>(*both.part, *both.whole, state_fields);
      ProjectionState part_state, whole_state;
      EXPECT_EQ((WindOn<Exec, T>::solve(*both.part, wind_case, part_state)), ProjectionEnd::converged);
      EXPECT_EQ((WindOn<Exec, T>::solve(*both.whole, wind_case, whole_state)), ProjectionEnd::converged);
      EXPECT_EQ(part_state.initial_divergence, whole_state.initial_divergence);
      EXPECT_LE(part_state.history.back().relative_divergence, wind_case.solver.tolerance);
      // A divergence r in every cell drives at most a velocity of r times the length of the domain; both have it.
      double const left_over = wind_case.solver.tolerance * whole_state.initial_divergence;
      double const bound = 2 * left_over * wind_case.grid.nx() * wind_case.grid.dx();
      for (ModelField const field : {ModelField::u, ModelField::v, ModelField::w})
        EXPECT_LE((largest_difference<T>(*both.part, *both.whole, field)), bound) << name(field);
      expect_same<T>(*both.part, *both.whole, ModelField::flag);
      // A number of processes has the same bits in every run.
      auto const again = wind::make_wind_model(backend_of<Exec>(), wind_case, world());
      again->set_initial_field();
      ProjectionState state;
      EXPECT_EQ((WindOn<Exec, T>::solve(*again, wind_case, state)), ProjectionEnd::converged);
      expect_same_history(state, part_state);
      for (ModelField const field : state_fields) {
        EXPECT_TRUE((copy<T>(*again, field, again->part().own) == copy<T>(*both.part, field, again->part().own)))
            << name(field);
      }
    }
  }
}

/// A field of the part, as the state of a restart.
template <class T>
void pass_on(WindModel& from, WindModel& to, ModelField field) {
  auto const extents = wind::extents(field, from.part().own);
  std::vector<T> values(static_cast<std::size_t>(extents[0]) * static_cast<std::size_t>(extents[1]) *
                        static_cast<std::size_t>(extents[2]));
  from.copy(field, {values.data(), extents});
  to.restore(field, {static_cast<T const*>(values.data()), extents});
}

TYPED_TEST(DistributedWind, RestoredPartsContinueToTheSameBits) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  WindCase const wind_case = case_of<Exec, T>(variants[3]);
  Both<Exec> const both(wind_case);
  ProjectionState first, whole_state;
  wind::ProjectionHooks stop;
  stop.checked = [](ProjectionState const& state) { return state.iteration < 30; };
  ASSERT_EQ((WindOn<Exec, T>::solve(*both.part, wind_case, first, stop)), ProjectionEnd::interrupted);
  both.part->store_correction();
  auto const next = wind::make_wind_model(backend_of<Exec>(), wind_case, world());
  next->set_initial_field();
  for (ModelField const field :
       {ModelField::u, ModelField::v, ModelField::w, ModelField::lambda, ModelField::correction})
    pass_on<T>(*both.part, *next, field);
  EXPECT_EQ((WindOn<Exec, T>::solve(*next, wind_case, first)), ProjectionEnd::converged);
  EXPECT_EQ((WindOn<Exec, T>::solve(*both.whole, wind_case, whole_state)), ProjectionEnd::converged);
  expect_same_history(first, whole_state);
  expect_same_fields<T>(*next, *both.whole, state_fields);
  expect_same_samples(*next, *both.whole, wind_case);
}

TYPED_TEST(DistributedWind, AFirstGuessStartsFromTheSameBits) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  WindCase const wind_case = case_of<Exec, T>(variants[5]);
  Both<Exec> const both(wind_case);
  for (auto const& model : {both.part.get(), both.whole.get()}) {
    ProjectionState state;
    EXPECT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), ProjectionEnd::converged);
    model->set_initial_field_keeping_lambda();
    model->apply_first_guess();
  }
  EXPECT_EQ(both.part->update_divergence(), both.whole->update_divergence());
  expect_same_fields<T>(*both.part, *both.whole, state_fields);
}

TYPED_TEST(DistributedWind, TheFirstValueThatIsNotFiniteIsThatOfTheDomain) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  WindCase const wind_case = case_of<Exec, T>(variants[1]);
  auto const model = wind::make_wind_model(backend_of<Exec>(), wind_case, world());
  model->set_initial_field();
  EXPECT_FALSE(model->find_not_finite(ModelField::v).has_value());
  // In storage order the value of the process with the highest columns comes first: it is in the lowest layer.
  Box const box = model->part().own.own_box();
  bool const is_last = world().rank() == world().size() - 1;
  auto const extents = wind::extents(ModelField::v, model->part().own);
  auto const [nz, ny, nx] = extents;
  std::vector<T> v(static_cast<std::size_t>(nz) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(nx));
  model->copy(ModelField::v, {v.data(), extents});
  int const layer = is_last ? 3 : 5;
  v[(static_cast<std::size_t>(layer) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(ny - 1)) *
        static_cast<std::size_t>(nx) +
    1] = std::numeric_limits<T>::quiet_NaN();
  model->restore(ModelField::v, {static_cast<T const*>(v.data()), extents});
  auto const expected = world().broadcast(std::array{3, box.end[1], box.begin[0] + 1}, world().size() - 1);
  EXPECT_EQ(model->find_not_finite(ModelField::v), expected);
  EXPECT_FALSE(model->find_not_finite(ModelField::u).has_value());
  EXPECT_TRUE(std::isnan(model->update_divergence()));
}

TYPED_TEST(DistributedWind, TheMemoryOfThePartsIsAnnounced) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  Exec const space;
  std::int64_t const reductions = Reducer<Exec>(space).workspace_bytes();
  for (Variant const& variant : chosen_cases<Exec>(variants, 3)) {
    for (wind::Method const method : {wind::Method::sor, wind::Method::mg_pcg}) {
      WindCase wind_case = case_of<Exec, T>(variant);
      wind_case.solver.method = method;
      std::unique_ptr<WindModel> model;
      auto const kept =
          allocated_bytes<Exec>([&] { model = wind::make_wind_model(backend_of<Exec>(), wind_case, world()); });
      std::int64_t const announced = wind::model_bytes(backend_of<Exec>(), wind_case, world().size());
      EXPECT_LE(kept.bytes, announced + reductions + 8 * kept.views) << variant.name << ' ' << name(method);
      // That of the largest part, with the temporary memory of the set-up.
      EXPECT_LE(announced, 3 * world().largest(kept.bytes)) << variant.name << ' ' << name(method);
    }
  }
}

TYPED_TEST(DistributedWind, NoProcessSendsMoreThanAnnounced) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  if (!runs_on_host<Exec>) GTEST_SKIP() << "messages between devices may not be those of MPI";
  struct Domain {
    char const* name;
    std::array<int, 3> cells;
    std::array<double, 2> width;
  };
  // Gathered at once; on grids in parts, both of the red-black and of the line sweeps; one spacing of 5 others.
  for (Domain const& domain :
       {Domain{"few cells", {24, 20, 16}, {2, 2}}, Domain{"cut in y", {40, 96, 24}, {2, 2}},
        Domain{"odd rows", {37, 101, 17}, {2, 2}}, Domain{"cut in x", {190, 7, 30}, {2, 6}},
        Domain{"wide rows", {64, 64, 20}, {1, 5}}, Domain{"flat cells", {48, 64, 24}, {12, 12}}}) {
    for (wind::Method const method : {wind::Method::sor, wind::Method::multigrid, wind::Method::mg_pcg}) {
      SCOPED_TRACE(std::string(domain.name) + ", " + std::string(name(method)));
      WindCase wind_case = case_of<Exec, T>(variants[0]);
      wind_case.grid = UniformGrid(domain.cells, {domain.width[0], domain.width[1], 2}, {0, 0, 0});
      wind_case.buildings = {block(20, 20, 8, 8, 8)};
      wind_case.solver.method = method;
      wind_case.solver.check_every = 1;
      wind_case.solver.max_iterations = 6;
      auto const need = wind::estimate(wind_case, backend_of<Exec>(), 0, world().size());
      auto const model = wind::make_wind_model(backend_of<Exec>(), wind_case, world());
      EXPECT_EQ(world().size() == 1 ? 0 : world().largest(model->part().own.cell_count()), need.part_cells);
      model->set_initial_field();
      // Between two checks within a pass lies one sweep or cycle.
      std::int64_t most = 0, before = -1;
      int pass = -1;
      wind::ProjectionHooks hooks;
      hooks.checked = [&](ProjectionState const& state) {
        if (before >= 0 && pass == state.passes) most = std::max(most, bytes_sent - before);
        pass = state.passes;
        before = bytes_sent;
        return true;
      };
      ProjectionState state;
      WindOn<Exec, T>::solve(*model, wind_case, state, hooks);
      most = world().largest(most);
      EXPECT_EQ(most > 0, world().size() > 1);
      EXPECT_LE(most, need.sent_bytes);
      // A row of odd length is rounded up; a cycle may have fewer grids in parts than the bound allows.
      EXPECT_LE(need.sent_bytes, method == wind::Method::sor ? most * 5 / 4 : 8 * most);
    }
  }
}

}  // namespace distributed_wind_test
