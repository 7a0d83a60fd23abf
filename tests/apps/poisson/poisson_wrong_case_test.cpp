// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every key of the cases of karman poisson, wrong in turn; invalid formulas and files; sides that do not fit.
#include "apps/common/wrong_case.hpp"
#include "poisson/case/poisson_case.hpp"
#include "small_poisson_case.hpp"
#include <karman/io/hdf5_file.hpp>

namespace poisson_wrong_case_test {

using namespace karman::test;

class PoissonWrongCase : public WrongCaseOf {
 protected:
  PoissonWrongCase() : WrongCaseOf("poisson") {
    write_small_fields(place_.path("fields.h5"));
    for (std::string const& text : small_poisson_cases()) cases_.push_back(Json::parse(text));
  }

  /// Faults that reading a case shows need no process of their own. Fields and files are checked by the command.
  Outcome run(std::string const& text) override {
    if (!reading_shows_) return WrongCaseOf::run(text);
    return checked(text, karman::poisson::schema(), [](karman::Case const& input) {
      karman::poisson::read_poisson_case(input);
      return std::string();
    });
  }

  bool reading_shows_ = false;
  std::vector<Json> cases_;
};

TEST_F(PoissonWrongCase, TheCompleteCasesAreRightAndHaveEveryKey) {
  std::set<std::string> seen;
  for (Json const& whole : cases_) {
    Outcome const outcome = run(whole.dump(2));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(outcome.err.empty()) << outcome.err;
    for_each_key(whole, Pointer(), [&](Pointer const& at, std::string const& key) {
      seen.insert(without_indices((at / key).to_string()));
    });
  }
  EXPECT_EQ(seen, names_);
}

/// A side cannot lose its kind of condition alone where the opposite one is periodic.
bool is_periodic(Json const& value) { return value.is_object() && value.value("kind", "") == "periodic"; }

TEST_F(PoissonWrongCase, Missing) {
  every_key(cases_, [&](Json const& whole, Pointer const& at, std::string const& key) {
    std::string const pointer = (at / key).to_string();
    Json wrong = whole;
    wrong.at(at).erase(key);
    bool const tells = key == "kind" || key == "problem";
    if (required_.count(without_indices(pointer)) > 0 || tells || is_periodic(whole.at(at / key))) {
      refused(wrong.dump(2), key, "without " + pointer);
    } else {
      Outcome const outcome = run(wrong.dump(2));
      EXPECT_EQ(outcome.exit_code, 0) << "without " << pointer << '\n' << outcome.err;
    }
  });
}

TEST_F(PoissonWrongCase, Misspelt) {
  reading_shows_ = true;
  misspelt(cases_);
}

TEST_F(PoissonWrongCase, OfTheWrongType) {
  reading_shows_ = true;
  every_key(cases_, [&](Json const& whole, Pointer const& at, std::string const& key) {
    std::string const pointer = (at / key).to_string();
    Json wrong = whole;
    // No key of these cases is boolean; a number or a text could be a formula.
    wrong.at(at / key) = true;
    refused(wrong.dump(2), pointer, pointer + " of the wrong type");
    wrong.at(at / key) = nullptr;
    refused(wrong.dump(2), pointer, pointer + " null");
  });
}

/// True where any number is valid.
bool is_signed(std::string const& pointer) {
  std::string const name = without_indices(pointer);
  static std::set<std::string> const names{"/right_hand_side", "/exact",      "/initial",     "/domain/origin",
                                           "/solid/low",       "/solid/high", "/ground/flux", "/top/value"};
  return names.count(name) > 0 || name.rfind("/sides/", 0) == 0;
}

TEST_F(PoissonWrongCase, Negative) { EXPECT_GT(negative(cases_, is_signed, -1e31), 50); }

TEST_F(PoissonWrongCase, Huge) {
  reading_shows_ = true;
  huge(cases_);
}

TEST_F(PoissonWrongCase, NotANumber) {
  reading_shows_ = true;
  not_a_number(cases_);
}

TEST_F(PoissonWrongCase, AFormulaThatIsNone) {
  struct Bad {
    char const* text;
    char const* says;
  };
  for (Bad const& bad : std::vector<Bad>{{"sin(x", "character"},
                                         {"x + w", "w"},
                                         {"foo(x)", "foo"},
                                         {"x = 3", "compare with =="},
                                         {"1, 2", "expected one value, found 2"},
                                         {"x +", "character"},
                                         {"\"text\"", "expected a formula"},
                                         {"1 / 0", "found inf"},
                                         {"sqrt(x - 100)", "found"},
                                         {"log(0 * y)", "found -inf in cell (k, j, i) = (0, 0, 0)"}}) {
    Json wrong = cases_.front();
    wrong["right_hand_side"] = bad.text;
    refused(wrong.dump(2), "/right_hand_side", bad.text, bad.says);
  }
  // Every place for a formula checks it, and names its allowed variables.
  Json flat = cases_[2];
  flat["coefficient"] = "1 + z";
  refused(flat.dump(2), "/coefficient", "a third dimension in two", "expected a formula in x, y with");
  Json side = cases_.front();
  side["sides"]["west"] = {{"kind", "dirichlet"}, {"value", "1 / (y - y)"}};
  refused(side.dump(2), "/sides/west/value", "a side", "the boundary cell (k, j, i) = (0, 0, 0)");
  Json vanishing = cases_.front();
  vanishing["coefficient"] = "x - 0.5";
  refused(vanishing.dump(2), "/coefficient", "a coefficient below zero",
          "expected positive values, found -0.5 in x-face");
}

TEST_F(PoissonWrongCase, ErrorsBeyondTheSchema) {
  auto const changed = [&](std::size_t which, char const* pointer, Json const& value) {
    Json wrong = cases_[which];
    wrong[Pointer(pointer)] = value;
    return wrong.dump(2);
  };
  refused(changed(0, "/domain/size", Json::array({1, 1})), "/domain/size", "one length too few", "3 values");
  refused(changed(2, "/sides/top", {{"kind", "neumann"}}), "/sides/top", "a top in two dimensions", "2 dimensions");
  refused(changed(0, "/sides/west", {{"kind", "periodic"}}), "/sides/east", "periodic on one side",
          "periodic like west");
  refused(changed(0, "/solid/0/high/1", -40), "/solid/0/high/1", "a box without inside", "more than /low");
  refused(changed(0, "/solid", Json::array({{{"kind", "box"}, {"low", {-9, -9, -9}}, {"high", {9, 9, 9}}}})), "/solid",
          "nothing but walls", "at least one cell");
  refused(changed(0, "/solver/method", "direct"), "/solver/method", "direct with walls", "without solid cells");
  refused(changed(0, "/solver/method", "tridiagonal"), "/solver/method", "tridiagonal in space", "one dimension");
  refused(changed(0, "/solver", {{"precision", "f32"}, {"cycle_precision", "f64"}}), "/solver/cycle_precision",
          "double cycles in single precision", "expected f32 or auto");
  refused(changed(2, "/right_hand_side", 1), "/right_hand_side", "a source that goes nowhere",
          "balances the boundary fluxes");
  refused(changed(0, "/domain/cells", Json::array({65536, 65536, 2})), "/domain/cells", "too many cells", "at most");
}

TEST_F(PoissonWrongCase, Files) {
  auto const with_file = [&](char const* file, char const* dataset) {
    Json wrong = cases_[3];
    wrong["right_hand_side"] = {{"kind", "file"}, {"file", file}, {"dataset", dataset}};
    return wrong.dump(2);
  };
  refused(with_file("fields.h5", "/nothing"), "/right_hand_side/dataset", "no such dataset");
  for (char const* name : {"ff", "//", "/g/../f", "/f/"}) {
    refused(with_file("fields.h5", name), "/right_hand_side/dataset", name, "the absolute name of a dataset");
  }
  refused(with_file("fields.h5", "/short"), "/right_hand_side/dataset", "wrong extents", "found 3");
  refused(with_file("fields.h5", "/integers"), "/right_hand_side/dataset", "integers", "float32 or float64");
  refused(with_file("fields.h5", "/bad"), "/right_hand_side", "not a number inside", "(k, j, i) = (0, 0, 4)");
  place_.write("rubbish.h5", "this is no file of numbers");
  for (char const* file : {"nowhere.h5", "rubbish.h5"}) {
    Outcome const outcome = run(with_file(file, "/f"));
    EXPECT_EQ(outcome.exit_code, 4) << file << '\n' << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
  }
}

}  // namespace poisson_wrong_case_test
