// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "needs.hpp"

#include "common/case/texts.hpp"
#include <karman/io/progress.hpp>

#include <algorithm>
#include <cmath>

namespace karman::app {

std::string needs_report(Needs const& needs, BackendInfo const& backend, int processes) {
  std::string text = needs.title.empty() ? std::string() : needs.title + '\n';
  text += needs.lines;
  text += formatted("backend     %s, %s\nprecision   %s\n", std::string(name(backend.backend)).c_str(),
                    backend.device.c_str(), std::string(name(needs.precision)).c_str());
  if (processes > 1) text += formatted("processes   %d; memory is that of each\n", processes);
  if (processes > 1 && needs.part_cells > 0) {
    text +=
        formatted("part        at most %lld cells, sends %s %s\n", static_cast<long long>(needs.part_cells),
                  needs.sent_bytes == 0 ? "nothing in" : need_text(needs.sent_bytes).c_str(), needs.sent_in.c_str());
  }
  text += formatted("memory      about %s, plus %s on the host; free %s\ndisk        %s at most\n",
                    need_text(needs.device_bytes).c_str(), need_text(needs.host_bytes).c_str(),
                    bytes_text(static_cast<double>(backend.free_memory_bytes)).c_str(),
                    need_text(needs.disk_bytes).c_str());
  if (!needs.expected_iterations.empty()) text += "iterations  " + needs.expected_iterations + '\n';
  text += "time        about " + duration_text(needs.seconds) + '\n';
  if (needs.is_large) text += "values      not all checked: the case is large; its run checks them\n";
  return text;
}

std::string need_text(std::int64_t bytes) {
  // Three digits: the unit of the last one, in powers of ten.
  double unit = 1;
  for (auto rest = static_cast<double>(bytes); rest >= 1000; rest /= 10) unit *= 10;
  return bytes_text(unit * std::ceil(static_cast<double>(bytes) / unit));
}

std::int64_t hdf5_table_bytes(double rows, std::size_t columns) {
  constexpr double block = 1 << 16, of_index = 64, of_column = 64, of_description = 1024;
  auto const width = static_cast<double>(columns * sizeof(double));
  double const rows_a_block = std::fmax(1, std::floor(block / width)), blocks = std::ceil(rows / rows_a_block);
  return static_cast<std::int64_t>(blocks * (rows_a_block * width + of_index) +
                                   of_column * static_cast<double>(columns) + of_description);
}

std::int64_t csv_bytes(double rows, std::size_t columns) {
  // Up to 24 digits with sign, point and exponent, and a comma; most numbers take fewer.
  constexpr double of_number = 22, of_name = 32;
  return static_cast<std::int64_t>((of_number * rows + of_name) * static_cast<double>(columns));
}

}  // namespace karman::app
