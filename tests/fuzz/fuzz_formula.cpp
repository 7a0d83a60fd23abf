// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas of cases, read and evaluated.
#include "common/case/expression.hpp"
#include "fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace karman::app;
  constexpr std::size_t most_characters = 2000;  // as the schemas have it
  std::string const text(reinterpret_cast<char const*>(data), size);
  if (size > most_characters || text.find('\0') != std::string::npos) return 0;
  for (char const* variables : {"xyzt", "xy"}) {
    try {
      Expression formula(text, variables, {{1, 2, 3}});
      Expression copy = formula;
      for (double const x : {0.0, -1.5, 1e308}) {
        Point const point{x, 0.5, -x, 2};
        double const volatile both = formula(point) + copy(point);
        static_cast<void>(both);
      }
      for (char const variable : {'x', 'y', 'z', 't'}) static_cast<void>(formula.uses(variable));
    } catch (ExpressionError const&) {
    }
  }
  return 0;
}

namespace karman::fuzz {

std::vector<std::string> seeds() {
  return {"1 + x*y - z/t^2",
          "sin(pi*x/lx) * exp(-t) + max(x, y, 3)",
          "x < 0.5 && y >= 1 ? ln(x) : sqrt(abs(z))",
          "-(((x)))",
          "1e-3 + .5e+2 - 0x1F",
          "min(1, 2, 3) == 1 || x != y"};
}

std::vector<std::string> words() {
  return {"sin(", "cos(", "atan2(", "min(", "sum(", "avg(", "rint(", "sign(", "(", ")", ",", "?",
          ":",    "^",    "&&",     "||",   "==",   "!=",   "<=",    "=",     "x", "y", "z", "t",
          "pi",   "_pi",  "e",      "lx",   "1e",   "0x",   "#b",    "\"",    "'", ";"};
}

}  // namespace karman::fuzz
