// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mpi_channel.hpp"

#include "mpi_call.hpp"

#include <algorithm>

namespace karman::detail {

namespace {

constexpr int tag = 1;
constexpr std::size_t largest_part = std::size_t(1) << 30;  // MPI counts in int

/// Calls make(address, count, request) for every part of a buffer.
template <class Bytes, class Make>
void add_parts(Bytes bytes, std::vector<MPI_Request>& requests, Make const& make) {
  for (std::size_t begin = 0; begin < bytes.size(); begin += largest_part) {
    std::size_t const count = std::min(largest_part, bytes.size() - begin);
    requests.push_back(MPI_REQUEST_NULL);
    make(bytes.data() + begin, static_cast<int>(count), &requests.back());
  }
}

}  // namespace

MpiChannel::MpiChannel(MPI_Comm communicator, std::vector<Message> const& messages) {
  // Receives first: a message that finds its receive needs no copy.
  for (Message const& message : messages) {
    add_parts(message.in, requests_, [&](std::byte* to, int count, MPI_Request* request) {
      check_mpi(MPI_Recv_init(to, count, MPI_BYTE, message.rank, tag, communicator, request), "MPI_Recv_init");
    });
  }
  for (Message const& message : messages) {
    add_parts(message.out, requests_, [&](std::byte const* from, int count, MPI_Request* request) {
      check_mpi(MPI_Send_init(from, count, MPI_BYTE, message.rank, tag, communicator, request), "MPI_Send_init");
    });
  }
}

MpiChannel::~MpiChannel() {
  if (!mpi_runs()) return;
  for (MPI_Request& request : requests_) {
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }
}

void MpiChannel::start(void*) {
  if (requests_.empty()) return;  // some libraries refuse none
  check_mpi(MPI_Startall(static_cast<int>(requests_.size()), requests_.data()), "MPI_Startall");
}

void MpiChannel::finish(void*) {
  if (requests_.empty()) return;
  check_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
}

}  // namespace karman::detail
