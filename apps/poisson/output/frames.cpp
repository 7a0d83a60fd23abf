// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frames.hpp"

#include "common/case/texts.hpp"
#include "common/fields/array_part.hpp"
#include <karman/io/communicator_files.hpp>
#include <karman/io/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <system_error>
#include <utility>

namespace karman::poisson {
namespace {

namespace fs = std::filesystem;

std::string segment_prefix(TimeCase const& time_case) { return time_case.problem + ".frames-"; }

/// Sum over the cells of all processes of a mixture of place and value: the same in any number of parts. The mixture is
/// the finalizer of splitmix64.
std::uint64_t frame_hash(TimeCase const& time_case, ConstArray const& values) {
  UniformGrid const& grid = time_case.grid;
  auto const begin = grid.own_box().begin;
  auto const [nx, ny, nz] = grid.global_cells();
  std::size_t const size = values.bytes() / values.extents.count();
  auto const* from = static_cast<std::byte const*>(values.data);
  std::uint64_t sum = 0;
  for (int k = 0; k < grid.nz(); ++k)
    for (int j = 0; j < grid.ny(); ++j) {
      auto place = (static_cast<std::uint64_t>(k + begin[2]) * static_cast<std::uint64_t>(ny) +
                    static_cast<std::uint64_t>(j + begin[1])) *
                       static_cast<std::uint64_t>(nx) +
                   static_cast<std::uint64_t>(begin[0]);
      for (int i = 0; i < grid.nx(); ++i, from += size) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, from, size);
        bits ^= ++place * 0x9e3779b97f4a7c15u;
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
        sum += bits ^ (bits >> 31);
      }
    }
  return time_case.communicator.sum(sum);
}

}  // namespace

double content(TimeCase const& time_case, CellValues const& values) {
  UniformGrid const& grid = time_case.grid;
  std::size_t const plane = static_cast<std::size_t>(grid.nx()) * static_cast<std::size_t>(grid.ny());
  double sum = 0;
  for (int k = 0; k < grid.nz(); ++k) {
    double layer = 0;
    for (std::size_t n = 0; n < plane; ++n) layer += values[static_cast<std::size_t>(k) * plane + n];
    sum += layer * grid.dz(k);
  }
  return time_case.communicator.sum(sum) / (double(time_case.whole.nx()) * time_case.whole.ny());
}

FrameFacts facts_of(TimeCase const& time_case, int step, CellValues const& values, CellValues const& exact,
                    double first_content, double inflow) {
  UniformGrid const& grid = time_case.grid;
  Communicator const& all = time_case.communicator;
  FrameFacts facts;
  facts.step = step;
  facts.time = step * time_case.step;
  auto const [least, most] = std::minmax_element(values.begin(), values.end());
  facts.least = all.smallest(*least);
  facts.most = all.largest(*most);
  double const now = content(time_case, values);
  facts.mean = now / (grid.z_face(grid.nz()) - grid.z_face(0));
  double const scale = std::max({std::abs(now), std::abs(first_content), std::abs(inflow)});
  facts.balance_error = scale > 0 ? (now - first_content - inflow) / scale : inflow;
  facts.largest_error = exact.empty() ? std::numeric_limits<double>::quiet_NaN() : 0;
  for (std::size_t n = 0; n < exact.size(); ++n)
    facts.largest_error = std::max(facts.largest_error, std::abs(values[n] - exact[n]));
  facts.largest_error = all.largest(facts.largest_error);
  return facts;
}

std::string fields_file_of(TimeCase const& time_case) { return time_case.problem + ".h5"; }

std::string segment_file_of(TimeCase const& time_case, int first_step) {
  return segment_prefix(time_case) + app::formatted("%09d", first_step) + ".h5";
}

std::string frame_dataset(int step) { return "/frames/" + app::formatted("%09d", step); }

std::uint64_t write_frame(SharedHdf5File& file, TimeCase const& time_case, FrameFacts const& facts,
                          app::HostField const& values) {
  std::string const dataset = frame_dataset(facts.step);
  ConstArray const array = values.array();
  file.write(dataset, array, app::part_of(time_case.grid), {.chunk = {}, .deflate = time_case.compression});
  file.shared().write_attribute(dataset, "time", facts.time);
  return frame_hash(time_case, array);
}

void read_frame(Hdf5File const& file, TimeCase const& time_case, Frame const& frame, app::HostField& values) {
  std::string const dataset = frame_dataset(frame.facts.step);
  values = app::HostField(app::scalar_type(time_case.precision), ArrayExtents(time_case.grid.extents(Location::cell)));
  auto const [whole, begin] = app::part_of(time_case.grid);
  auto const refuse = [&](std::string const& reason) {
    throw FileError(file.path().string(), "read " + dataset + " in", reason);
  };
  file_processes(time_case.communicator).in_all([&] {
    ArrayExtents const found = file.info(dataset).extents;
    if (!(found == whole)) refuse("expected " + whole.text() + ", found " + found.text());
    file.read_box(dataset, values.array(), begin);
  });
  if (frame_hash(time_case, std::as_const(values).array()) != frame.hash)
    refuse("its content differs from the checkpoint's frame");
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
