// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host code may select another device for Kokkos after its processes have chosen theirs for NCCL.
#include "communication/device_transport.hpp"
#include <karman/core/communicator.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace device_of_messages_test {

namespace detail = karman::detail;

/// One process whose messages take the memory of one device.
class OnDevice final : public detail::ProcessGroup {
 public:
  explicit OnDevice(int device) : device_(device) {}
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::string description() const override { return "test"; }
  void all_gather(std::span<std::byte const>, std::span<std::size_t const>, std::span<std::byte>) const override {}
  void broadcast(std::span<std::byte>, int) const override {}
  std::shared_ptr<detail::ProcessGroup const> split(int) const override { return nullptr; }
  detail::DeviceTransport device_transport() const override { return detail::DeviceTransport::nccl; }
  int device() const override { return device_; }
  std::unique_ptr<detail::Channel> host_channel(std::vector<detail::Message> const&) const override { return nullptr; }
  std::unique_ptr<detail::Channel> device_channel(std::vector<detail::Message> const&,
                                                  detail::DeviceTransport) const override {
    return nullptr;
  }

 private:
  int device_;
};

TEST(DeviceOfMessages, IsTheOneOfTheInstance) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const space;
  int const own = detail::device_of(space);
  auto const check = [&](int device) {
    detail::require_same_device(space, karman::Communicator(std::make_shared<OnDevice>(device)));
  };
  EXPECT_NO_THROW(check(-1)) << "messages that take any device";
  EXPECT_NO_THROW(check(own));
  try {
    check(own + 5);
    FAIL() << "no error";
  } catch (std::invalid_argument const& error) {
    std::string const text = error.what();
    EXPECT_NE(text.find("works on device " + std::to_string(own) + ", the communicator on device " +
                        std::to_string(own + 5) + "; select the device of Kokkos before the first exchange"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

}  // namespace device_of_messages_test
