// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checkpoints: no content of a damaged one may reach a run.
#include "fuzz_target.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/error.hpp>

#include <array>
#include <filesystem>
#include <stdexcept>

namespace {

using namespace karman;

CheckpointFormat const format{"karman.fuzz", 3};
std::array<double, 6> const state{1, 2, 3, 4, 5, 6};
std::array<std::int32_t, 2> const counts{7, 8};

/// The state as it was written, or an exception.
void read_state(std::filesystem::path const& path) {
  Checkpoint const checkpoint = Checkpoint::open_latest(path, format);
  std::array<double, 6> values{};
  checkpoint.read("state", values.data(), {2, 3});
  std::array<std::int32_t, 2> numbers{};
  checkpoint.read("counts", numbers.data(), {2});
  if (values != state || numbers != counts) throw std::logic_error("a damaged checkpoint was taken for a whole one");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static test::TemporaryFolder const folder;
  auto const path = folder / "a.checkpoint";
  std::filesystem::remove(path);  // some file systems wait for the disk where a file is replaced
  test::put(path, std::string(reinterpret_cast<char const*>(data), size));
  try {
    read_state(path);
  } catch (FileError const&) {
  }
  return 0;
}

namespace karman::fuzz {

std::vector<std::string> seeds() {
  test::TemporaryFolder const folder;
  auto const path = folder / "a.checkpoint";
  std::array const arrays{CheckpointArray{"state", ConstArray(state.data(), {2, 3})},
                          CheckpointArray{"counts", ConstArray(counts.data(), {2})}};
  write_checkpoint(path, format, "{\"iteration\": 12}", arrays);
  return {test::content(path)};
}

std::vector<std::string> words() { return {"KARMANC1", "\x89HDF\r\n\x1a\n", "TREE", "OHDR", "FRHP"}; }

}  // namespace karman::fuzz
