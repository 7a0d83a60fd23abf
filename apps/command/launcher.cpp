// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processes that a launcher of MPI has started. With without_launcher.cpp the only files of the command that depend
// on the option of the build.
#include "common/run/processes.hpp"
#include <karman/core/detail/process_group.hpp>
#include <karman/core/mpi.hpp>
#include <karman/core/transport.hpp>

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace karman::app {
namespace {

using Clock = std::chrono::steady_clock;

/// Variables that the launchers set: Open MPI, MPICH's Hydra and Intel MPI, Slurm and others with PMIx.
constexpr std::array launcher_variables{"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMIX_RANK"};

/// Time in which all processes come to the end that one of them has reached by an error. The first ones end earlier, so
/// that a single process reports.
constexpr auto patience = std::chrono::milliseconds(2000);
constexpr auto patience_per_rank = std::chrono::milliseconds(250);
constexpr int most_patient_rank = 12;

/// Start of all processes. Some may wait for longer, where a script has other work to do first.
constexpr auto start_limit = std::chrono::seconds(10);

/// Between two checks of a message that is under way: at the end of a run there is nothing else to do.
constexpr auto pause = std::chrono::milliseconds(1);

constexpr int signal_tag = 1;

void require_success(int code, char const* call) {
  if (code != MPI_SUCCESS) throw std::runtime_error(std::string(call) + " failed");
}

/// Variables with the number of this process.
constexpr std::array rank_variables{"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};

/// Sends a standard stream nowhere from here on.
void silence(std::FILE* stream) {
  std::fflush(stream);
  int const nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  ::dup2(nowhere, ::fileno(stream));
  ::close(nowhere);
}

/// Gives a standard stream its former descriptor back.
void restore(std::FILE* stream, int descriptor) {
  if (descriptor < 0) return;
  std::fflush(stream);
  ::dup2(descriptor, ::fileno(stream));
  ::close(descriptor);
}

/// Writes a line where MPI_Init waits for long: a process with another command may never call it. The first and the
/// last process write; where both are away, there is no line.
class StartWatch {
 public:
  StartWatch() {
    auto const launch = launch_of_process();
    if (!launch || (launch->rank != 0 && launch->rank != launch->size - 1)) return;
    thread_ = std::jthread([this, rank = launch->rank](std::stop_token const& ended) {
      std::unique_lock held(lock_);
      if (wake_.wait_for(held, ended, start_limit, [&] { return ended.stop_requested(); })) return;
      if (ended.stop_requested()) return;
      std::fprintf(
          stderr,
          "process %d: still in MPI_Init after %d s: others have not called it; start the same command in all\n", rank,
          static_cast<int>(start_limit.count()));
    });
  }

 private:
  std::mutex lock_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

class MpiProcesses final : public Processes {
 public:
  MpiProcesses() {
    int provided = 0;
    {
      StartWatch const watch;
      require_success(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
    }
    communicator_ = communicator_of(MPI_COMM_WORLD);
    require_success(MPI_Comm_dup(MPI_COMM_WORLD, &control_), "MPI_Comm_dup");
    MPI_Comm machine = MPI_COMM_NULL;
    require_success(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine),
                    "MPI_Comm_split_type");
    MPI_Comm_rank(machine, &local_rank_);
    MPI_Comm_size(machine, &local_size_);
    MPI_Comm_free(&machine);
    if (!is_first()) silence(stdout);
  }

  ~MpiProcesses() override {
    communicator_ = {};
    if (!ended_) return;  // others may be anywhere: MPI_Finalize would wait for them
    MPI_Comm_free(&control_);
    MPI_Finalize();
  }

  int share_signal(int mine) override {
    if (size() == 1) return mine;
    if (mine != 0 && heard_ == 0 && told_ == 0) tell(mine);
    int arrived = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, signal_tag, control_, &arrived, MPI_STATUS_IGNORE);
    if (arrived != 0) hear();
    return mine != 0 ? mine : heard_;
  }

  std::optional<CommonEnd> await_end(ProcessEnd const& mine) override {
    std::array<int, 3> const own{mine.exit_code, mine.has_line ? 1 : 0, told_};
    std::vector<int> all(own.size() * static_cast<std::size_t>(size()));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgather(own.data(), int(own.size()), MPI_INT, all.data(), int(own.size()), MPI_INT, control_, &request);
    auto const limit = Clock::now() + patience + std::min(rank(), most_patient_rank) * patience_per_rank;
    int arrived = 0;
    for (;;) {
      MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
      if (arrived != 0) break;
      if (mine.has_line && Clock::now() > limit) return {};
      std::this_thread::sleep_for(pause);
    }
    CommonEnd end;
    end.everywhere = true;
    int tellers = 0, first_code = 0;
    for (int r = 0; r < size(); ++r) {
      int const* const other = all.data() + own.size() * static_cast<std::size_t>(r);
      if (first_code == 0) first_code = other[0];
      if (other[1] == 0) end.everywhere = false;
      else if (!end.reporter) end.reporter = r;
      if (other[2] != 0 && r != rank()) ++tellers;
    }
    end.exit_code = end.reporter ? all[own.size() * static_cast<std::size_t>(*end.reporter)] : first_code;
    // MPI ends with no message under way.
    while (heard_messages_ < tellers) hear();
    MPI_Waitall(int(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE);
    ended_ = true;
    return end;
  }

  [[noreturn]] void abort(int exit_code) override {
    std::fflush(stdout);
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

 private:
  void tell(int signal) {
    told_ = signal;
    sends_.resize(static_cast<std::size_t>(size() - 1));
    std::size_t n = 0;
    for (int r = 0; r < size(); ++r) {
      if (r != rank()) MPI_Isend(&told_, 1, MPI_INT, r, signal_tag, control_, &sends_[n++]);
    }
  }

  void hear() {
    int signal = 0;
    MPI_Recv(&signal, 1, MPI_INT, MPI_ANY_SOURCE, signal_tag, control_, MPI_STATUS_IGNORE);
    ++heard_messages_;
    if (heard_ == 0) heard_ = signal;
  }

  MPI_Comm control_ = MPI_COMM_NULL;  // signals and ends, apart from the messages of the run
  int told_ = 0, heard_ = 0, heard_messages_ = 0;
  std::vector<MPI_Request> sends_;
  bool ended_ = false;
};

}  // namespace

QuietBesideFirst::QuietBesideFirst() {
  bool const first = std::none_of(rank_variables.begin(), rank_variables.end(), [](char const* variable) {
    char const* const rank = std::getenv(variable);
    return rank != nullptr && std::atoi(rank) > 0;
  });
  if (first) return;
  out_ = ::dup(STDOUT_FILENO);
  error_ = ::dup(STDERR_FILENO);
  silence(stdout);
  silence(stderr);
}

QuietBesideFirst::~QuietBesideFirst() {
  restore(stdout, out_);
  restore(stderr, error_);
}

std::shared_ptr<Processes> join_processes() {
  bool const launched = std::any_of(launcher_variables.begin(), launcher_variables.end(),
                                    [](char const* variable) { return std::getenv(variable) != nullptr; });
  if (!launched) return std::make_shared<Processes>();
  return std::make_shared<MpiProcesses>();
}

std::string message_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string version(text, static_cast<std::size_t>(length));
  version.resize(std::min(version.size(), version.find_first_of(",\n")));
  // "MPICH Version:<tab>4.0.2"
  if (std::size_t const word = version.find(" Version:\t"); word != std::string::npos) version.replace(word, 10, " ");
  return version;
}

std::string transport_name(Processes const& processes, bool on_devices) {
  if (!on_devices) return std::string(name(Transport::host));
  switch (processes.communicator().group().device_transport()) {
    case detail::DeviceTransport::nccl: return std::string(name(Transport::nccl));
    case detail::DeviceTransport::direct: return std::string(name(Transport::direct));
    case detail::DeviceTransport::staged: break;
  }
  return std::string(name(Transport::staged));
}

}  // namespace karman::app
