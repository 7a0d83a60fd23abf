// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "time_output.hpp"

#include "common/case/texts.hpp"
#include "common/fields/provenance.hpp"
#include <karman/io/communicator_files.hpp>
#include <karman/io/csv_writer.hpp>
#include <karman/io/error.hpp>
#include <karman/io/xdmf.hpp>

#include <array>
#include <system_error>
#include <utility>

namespace karman::poisson {
namespace {

namespace fs = std::filesystem;

constexpr int time_format_version = 1;
std::vector<std::string> const columns{"step", "time", "mean", "least", "most", "balance_error", "largest_error"};

std::array<double, 7> row(FrameFacts const& facts) {
  return {double(facts.step), facts.time,          facts.mean,         facts.least,
          facts.most,         facts.balance_error, facts.largest_error};
}

}  // namespace

std::string xdmf_file_of(TimeCase const& time_case) { return time_case.problem + ".xdmf"; }

TimeOutput::TimeOutput(fs::path const& folder, Overwrite overwrite, TimeCase const& time_case,
                       BackendInfo const& backend)
    : folder_(folder),
      overwrite_(overwrite),
      case_(time_case),
      backend_(backend),
      processes_(file_processes(time_case.communicator)) {
  if (processes_.size == 1) file_ = new_file(fields_file(), overwrite_);
}

fs::path TimeOutput::fields_file() const { return folder_ / fields_file_of(case_); }

SharedHdf5File TimeOutput::new_file(fs::path const& path, Overwrite overwrite) const {
  SharedHdf5File shared = SharedHdf5File::create(processes_, path, overwrite);
  Hdf5File& file = shared.shared();
  app::write_provenance(
      file, {"karman." + case_.problem, time_format_version, case_.title, backend_, case_.precision, case_.text});
  file.write_attribute("/", "problem", case_.problem);
  file.write_attribute("/", "time_step", case_.step);
  app::write_grid_lines(file, case_.whole, "");
  return shared;
}

Hdf5File TimeOutput::open_segment(FrameSegment const& segment) const {
  fs::path const whole = segment.file.parent_path() / fields_file_of(case_);
  std::optional<Hdf5File> file;
  processes_.in_all([&] {
    std::error_code ignored;
    bool const joined = !fs::exists(segment.file, ignored) && fs::exists(whole, ignored);
    file.emplace(Hdf5File::open(joined ? whole : segment.file));
  });
  return std::move(*file);
}

std::string TimeOutput::attach(std::vector<FrameSegment> const& segments) {
  int lost = 0;
  std::string reason;
  auto const missing = [&](FileError const& error, std::size_t count) {
    if (lost == 0) reason = error.what();
    lost += static_cast<int>(count);
  };
  app::HostField values;
  for (FrameSegment const& segment : segments) {
    std::error_code ignored;
    bool const same = fs::equivalent(segment.file.parent_path(), folder_, ignored);
    bool const here = !processes_.from_first(same ? "here" : "").empty();
    try {
      Hdf5File const file = open_segment(segment);
      FrameSegment found{file.path(), {}};
      for (Frame const& frame : segment.frames) {
        try {
          read_frame(file, case_, frame, values);
        } catch (FileError const& error) {
          missing(error, 1);
          continue;
        }
        if (here) found.frames.push_back(frame);
        else add(frame.facts, values);
      }
      if (!found.frames.empty()) segments_.push_back(std::move(found));
    } catch (FileError const& error) {
      missing(error, segment.frames.size());
    }
  }
  if (lost == 0) return {};
  return app::formatted("%d frames from before the checkpoint are missing from the output: ", lost) + reason;
}

void TimeOutput::add(FrameFacts const& facts, app::HostField const& values) {
  if (!file_) {
    file_ = processes_.size == 1 ? new_file(fields_file(), overwrite_)
                                 : new_file(folder_ / segment_file_of(case_, facts.step), Overwrite::yes);
  }
  frames_.push_back({facts, write_frame(*file_, case_, facts, values)});
}

std::vector<FrameSegment> const& TimeOutput::secure() {
  if (frames_.empty()) return segments_;
  fs::path const name = folder_ / segment_file_of(case_, frames_.front().facts.step);
  if (processes_.size > 1) {
    file_->commit();
    file_.reset();
  } else {
    StagedPath written = file_->shared().finish();
    file_.reset();
    StagedPath segment(name, Overwrite::yes);
    std::error_code error;
    fs::rename(written.temporary(), segment.temporary(), error);
    if (error) throw FileError(name.string(), "create", error.message());
    segment.commit();
  }
  segments_.push_back({name, std::exchange(frames_, {})});
  return segments_;
}

void TimeOutput::join() {
  if (segments_.empty() && processes_.size == 1) return;
  secure();
  SharedHdf5File whole = new_file(fields_file(), overwrite_);
  app::HostField values;
  for (FrameSegment const& segment : segments_) {
    Hdf5File const joined = open_segment(segment);
    for (Frame const& frame : segment.frames) {
      read_frame(joined, case_, frame, values);
      write_frame(whole, case_, frame.facts, values);
    }
  }
  file_ = std::move(whole);
}

std::vector<FrameFacts> TimeOutput::all_facts() const {
  std::vector<FrameFacts> facts;
  for (FrameSegment const& segment : segments_) {
    for (Frame const& frame : segment.frames) facts.push_back(frame.facts);
  }
  for (Frame const& frame : frames_) facts.push_back(frame.facts);
  return facts;
}

std::optional<FrameFacts> TimeOutput::last() const {
  if (!frames_.empty()) return frames_.back().facts;
  if (!segments_.empty()) return segments_.back().frames.back().facts;
  return std::nullopt;
}

void TimeOutput::write_series(std::vector<FrameFacts> const& facts) const {
  UniformGrid const& grid = case_.whole;
  std::string const name = fields_file_of(case_);
  auto const line = [&](char const* axis, int count) {
    return XdmfDataset{name, axis, ScalarType::float64, {count + 1}};
  };
  ArrayExtents const extents(grid.extents(Location::cell));
  XdmfDocument xdmf;
  for (FrameFacts const& frame : facts) {
    xdmf.add_step(
        case_.problem, frame.time,
        XdmfRectilinearGrid{line("/grid/x", grid.nx()), line("/grid/y", grid.ny()), line("/grid/z", grid.nz()), false},
        {{"q", XdmfCenter::cell, {name, frame_dataset(frame.step), app::scalar_type(case_.precision), extents}}});
  }
  xdmf.write(folder_ / xdmf_file_of(case_), overwrite_);
}

void TimeOutput::finish(TimeTotals const& totals) {
  join();
  std::vector<FrameFacts> const facts = all_facts();
  Hdf5File& file = file_->shared();
  file.write_attribute("/", "steps", facts.back().step);
  file.write_attribute("/", "converged", totals.converged ? 1 : 0);
  file.write_attribute("/", "memory_bytes", totals.memory_bytes);
  file.write_attribute("/", "algorithm", totals.algorithm);
  file.create_table("/history", columns);
  for (FrameFacts const& frame : facts) file.append_row("/history", row(frame));
  file.make_group("/timings");
  file.write_attribute("/timings", "solve", totals.solve_seconds);
  file_->commit();
  processes_.in_all([&] {
    if (!processes_.is_first()) return;
    write_series(facts);
    CsvWriter csv(folder_ / "history.csv", columns, overwrite_);
    for (FrameFacts const& frame : facts) csv.append_row(row(frame));
    csv.commit();
    remove_segments(folder_, case_);
  });
}

}  // namespace karman::poisson
