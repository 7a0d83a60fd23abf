// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frame_files.hpp"

#include "common/case/texts.hpp"
#include "earlier_files.hpp"
#include <karman/io/error.hpp>
#include <karman/io/xdmf.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

namespace karman::app {

namespace fs = std::filesystem;

namespace {

/// Number in the name of a frame, -1 in other names.
std::int64_t number_of(std::string const& name) {
  constexpr std::string_view before = "frame_", after = ".h5";
  constexpr std::size_t most_digits = 18;
  if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after)) return -1;
  std::string const digits = name.substr(before.size(), name.size() - before.size() - after.size());
  bool const number = digits.size() <= most_digits &&
                      std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  return number ? std::stoll(digits) : -1;
}

}  // namespace

fs::path FrameFiles::name(std::size_t number) { return fs::path("frames") / formatted("frame_%06zu.h5", number); }

void FrameFiles::attach(fs::path const& checkpoint, std::vector<double> const& times) {
  times_.clear();
  remove_abandoned_files(folder_ / "frames");
  if (fs::weakly_canonical(checkpoint).parent_path() != fs::weakly_canonical(folder_)) return;
  times_ = times;
  for (std::size_t n = 0; n < times_.size(); ++n) {
    fs::path const file = folder_ / name(n);
    if (!fs::exists(file)) throw FileError(file.string(), "continue after", "the frame is missing");
  }
}

void FrameFiles::make_folder() const {
  std::error_code error;
  fs::create_directories(folder_ / "frames", error);
  if (error) throw FileError((folder_ / "frames").string(), "create", error.message());
  if (times_.empty()) remove_abandoned_files(folder_ / "frames");
}

Hdf5File FrameFiles::create() const {
  // A run that continues writes the frames after its checkpoint again, with the same bits.
  return Hdf5File::create(folder_ / name(times_.size()), times_.empty() ? overwrite_ : Overwrite::yes);
}

void FrameFiles::commit(Hdf5File& file, std::int64_t step, double time) {
  file.write_attribute("/", "step", step);
  file.write_attribute("/", "time", time);
  file.commit();
  times_.push_back(time);
}

void FrameFiles::write_list(XdmfDocument const& list) const {
  list.write(folder_ / "frames.xdmf", times_.size() == 1 ? overwrite_ : Overwrite::yes);
}

void FrameFiles::remove_later() const {
  if (overwrite_ == Overwrite::no) return;
  std::error_code error;
  std::vector<fs::path> later;
  for (fs::directory_iterator at(folder_ / "frames", error), end; !error && at != end; at.increment(error)) {
    if (number_of(at->path().filename().string()) >= static_cast<std::int64_t>(times_.size())) later.push_back(*at);
  }
  if (times_.empty() && !later.empty()) later.push_back(folder_ / "frames.xdmf");
  for (fs::path const& file : later) remove_earlier(file, overwrite_);
}

double FrameFiles::next_time(double end, int frames) const {
  double const last = times_.back();
  for (int n = 1; n < frames; ++n) {
    double const time = end * n / frames;
    if (time > last * (1 + 1e-12)) return time;
  }
  return end;
}

}  // namespace karman::app
