// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options to and from JSON: one name for each enumerator, a key for each member, and nothing lost on the way.
#include "enumerators.hpp"
#include <karman/solvers/options_json.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

namespace options_json_test {

using namespace karman;
using nlohmann::json;

template <class Enum>
class OptionNames : public testing::Test {};
using Enums = testing::Types<AssemblyOrder, AssemblyStrategy, Axis, Boundary, ColoredMethod, Dealiasing, DirectLibrary,
                             EulerStrategy, FftPlanning, KrylovMethod, MultigridCoarsening, MultigridCycle,
                             MultigridSmoother, RandomModes, Side, SorStorage, SweepOrder, TimeMethod,
                             TridiagonalAlgorithm, Trigonometric, TrigonometricEngine, VorticityMethod>;
TYPED_TEST_SUITE(OptionNames, Enums);

TYPED_TEST(OptionNames, AreThoseOfTheEnumerators) { karman::test::expect_own_names<TypeParam>(); }

template <class Enum>
class PrintedNames : public testing::Test {};
using PrintedEnums = testing::Types<AssemblyStrategy, Dealiasing, EulerStrategy, MultigridCoarsening, MultigridCycle,
                                    MultigridSmoother, SorStorage, TimeMethod, TridiagonalAlgorithm, Trigonometric,
                                    KrylovMethod, DirectLibrary, VorticityMethod>;
TYPED_TEST_SUITE(PrintedNames, PrintedEnums);

/// KrylovMethod and DirectLibrary print in the usual spelling: "BiCGStab".
TYPED_TEST(PrintedNames, AreTheSameButForCapitals) {
  for (auto const& [value, spelling] : karman::test::enumerators<TypeParam>()) {
    std::string printed(name(value));
    std::transform(printed.begin(), printed.end(), printed.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    EXPECT_EQ(printed, spelling);
  }
}

/// Converts to a member of any type.
struct Anything {
  template <class Member>
  operator Member() const;
};

template <class Options, class... Given>
constexpr std::size_t members() {
  if constexpr (requires { Options{Given{}..., Anything{}}; }) return members<Options, Given..., Anything>();
  else return sizeof...(Given);
}

/// Other values than in `given`; texts stay.
json changed(json given) {
  for (json& value : given) {
    if (value.is_boolean()) value = !value.get<bool>();
    else if (value.is_number_integer()) value = value.get<std::int64_t>() + 1;
    else if (value.is_number()) value = value.get<double>() / 3;
    else if (value.is_array()) value = {0.5, 0.25};
    else if (value.is_object()) value = changed(value);
  }
  return given;
}

template <class Options>
class OptionKeys : public testing::Test {};
using Structs =
    testing::Types<AdiOptions, BlockAmgSetup, BlockGaussSeidelSetup, BlockIluSetup, Boundaries, ColoredSetup,
                   EulerRhsSetup, FastPoissonOptions, FastPoissonSetup, FemAssemblySetup, FftAxes, FftSetup,
                   GeneralKrylovOptions, GeneralKrylovSetup, IluSetup, KrylovOptions, KrylovSetup, MultigridOptions,
                   MultigridSetup, RandomForcing, RelaxationOptions, ShiftedSetup, SorOptions, SorSetup, StepControl,
                   TimeIntegratorSetup, TridiagonalSetup, TrigonometricSetup, VorticityTerms>;
TYPED_TEST_SUITE(OptionKeys, Structs);

TYPED_TEST(OptionKeys, HoldEveryMemberButMonitorAndCommunicator) {
  std::size_t hidden = 0;
  if constexpr (requires(TypeParam options) { options.monitor; }) ++hidden;
  if constexpr (requires(TypeParam options) { options.communicator; }) ++hidden;
  EXPECT_EQ(json(TypeParam()).size() + hidden, members<TypeParam>());
}

TYPED_TEST(OptionKeys, ComeBackAsTheyWere) {
  json const other = changed(json(TypeParam()));
  EXPECT_EQ(json(other.template get<TypeParam>()), other);
}

TYPED_TEST(OptionKeys, AreOptionalAndOthersIgnored) {
  json const nothing = {{"unknown", 1}};
  EXPECT_EQ(json(nothing.template get<TypeParam>()), json(TypeParam()));
}

TEST(OptionsJson, ReadsOptionsAsTextHasThem) {
  auto const setup = json::parse(R"({"cycle": "w", "smoother": "line", "pre": 1})").get<MultigridSetup>();
  EXPECT_EQ(setup.cycle, MultigridCycle::w);
  EXPECT_EQ(setup.smoother, MultigridSmoother::line);
  EXPECT_EQ(setup.pre, 1);
  EXPECT_EQ(setup.post, MultigridSetup().post);
  EXPECT_EQ(json::parse(R"({"west": "periodic", "east": "periodic"})").get<Boundaries>().periodic()[0], true);
}

}  // namespace options_json_test
