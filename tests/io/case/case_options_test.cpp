// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of a case: enums and structs by their declaration for nlohmann/json.
#include "io/expect_message.hpp"
#include <karman/io/case_options.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace karman::test {

enum class Color { red, black };
NLOHMANN_JSON_SERIALIZE_ENUM(Color, {{Color::red, "red"}, {Color::black, "black"}})

struct Inner {
  int count = 1;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Inner, count)

struct Sweep {
  Color color = Color::red;
  double omega = 1.5;
  int sweeps = 7;
  Inner inner;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Sweep, color, omega, sweeps, inner)

}  // namespace karman::test

namespace {

using namespace karman;
using namespace karman::test;

/// A case whose schema accepts everything.
Case parse(std::string const& text) { return Case::parse(text, "case.json", R"({"type": "object"})"); }

TEST(CaseOptions, FillTheirMembers) {
  Case const input = parse(R"({"solver": {"color": "black", "omega": 1, "inner": {"count": 3}, "other": true}})");
  auto const sweep = read_options<Sweep>(input, "/solver");
  EXPECT_EQ(sweep.color, Color::black);
  EXPECT_EQ(sweep.omega, 1);
  EXPECT_EQ(sweep.sweeps, 7) << "the default of the member";
  EXPECT_EQ(sweep.inner.count, 3);
  EXPECT_EQ(read_options<Color>(input, "/solver/color"), Color::black);
}

TEST(CaseOptions, RefuseTextsWithoutEnumerator) {
  Case const input = parse("{\n\"solver\": {\"color\": \"green\"}}");
  std::string const message = message_of<CaseError>([&] { read_options<Sweep>(input, "/solver"); });
  EXPECT_NE(message.find("/solver/color"), std::string::npos) << message;
  EXPECT_NE(message.find("\"green\""), std::string::npos) << message;
  EXPECT_NE(message.find("expected a value that this option can hold"), std::string::npos) << message;
  EXPECT_THROW(read_options<Color>(input, "/solver/color"), CaseError);
}

TEST(CaseOptions, RefuseNumbersBeyondTheirMember) {
  for (char const* const sweeps : {"3000000000", "2.5", "-1e300"}) {
    Case const input = parse(std::string(R"({"solver": {"sweeps": )") + sweeps + "}}");
    std::string const message = message_of<CaseError>([&] { read_options<Sweep>(input, "/solver"); });
    EXPECT_NE(message.find("/solver/sweeps"), std::string::npos) << message;
  }
  EXPECT_THROW(read_options<Sweep>(parse(R"({"inner": {"count": 1e10}})"), ""), CaseError);
}

TEST(CaseOptions, OtherTypesAreMistakesOfTheProgram) {
  Case const input = parse(R"({"solver": {"sweeps": "many"}, "inner": {"count": null}})");
  EXPECT_THROW(read_options<Sweep>(input, "/solver"), std::logic_error);
  EXPECT_THROW(read_options<Sweep>(input, ""), std::logic_error);
  EXPECT_THROW(read_options<Sweep>(input, "/missing"), std::logic_error);
}

}  // namespace
