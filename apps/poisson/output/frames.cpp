// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frames.hpp"

#include "common/case/texts.hpp"
#include <karman/io/content_hash.hpp>
#include <karman/io/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>

namespace karman::poisson {
namespace {

namespace fs = std::filesystem;

std::string segment_prefix(TimeCase const& time_case) { return time_case.problem + ".frames-"; }

}  // namespace

double content(UniformGrid const& grid, CellValues const& values) {
  std::size_t const plane = static_cast<std::size_t>(grid.nx()) * static_cast<std::size_t>(grid.ny());
  double sum = 0;
  for (int k = 0; k < grid.nz(); ++k) {
    double layer = 0;
    for (std::size_t n = 0; n < plane; ++n) layer += values[static_cast<std::size_t>(k) * plane + n];
    sum += layer * grid.dz(k);
  }
  return sum / static_cast<double>(plane);
}

FrameFacts facts_of(TimeCase const& time_case, int step, CellValues const& values, CellValues const& exact,
                    double first_content, double inflow) {
  UniformGrid const& grid = time_case.grid;
  FrameFacts facts;
  facts.step = step;
  facts.time = step * time_case.step;
  auto const [least, most] = std::minmax_element(values.begin(), values.end());
  facts.least = *least;
  facts.most = *most;
  double const now = content(grid, values);
  facts.mean = now / (grid.z_face(grid.nz()) - grid.z_face(0));
  double const scale = std::max({std::abs(now), std::abs(first_content), std::abs(inflow)});
  facts.balance_error = scale > 0 ? (now - first_content - inflow) / scale : inflow;
  facts.largest_error = exact.empty() ? std::numeric_limits<double>::quiet_NaN() : 0;
  for (std::size_t n = 0; n < exact.size(); ++n)
    facts.largest_error = std::max(facts.largest_error, std::abs(values[n] - exact[n]));
  return facts;
}

std::string fields_file_of(TimeCase const& time_case) { return time_case.problem + ".h5"; }

std::string segment_file_of(TimeCase const& time_case, int first_step) {
  return segment_prefix(time_case) + app::formatted("%09d", first_step) + ".h5";
}

std::string frame_dataset(int step) { return "/frames/" + app::formatted("%09d", step); }

std::uint64_t write_frame(Hdf5File& file, TimeCase const& time_case, FrameFacts const& facts,
                          app::HostField const& values) {
  std::string const dataset = frame_dataset(facts.step);
  ConstArray const array = values.array();
  file.write(dataset, array, {.chunk = {}, .deflate = time_case.compression});
  file.write_attribute(dataset, "time", facts.time);
  return content_hash(array.data, array.bytes());
}

void read_frame(Hdf5File const& file, TimeCase const& time_case, Frame const& frame, app::HostField& values) {
  std::string const dataset = frame_dataset(frame.facts.step);
  values = app::HostField(app::scalar_type(time_case.precision), ArrayExtents(time_case.grid.extents(Location::cell)));
  MutableArray const array = values.array();
  file.read(dataset, array);
  if (content_hash(array.data, array.bytes()) != frame.hash) {
    throw FileError(file.path().string(), "read " + dataset + " in", "its content differs from the checkpoint's frame");
  }
}

void remove_segments(fs::path const& folder, TimeCase const& time_case) {
  std::string const prefix = segment_prefix(time_case);
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::string const name = entry->path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(".h5")) found.push_back(entry->path());
  }
  for (fs::path const& file : found) fs::remove(file, error);
}

}  // namespace karman::poisson
