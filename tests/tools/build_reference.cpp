// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reference of tools/build-cost: templates of the standard library only, 2 to 3 s of a compiler's time.
// The costs of Karman's objects are multiples of it, so that their limits hold on slow and fast machines.
//
// Any change here changes the limits of tools/build-budget.ini.

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using Value = std::variant<int, double, std::string>;
using Table = std::map<std::string, Value>;
using Row = std::pair<std::string, double>;

bool add_line(Table& table, std::string const& text) {
  static std::regex const line(R"((\w+)\s*=\s*(?:(\d+)|([-+.\de]+)|'([^']*)'))");
  std::smatch found;
  if (!std::regex_match(text, found, line)) return false;
  if (found[2].matched) {
    table[found[1]] = std::stoi(found[2]);
  } else if (found[3].matched) {
    table[found[1]] = std::stod(found[3]);
  } else {
    table[found[1]] = found[4].str();
  }
  return true;
}

double number(Value const& value) {
  return std::visit(
      [](auto const& held) -> double {
        if constexpr (requires { held.size(); }) {
          return static_cast<double>(held.size());
        } else {
          return static_cast<double>(held);
        }
      },
      value);
}

std::vector<Row> sorted_rows(Table const& table, std::function<bool(double, double)> const& less) {
  std::vector<Row> rows;
  for (auto const& [name, value] : table) rows.emplace_back(name, number(value));
  std::sort(rows.begin(), rows.end(), [&](Row const& a, Row const& b) { return less(a.second, b.second); });
  return rows;
}
