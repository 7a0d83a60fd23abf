// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run_context.hpp"

#include "common/case/cannot_run.hpp"
#include "common/case/host_work.hpp"
#include "common/case/memory_check.hpp"
#include <karman/io/content_hash.hpp>
#include <karman/io/error.hpp>
#include <karman/io/progress.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <system_error>
#include <utility>

namespace karman::app {
namespace {

BackendInfo describe_host() { return describe(enabled_backends().back()); }

}  // namespace

RunContext::RunContext(std::string application, RunOptions const& options)
    : options_(options),
      report_(std::move(application), options.processes->is_first()),
      folder_(output_folder(options)),
      signals_(std::in_place),
      checkpoints_(options.restart) {}

RunContext::RunContext(RunContext& whole, RunOptions const& options, std::vector<std::string>& lines)
    : whole_(&whole),
      options_(options),
      report_(whole.report_.application(), lines),
      folder_(output_folder(options)),
      checkpoints_(options.restart),
      backend_(whole.backend_),
      copy_rate_(whole.copy_rate_),
      sharers_(whole.sharers_) {}

std::optional<int> RunContext::prepare(OutputFiles const& files, std::vector<Backend> backends) {
  if (auto const end = stopped_in_step()) return end;
  if (!options_.dry_run) {
    by_first([&] {
      lock_ = prepare_output_folder(folder_, files.beside_others ? Overwrite::yes : overwrite_frames());
      if (options_.overwrite == Overwrite::no) require_no_files(files);
    });
  }
  if (whole_ != nullptr) return stopped_in_step();
  if (backends.empty()) backends = {options_.backend.value_or(enabled_backends().front())};
  Processes const& all = *options_.processes;
  share_machine(all.local_size());
  kokkos_.emplace(backends, LoadReport::print, MachinePlace{all.local_rank(), all.local_size()});
  backend_ = describe(backends.front());
  DeviceShares const shares = shares_of(communicator().all_gather(device_identity(backend_.backend)));
  if (std::string const error = sharing_error(shares); !error.empty() && !options_.share_devices)
    throw CannotRun(error);
  sharers_ = processes_per_memory(shares, all.local_size());
  if (options_.dry_run) copy_rate_ = quick_copy_rate(backend_.backend);
  return stopped_in_step();
}

void RunContext::require_no_files(OutputFiles const& files) const {
  std::size_t const count = restarts() ? std::min(files.at_restart, files.names.size()) : files.names.size();
  for (std::size_t n = 0; n < count; ++n) {
    std::filesystem::path const file = folder_ / files.names[n];
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored))
      throw FileError(file.string(), "", "already exists: add --overwrite or choose another --output");
  }
}

bool RunContext::evaluates(Needs const& needs) const {
  if (options_.dry_run)
    return !needs.is_large && announced_processes() == processes() &&
           fits_memory(sharers_ * needs.device_bytes, local_processes() * needs.host_bytes, backend_, describe_host());
  require_memory_of_all(needs);
  return true;
}

std::optional<int> RunContext::open(Needs const& needs) {
  if (options_.dry_run) std::fputs(needs_report(needs, backend_, announced_processes()).c_str(), stdout);
  require_memory_of_all(needs);
  if (options_.dry_run) return done;
  by_first([&] { require_free_space(folder_, static_cast<std::uint64_t>(needs.disk_bytes)); });
  return stopped_in_step();
}

std::optional<int> RunContext::stopped_in_set_up() {
  end_set_up();
  return stopped_in_step();
}

std::optional<int> RunContext::stopped_in_step() const {
  if (!all_must_stop()) return {};
  return report_.stopped_in_set_up();
}

int RunContext::local_processes() const {
  return whole_ != nullptr ? whole_->local_processes() : options_.processes->local_size();
}

void RunContext::require_memory_of_all(Needs const& needs) const {
  require_memory(sharers_ * needs.device_bytes, local_processes() * needs.host_bytes, backend_, describe_host());
}

void RunContext::require_one_process(std::string const& what) const {
  if (processes() == 1) return;
  throw CannotRun(what + " takes one process, found " + std::to_string(processes()) + "; start it without a launcher");
}

void RunContext::require_same_case(std::string const& text) const {
  if (processes() == 1) return;
  BuildInfo const build = build_info();
  ContentHash hash;
  for (std::string const& part : {text, build.commit, build.compiler}) hash.update(part.data(), part.size());
  auto const hashes = communicator().all_gather(hash.value());
  auto const other = std::find_if(hashes.begin(), hashes.end(), [&](auto value) { return value != hashes.front(); });
  if (other == hashes.end()) return;
  throw CannotRun("process " + std::to_string(other - hashes.begin()) +
                  " has another case or another build of karman than process 0; start all with the same files");
}

void RunContext::by_first(std::function<void()> const& work) const {
  if (processes() == 1) return work();
  bool works = true;
  std::exception_ptr error;
  if (is_first()) {
    try {
      work();
    } catch (...) {
      error = std::current_exception();
      works = false;
    }
  }
  works = communicator().broadcast(works);
  if (error) std::rethrow_exception(error);
  if (!works) throw FailedElsewhere{};
}

bool RunContext::must_stop() const {
  if (whole_ != nullptr) return whole_->must_stop();
  int const mine = stop_requested();
  int const any = options_.processes->share_signal(mine);
  if (mine == 0 && any != 0) request_stop(any);
  return any != 0;
}

bool RunContext::all_must_stop() const {
  return whole_ != nullptr ? whole_->must_stop() : any_must_stop(communicator());
}

std::string RunContext::launcher() const {
  if (processes() == 1) return {};
  auto const launch = launch_of_process();
  bool const slurm = launch && launch->variable.starts_with("SLURM");
  return (slurm ? "srun -n " : "mpirun -n ") + std::to_string(processes()) + ' ';
}

std::string RunContext::time_words(std::string const& elapsed) const {
  std::string const of_all = processes() == 1 ? "" : " of " + std::to_string(processes()) + " processes";
  return elapsed + of_all + " on " + std::string(name(backend_.backend)) + " (" + backend_.device + ')';
}

std::string RunContext::time_words(double elapsed, double summed, char const* members) const {
  std::string const time = duration_text(elapsed);
  if (processes() == 1) return time_words(time);
  return time_words(time + " elapsed (" + duration_text(summed) + " summed over the " + members + ')');
}

std::string RunContext::continuation(CaseChanges const& changes) const {
  return launcher() + app::continuation(report_.application(), options_, checkpoints_.file(), changes);
}

std::string RunContext::continuation(std::string const& limit, std::int64_t reached) const {
  return continuation({{limit, std::to_string(2 * reached)}});
}

}  // namespace karman::app
