// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/communicator.hpp>
#include <karman/core/detail/process_group.hpp>
#include <karman/core/error.hpp>
#include <karman/core/transport.hpp>

#include <algorithm>
#include <stdexcept>

namespace karman {

std::string_view name(Transport transport) {
  switch (transport) {
    case Transport::none: return "none";
    case Transport::host: return "host";
    case Transport::staged: return "staged";
    case Transport::direct: return "direct";
    case Transport::nccl: return "nccl";
  }
  return "unknown";
}

namespace {

/// Messages of a process to itself: copies from buffer to buffer.
class CopyChannel final : public detail::Channel {
 public:
  explicit CopyChannel(std::vector<detail::Message> const& messages) : messages_(messages) {}
  void start(void*) override {
    for (auto const& message : messages_) std::copy(message.out.begin(), message.out.end(), message.in.begin());
  }
  void finish(void*) override {}

 private:
  std::vector<detail::Message> messages_;
};

class OneProcess final : public detail::ProcessGroup {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::string description() const override { return "one process"; }
  void all_gather(std::span<std::byte const> mine, std::span<std::size_t const>,
                  std::span<std::byte> all) const override {
    std::copy(mine.begin(), mine.end(), all.begin());
  }
  void broadcast(std::span<std::byte>, int) const override {}
  std::shared_ptr<detail::ProcessGroup const> split(int) const override { return std::make_shared<OneProcess>(); }
  detail::DeviceTransport device_transport() const override { return detail::DeviceTransport::staged; }
  std::unique_ptr<detail::Channel> host_channel(std::vector<detail::Message> const& messages) const override {
    return std::make_unique<CopyChannel>(messages);
  }
  std::unique_ptr<detail::Channel> device_channel(std::vector<detail::Message> const&,
                                                  detail::DeviceTransport) const override {
    return nullptr;
  }
};

}  // namespace

Communicator::Communicator(std::shared_ptr<detail::ProcessGroup const> group) : group_(std::move(group)) {
  require(group_ != nullptr, "Communicator: needs a group of processes, found a null pointer");
}

detail::ProcessGroup const& Communicator::group() const {
  static OneProcess const alone;
  return group_ == nullptr ? alone : *group_;
}

int Communicator::rank() const { return group().rank(); }
int Communicator::size() const { return group().size(); }
std::string Communicator::description() const { return group().description(); }

bool Communicator::agree(bool mine) const {
  std::vector<unsigned char> const answers = all_gather(static_cast<unsigned char>(mine));
  return std::all_of(answers.begin(), answers.end(), [](unsigned char answer) { return answer != 0; });
}

void Communicator::check_in_all(std::function<void()> const& check) const {
  if (size() == 1) return check();
  std::string mine;
  try {
    check();
  } catch (std::invalid_argument const& error) {
    mine = error.what();
    if (mine.empty()) mine = "a check failed";
  }
  auto const failed = all_gather(static_cast<unsigned char>(!mine.empty()));
  auto const first = std::find(failed.begin(), failed.end(), 1);
  if (first == failed.end()) return;
  int const root = static_cast<int>(first - failed.begin());
  std::string const message = broadcast(mine, root);
  throw std::invalid_argument(mine.empty() ? "process " + std::to_string(root) + ": " + message : mine);
}

std::string Communicator::broadcast(std::string text, int root) const {
  text.resize(broadcast(text.size(), root));
  broadcast_bytes(std::as_writable_bytes(std::span(text.data(), text.size())), root);
  return text;
}

Communicator Communicator::split(int color) const {
  require(agree(color >= 0), "Communicator::split: a colour is a number from 0, found " + std::to_string(color) +
                                 " here or a negative one in another process");
  return Communicator(group().split(color));
}

void Communicator::gather_equal(std::span<std::byte const> mine, std::span<std::byte> all) const {
  std::vector<std::size_t> const sizes(static_cast<std::size_t>(size()), mine.size());
  group().all_gather(mine, sizes, all);
}

void Communicator::gather(std::span<std::byte const> mine, std::span<std::size_t const> counts,
                          std::size_t size_of_value, std::span<std::byte> all) const {
  std::vector<std::size_t> sizes(counts.begin(), counts.end());
  for (std::size_t& size : sizes) size *= size_of_value;
  group().all_gather(mine, sizes, all);
}

void Communicator::gather_to_first(std::span<std::byte const> mine, std::span<std::span<std::byte> const> all) const {
  std::vector<detail::Message> messages;
  if (is_first()) {
    std::copy(mine.begin(), mine.end(), all[0].begin());
    for (int other = 1; other < size(); ++other) messages.push_back({other, {}, all[static_cast<std::size_t>(other)]});
  } else {
    messages.push_back({0, mine, {}});
  }
  auto const channel = group().host_channel(messages);
  channel->start(nullptr);
  channel->finish(nullptr);
}

void Communicator::broadcast_bytes(std::span<std::byte> bytes, int root) const {
  require(root >= 0 && root < size(), "Communicator::broadcast: the root must be one of " + std::to_string(size()) +
                                          " processes, found " + std::to_string(root));
  group().broadcast(bytes, root);
}

}  // namespace karman
