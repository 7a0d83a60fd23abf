// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every key of the cases of karman waves, wrong in turn; impossible meshes, depths, boundaries and gauges.
#include "apps/common/wrong_case.hpp"
#include "small_wave_case.hpp"
#include "waves/case/wave_case.hpp"

#include <fstream>

namespace waves_wrong_case_test {

using namespace karman::test;

/// Objects whose keys are names in the mesh instead of the schema.
constexpr char const* named_by_mesh[] = {"/boundaries", "/friction/rate/values", "/friction/coefficient/values",
                                         "/friction/roughness/values"};

bool is_named_by_mesh(Pointer const& at) {
  return std::count(std::begin(named_by_mesh), std::end(named_by_mesh), at.to_string()) > 0;
}

/// /boundaries/west/kind is /boundaries/*/kind.
std::string schema_name(std::string const& pointer) {
  for (std::string holder : named_by_mesh) {
    holder += '/';
    if (pointer.rfind(holder, 0) != 0) continue;
    std::size_t const end = pointer.find('/', holder.size());
    return holder + "*" + (end == std::string::npos ? "" : pointer.substr(end));
  }
  return without_indices(pointer);
}

class WavesWrongCase : public WrongCaseOf {
 protected:
  WavesWrongCase() : WrongCaseOf("waves") {
    write_small_files(place_.path(""));
    for (std::string const& text : small_wave_cases()) cases_.push_back(Json::parse(text));
  }

  Outcome run(std::string const& text) override {
    return checked(text, karman::waves::schema(), [](karman::Case const& input) {
      std::string said;
      for (std::string const& remark : karman::waves::read_wave_case(input).remarks) said += remark + '\n';
      return said;
    });
  }

  std::string changed(std::size_t which, char const* pointer, Json const& value) const {
    Json wrong = cases_[which];
    wrong[Pointer(pointer)] = value;
    return wrong.dump(2);
  }

  std::vector<Json> cases_;
};

TEST_F(WavesWrongCase, TheCompleteCasesAreRightAndHaveEveryKey) {
  std::set<std::string> seen;
  for (Json const& whole : cases_) {
    place_.write("case.json", whole.dump(2));
    Outcome const outcome = place_.karman({"waves", "case.json", "--dry-run"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    for_each_key(whole, Pointer(),
                 [&](Pointer const& at, std::string const& key) { seen.insert(schema_name((at / key).to_string())); });
  }
  for (char const* holder : named_by_mesh) EXPECT_EQ(seen.erase(std::string(holder) + "/*"), 1u) << holder;
  for (std::string const& name : names_) EXPECT_EQ(seen.erase(name), 1u) << name << " is in no case";
  for (std::string const& name : seen) ADD_FAILURE() << name << " is not in the schema";
}

TEST_F(WavesWrongCase, Missing) {
  every_key(cases_, [&](Json const& whole, Pointer const& at, std::string const& key) {
    std::string const pointer = (at / key).to_string();
    // Another test covers boundaries and regions without names. A polygon without an arc is another valid polygon.
    if (is_named_by_mesh(at)) return;
    Json wrong = whole;
    wrong.at(at).erase(key);
    if (required_.count(schema_name(pointer)) > 0 || key == "kind") {
      refused(wrong.dump(2), key, "without " + pointer);
    } else {
      Outcome const outcome = run(wrong.dump(2));
      EXPECT_EQ(outcome.exit_code, 0) << "without " << pointer << '\n' << outcome.err;
    }
  });
}

TEST_F(WavesWrongCase, Misspelt) { misspelt(cases_, is_named_by_mesh); }

TEST_F(WavesWrongCase, OfTheWrongType) {
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
  std::string const last = name.substr(name.rfind('/') + 1);
  static std::set<std::string> const names{"low",  "high",  "center",    "at",     "from",  "to",   "depth",
                                           "tide", "phase", "direction", "across", "along", "angle"};
  return names.count(last) > 0;
}

TEST_F(WavesWrongCase, Negative) { EXPECT_GT(negative(cases_, is_signed, -1e10), 80); }

TEST_F(WavesWrongCase, Huge) { huge(cases_); }

TEST_F(WavesWrongCase, NotANumber) { not_a_number(cases_); }

TEST_F(WavesWrongCase, TheCommandReportsTheSame) {
  for (auto const& [pointer, value] : {std::pair{"/waves/period", Json(-1)},
                                       {"/bathymetry/depth", Json("x +")},
                                       {"/boundaries/pier", Json{{"kind", "open"}}},
                                       {"/gauges/0/at", Json{900, 0}}}) {
    std::string const text = changed(0, pointer, value);
    place_.write("case.json", text);
    Outcome const outcome = place_.karman({"waves", "case.json", "--dry-run"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err, run(text).err);
    EXPECT_NE(outcome.err.find(pointer), std::string::npos) << outcome.err;
  }
}

TEST_F(WavesWrongCase, Depths) {
  char const* const depth = "/bathymetry/depth";
  Json dry = cases_[3];
  refused(changed(0, depth, "x / 0"), depth, "not finite", "expected finite values, found");
  refused(changed(0, depth, "x + w"), depth, "no formula", "w");
  refused(changed(0, depth, "3 * z"), depth, "a third dimension", "expected a formula in x, y");
  dry["bathymetry"]["depth"] = "x + 1";
  refused(dry.dump(2), depth, "dry nodes", "nodes are dry");
  dry["bathymetry"]["depth"] = -3;
  refused(dry.dump(2), depth, "a negative depth", "-3 m at (x, y)");
  dry["bathymetry"]["least_depth"] = 0.5;
  EXPECT_EQ(run(dry.dump(2)).exit_code, 0);
  dry = cases_[3];
  dry["bathymetry"]["tide"] = -20;
  refused(dry.dump(2), depth, "an ebb", "nodes are dry");
  Json beyond = cases_[4];
  beyond["waves"]["period"] = 0.06;
  beyond["bathymetry"]["depth"] = 11000;
  refused(beyond.dump(2), "/waves/period: 0.06", "k h beyond range", "1e-6 to 1e4 is allowed");
  beyond = cases_[3];
  beyond["waves"]["from"] = 0.05;
  beyond["bathymetry"]["depth"] = 11000;
  refused(beyond.dump(2), "/waves/from", "k h beyond range in a scan", "with a period of 0.05 s");
}

TEST_F(WavesWrongCase, Soundings) {
  char const* const pointer = "/bathymetry/depth/file";
  EXPECT_EQ(run(changed(7, pointer, "nowhere.csv")).exit_code, 4);
  struct Bad {
    char const* text;
    char const* says;
  };
  for (Bad const& bad :
       {Bad{"1 2 3\n4 5\n", ":2: 4 5: expected three numbers"}, Bad{"1 2 3\n\n4 5 six\n", ":3: "},
        Bad{"x y h\nx y h\n", ":2: "}, Bad{"1 2 3 4\n", ":1: "}, Bad{"", ":1: "},
        Bad{"# nothing\n", "expected three numbers"}, Bad{"1 2 nan\n", ":1: "}, Bad{"1 2 1e999\n", ":1: "}}) {
    place_.write("bad.csv", bad.text);
    Outcome const outcome = run(changed(7, pointer, "bad.csv"));
    EXPECT_EQ(outcome.exit_code, 2) << bad.text << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    EXPECT_EQ(outcome.err.rfind("bad.csv:", 0), 0u) << outcome.err;
    EXPECT_NE(outcome.err.find(bad.says), std::string::npos) << outcome.err;
  }
  // Soundings in other coordinates than the mesh, or hardly any: no node has some around it.
  place_.write("far.csv", "100000 100000 1\n100001 100000 1\n100001 100001 1\n");
  refused(changed(7, pointer, "far.csv"), pointer, "soundings elsewhere", "at least 1.414e+05 m away");
  place_.write("one.csv", "10 5 4\n");
  refused(changed(7, pointer, "one.csv"), pointer, "one sounding", "none of 66 nodes lies between the 1 soundings");
  place_.write("few.csv", "0 0 4\n10 0 4\n0 10 4\n");
  Json few = cases_[7];
  few["bathymetry"]["depth"]["file"] = "few.csv";
  Outcome const said = run(few.dump(2));
  EXPECT_EQ(said.exit_code, 0) << said.err;
  EXPECT_NE(said.out.find("lie outside the soundings"), std::string::npos) << said.out;
  few["bathymetry"]["depth"]["outside"] = "refuse";
  refused(few.dump(2), "/bathymetry/depth/outside", "nodes outside", "lies outside");
  few["bathymetry"]["depth"]["outside"] = "nearest";
  few["bathymetry"]["depth"]["positive"] = "up";
  refused(few.dump(2), "/bathymetry/depth", "heights for depths", "dry");
}

TEST_F(WavesWrongCase, DepthFiles) {
  char const* const dataset = "/bathymetry/depth/dataset";
  EXPECT_EQ(run(changed(8, dataset, "/narrow")).exit_code, 0);
  Outcome const averaged = run(changed(8, dataset, "/triangles"));
  EXPECT_EQ(averaged.exit_code, 0) << averaged.err;
  EXPECT_NE(averaged.out.find("averaged to the nodes"), std::string::npos) << averaged.out;
  refused(changed(8, dataset, "/nothing"), dataset, "no such dataset");
  for (char const* name : {"depth", "//", "/g/../depth"})
    refused(changed(8, dataset, name), dataset, name, "the absolute name of a dataset");
  refused(changed(8, dataset, "/whole"), dataset, "integers", "float32 or float64");
  refused(changed(8, dataset, "/short"), "/bathymetry/depth/file", "too few", "found 5");
  refused(changed(8, dataset, "/bad"), "/bathymetry/depth", "not a number", "at node 3");
  refused(changed(8, "/bathymetry/depth/file", "depth.txt"), "/bathymetry/depth/file", "another kind of file");
  place_.write("rubbish.h5", "this is no file of numbers");
  Outcome const outcome = run(changed(8, "/bathymetry/depth/file", "rubbish.h5"));
  EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
  EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
}

TEST_F(WavesWrongCase, Friction) {
  char const* const coefficient = "/friction/coefficient";
  refused(changed(0, coefficient, "x +"), coefficient, "no formula", "expected a formula in x, y");
  refused(changed(0, coefficient, "0.1 - x"), coefficient, "below zero", "expected values >= 0 and <= 1, found -1.9");
  refused(changed(0, coefficient, "1 / (x - 40)"), coefficient, "not finite", "expected finite values, found inf");
  EXPECT_EQ(run(changed(0, coefficient, "x > 20 ? 0.02 : 0.01")).exit_code, 0);
  char const* const values = "/friction/coefficient/values";
  refused(changed(10, values, Json{{"mud", 0.1}}), values, "a region without a value", "missing: 7");
  EXPECT_EQ(run(changed(10, values, Json{{"mud", 0.1}, {"others", 0.2}})).exit_code, 0);
  refused(changed(10, values, Json{{"mut", 0.1}, {"others", 0.2}}), "/friction/coefficient/values/mut",
          "an unknown region", "expected a region of the mesh, one of: mud, 7");
  refused(changed(10, values, Json{{"mud", 0.1}, {"2", 0.1}, {"7", 0}}), values, "a region twice", "each region once");
  refused(changed(10, values, Json{{"mud", 2}, {"7", 0}}), coefficient, "too large a value", "<= 1, found");
  char const* const dataset = "/friction/coefficient/dataset";
  refused(changed(8, dataset, "/short"), "/friction/coefficient/file", "too few", "found 5");
  refused(changed(8, dataset, "/bad"), coefficient, "not a number", "found nan at node 3");
  refused(changed(8, dataset, "/depth"), coefficient, "depths for coefficients", "<= 1, found 2");
  EXPECT_EQ(run(changed(8, "/friction/coefficient/file", "nowhere.h5")).exit_code, 4);
}

TEST_F(WavesWrongCase, MeshFiles) {
  EXPECT_EQ(run(changed(7, "/mesh/file", "nowhere.msh")).exit_code, 4);
  std::ostringstream whole;
  whole << std::ifstream(place_.path("small.msh"), std::ios::binary).rdbuf();
  std::string const text = whole.str();
  // Cut at every twentieth line. After the last of its lines nothing is missing at the end.
  std::vector<std::size_t> ends;
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) ends.push_back(at + 1);
  for (std::size_t n = 0; n + 1 < ends.size(); n += 20) {
    place_.write("cut.msh", text.substr(0, ends[n]));
    Outcome const outcome = run(changed(7, "/mesh/file", "cut.msh"));
    EXPECT_EQ(outcome.exit_code, 2) << n << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    EXPECT_EQ(outcome.err.rfind("cut.msh", 0), 0u) << outcome.err;
  }
  // 20 m x 10 m are not degrees beyond the poles, but extend too far for one plane.
  refused(changed(7, "/mesh/coordinates", "geographic"), "/mesh/coordinates", "metres for degrees", "distort lengths");
}

TEST_F(WavesWrongCase, MeshesThatCannotBe) {
  refused(changed(0, "/mesh/high", {-1, 20}), "/mesh/high", "an empty rectangle", "/mesh/low");
  refused(changed(0, "/mesh/size", 0.001), "/mesh/size", "too many nodes", "at most 1e+08 nodes");
  refused(changed(4, "/mesh/outer_radius", 9), "/mesh/outer_radius", "inside out", "more than /mesh/inner_radius");
  for (Json const& steps : {Json(-1), Json(5), Json(1.5), Json("twice")})
    refused(changed(0, "/mesh/refine", steps), "/mesh/refine", "refined " + steps.dump() + " times");
  Json many = cases_[0];
  many["mesh"]["size"] = 0.04;
  many["mesh"]["refine"] = 4;
  refused(many.dump(2), "/mesh/refine", "too many nodes after refinement",
          "at most 1e+08 nodes, found more than 1.2e+08");
  // Slender shapes have little area but many nodes.
  auto const slender = [&](std::size_t which, Json const& members, char const* pointer) {
    Json wrong = cases_[which];
    for (auto const& [key, value] : members.items()) wrong["mesh"][key] = value;
    refused(wrong.dump(2), pointer, pointer + members.dump(), "at most 1e+08 nodes");
  };
  slender(0, {{"high", {9e7, 0.1}}, {"size", 0.5}}, "/mesh/size");
  slender(1, {{"length", 9e6}, {"width", 0.1}, {"size", 0.05}}, "/mesh/size");
  slender(4, {{"inner_radius", 1e6}, {"outer_radius", 1000000.01}, {"inner_size", 0.05}, {"outer_size", 0.05}},
          "/mesh/inner_size");
  slender(3, {{"length", 5e6}, {"width", 0.01}, {"mouth_size", 0.05}, {"back_size", 0.05}}, "/mesh/mouth_size");
  slender(5,
          {{"shore_radius", 1e6},
           {"shelf_radius", 1000000.01},
           {"sea_radius", 1000001},
           {"shore_size", 0.05},
           {"sea_size", 1e5}},
          "/mesh/shore_size");
  slender(6,
          {{"outer",
            {{{"at", {0, 0}}, {"label", "sea"}},
             {{"at", {9e7, 0}}, {"label", "sea"}},
             {{"at", {9e7, 0.001}}, {"label", "sea"}},
             {{"at", {0, 0.001}}, {"label", "sea"}}}},
           {"holes", Json::array()},
           {"size", 1}},
          "/mesh/size");
  refused(changed(3, "/mesh/sea_radius", 4), "/mesh/sea_radius", "a sea narrower than the mouth");
  refused(changed(3, "/mesh/sea_size", 1), "/mesh/sea_size", "a coarse mouth");
  refused(changed(5, "/mesh/shelf_radius", 50), "/mesh/sea_radius", "a shelf beyond the sea");
  refused(changed(6, "/mesh/size", "x"), "/mesh", "sizes below zero", "cannot be meshed");
  refused(changed(6, "/mesh/size", "x +"), "/mesh/size", "no formula", "expected a formula in x, y");
  refused(changed(6, "/mesh/outer/0/arc/center", {5, 0}), "/mesh/outer/0/arc/center", "an arc that misses its end");
  refused(changed(6, "/mesh/outer/2/at", {20, 5}), "/mesh", "a polygon that crosses itself", "cannot be meshed");
  refused(changed(6, "/mesh/holes/0/1/at", {-90, -17}), "/mesh", "a hole outside", "cannot be meshed");
}

TEST_F(WavesWrongCase, BoundariesGaugesAndWaves) {
  Json wrong = cases_[3];
  wrong["boundaries"].erase("quay");
  refused(wrong.dump(2), "/boundaries", "a boundary without condition", "missing: quay");
  wrong = cases_[3];
  wrong["boundaries"]["pier"] = {{"kind", "open"}};
  refused(wrong.dump(2), "/boundaries/pier", "an unknown boundary", "one of: open, coast, quay, back");
  wrong = cases_[3];
  wrong["boundaries"]["back"] = {{"kind", "open"}};
  refused(wrong.dump(2), "expected each boundary once", "by name and by number");
  wrong = cases_[3];
  wrong["boundaries"]["open"] = {{"kind", "reflecting"}};
  refused(wrong.dump(2), "/boundaries", "walls all around", "kind incident");
  wrong["boundaries"]["coast"] = {{"kind", "open"}};
  wrong["boundaries"]["others"] = {{"kind", "incident"}};
  refused(wrong.dump(2), "/boundaries", "an incident boundary that is nowhere", "kind incident");
  refused(changed(3, "/gauges/0/at", {10, 30}), "/gauges/0/at", "a gauge on land",
          "a point of the mesh, which lies in (-30, -20) to (20, 20)");
  refused(changed(0, "/gauges/1/name", "middle"), "/gauges/1/name", "two gauges of one name");
  for (std::string const& name : {std::string("end "), std::string("a\tb"), std::string("a\nb")}) {
    char const* const advice = "without control characters and without leading or trailing blanks";
    refused(changed(0, "/gauges/1/name", name), "/gauges/1/name", name, advice);
    refused(changed(0, "/sections/0/name", name), "/sections/0/name", name, advice);
    refused(changed(6, "/mesh/outer/0/label", name), "/mesh/outer/0/label", name, advice);
  }
  refused(changed(0, "/title", std::string("a\0b", 3)), "/title", "a NUL", "without the character U+0000");
  refused(changed(0, "/sections/0/measured/points/1/0", 40.001), "/sections/0/measured/points/1/0",
          "a measurement beyond the section", "a distance within the section");
  refused(changed(3, "/waves/to", 8), "/waves/to", "a scan of nothing", "more than /waves/from");
}

}  // namespace waves_wrong_case_test
