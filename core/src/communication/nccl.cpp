// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_messages.hpp"
#include "mpi_call.hpp"

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

namespace karman::detail {

namespace {

void check_nccl(ncclResult_t result, char const* call) {
  if (result != ncclSuccess) throw std::runtime_error(std::string(call) + ": " + ncclGetErrorString(result));
}

void check_cuda(cudaError_t result, char const* call) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}

/// A communicator of NCCL and a stream of its own, beside which the interior of a field is computed.
class NcclState {
 public:
  NcclState(ncclUniqueId const& id, int rank, int size) {
    int least = 0, greatest = 0;
    check_cuda(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
    // Its few blocks must not wait for the blocks of the interior, which fill the card.
    check_cuda(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest), "cudaStreamCreateWithPriority");
    check_nccl(ncclCommInitRank(&communicator_, size, id, rank), "ncclCommInitRank");
    check_cuda(cudaGetDevice(&device_), "cudaGetDevice");
  }
  ~NcclState() {
    // NCCL waits in it for the other processes of this host. A process that leaves by an exception leaves alone.
    if (communicator_ != nullptr && std::uncaught_exceptions() == 0) ncclCommDestroy(communicator_);
    cudaStreamDestroy(stream_);
  }
  /// For a process that leaves by an exception. Frees the device of messages that do not arrive within a second: any
  /// release of memory would wait for them.
  void abandon(cudaEvent_t arrived) const {
    constexpr int most_waits = 1000;
    for (int waits = 0; cudaEventQuery(arrived) == cudaErrorNotReady; ++waits) {
      if (waits == most_waits) {
        if (communicator_ != nullptr) ncclCommAbort(communicator_);
        communicator_ = nullptr;
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  NcclState(NcclState const&) = delete;
  NcclState& operator=(NcclState const&) = delete;
  ncclComm_t communicator() const { return communicator_; }
  cudaStream_t stream() const { return stream_; }
  int device() const { return device_; }

 private:
  mutable ncclComm_t communicator_ = nullptr;  ///< null once abandoned
  cudaStream_t stream_ = nullptr;
  int device_ = 0;
};

class NcclChannel final : public Channel {
 public:
  NcclChannel(std::shared_ptr<NcclState const> state, std::vector<Message> const& messages)
      : state_(std::move(state)), messages_(messages) {
    for (cudaEvent_t* event : {&packed_, &arrived_}) {
      check_cuda(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    }
  }
  ~NcclChannel() override {
    if (std::uncaught_exceptions() > 0) state_->abandon(arrived_);
    cudaEventDestroy(packed_);
    cudaEventDestroy(arrived_);
  }
  void start(void* stream) override {
    check_cuda(cudaEventRecord(packed_, static_cast<cudaStream_t>(stream)), "cudaEventRecord");
    check_cuda(cudaStreamWaitEvent(state_->stream(), packed_, 0), "cudaStreamWaitEvent");
    check_nccl(ncclGroupStart(), "ncclGroupStart");
    for (Message const& message : messages_) {
      if (!message.in.empty()) {
        check_nccl(ncclRecv(message.in.data(), message.in.size(), ncclUint8, message.rank, state_->communicator(),
                            state_->stream()),
                   "ncclRecv");
      }
      if (!message.out.empty()) {
        check_nccl(ncclSend(message.out.data(), message.out.size(), ncclUint8, message.rank, state_->communicator(),
                            state_->stream()),
                   "ncclSend");
      }
    }
    check_nccl(ncclGroupEnd(), "ncclGroupEnd");
    check_cuda(cudaEventRecord(arrived_, state_->stream()), "cudaEventRecord");
  }
  void finish(void* stream) override {
    check_cuda(cudaStreamWaitEvent(static_cast<cudaStream_t>(stream), arrived_, 0), "cudaStreamWaitEvent");
  }

 private:
  std::shared_ptr<NcclState const> state_;
  std::vector<Message> messages_;
  cudaEvent_t packed_ = nullptr, arrived_ = nullptr;
};

class Group final : public NcclGroup {
 public:
  explicit Group(std::shared_ptr<NcclState const> state) : state_(std::move(state)) {}
  std::unique_ptr<Channel> channel(std::vector<Message> const& messages) const override {
    return std::make_unique<NcclChannel>(state_, messages);
  }
  int device() const override { return state_->device(); }

 private:
  std::shared_ptr<NcclState const> state_;
};

/// Identity of the device of this process, the same for all processes that use it; zeros where there is none.
std::array<char, 16> device_identity() {
  std::array<char, 16> identity{};
  int device = 0;
  cudaDeviceProp properties{};
  if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
    cudaGetLastError();  // clears it
    return identity;
  }
  std::copy_n(properties.uuid.bytes, identity.size(), identity.begin());
  return identity;
}

}  // namespace

std::shared_ptr<NcclGroup const> open_nccl(MPI_Comm communicator) {
  int rank = 0, size = 1;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
  std::array<char, 16> const mine = device_identity();
  std::vector<std::array<char, 16>> all(static_cast<std::size_t>(size));
  check_mpi(MPI_Allgather(mine.data(), 16, MPI_BYTE, all.data(), 16, MPI_BYTE, communicator), "MPI_Allgather");
  std::set<std::array<char, 16>> const different(all.begin(), all.end());
  // NCCL ends with an error where two processes share a device.
  if (different.size() != all.size() || different.count({}) != 0) return nullptr;
  ncclUniqueId id{};
  ncclResult_t result = rank == 0 ? ncclGetUniqueId(&id) : ncclSuccess;
  check_mpi(MPI_Bcast(&result, sizeof result, MPI_BYTE, 0, communicator), "MPI_Bcast");
  check_nccl(result, "ncclGetUniqueId");
  check_mpi(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, communicator), "MPI_Bcast");
  // Until all have the identity: NCCL waits without any progress of messages that MPI still has to pass on.
  check_mpi(MPI_Barrier(communicator), "MPI_Barrier");
  return std::make_shared<Group>(std::make_shared<NcclState>(id, rank, size));
}

}  // namespace karman::detail
