// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_messages.hpp"
#include "mpi_call.hpp"
#include "mpi_channel.hpp"
#include <karman/core/detail/process_group.hpp>
#include <karman/core/error.hpp>
#include <karman/core/mpi.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace karman {

namespace {

constexpr std::size_t largest_message = std::size_t(1) << 30;  // MPI counts in int

/// An MPI communicator of its own, freed at the end.
class OwnedCommunicator {
 public:
  /// Takes ownership. Failures are results of calls, not the end of the program.
  explicit OwnedCommunicator(MPI_Comm communicator) : communicator_(communicator) {
    MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
  }
  ~OwnedCommunicator() {
    if (detail::mpi_runs()) MPI_Comm_free(&communicator_);
  }
  OwnedCommunicator(OwnedCommunicator const&) = delete;
  OwnedCommunicator& operator=(OwnedCommunicator const&) = delete;
  MPI_Comm get() const { return communicator_; }

 private:
  MPI_Comm communicator_;
};

/// Channels keep their communicator alive.
class GroupChannel final : public detail::Channel {
 public:
  GroupChannel(std::shared_ptr<OwnedCommunicator const> communicator, std::vector<detail::Message> const& messages)
      : communicator_(std::move(communicator)), channel_(communicator_->get(), messages) {}
  void start(void* stream) override { channel_.start(stream); }
  void finish(void* stream) override { channel_.finish(stream); }

 private:
  std::shared_ptr<OwnedCommunicator const> communicator_;
  detail::MpiChannel channel_;
};

class MpiGroup final : public detail::ProcessGroup {
 public:
  MpiGroup(MPI_Comm communicator, Transport limit)
      : limit_(limit), communicator_(std::make_shared<OwnedCommunicator>(communicator)) {
    detail::check_mpi(MPI_Comm_rank(communicator, &rank_), "MPI_Comm_rank");
    detail::check_mpi(MPI_Comm_size(communicator, &size_), "MPI_Comm_size");
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::string description() const override {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    MPI_Get_library_version(text, &length);
    std::string version(text, static_cast<std::size_t>(length));
    version.resize(std::min(version.size(), version.find_first_of(",\n")));
    // "MPICH Version:<tab>4.0.2"
    if (std::size_t const word = version.find(" Version:\t"); word != std::string::npos)
      version.replace(word, 10, 1, ' ');
    return version;
  }

  void all_gather(std::span<std::byte const> mine, std::span<std::size_t const> sizes,
                  std::span<std::byte> all) const override {
    bool const equal = std::all_of(sizes.begin(), sizes.end(), [&](std::size_t size) { return size == sizes[0]; });
    if (all.size() > largest_message) {
      gather_by_broadcasts(mine, sizes, all);
    } else if (equal) {
      int const count = static_cast<int>(mine.size());
      detail::check_mpi(MPI_Allgather(mine.data(), count, MPI_BYTE, all.data(), count, MPI_BYTE, communicator_->get()),
                        "MPI_Allgather");
    } else {
      std::vector<int> const counts(sizes.begin(), sizes.end());
      std::vector<int> begins(counts.size());
      std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
      detail::check_mpi(MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all.data(), counts.data(),
                                       begins.data(), MPI_BYTE, communicator_->get()),
                        "MPI_Allgatherv");
    }
  }

  void broadcast(std::span<std::byte> bytes, int root) const override {
    for (std::size_t begin = 0; begin < bytes.size(); begin += largest_message) {
      auto const part = bytes.subspan(begin, std::min(largest_message, bytes.size() - begin));
      detail::check_mpi(MPI_Bcast(part.data(), static_cast<int>(part.size()), MPI_BYTE, root, communicator_->get()),
                        "MPI_Bcast");
    }
  }

  std::shared_ptr<ProcessGroup const> split(int color) const override {
    MPI_Comm part = MPI_COMM_NULL;
    detail::check_mpi(MPI_Comm_split(communicator_->get(), color, rank_, &part), "MPI_Comm_split");
    return std::make_shared<MpiGroup>(part, limit_);
  }

  detail::DeviceTransport device_transport() const override {
    // NCCL first: it is the only one that computes beside its messages, and the two together are not safe.
    if (limit_ == Transport::nccl && !nccl_known_) {
      nccl_ = detail::open_nccl(communicator_->get());
      nccl_known_ = true;
    }
    if (nccl_ != nullptr) return detail::DeviceTransport::nccl;
    bool const direct = limit_ != Transport::staged && detail::mpi_takes_device_memory();
    return direct ? detail::DeviceTransport::direct : detail::DeviceTransport::staged;
  }

  int device() const override { return nccl_ == nullptr ? -1 : nccl_->device(); }

  std::unique_ptr<detail::Channel> host_channel(std::vector<detail::Message> const& messages) const override {
    return std::make_unique<GroupChannel>(communicator_, messages);
  }

  std::unique_ptr<detail::Channel> device_channel(std::vector<detail::Message> const& messages,
                                                  detail::DeviceTransport transport) const override {
    if (transport == detail::DeviceTransport::staged) return nullptr;
    if (transport == detail::DeviceTransport::nccl) return nccl_ == nullptr ? nullptr : nccl_->channel(messages);
    return std::make_unique<GroupChannel>(communicator_, messages);
  }

 private:
  void gather_by_broadcasts(std::span<std::byte const> mine, std::span<std::size_t const> sizes,
                            std::span<std::byte> all) const {
    std::size_t begin = 0;
    for (int root = 0; root < size_; ++root) {
      auto const part = all.subspan(begin, sizes[static_cast<std::size_t>(root)]);
      if (root == rank_) std::copy(mine.begin(), mine.end(), part.begin());
      broadcast(part, root);
      begin += part.size();
    }
  }

  Transport limit_;
  std::shared_ptr<OwnedCommunicator const> communicator_;
  int rank_ = 0, size_ = 1;
  /// Opened at the first use: only then has the process chosen its device.
  mutable std::shared_ptr<detail::NcclGroup const> nccl_;
  mutable bool nccl_known_ = false;
};

}  // namespace

Communicator communicator_of(MPI_Comm communicator, Transport fastest) {
  bool const known = fastest == Transport::nccl || fastest == Transport::direct || fastest == Transport::staged;
  require(known,
          "communicator_of: the fastest transport is nccl, direct or staged, found " + std::string(name(fastest)));
  require(detail::mpi_runs(), "communicator_of: call it between MPI_Init and MPI_Finalize");
  require(communicator != MPI_COMM_NULL, "communicator_of: needs a communicator, found MPI_COMM_NULL");
  MPI_Comm own = MPI_COMM_NULL;
  detail::check_mpi(MPI_Comm_dup(communicator, &own), "MPI_Comm_dup");
  return Communicator(std::make_shared<MpiGroup>(own, fastest));
}

}  // namespace karman
