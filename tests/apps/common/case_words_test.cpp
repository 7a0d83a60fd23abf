// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words and defaults in schemas of cases equal the words and defaults of the enums and structs in the program.
#include "common/mesh/mesh_options_json.hpp"
#include "enumerators.hpp"
#include "euler/case/flow_options_json.hpp"
#include "poisson/case/poisson_options_json.hpp"
#include "turbulence/case/turbulence_options_json.hpp"
#include "waves/case/wave_options_json.hpp"
#include "wind/case/wind_options_json.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace case_words_test {

using namespace karman;
using karman::test::json_names;
using nlohmann::json;
using Words = std::set<std::string>;

/// A schema, and its parts by the keys of a case: "/boundaries/*/kind", * for any key.
class Schema {
 public:
  explicit Schema(std::string_view text) : root_(json::parse(text)) {}

  /// Words that a key may have in any branch.
  Words words(std::string const& keys) const {
    Words result;
    for (json const* place : places(keys)) {
      if (place->contains("const")) result.insert((*place)["const"].get<std::string>());
      if (place->contains("enum")) result.merge((*place)["enum"].get<Words>());
    }
    return result;
  }

  /// Defaults of the keys of an object, keys without one as null.
  json defaults(std::string const& keys) const {
    json result = json::object();
    for (json const* place : places(keys)) {
      if (!place->contains("properties")) continue;
      for (auto const& [key, member] : (*place)["properties"].items()) {
        if (result.contains(key) && !result[key].is_null()) continue;
        result[key] = nullptr;
        for (json const* one : branches(member))
          if (one->contains("default")) result[key] = (*one)["default"];
      }
    }
    return result;
  }

 private:
  std::vector<json const*> places(std::string const& keys) const {
    std::vector<json const*> here = branches(root_);
    std::istringstream rest(keys.substr(1));
    for (std::string key; std::getline(rest, key, '/');) {
      std::vector<json const*> next;
      for (json const* place : here) {
        json const* member = nullptr;
        if (key == "*" && place->contains("additionalProperties")) member = &(*place)["additionalProperties"];
        else if (place->contains("properties") && (*place)["properties"].contains(key))
          member = &(*place)["properties"][key];
        if (member == nullptr) continue;
        for (json const* one : branches(*member)) next.push_back(one);
      }
      here = next;
    }
    EXPECT_FALSE(here.empty()) << keys;
    return here;
  }

  /// A schema and all that it refers to or chooses from.
  std::vector<json const*> branches(json const& schema) const {
    std::vector<json const*> all{&schema};
    if (!schema.is_object()) return {};
    auto const add = [&](json const& more) {
      for (json const* one : branches(more)) all.push_back(one);
    };
    if (schema.contains("$ref")) add(root_.at(json::json_pointer(schema["$ref"].get<std::string>().substr(1))));
    for (char const* choice : {"oneOf", "anyOf", "allOf"}) {
      if (!schema.contains(choice)) continue;
      for (json const& one : schema[choice]) add(one);
    }
    return all;
  }

  json root_;
};

Schema const& poisson_schema() {
  static Schema const schema(poisson::schema());
  return schema;
}
Schema const& wind_schema() {
  static Schema const schema(wind::schema());
  return schema;
}
Schema const& waves_schema() {
  static Schema const schema(waves::schema());
  return schema;
}

Words without(Words words, char const* word) {
  EXPECT_EQ(words.erase(word), 1u) << word;
  return words;
}
Words with(Words words, char const* word) {
  EXPECT_TRUE(words.insert(word).second) << word;
  return words;
}

TEST(CaseWords, OfPoissonAreThoseOfItsEnums) {
  using namespace poisson;
  EXPECT_EQ(poisson_schema().words("/solver/method"), with(json_names<Method>(), "auto"));
  EXPECT_EQ(poisson_schema().words("/solver/precision"), json_names<Precision>());
  EXPECT_EQ(poisson_schema().words("/precision"), json_names<Precision>());
  EXPECT_EQ(poisson_schema().words("/solver/cycle"), json_names<MultigridCycle>());
  EXPECT_EQ(poisson_schema().words("/solver/compatibility"), json_names<Compatibility>());
  for (std::string const& side : json_names<Side>()) {
    // A ghost cell has no place in a case.
    EXPECT_EQ(poisson_schema().words("/sides/" + side + "/kind"), without(json_names<Boundary>(), "fixed")) << side;
  }
}

TEST(CaseWords, OfWindAreThoseOfItsEnums) {
  using namespace wind;
  EXPECT_EQ(wind_schema().words("/solver/precision"), json_names<Precision>());
  // The walls of a wind case always fit into codes.
  EXPECT_EQ(wind_schema().words("/solver/storage"), without(json_names<SorStorage>(), "auto"));
  EXPECT_EQ(wind_schema().words("/wind/convention"), json_names<app::DirectionConvention>());
  EXPECT_EQ(wind_schema().words("/wind/profile/kind"), json_names<Profile::Kind>());
  EXPECT_EQ(wind_schema().words("/outputs/watch/axis"), json_names<Axis>());
}

TEST(CaseWords, OfWavesAreThoseOfItsEnums) {
  using namespace waves;
  EXPECT_EQ(waves_schema().words("/solver/method"), with(with(json_names<KrylovMethod>(), "direct"), "auto"));
  EXPECT_EQ(waves_schema().words("/solver/preconditioner"), with(json_names<Preconditioning>(), "auto"));
  EXPECT_EQ(waves_schema().words("/solver/precision"), json_names<Precision>());
  EXPECT_EQ(waves_schema().words("/solver/assembly"), json_names<AssemblyStrategy>());
  EXPECT_EQ(waves_schema().words("/outputs/components"), json_names<KeptComponents>());
  EXPECT_EQ(waves_schema().words("/mesh/diagonals"), json_names<DiagonalPattern>());
  EXPECT_EQ(waves_schema().words("/mesh/coordinates"), json_names<CoordinateMap::Kind>());
  EXPECT_EQ(waves_schema().words("/boundaries/*/kind"), json_names<BoundaryKind>());
  EXPECT_EQ(waves_schema().words("/friction/kind"), json_names<FrictionLaw>());
  EXPECT_EQ(waves_schema().words("/breaking/kind"), json_names<BreakingLaw>());
  EXPECT_EQ(waves_schema().words("/waves/kind"), json_names<WaveSet>());
  EXPECT_EQ(waves_schema().words("/waves/convention"), json_names<app::DirectionConvention>());
}

TEST(CaseWords, OfCompressibleFlowAreThoseOfItsEnums) {
  Schema const schema(euler::schema());
  EXPECT_EQ(schema.words("/solver/precision"), json_names<app::Precision>());
  EXPECT_EQ(schema.words("/scheme/strategy"), json_names<EulerStrategy>());
  auto methods = json_names<TimeMethod>();
  methods.merge(json_names<EulerImplicitMethod>());
  EXPECT_EQ(schema.words("/time/method"), with(methods, "newton"));
  EXPECT_EQ(schema.words("/scheme/kind"), json_names<EulerScheme>());
  EXPECT_EQ(schema.words("/time/preconditioner"), json_names<EulerPreconditioner>());
  EXPECT_EQ(schema.words("/motion/weight"), json_names<MotionWeight>());
  EXPECT_EQ(schema.words("/mesh/diagonals"), json_names<DiagonalPattern>());
  EXPECT_EQ(schema.words("/boundaries/*/kind"), json_names<euler::BoundaryWord>());
}

TEST(CaseWords, OfTurbulenceAreThoseOfItsEnums) {
  Schema const schema(turbulence::schema());
  EXPECT_EQ(schema.words("/solver/precision"), json_names<app::Precision>());
  EXPECT_EQ(schema.words("/solver/method"), json_names<VorticityMethod>());
  EXPECT_EQ(schema.words("/solver/dealiasing"), json_names<Dealiasing>());
  EXPECT_EQ(schema.words("/solver/planning"), json_names<FftPlanning>());
  EXPECT_EQ(schema.words("/initial/kind"), json_names<turbulence::InitialWord>());
  EXPECT_EQ(schema.words("/forcing/kind"), json_names<turbulence::ForcingWord>());
  EXPECT_EQ(schema.words("/time/kind"), json_names<turbulence::StepWord>());
}

template <class Enum>
class CaseNames : public testing::Test {};
using Enums =
    testing::Types<app::Precision, app::DirectionConvention, DiagonalPattern, poisson::Method, poisson::Compatibility,
                   wind::Profile::Kind, euler::BoundaryWord, turbulence::ForcingWord, turbulence::InitialWord,
                   turbulence::StepWord, waves::BoundaryKind, waves::BreakingLaw, waves::CoordinateMap::Kind,
                   waves::FrictionLaw, waves::KeptComponents, waves::Preconditioning, waves::WaveSet>;
TYPED_TEST_SUITE(CaseNames, Enums);

TYPED_TEST(CaseNames, AreThoseOfTheEnumerators) { karman::test::expect_own_names<TypeParam>(); }

TEST(CaseNames, OfMethodsAreThePrintedOnes) {
  for (poisson::Method const method : poisson::all_methods) EXPECT_EQ(json(method), name(method));
  EXPECT_EQ(json_names<poisson::Method>().size(), poisson::all_methods.size());
}

TEST(CaseNames, OfLinearMethodsAreThoseOfTheLibrary) {
  using waves::LinearMethod;
  EXPECT_EQ(json(LinearMethod(waves::DirectMethod())), "direct");
  EXPECT_TRUE(std::holds_alternative<waves::DirectMethod>(json("direct").get<LinearMethod>()));
  for (auto const& one : karman::test::enumerators<KrylovMethod>()) {
    EXPECT_EQ(json(LinearMethod(one.value)), json(one.value));
    EXPECT_EQ(std::get<KrylovMethod>(json(one.value).get<LinearMethod>()), one.value);
  }
  EXPECT_EQ(json(std::optional<LinearMethod>()), "auto");
  EXPECT_FALSE(json("auto").get<std::optional<LinearMethod>>());
}

/// A case without these keys equals a default-made struct, and every member has its key.
template <class Options>
void expect_own_defaults(Schema const& schema, std::string const& keys) {
  json given = schema.defaults(keys);
  json const own(Options{});
  for (auto const& [key, value] : own.items()) EXPECT_TRUE(given.contains(key)) << keys << '/' << key;
  for (auto one = given.begin(); one != given.end();) one = one->is_null() ? given.erase(one) : std::next(one);
  EXPECT_EQ(json(given.get<Options>()), own) << keys;
}

TEST(CaseDefaults, AreThoseOfTheStructs) {
  expect_own_defaults<poisson::SolverSettings>(poisson_schema(), "/solver");
  expect_own_defaults<wind::SolverSettings>(wind_schema(), "/solver");
  expect_own_defaults<wind::Parameterisations>(wind_schema(), "/parameterisations");
  expect_own_defaults<wind::Watch>(wind_schema(), "/outputs/watch");
  expect_own_defaults<wind::Profile>(wind_schema(), "/wind/profile");
  expect_own_defaults<VorticityTerms>(Schema(turbulence::schema()), "/terms");
  expect_own_defaults<waves::LinearSettings>(waves_schema(), "/solver");
  expect_own_defaults<waves::PicardSettings>(waves_schema(), "/solver/picard");
  expect_own_defaults<waves::WaveBoundary>(waves_schema(), "/boundaries/*");
  expect_own_defaults<waves::Spectrum>(waves_schema(), "/waves");
}

}  // namespace case_words_test
