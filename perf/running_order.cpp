// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "running_order.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace karman::perf {

namespace {

/// For every row, the number of the comparison that it belongs to, among the comparisons of its family on its backend:
/// a row of Karman and its peers. The first comparison with a peer has number 0; where there is none, the first
/// comparison.
std::vector<int> comparisons(std::vector<Row> const& rows) {
  std::map<std::string, int> comparison;  // of a row's name without its peer
  std::map<std::pair<std::string, std::string>, int> count, first_with_peer;
  std::vector<int> number;
  for (Row const& row : rows) {
    Row own = row;
    own.peer.clear();
    auto const [found, is_new] = comparison.try_emplace(own.name(), 0);
    if (is_new) found->second = ++count[{row.backend, row.family}];
    if (!row.peer.empty()) first_with_peer.try_emplace({row.backend, row.family}, found->second);
    number.push_back(found->second);
  }
  for (std::size_t n = 0; n < rows.size(); ++n) {
    auto const first = first_with_peer.find({rows[n].backend, rows[n].family});
    if (number[n] == (first == first_with_peer.end() ? 1 : first->second)) number[n] = 0;
  }
  return number;
}

}  // namespace

std::vector<Row> running_order(std::vector<Row> rows, std::vector<std::string> const& backends, bool limited) {
  std::vector<int> const number = limited ? comparisons(rows) : std::vector<int>(rows.size(), 0);
  // In a round of families, rows of the same family are neighbours.
  std::map<std::string, int> family;
  for (Row const& row : rows) family.try_emplace(row.family, limited ? static_cast<int>(family.size()) : 0);
  auto const place = [&](std::size_t n) {
    auto const backend = std::find(backends.begin(), backends.end(), rows[n].backend) - backends.begin();
    return std::tuple(backend, number[n], family.at(rows[n].family));
  };
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  std::vector<Row> sorted;
  for (std::size_t const n : order) sorted.push_back(std::move(rows[n]));
  return sorted;
}

}  // namespace karman::perf
