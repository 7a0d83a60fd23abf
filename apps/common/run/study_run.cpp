// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "study_run.hpp"

#include "clock.hpp"
#include "common/case/cannot_run.hpp"
#include "common/case/case_checkpoint.hpp"
#include "common/case/texts.hpp"
#include "common/fields/earlier_files.hpp"
#include "common/fields/frame_files.hpp"
#include "member_rounds.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/csv_writer.hpp>
#include <karman/io/progress.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

namespace karman::app {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Of a member that is not computed yet.
constexpr int open = -1;

bool is_stopped(int exit_code) { return exit_code > 128; }

class StudyRun {
 public:
  StudyRun(RunContext& context, Case const& input, Study const& study, StudyWork const& work)
      : context_(context),
        input_(input),
        study_(study),
        work_(work),
        format_{"karman." + context.report().application() + '_' + study.names().key, 1},
        members_(study.size()) {
    context.checkpoints().set(context.folder() / study.names().checkpoint, input.get<double>(work.interval));
  }

  int execute() {
    context_.require_same_case(input_.text());
    if (context_.restarts()) require_own_folder();
    std::vector<std::string> files{study_.names().table};
    files.insert(files.end(), work_.files.begin(), work_.files.end());
    if (auto const end = context_.prepare({files})) return *end;
    for (std::string const& remark : work_.remarks) std::printf("%s\n", remark.c_str());
    Needs const need = needs_of_all();
    if (context_.options().dry_run && context_.evaluates(need)) study_.check_all(work_.evaluate);
    if (auto const end = context_.open(need)) return *end;
    if (context_.restarts()) load();
    else context_.by_first([this] { remove_earlier_members(); });
    if (auto const end = context_.stopped_in_set_up()) return *end;
    return run_members();
  }

 private:
  struct Member {
    int exit_code = open;
    std::vector<double> figures;
    std::vector<std::string> lines;  ///< of its report; the last one is the reason of a failure
    double seconds = 0;              ///< of this run
  };

  fs::path folder_of(std::size_t n) const { return context_.folder() / study_.members()[n].name; }

  /// "member-003 (terms.viscosity 0.001)".
  std::string name_of(std::size_t n) const {
    std::string const words = study_.words(n);
    return study_.members()[n].name + (words.empty() ? words : " (" + words + ')');
  }

  std::string plural() const { return study_.names().member + 's'; }
  std::string counted(std::size_t count) const {
    return std::to_string(count) + ' ' + (count == 1 ? study_.names().member : plural());
  }

  /// Outcome of a member as the table has it.
  std::string outcome(int exit_code) const {
    switch (exit_code) {
      case done: return "done";
      case not_converged: return study_.names().wrong;
      default: return "broken_down";
    }
  }

  void require_own_folder() const {
    fs::path const folder = fs::weakly_canonical(context_.options().restart).parent_path();
    if (folder == fs::weakly_canonical(context_.folder())) return;
    throw CannotRun("a " + study_.names().key + " continues in the folder of its checkpoint, beside its " + plural() +
                    "; set --output to " + context_.options().restart.parent_path().string());
  }

  Needs needs_of_all() const {
    Needs all;
    std::string lines = (plural() + std::string(12, ' ')).substr(0, 12) + std::to_string(study_.size()) + '\n';
    auto const at_once = static_cast<std::size_t>(context_.processes());
    double slowest = 0;
    for (std::size_t n = 0; n < study_.size(); ++n) {
      MemberNeeds const one = work_.needs(n);
      Needs const& needs = one.needs;
      std::string const words = study_.words(n);
      lines += study_.members()[n].name + (words.empty() ? words : "  " + words) + ": " + one.words + ", " +
               need_text(needs.device_bytes + needs.host_bytes) + ", " + duration_text(needs.seconds) + '\n';
      all.title = needs.title;
      all.precision = needs.precision;
      all.device_bytes = std::max(all.device_bytes, needs.device_bytes);
      all.host_bytes = std::max(all.host_bytes, needs.host_bytes);
      all.disk_bytes += needs.disk_bytes + static_cast<std::int64_t>(study_.members()[n].input.text().size());
      all.is_large = all.is_large || needs.is_large;
      // The processes wait for the slowest member of a round.
      if (n % at_once == 0) all.seconds += std::exchange(slowest, 0);
      slowest = std::max(slowest, needs.seconds);
    }
    all.seconds += slowest;
    all.disk_bytes += csv_bytes(static_cast<double>(study_.size()), work_.columns.size()) + checkpoint_bytes();
    all.lines = lines + idle_processes(context_.processes(), study_.size(), counted(study_.size()));
    return all;
  }

  std::int64_t checkpoint_bytes() const {
    constexpr std::size_t of_line = 400;
    return static_cast<std::int64_t>(
        2 * (study_.size() * (of_line + work_.columns.size() * sizeof(double)) + 2 * input_.text().size()));
  }

  /// Before the first member: their earlier checkpoints, and the members of a larger study.
  void remove_earlier_members() const {
    if (context_.options().overwrite == Overwrite::no) return;
    for (std::size_t n = 0; n < study_.size(); ++n) {
      for (fs::path const& file :
           {folder_of(n) / work_.checkpoint, previous_checkpoint(folder_of(n) / work_.checkpoint)})
        remove_earlier(file, Overwrite::yes);
    }
    remove_members(context_.folder(), study_.names().member, study_.size(), work_.outputs, work_.checkpoint);
    // A single run of the same case.
    remove_run(context_.folder(), work_.outputs, work_.checkpoint);
  }

  /// Parts of a case that determine the members.
  json essence(json const& whole) const { return without(without(whole, {"/title"}), {work_.interval}); }

  void save() {
    std::size_t const columns = work_.columns.size();
    std::vector<double> figures(study_.size() * columns);
    json exit_codes = json::array(), lines = json::array();
    for (std::size_t n = 0; n < study_.size(); ++n) {
      exit_codes.push_back(members_[n].exit_code);
      lines.push_back(members_[n].lines);
      std::copy(members_[n].figures.begin(), members_[n].figures.end(),
                figures.begin() + static_cast<std::ptrdiff_t>(n * columns));
    }
    json const metadata{{"case", input_.json()}, {"exit_codes", exit_codes}, {"lines", lines}};
    std::vector<CheckpointArray> const arrays{{"figures", {figures.data(), {study_.size(), columns}}}};
    write_checkpoint(context_.checkpoints().file(), format_,
                     metadata.dump(-1, ' ', false, json::error_handler_t::replace), arrays);
    context_.checkpoints().note_written();
  }

  void load() {
    Checkpoint const checkpoint = Checkpoint::open_latest(context_.options().restart, format_);
    context_.report().warn(checkpoint.warning());
    std::vector<double> const figures = read_rows(checkpoint, "figures", work_.columns.size());
    auto const refuse = [&](char const* why) {
      throw FileError(checkpoint.path().string(), "read the metadata of", why);
    };
    try {
      json const metadata = json::parse(checkpoint.metadata());
      require_same_case(essence(metadata.at("case")), essence(input_.json()), input_, checkpoint.path());
      auto const exit_codes = metadata.at("exit_codes").get<std::vector<int>>();
      auto const lines = metadata.at("lines").get<std::vector<std::vector<std::string>>>();
      std::size_t const columns = work_.columns.size();
      if (exit_codes.size() != study_.size() || lines.size() != study_.size() ||
          figures.size() != columns * study_.size())
        refuse("another number of members");
      for (std::size_t n = 0; n < study_.size(); ++n) {
        if (exit_codes[n] < done || is_stopped(exit_codes[n])) continue;
        // Without its result a member is computed again.
        if (exit_codes[n] != breakdown && !fs::exists(folder_of(n) / work_.result)) continue;
        auto const first = figures.begin() + static_cast<std::ptrdiff_t>(n * columns);
        members_[n] = {exit_codes[n], {first, first + static_cast<std::ptrdiff_t>(columns)}, lines[n], 0};
      }
    } catch (json::exception const& error) {
      refuse(error.what());
    }
  }

  std::size_t finished() const {
    return static_cast<std::size_t>(
        std::count_if(members_.begin(), members_.end(), [](Member const& one) { return one.exit_code != open; }));
  }

  int run_members() {
    std::vector<std::size_t> left;
    for (std::size_t n = 0; n < members_.size(); ++n) {
      if (members_[n].exit_code == open) left.push_back(n);
    }
    std::printf("%s", idle_processes(context_.processes(), left.size(), counted(left.size())).c_str());
    Progress progress({.mode = context_.options().progress,
                       .label = study_.names().key,
                       .unit = plural(),
                       .total = static_cast<double>(members_.size())});
    Clock::time_point const start = Clock::now();
    bool const saves = input_.get<double>(work_.interval) > 0;
    for (auto const& round : member_rounds(left, context_.processes())) {
      run_round(round);
      bool const stops = context_.all_must_stop() && finished() < members_.size();
      if (saves || stops) context_.by_first([this] { save(); });
      progress.update(static_cast<double>(finished()), study_.members()[round.back()].name);
      if (!stops) continue;
      return context_.report().stopped("after " + std::to_string(finished()) + " of " + counted(members_.size()),
                                       context_.continuation());
    }
    progress.finish(static_cast<double>(finished()));
    context_.by_first([this] { write_table(); });
    return report(seconds_since(start));
  }

  /// Runs one member in each process, the first one in the first. All processes get their ends. Collective.
  void run_round(std::span<std::size_t const> round) {
    auto const rank = static_cast<std::size_t>(context_.communicator().rank());
    Member own;
    if (rank < round.size()) own = run_member(round[rank]);
    struct Row {
      int exit_code;
      double seconds;
    };
    std::string joined;
    for (std::string const& line : own.lines) joined += line + '\n';
    Communicator const& all = context_.communicator();
    auto const rows = all.all_gather(Row{own.exit_code, own.seconds});
    auto const figures = all.all_gather_arrays(std::span<double const>(own.figures));
    auto const lines = all.all_gather_arrays(std::span<char const>(joined));
    for (std::size_t r = 0; r < round.size(); ++r) {
      if (rows[r].exit_code == open) continue;
      Member& member = members_[round[r]];
      member = {rows[r].exit_code, figures[r], {}, rows[r].seconds};
      for (auto at = lines[r].begin(); at != lines[r].end();) {
        auto const end = std::find(at, lines[r].end(), '\n');
        member.lines.emplace_back(at, end);
        at = end + 1;
      }
      print(round[r]);
    }
  }

  /// A member that a signal stops stays open.
  Member run_member(std::size_t n) {
    fs::path const folder = folder_of(n);
    RunOptions options = context_.options();
    options.case_file = folder / member_case_file;
    options.overrides.clear();
    options.output = folder;
    options.restart.clear();
    options.progress = ProgressMode::off;
    // The folder of the study was empty, or may be overwritten.
    options.overwrite = Overwrite::yes;
    options.processes = std::make_shared<Processes>();
    fs::path const checkpoint = folder / work_.checkpoint;
    if (work_.continues_members && context_.restarts() &&
        (fs::exists(checkpoint) || fs::exists(previous_checkpoint(checkpoint))))
      options.restart = checkpoint;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw FileError(folder.string(), "create", error.message());
    write_text_file(options.case_file, study_.members()[n].input.text(), Overwrite::yes);
    Member member;
    MemberEnd end;
    try {
      RunContext context(context_, options, member.lines);
      study_.check(n, [&](Case const&) { end = work_.run(context, n); });
    } catch (Stopped const&) {
      return {};
    }
    if (is_stopped(end.exit_code)) return {};
    member.exit_code = end.exit_code;
    member.figures = std::move(end.figures);
    member.figures.resize(work_.columns.size());
    member.seconds = end.seconds;
    return member;
  }

  void print(std::size_t n) const {
    Member const& member = members_[n];
    std::printf("%s: %s in %s\n", name_of(n).c_str(), outcome(member.exit_code).c_str(),
                measured_time_text(member.seconds).c_str());
    std::size_t const warnings = member.lines.size() - (member.exit_code == done || member.lines.empty() ? 0 : 1);
    for (std::size_t w = 0; w < warnings; ++w)
      context_.report().warn(study_.members()[n].name + ": " + member.lines[w]);
  }

  void write_table() const {
    std::vector<std::string> columns{study_.names().member, "outcome"};
    if (work_.lists_values) columns.insert(columns.end(), study_.paths().begin(), study_.paths().end());
    columns.insert(columns.end(), work_.columns.begin(), work_.columns.end());
    CsvWriter csv(context_.folder() / study_.names().table, columns, context_.overwrite_frames());
    for (std::size_t n = 0; n < study_.size(); ++n) {
      StudyMember const& member = study_.members()[n];
      std::vector<std::string> labels{member.name, outcome(members_[n].exit_code)};
      if (work_.lists_values) labels.insert(labels.end(), member.values.begin(), member.values.end());
      csv.append_row(labels, members_[n].figures);
    }
    csv.commit();
    if (!work_.finish) return;
    std::vector<StudyRow> rows;
    for (Member const& member : members_) rows.push_back({member.exit_code, member.figures});
    work_.finish(rows);
  }

  int report(double seconds) const {
    double summed = 0;
    for (Member const& member : members_) summed += member.seconds;
    std::printf("%s in %s\n", counted(members_.size()).c_str(),
                context_.time_words(seconds, summed, "members").c_str());
    std::string const table = context_.folder() / study_.names().table;
    std::printf("%s\n", table.c_str());
    std::vector<std::size_t> failed;
    for (std::size_t n = 0; n < members_.size(); ++n) {
      if (members_[n].exit_code != done) failed.push_back(n);
    }
    if (failed.empty()) return done;
    Member const& first = members_[failed[0]];
    std::string line = std::to_string(failed.size()) + " of " + counted(members_.size()) +
                       " failed: " + name_of(failed[0]) + (first.lines.empty() ? "" : ": " + first.lines.back());
    constexpr std::size_t most_named = 10;
    for (std::size_t f = 1; f < std::min(failed.size(), most_named); ++f)
      line += (f == 1 ? "; also " : ", ") + study_.members()[failed[f]].name;
    if (failed.size() > most_named) line += ", ...";
    context_.report().warn(line + "; see " + table);
    return first.exit_code;
  }

  RunContext& context_;
  Case const& input_;
  Study const& study_;
  StudyWork const& work_;
  CheckpointFormat format_;
  std::vector<Member> members_;
};

}  // namespace

void remove_run(fs::path const& folder, std::span<char const* const> outputs, char const* checkpoint) {
  FrameFiles(folder, Overwrite::yes).remove_later();
  for (char const* const name : outputs) remove_earlier(folder / name, Overwrite::yes);
  for (auto const& file : {folder / checkpoint, previous_checkpoint(folder / checkpoint), folder / "frames"})
    remove_earlier(file, Overwrite::yes);
}

void remove_members(fs::path const& folder, std::string const& member, std::size_t first,
                    std::span<char const* const> outputs, char const* checkpoint) {
  for (std::size_t n = first;; ++n) {
    fs::path const own = folder / member_name(member, n);
    if (!fs::is_directory(own)) return;
    remove_run(own, outputs, checkpoint);
    remove_earlier(own / member_case_file, Overwrite::yes);
    std::error_code other_files_stay;
    fs::remove(own, other_files_stay);
  }
}

int run_study(RunContext& context, Case const& input, Study const& study, StudyWork const& work) {
  return StudyRun(context, input, study, work).execute();
}

}  // namespace karman::app
