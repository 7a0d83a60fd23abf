// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Bits of a result on other numbers of threads. Kokkos fixes that number when it starts. The test program therefore
/// runs the test again, in processes of its own.
#pragma once

#include <karman/core/backend.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace karman::test {

/// Hash of the bits of values (FNV-1a, 64 bits), in hexadecimal.
template <class T>
std::string bits_of(std::vector<T> const& values) {
  std::vector<unsigned char> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), static_cast<void const*>(values.data()), bytes.size());
  std::uint64_t hash = 14695981039346656037u;
  for (unsigned char const byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

namespace detail {

/// Environment variable of the processes that print their bits.
inline constexpr char const* print_bits = "KARMAN_TEST_PRINTS_BITS";
inline constexpr char const* bits_begin = "bits on ";

/// The line that such a process prints.
inline std::string bits_line(int threads, std::string const& bits) {
  return bits_begin + std::to_string(threads) + " threads: " + bits;
}

/// That line of the running test with this number of threads; the whole output where it is missing.
inline std::string bits_line_on(int threads) {
  auto const* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string const count = std::to_string(threads), program = std::filesystem::read_symlink("/proc/self/exe").string();
  // The shard of this process need not hold the test there.
  std::string const command =
      "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX OMP_PROC_BIND=false OMP_WAIT_POLICY=passive OMP_NUM_THREADS=" +
      count + " KOKKOS_NUM_THREADS=" + count + ' ' + print_bits + "=1 '" + program +
      "' '--gtest_filter=" + test->test_suite_name() + '.' + test->name() + "' 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "no process";
  std::string output;
  std::array<char, 4096> part{};
  for (std::size_t got; (got = std::fread(part.data(), 1, part.size(), pipe)) > 0;) output.append(part.data(), got);
  pclose(pipe);
  auto const begin = output.find(bits_begin);
  return begin == std::string::npos ? output : output.substr(begin, output.find('\n', begin) - begin);
}

}  // namespace detail

/// Whether this process is one of those that only print their bits.
inline bool prints_bits() { return std::getenv(detail::print_bits) != nullptr; }

/// Expects that the running test finds these bits on one thread and on three of the host backend as well. It must be
/// the last call of the test: in the other processes it only prints the bits.
inline void expect_bits_on_any_threads(std::string const& bits) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  if (prints_bits()) {
    std::printf("%s\n", detail::bits_line(static_cast<int>(Host().concurrency()), bits).c_str());
    return;
  }
  if (backend_of<Host>() == Backend::serial) GTEST_SKIP() << "the only backend of this build has one thread";
  for (int const threads : {1, 3}) EXPECT_EQ(detail::bits_line_on(threads), detail::bits_line(threads, bits));
}

}  // namespace karman::test
