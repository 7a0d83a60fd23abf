// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every key of the cases of karman euler, wrong in turn; impossible meshes, states and boundaries.
#include "apps/common/wrong_case.hpp"
#include "euler/case/flow_case.hpp"
#include "small_flow_case.hpp"

namespace flow_wrong_case_test {

using namespace karman::test;

bool is_named_by_mesh(Pointer const& at) { return at.to_string() == "/boundaries"; }

/// /boundaries/west/kind is /boundaries/*/kind.
std::string schema_name(std::string const& pointer) {
  std::string const holder = "/boundaries/";
  if (pointer.rfind(holder, 0) != 0) return without_indices(pointer);
  std::size_t const end = pointer.find('/', holder.size());
  return holder + "*" + (end == std::string::npos ? "" : without_indices(pointer.substr(end)));
}

/// One of two keys that exclude each other.
bool is_one_of_two(std::string const& key) {
  static std::set<std::string> const keys{"density", "temperature",   "velocity",
                                          "mach",    "total_density", "total_temperature"};
  return keys.count(key) > 0;
}

class FlowWrongCase : public WrongCaseOf {
 protected:
  FlowWrongCase() : WrongCaseOf("euler") {
    write_small_flow_files(place_.path(""));
    for (std::string const& text : small_flow_cases()) cases_.push_back(Json::parse(text));
  }

  Outcome run(std::string const& text) override {
    return checked(text, karman::euler::schema(), [](karman::Case const& input) {
      karman::euler::read_flow_case(input);
      return std::string();
    });
  }

  std::string changed(std::size_t which, char const* pointer, Json const& value) const {
    Json wrong = cases_[which];
    wrong[Pointer(pointer)] = value;
    return wrong.dump(2);
  }

  std::vector<Json> cases_;
};

TEST_F(FlowWrongCase, TheCompleteCasesAreRightAndHaveEveryKey) {
  std::set<std::string> seen;
  for (Json const& whole : cases_) {
    place_.write("case.json", whole.dump(2));
    Outcome const outcome = place_.karman({"euler", "case.json", "--dry-run"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    for_each_key(whole, Pointer(),
                 [&](Pointer const& at, std::string const& key) { seen.insert(schema_name((at / key).to_string())); });
  }
  EXPECT_EQ(seen.erase("/boundaries/*"), 1u);
  for (std::string const& name : names_) EXPECT_EQ(seen.erase(name), 1u) << name << " is in no case";
  for (std::string const& name : seen) ADD_FAILURE() << name << " is not in the schema";
}

TEST_F(FlowWrongCase, Missing) {
  every_key(cases_, [&](Json const& whole, Pointer const& at, std::string const& key) {
    std::string const pointer = (at / key).to_string();
    // Without an arc a polygon is another valid one; without formulas the start is the flow.
    if (is_named_by_mesh(at)) return;
    Json wrong = whole;
    wrong.at(at).erase(key);
    // Some kinds of mesh require a key that others have a default for.
    static std::set<std::string> const shapes{"airfoil", "bow_shock", "wedge", "step"};
    bool const optional = at.to_string() == "/mesh" && shapes.count(whole.at("mesh").at("kind")) > 0;
    if ((required_.count(schema_name(pointer)) > 0 && !optional) || key == "kind") {
      refused(wrong.dump(2), key, "without " + pointer);
    } else if (is_one_of_two(key) && at.to_string() != "/initial" && at.to_string() != "/mesh") {
      refused(wrong.dump(2), "expected either ", "without " + pointer);
    } else if (key == "local_steps") {
      // Off: smoothing has nothing to smooth.
      wrong = whole;
      wrong.at(at / key) = false;
      refused(wrong.dump(2), "/time/smoothing", "smoothing of global steps");
    } else if (key == "forces" && whole.at("time").at("kind") == "steady") {
      refused(wrong.dump(2), "/time/force_change", "without " + pointer);
    } else {
      Outcome const outcome = run(wrong.dump(2));
      EXPECT_EQ(outcome.exit_code, 0) << "without " << pointer << '\n' << outcome.err;
    }
  });
}

TEST_F(FlowWrongCase, Misspelt) { misspelt(cases_, is_named_by_mesh); }

TEST_F(FlowWrongCase, OfTheWrongType) {
  every_key(cases_, [&](Json const& whole, Pointer const& at, std::string const& key) {
    std::string const pointer = (at / key).to_string();
    Json wrong = whole;
    Json& value = wrong.at(at / key);
    value = value.is_boolean() ? Json(7) : Json(true);
    refused(wrong.dump(2), pointer, pointer + " of the wrong type");
    wrong.at(at / key) = nullptr;
    refused(wrong.dump(2), pointer, pointer + " null");
  });
}

/// True where any number of reasonable size is valid.
bool is_signed(std::string const& pointer) {
  std::string const name = schema_name(pointer);
  static std::set<std::string> const names{"low",       "high",  "center", "at",    "velocity", "angle",
                                           "moment_at", "pivot", "mean",   "speed", "phase",    "amplitude"};
  return names.count(name.substr(name.rfind('/') + 1)) > 0;
}

TEST_F(FlowWrongCase, Negative) { EXPECT_GT(negative(cases_, is_signed, -1e10), 80); }

TEST_F(FlowWrongCase, Huge) { huge(cases_); }

TEST_F(FlowWrongCase, NotANumber) { not_a_number(cases_); }

TEST_F(FlowWrongCase, TheCommandReportsTheSame) {
  for (auto const& [pointer, value] : {std::pair{"/flow/pressure", Json(-1)},
                                       {"/initial/density", Json("x +")},
                                       {"/boundaries/pier", Json{{"kind", "wall"}}},
                                       {"/gauges/0/at", Json{900, 0}}}) {
    std::string const text = changed(0, pointer, value);
    place_.write("case.json", text);
    Outcome const outcome = place_.karman({"euler", "case.json", "--dry-run"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err, run(text).err);
    EXPECT_NE(outcome.err.find(pointer), std::string::npos) << outcome.err;
  }
}

TEST_F(FlowWrongCase, States) {
  refused(changed(0, "/flow/temperature", 300), "/flow", "density and temperature", "either density or temperature");
  refused(changed(0, "/flow/mach", 1), "/flow", "velocity and mach", "either velocity, or mach");
  refused(changed(0, "/initial/density", "x - 1"), "/initial/density", "a vacuum",
          "expected positive values, found -1 at node 0");
  refused(changed(0, "/initial/pressure", "1 / x"), "/initial/pressure", "no pressure", "expected positive values");
  refused(changed(0, "/initial/pressure", "x + w"), "/initial/pressure", "no formula", "expected a formula in x, y");
  refused(changed(0, "/initial/velocity/1", "sqrt(x - 1)"), "/initial/velocity", "no number", "expected finite values");
}

TEST_F(FlowWrongCase, Boundaries) {
  refused(changed(0, "/periodic", Json::array({Json::array({"west", "south"})})), "/periodic",
          "sides that do not match", "expected boundaries that match");
  refused(changed(0, "/periodic", Json::array({Json::array({"west", "sea"})})), "/periodic/0/1", "an unknown side",
          "one of: south, east, north, west");
  refused(changed(0, "/periodic", Json::array({Json::array({"west", "west"})})), "/periodic/0/1", "one side twice",
          "once");
  Json wrong = cases_[0];
  wrong["boundaries"] = {{"south", {{"kind", "wall"}}}};
  refused(wrong.dump(2), "missing: north (20 edges, the first at (x, y) = (1.95, 1))", "a label without a condition");
  refused(changed(0, "/forces/0/boundaries/0", "wing"), "/forces/0/boundaries/0", "an unknown wall", "one of: south");
  // Supersonic was said.
  wrong = cases_[1];
  wrong["flow"]["mach"] = 0.5;
  wrong["boundaries"]["inflow"] = {{"kind", "inflow"}};
  refused(wrong.dump(2), "/boundaries/inflow", "a subsonic inflow", "expected a supersonic state, found Mach 0.5");
  wrong["flow"]["mach"] = 2;
  wrong["flow"]["angle"] = 180;
  refused(wrong.dump(2), "/boundaries/inflow", "an inflow that leaves", "expected flow into the domain");
  refused(changed(0, "/time/averages_from", 0.4), "/time/averages_from", "averages of nothing", "less than /time/end");
}

TEST_F(FlowWrongCase, Motions) {
  constexpr std::size_t moving = 11;
  refused(changed(moving, "/motion/body/0", "wing"), "/motion/body/0", "an unknown body",
          "one of: south, east, north, west");
  refused(changed(moving, "/motion/sliding/0", "west"), "/motion/sliding", "a body that slides",
          "none of the boundaries");
  refused(changed(moving, "/time/method", "ssp_rk3"), "/time/method", "a method that cannot move",
          "minimal_storage_rk4");
  refused(changed(moving, "/time", {{"kind", "steady"}}), "/motion", "a steady motion", "transient");
  Json periodic = Json::parse(changed(moving, "/periodic", Json::parse(R"([["south", "north"]])")));
  refused(periodic.dump(2), "/motion/sliding", "sides that slide and are periodic", "no periodic boundary");
  periodic["motion"]["sliding"] = Json::array();
  periodic["motion"]["pitch"]["speed"] = 1;
  refused(periodic.dump(2), "/motion/pitch", "a turning body at a periodic side", "touches a periodic boundary");
  periodic["motion"]["pitch"]["speed"] = 0;
  periodic["motion"]["body"] = {"west", "north"};
  refused(periodic.dump(2), "/motion/body", "a periodic side that moves", "no periodic boundary");
}

TEST_F(FlowWrongCase, StatesOfBoundaries) {
  char const* const state = "/boundaries/inflow/state";
  refused(changed(1, "/boundaries/inflow/state/temperature", "-y"), state, "no temperature",
          "expected a positive density");
  refused(changed(1, "/boundaries/inflow/state/pressure", "x * z"), "/boundaries/inflow/state/pressure", "no formula",
          "expected a formula in x, y, t");
  refused(changed(1, "/boundaries/inflow/state/density", 1), state, "density and temperature",
          "either density or temperature");
}

TEST_F(FlowWrongCase, Meshes) {
  refused(changed(0, "/mesh/size", 1e-5), "/mesh/size", "too many nodes", "at most 1e+08 nodes");
  refused(changed(8, "/mesh/corner", 2), "/mesh/length", "a corner behind the outflow", "more than /mesh/corner");
  refused(changed(9, "/mesh/step_height", 1.5), "/mesh/height", "a step to the roof", "more than /mesh/step_height");
  refused(changed(6, "/mesh/digits", "12"), "/mesh/digits", "two digits", "four digits");
  refused(changed(6, "/mesh/points", 33), "/mesh", "an odd number of points", "cannot be meshed");
  EXPECT_EQ(run(changed(12, "/mesh/file", "nowhere.su2")).exit_code, 4);
  place_.write("bad.su2", "NDIME= 2\nNELEM= x\n");
  Outcome const outcome = run(changed(12, "/mesh/file", "bad.su2"));
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_EQ(outcome.err.rfind("bad.su2:2", 0), 0u) << outcome.err;
}

}  // namespace flow_wrong_case_test
