// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every key of the cases of karman turbulence, wrong in turn; impossible modes, steps and files.
#include "apps/common/wrong_case.hpp"
#include "small_turbulence_case.hpp"
#include "turbulence/case/turbulence_case.hpp"

namespace turbulence_wrong_case_test {

using namespace karman::test;

class TurbulenceWrongCase : public WrongCaseOf {
 protected:
  TurbulenceWrongCase() : WrongCaseOf("turbulence") {
    write_small_vorticity_file(place_.path(""));
    for (std::string const& text : small_turbulence_cases()) cases_.push_back(Json::parse(text));
  }

  Outcome run(std::string const& text) override {
    return checked(text, karman::turbulence::schema(), [](karman::Case const& input) {
      std::string remarks;
      for (std::string const& remark : karman::turbulence::read_turbulence_case(input).remarks)
        remarks += remark + '\n';
      return remarks;
    });
  }

  std::string changed(std::size_t which, char const* pointer, Json const& value) const {
    Json wrong = cases_[which];
    wrong[Pointer(pointer)] = value;
    return wrong.dump(2);
  }

  std::vector<Json> cases_;
};

TEST_F(TurbulenceWrongCase, TheCompleteCasesAreRightAndHaveEveryKey) {
  std::set<std::string> seen;
  for (Json const& whole : cases_) {
    place_.write("case.json", whole.dump(2));
    Outcome const outcome = place_.karman({"turbulence", "case.json", "--dry-run"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    for_each_key(whole, Pointer(), [&](Pointer const& at, std::string const& key) {
      seen.insert(without_indices((at / key).to_string()));
    });
  }
  for (std::string const& name : names_) EXPECT_EQ(seen.erase(name), 1u) << name << " is in no case";
  for (std::string const& name : seen) ADD_FAILURE() << name << " is not in the schema";
}

TEST_F(TurbulenceWrongCase, Missing) {
  every_key(cases_, [&](Json const& whole, Pointer const& at, std::string const& key) {
    std::string const pointer = (at / key).to_string();
    Json wrong = whole;
    wrong.at(at).erase(key);
    std::string const kind = whole.at(at).is_object() ? whole.at(at).value("kind", "") : "";
    // Some kinds require a key that others have a default for.
    bool const needed = key == "kind" || key == "points" || key == "end" || key == "dt" || key == "file" ||
                        key == "radius" || key == "thickness" || key == "wavenumber" || key == "energy_rate" ||
                        key == "vorticity" || (at.empty() && required_.count('/' + key) > 0);
    if (needed) {
      refused(wrong.dump(2), key, "without " + pointer + " of " + kind);
    } else {
      Outcome const outcome = run(wrong.dump(2));
      EXPECT_EQ(outcome.exit_code, 0) << "without " << pointer << '\n' << outcome.err;
    }
  });
}

TEST_F(TurbulenceWrongCase, Misspelt) { misspelt(cases_); }

TEST_F(TurbulenceWrongCase, OfTheWrongType) {
  every_key(cases_, [&](Json const& whole, Pointer const& at, std::string const& key) {
    std::string const pointer = (at / key).to_string();
    Json wrong = whole;
    wrong.at(at / key) = true;
    refused(wrong.dump(2), pointer, pointer + " of the wrong type");
    wrong.at(at / key) = nullptr;
    refused(wrong.dump(2), pointer, pointer + " null");
  });
}

/// True where any number of reasonable size is valid.
bool is_signed(std::string const& pointer) {
  std::string const name = without_indices(pointer);
  static std::set<std::string> const names{"beta", "amplitude", "angle", "center", "vorticity"};
  return names.count(name.substr(name.rfind('/') + 1)) > 0;
}

TEST_F(TurbulenceWrongCase, Negative) { EXPECT_GT(negative(cases_, is_signed, -1e31), 50); }

TEST_F(TurbulenceWrongCase, Huge) { huge(cases_); }

TEST_F(TurbulenceWrongCase, NotANumber) { not_a_number(cases_); }

TEST_F(TurbulenceWrongCase, TheCommandReportsTheSame) {
  for (auto const& [pointer, value] :
       {std::pair{"/terms/viscosity", Json(-1)}, {"/forcing/wavenumber", Json(9)}, {"/time/cfl", Json(2)}}) {
    std::string const text = changed(0, pointer, value);
    place_.write("case.json", text);
    Outcome const outcome = place_.karman({"turbulence", "case.json", "--dry-run"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err, run(text).err);
    EXPECT_NE(outcome.err.find(pointer), std::string::npos) << outcome.err;
  }
}

TEST_F(TurbulenceWrongCase, ForcingThatThePointsDoNotCarry) {
  // 24 points keep wavenumbers up to 7; the ring reaches 0.75 beyond its middle.
  refused(changed(0, "/forcing/wavenumber", 6.5), "/forcing/wavenumber", "a ring beyond the mask",
          "at most 6.25 rad/m, the largest kept wavenumber 7 less half the width");
  EXPECT_EQ(run(changed(0, "/forcing/wavenumber", 6.25)).exit_code, 0);
  Json wrong = cases_[1];
  wrong["forcing"]["wavenumber"] = 4.4;
  wrong["forcing"]["width"] = 0.02;
  refused(wrong.dump(2), "/forcing/width", "a ring between the modes", "multiples of 1 and 1 rad/m, found none");
  refused(changed(2, "/forcing/wavenumber", 2.5), "/forcing/wavenumber", "half a wave", "a multiple of 1 rad/m");
  refused(changed(2, "/forcing/wavenumber", 8), "/forcing/wavenumber", "too many waves",
          "at most 7 rad/m, the largest kept wavenumber");
  refused(changed(3, "/forcing/vorticity", "1 / x"), "/forcing/vorticity", "infinite",
          "expected finite values, found inf at (x, y) = (0, 0)");
}

TEST_F(TurbulenceWrongCase, TimeSteps) {
  refused(changed(0, "/time/cfl", 1.75), "/time/cfl", "unstable",
          "the stability limit of low_storage_rk54 with circular dealiasing");
  refused(changed(0, "/time/dt_min", 0.1), "/time/dt_min", "no step", "at most the largest time step, 0.05 s");
  refused(changed(0, "/time/averages_from", 2), "/time/averages_from", "averages of nothing", "less than /time/end");
}

TEST_F(TurbulenceWrongCase, Starts) {
  refused(changed(0, "/initial/peak_wavenumber", 8), "/initial/peak_wavenumber", "beyond the modes",
          "at most 7 rad/m, the largest kept wavenumber");
  refused(changed(2, "/initial/waves/0", 11), "/initial/waves", "beyond the modes", "at most 10 and 7 waves");
  refused(changed(3, "/domain/points", {9, 9}), "/domain/points", "too few points", "at least 11 along x and y");
  refused(changed(4, "/initial/thickness", 0.1), "/initial/thickness", "a layer between two points", "at least 0.2618");
  refused(changed(4, "/initial/thickness", 1), "/initial/thickness", "no layer", "at most 0.7854");
  refused(changed(4, "/initial/waves/0", 20), "/initial/waves/0", "beyond the modes", "at most 10");
  refused(changed(5, "/initial/radius", 0.5), "/initial/radius", "a dipole between points", "at least 1.047");
  refused(changed(5, "/initial/radius", 3.2), "/initial/radius", "larger than the box", "at most 3.142");
  refused(changed(6, "/initial/vorticity", "x +"), "/initial/vorticity", "no formula", "expected a formula in x, y");
  refused(changed(6, "/initial/vorticity", "sqrt(-x)"), "/initial/vorticity", "no number", "expected finite values");
}

TEST_F(TurbulenceWrongCase, Files) {
  refused(changed(7, "/domain/points/0", 30), "/domain/points", "another number of points",
          "expected the points of vorticity.h5, 24 x 32");
  EXPECT_EQ(run(changed(7, "/initial/file", "nowhere.h5")).exit_code, 4);
  place_.write("bad.h5", "not HDF5");
  EXPECT_EQ(run(changed(7, "/initial/file", "bad.h5")).exit_code, 4);
}

TEST_F(TurbulenceWrongCase, SlowTransformsAreRemarked) {
  Outcome const outcome = run(changed(6, "/domain/points", {34, 24}));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("/domain/points/0: 34 has the prime factor 17"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("35 is faster"), std::string::npos) << outcome.out;
}

}  // namespace turbulence_wrong_case_test
