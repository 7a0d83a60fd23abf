// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run_context.hpp"

#include "common/case/memory_check.hpp"
#include <karman/io/error.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <system_error>
#include <utility>

namespace karman::app {
namespace {

BackendInfo describe_host() { return describe(enabled_backends().back()); }

}  // namespace

RunContext::RunContext(std::string application, RunOptions const& options)
    : options_(options),
      report_(std::move(application)),
      folder_(output_folder(options)),
      checkpoints_(options.restart) {}

std::optional<int> RunContext::prepare(OutputFiles const& files, std::vector<Backend> backends) {
  if (auto const end = stopped_in_step()) return end;
  if (!options_.dry_run) {
    lock_ = prepare_output_folder(folder_, files.beside_others ? Overwrite::yes : overwrite_frames());
    if (options_.overwrite == Overwrite::no) require_no_files(files);
  }
  if (backends.empty()) backends = {options_.backend.value_or(enabled_backends().front())};
  kokkos_.emplace(backends);
  backend_ = describe(backends.front());
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
    return !needs.is_large && fits_memory(needs.device_bytes, needs.host_bytes, backend_, describe_host());
  require_memory(needs.device_bytes, needs.host_bytes, backend_, describe_host());
  return true;
}

std::optional<int> RunContext::open(Needs const& needs) {
  if (options_.dry_run) std::fputs(needs_report(needs, backend_).c_str(), stdout);
  require_memory(needs.device_bytes, needs.host_bytes, backend_, describe_host());
  if (options_.dry_run) return done;
  require_free_space(folder_, static_cast<std::uint64_t>(needs.disk_bytes));
  return stopped_in_step();
}

std::optional<int> RunContext::stopped_in_set_up() {
  end_set_up();
  return stopped_in_step();
}

std::optional<int> RunContext::stopped_in_step() const {
  if (stop_requested() == 0) return {};
  return report_.stopped_in_set_up();
}

std::string RunContext::continuation(std::string const& limit, std::int64_t reached) const {
  return app::continuation(report_.application(), options_, checkpoints_.file(), limit, reached);
}

}  // namespace karman::app
