// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cell_run.hpp"

#include "common/case/case_checkpoint.hpp"
#include "common/case/texts.hpp"
#include "common/fields/frame_files.hpp"
#include "common/fields/host_field.hpp"
#include "common/fields/provenance.hpp"
#include "march.hpp"
#include <karman/io/config.hpp>
#include <karman/io/xdmf.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <utility>

namespace karman::app {
namespace {

/// The march of the process. See march().
class CellRun {
 public:
  CellRun(RunContext& context, Case const& input, CellProblem const& problem)
      : context_(context),
        input_(input),
        problem_(problem),
        format_{"karman." + problem.name, 1},
        dt_(input.get<double>("/time/step")),
        steps_(input.get<std::int64_t>("/time/steps")),
        frames_every_(input.get<std::int64_t>("/time/frames_every")),
        frames_(context.folder(), context.overwrite_frames()) {
    context.checkpoints().set(context.folder() / (problem.name + ".checkpoint"),
                              input.get<double>("/time/checkpoint_every"));
  }

  int execute() {
    if (auto const end = context_.prepare({{"frames", "frames.xdmf"}, 0})) return *end;
    Needs needs = estimate();
    if (context_.evaluates(needs)) {
      for (std::vector<double> const& values : problem_.evaluate())
        fields_.emplace_back(problem_.precision, extents(), values);
      needs.is_large = false;
    }
    if (auto const end = context_.open(needs)) return *end;
    model_ = problem_.make_model(context_.backend().backend);
    if (context_.restarts()) restore();
    for (std::size_t n = 0; n < fields_.size(); ++n) model_->set(n, std::as_const(fields_[n]).array());
    if (auto const end = context_.stopped_in_set_up()) return *end;
    find_bad_cell();
    if (is_sound() && frames_.times().empty()) add_frame();
    Clock::time_point const start = Clock::now();
    if (auto const end = march(context_, {.label = problem_.name, .unit = "steps", .total = double(steps_)}, *this))
      return *end;
    frames_.remove_later();
    report(seconds_since(start));
    return done;
  }

  bool is_sound() const { return bad_.empty(); }
  bool has_ended() const { return step_ >= steps_; }

  /// Steps to the next frame, or until a checkpoint or a signal is due.
  void advance() {
    do {
      model_->advance(double(step_) * dt_, dt_);
      ++step_;
    } while (!is_frame() && !context_.must_pause());
    for (std::size_t n = 0; n < fields_.size(); ++n) model_->copy(n, fields_[n].array());
    find_bad_cell();
  }

  void record() {
    if (is_frame()) add_frame();
  }

  void save() const {
    std::vector<double> const& times = frames_.times();
    std::vector<CheckpointArray> arrays{{"frame_times", {times.data(), {times.size(), std::size_t{1}}}}};
    for (std::size_t n = 0; n < fields_.size(); ++n) arrays.push_back({problem_.fields[n].name, fields_[n].array()});
    write_case_checkpoint(context_.checkpoints().file(), format_, input_, step_, arrays);
  }

  double position() const { return double(step_); }
  std::string note() const { return {}; }
  std::string where() const { return formatted("after %lld steps", static_cast<long long>(step_)); }
  int report_breakdown() const {
    return context_.report().broken_down(bad_ + formatted(", step %lld", static_cast<long long>(step_)) +
                                         context_.checkpoints().last_good());
  }

 private:
  ArrayExtents extents() const { return {problem_.grid.extents(Location::cell)}; }
  bool is_frame() const { return step_ % frames_every_ == 0 || has_ended(); }

  Needs estimate() const {
    UniformGrid const& grid = problem_.grid;
    auto const fields = static_cast<std::int64_t>(problem_.fields.size());
    std::int64_t const field = grid.cell_count() * real_size(problem_.precision);
    std::int64_t const file = fields * field + hdf5_overhead + static_cast<std::int64_t>(input_.text().size());
    constexpr std::int64_t text_of_frame = 1000;
    Needs needs;
    needs.title = input_.get<std::string>("/title");
    needs.lines = formatted("cells       %d x %d x %d\nsteps       %lld of %g s\n", grid.nx(), grid.ny(), grid.nz(),
                            static_cast<long long>(steps_), dt_);
    needs.precision = problem_.precision;
    needs.device_bytes = problem_.model_bytes(context_.backend().backend);
    // The values in double precision, and in the precision of the run.
    needs.host_bytes = problem_.host_bytes + 2 * fields * (8 * grid.cell_count() + field);
    needs.disk_bytes = (steps_ / frames_every_ + 2) * (file + text_of_frame) + 2 * file;
    needs.is_large = grid.cell_count() > problem_.quick_cells;
    if (context_.copy_rate() > 0)
      needs.seconds = double(steps_) * problem_.values_a_step * double(field) / context_.copy_rate();
    return needs;
  }

  /// Takes state and frames from a checkpoint.
  void restore() {
    auto const& file = context_.options().restart;
    CaseCheckpoint const loaded =
        open_case_checkpoint(file, format_, input_,
                             {"/title", "/time/steps", "/time/frames_every", "/time/checkpoint_every"}, "/time/steps");
    context_.report().warn(loaded.file.warning());
    for (std::size_t n = 0; n < fields_.size(); ++n) loaded.file.read(problem_.fields[n].name, fields_[n].array());
    step_ = loaded.step;
    frames_.attach(file, read_rows(loaded.file, "frame_times", 1));
  }

  /// Notes the first value that is not finite.
  void find_bad_cell() {
    for (std::size_t n = 0; bad_.empty() && n < fields_.size(); ++n) {
      std::vector<double> const values = fields_[n].in_double();
      auto const wrong = std::find_if_not(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
      if (wrong == values.end()) continue;
      std::int64_t const cell = wrong - values.begin(), nx = problem_.grid.nx(), ny = problem_.grid.ny();
      bad_ = problem_.fields[n].name +
             formatted(" is not finite at (k, j, i) = (%lld, %lld, %lld)", static_cast<long long>(cell / nx / ny),
                       static_cast<long long>(cell / nx % ny), static_cast<long long>(cell % nx));
    }
  }

  void add_frame() {
    frames_.make_folder();
    Hdf5File file = frames_.create();
    write_provenance(file, {format_.name, format_.version, input_.get<std::string>("/title"), context_.backend(),
                            problem_.precision, input_.text()});
    write_grid_lines(file, problem_.grid, "m");
    for (std::size_t n = 0; n < fields_.size(); ++n) {
      std::string const dataset = "/fields/" + problem_.fields[n].name;
      file.write(dataset, std::as_const(fields_[n]).array());
      file.write_attribute(dataset, "units", problem_.fields[n].units);
    }
    frames_.commit(file, step_, double(step_) * dt_);
    XdmfDocument list;
    for (std::size_t n = 0; n < frames_.times().size(); ++n) {
      std::filesystem::path const name = FrameFiles::name(n);
      auto const line = [&](char const* axis, int count) {
        return XdmfDataset{name, axis, ScalarType::float64, {count + 1}};
      };
      UniformGrid const& grid = problem_.grid;
      std::vector<XdmfAttribute> attributes;
      for (CellProblem::Field const& field : problem_.fields) {
        attributes.push_back({field.name,
                              XdmfCenter::cell,
                              {name, "/fields/" + field.name, scalar_type(problem_.precision), extents()}});
      }
      list.add_step(problem_.name, frames_.times()[n],
                    XdmfRectilinearGrid{line("/grid/x", grid.nx()), line("/grid/y", grid.ny()),
                                        line("/grid/z", grid.nz()), false},
                    attributes);
    }
    frames_.write_list(list);
  }

  void report(double seconds) const {
    std::printf("%lld steps to %.6g s in %s on %s (%s)\n", static_cast<long long>(step_), double(step_) * dt_,
                measured_time_text(seconds).c_str(), std::string(name(context_.backend().backend)).c_str(),
                context_.backend().device.c_str());
    for (std::size_t n = 0; n < fields_.size(); ++n) {
      std::vector<double> const values = fields_[n].in_double();
      auto const [least, most] = std::minmax_element(values.begin(), values.end());
      std::printf("%s from %.6g to %.6g %s\n", problem_.fields[n].name.c_str(), *least, *most,
                  problem_.fields[n].units.c_str());
    }
    std::printf("%s\n", (context_.folder() / "frames.xdmf").c_str());
  }

  RunContext& context_;
  Case const& input_;
  CellProblem const& problem_;
  CheckpointFormat format_;
  double dt_;
  std::int64_t steps_, frames_every_;
  FrameFiles frames_;
  std::unique_ptr<CellModel> model_;
  std::vector<HostField> fields_;
  std::int64_t step_ = 0;
  std::string bad_;  ///< the first value that is not finite, in words; empty: none
};

}  // namespace

int run_cells(RunContext& context, Case const& input, CellProblem const& problem) {
  return CellRun(context, input, problem).execute();
}

}  // namespace karman::app
