// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/child_process.hpp"
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>
#include <utility>

namespace checkpoint_test {

using karman::Checkpoint;
using karman::CheckpointArray;
using karman::CheckpointFormat;
using karman::FileError;
using namespace karman::test;

CheckpointFormat const format{"karman.test", 3};

/// A state whose values encode its generation.
struct State {
  std::vector<float> lambda;
  std::vector<std::uint16_t> codes;
  double time = 0;

  explicit State(int generation, std::size_t n = 1000) : lambda(n), codes(n), time(0.1 * generation) {
    for (std::size_t i = 0; i < n; ++i) {
      lambda[i] = static_cast<float>(generation) + static_cast<float>(i) / static_cast<float>(n);
      codes[i] = static_cast<std::uint16_t>(i * 7 + static_cast<std::size_t>(generation));
    }
  }
  std::uint64_t write(std::filesystem::path const& path, int generation) const {
    std::vector<CheckpointArray> const arrays{{"time", {&time, {}}},
                                              {"lambda", {lambda.data(), {10, lambda.size() / 10}}},
                                              {"codes", {codes.data(), {codes.size()}}}};
    return karman::write_checkpoint(path, format, "{\"generation\":" + std::to_string(generation) + "}", arrays);
  }
};

/// The generation of a checkpoint, after a check of every value.
int verified_generation(Checkpoint const& checkpoint) {
  int const generation = std::stoi(checkpoint.metadata().substr(checkpoint.metadata().find(':') + 1));
  std::size_t const n = checkpoint.info("codes").extents.count();
  State const expected(generation, n);
  State read(-1, n);
  checkpoint.read("lambda", read.lambda.data(), {10, n / 10});
  checkpoint.read("codes", read.codes.data(), {n});
  checkpoint.read("time", &read.time, {});
  EXPECT_EQ(std::memcmp(read.lambda.data(), expected.lambda.data(), n * sizeof(float)), 0);
  EXPECT_EQ(read.codes, expected.codes);
  EXPECT_EQ(read.time, expected.time);
  return generation;
}

TEST(Checkpoint, ComesBackBitForBit) {
  TemporaryFolder const folder;
  std::vector<double> odd{std::nan(""), -0.0, 5e-324, 1e308, -1};
  std::vector<CheckpointArray> const arrays{{"odd", {odd.data(), {odd.size()}}}, {"none", {odd.data(), {0}}}};
  std::uint64_t const hash = karman::write_checkpoint(folder / "a.chk", format, "{}", arrays);
  Checkpoint const checkpoint = Checkpoint::open(folder / "a.chk", format);
  std::vector<double> read(5);
  checkpoint.read("odd", read.data(), {5});
  EXPECT_EQ(std::memcmp(read.data(), odd.data(), 5 * sizeof(double)), 0);
  checkpoint.read("none", read.data(), {0});
  EXPECT_EQ(checkpoint.state_hash(), hash);
  EXPECT_EQ(checkpoint.metadata(), "{}");
  EXPECT_TRUE(checkpoint.has("odd"));
  EXPECT_FALSE(checkpoint.has("even"));
  EXPECT_EQ(checkpoint.info("odd").extents, karman::ArrayExtents{5});
}

TEST(Checkpoint, TakesArraysWhenTheyAreWritten) {
  TemporaryFolder const folder;
  std::vector<double> const a{1, 2, 3}, b{4, 5};
  std::vector<double> values;
  auto const loaded = [&values](std::vector<double> const& from) {
    return [&values, &from] {
      values = from;  // the memory of the array before
      return karman::ConstArray(values.data(), {values.size()});
    };
  };
  std::vector<CheckpointArray> const late{{"a", {}, loaded(a)}, {"b", {}, loaded(b)}};
  std::vector<CheckpointArray> const given{{"a", {a.data(), {3}}}, {"b", {b.data(), {2}}}};
  EXPECT_EQ(karman::write_checkpoint(folder / "late.chk", format, "{}", late),
            karman::write_checkpoint(folder / "given.chk", format, "{}", given));
  std::vector<double> read(3);
  Checkpoint::open(folder / "late.chk", format).read("a", read.data(), {3});
  EXPECT_EQ(read, a);
}

TEST(Checkpoint, HashDependsOnAllOfTheState) {
  TemporaryFolder const folder;
  std::vector<float> const a(6, 1.0f);
  std::vector<float> const b{1, 1, 1, 1, 1, std::nextafter(1.0f, 2.0f)};
  auto const hash = [&](std::vector<CheckpointArray> const& arrays, std::string const& metadata = "{}",
                        int version = 3) {
    return karman::write_checkpoint(folder / "h.chk", {"karman.test", version}, metadata, arrays);
  };
  std::uint64_t const first = hash({{"u", {a.data(), {6}}}, {"v", {b.data(), {6}}}});
  EXPECT_EQ(hash({{"v", {b.data(), {6}}}, {"u", {a.data(), {6}}}}), first) << "the order of the arrays does not matter";
  EXPECT_NE(hash({{"u", {b.data(), {6}}}, {"v", {b.data(), {6}}}}), first) << "a bit";
  EXPECT_NE(hash({{"u", {b.data(), {6}}}, {"v", {a.data(), {6}}}}), first) << "exchanged";
  EXPECT_NE(hash({{"u", {a.data(), {2, 3}}}, {"v", {b.data(), {6}}}}), first) << "extents";
  EXPECT_NE(hash({{"u", {a.data(), {6}}}, {"w", {b.data(), {6}}}}), first) << "a name";
  EXPECT_NE(hash({{"u", {a.data(), {6}}}, {"v", {b.data(), {6}}}}, "{ }"), first) << "metadata";
  EXPECT_NE(hash({{"u", {a.data(), {6}}}, {"v", {b.data(), {6}}}}, "{}", 4), first) << "version";
}

TEST(Checkpoint, KeepsTheLastTwo) {
  TemporaryFolder const folder;
  for (int generation = 1; generation <= 3; ++generation) State(generation).write(folder / "a.chk", generation);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.chk", "a.chk.previous"}));
  EXPECT_EQ(verified_generation(Checkpoint::open(folder / "a.chk", format)), 3);
  EXPECT_EQ(verified_generation(Checkpoint::open(karman::previous_checkpoint(folder / "a.chk"), format)), 2);
  Checkpoint const latest = Checkpoint::open_latest(folder / "a.chk", format);
  EXPECT_EQ(latest.warning(), "");
  EXPECT_EQ(verified_generation(latest), 3);
}

TEST(Checkpoint, FallsBackToThePrevious) {
  TemporaryFolder const folder;
  State(1).write(folder / "a.chk", 1);
  State(2).write(folder / "a.chk", 2);
  std::string bytes = content(folder / "a.chk");
  bytes[bytes.size() / 2] ^= 1;
  put(folder / "a.chk", bytes);
  Checkpoint const checkpoint = Checkpoint::open_latest(folder / "a.chk", format);
  EXPECT_EQ(verified_generation(checkpoint), 1);
  EXPECT_TRUE(is_one_line(checkpoint.warning()) && contains(checkpoint.warning(), "damaged")) << checkpoint.warning();
  std::filesystem::remove(folder / "a.chk");
  EXPECT_EQ(verified_generation(Checkpoint::open_latest(folder / "a.chk", format)), 1);
  std::filesystem::remove(folder / "a.chk.previous");
  EXPECT_THROW(Checkpoint::open_latest(folder / "a.chk", format), FileError);
}

/// Replaces a file by another, as a program does some time later.
void put_later(std::filesystem::path const& path, std::string const& bytes) {
  put(path, bytes);
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(1));
}

/// Generations of the two files of a checkpoint; -1 for one that is not whole.
std::pair<int, int> generations(TemporaryFolder const& folder) {
  auto const of = [](std::filesystem::path const& path) {
    try {
      return verified_generation(Checkpoint::open(path, format));
    } catch (FileError const&) {
      return -1;
    }
  };
  return {of(folder / "a.chk"), of(folder / "a.chk.previous")};
}

TEST(Checkpoint, ADamagedOneNeverReplacesThePrevious) {
  TemporaryFolder const folder;
  State(1).write(folder / "a.chk", 1);
  State(2).write(folder / "a.chk", 2);
  std::string bytes = content(folder / "a.chk");
  bytes[bytes.size() / 2] ^= 1;
  put_later(folder / "a.chk", bytes);
  State(3).write(folder / "a.chk", 3);
  EXPECT_EQ(generations(folder), (std::pair{3, 1}));
  State(4).write(folder / "a.chk", 4);
  EXPECT_EQ(generations(folder), (std::pair{4, 3}));
  // Nor does one that is cut, empty, or no checkpoint.
  for (std::string const& other : {content(folder / "a.chk").substr(0, 1000), std::string(), std::string("text")}) {
    put_later(folder / "a.chk", other);
    State(5).write(folder / "a.chk", 5);
    EXPECT_EQ(generations(folder), (std::pair{5, 3}));
  }
}

TEST(Checkpoint, TwoAreWholeWhereverAProcessIsKilled) {
  std::size_t const n = 100;
  for (bool const damaged : {false, true}) {
    TemporaryFolder const folder(fast_place());
    std::filesystem::path const newest = folder / "a.chk", previous = folder / "a.chk.previous";
    State(1, n).write(newest, 1);
    State(2, n).write(newest, 2);
    std::string second = content(newest);
    std::string const first = content(previous);
    if (damaged) second[second.size() / 2] ^= 1;
    int calls = 0;
    for (KilledAt end = KilledAt::call; end == KilledAt::call; ++calls) {
      std::filesystem::remove(previous);
      put_later(newest, second);
      put_later(previous, first);
      end = kill_after_system_calls(calls, [&] {
        State(3, n).write(newest, 3);
        if (damaged) State(4, n).write(newest, 4);
      });
      if (end == KilledAt::unknown) GTEST_SKIP() << "no process may trace another here";
      auto const [one, other] = generations(folder);
      ASSERT_TRUE(one == 3 || one == 4 || one == (damaged ? -1 : 2)) << one << " after " << calls << " calls";
      ASSERT_TRUE(other >= 1 && other <= 3 && other != one) << other << " after " << calls << " calls";
    }
    EXPECT_GT(calls, 20) << "killed too early to mean anything";
    EXPECT_EQ(generations(folder), damaged ? (std::pair{4, 3}) : (std::pair{3, 2}));
  }
}

TEST(Checkpoint, OfAnotherRunStaysBehindItsLink) {
  TemporaryFolder const folder;
  std::filesystem::create_directories(folder / "old");
  State(1).write(folder / "old/a.chk", 1);
  std::filesystem::create_symlink("old/a.chk", folder / "a.chk");
  State(2).write(folder / "a.chk", 2);
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "a.chk"));
  EXPECT_EQ(generations(folder), (std::pair{2, 1})) << "the link is the predecessor";
  State(3).write(folder / "a.chk", 3);
  EXPECT_EQ(generations(folder), (std::pair{3, 2}));
  EXPECT_EQ(verified_generation(Checkpoint::open(folder / "old/a.chk", format)), 1);
}

TEST(Checkpoint, RefusesAnotherProgramVersionTypeOrSize) {
  TemporaryFolder const folder;
  State(1).write(folder / "a.chk", 1);
  std::string const start = "cannot use checkpoint " + (folder / "a.chk").string() + ": ";
  EXPECT_EQ(message_of<FileError>([&] { Checkpoint::open(folder / "a.chk", {"karman.wind", 3}); }),
            start + "expected a state of \"karman.wind\", found \"karman.test\"");
  EXPECT_EQ(message_of<FileError>([&] { Checkpoint::open(folder / "a.chk", {"karman.test", 4}); }),
            start + "expected state version 4, found 3");
  Checkpoint const checkpoint = Checkpoint::open(folder / "a.chk", format);
  std::vector<float> f(1000);
  std::vector<double> d(1000);
  EXPECT_THROW(checkpoint.read("lambda", f.data(), {1000}), FileError);
  EXPECT_THROW(checkpoint.read("lambda", f.data(), {10, 99}), FileError);
  EXPECT_THROW(checkpoint.read("lambda", d.data(), {10, 100}), FileError);
  EXPECT_THROW(checkpoint.read("mu", f.data(), {10, 100}), FileError);
  EXPECT_THROW(checkpoint.info("mu"), FileError);
}

TEST(Checkpoint, RefusesWhatIsNoCheckpoint) {
  TemporaryFolder const folder;
  EXPECT_THROW(Checkpoint::open(folder / "none.chk", format), FileError);
  EXPECT_THROW(Checkpoint::open(folder.path(), format), FileError);
  EXPECT_THROW(Checkpoint::open("/dev/zero", format), FileError);
  {
    karman::Hdf5File file = karman::Hdf5File::create(folder / "plain.h5");
    file.write_text("/metadata", "{}");
    file.commit();
  }
  std::string const message = message_of<FileError>([&] { Checkpoint::open(folder / "plain.h5", format); });
  EXPECT_TRUE(contains(message, "not a checkpoint")) << message;
}

TEST(Checkpoint, RefusesMisuse) {
  TemporaryFolder const folder;
  double const x = 1;
  auto const write = [&](std::vector<CheckpointArray> const& arrays) {
    karman::write_checkpoint(folder / "a.chk", format, "{}", arrays);
  };
  EXPECT_THROW(write({{"a/b", {&x, {}}}}), std::invalid_argument);
  EXPECT_THROW(write({{"", {&x, {}}}}), std::invalid_argument);
  EXPECT_THROW(write({{"a", {&x, {}}}, {"a", {&x, {}}}}), std::invalid_argument);
  EXPECT_TRUE(folder.names().empty());
}

TEST(Checkpoint, IsAnHdf5FileForOtherTools) {
  TemporaryFolder const folder;
  State(1).write(folder / "a.chk", 1);
  karman::Hdf5File const file = karman::Hdf5File::open(folder / "a.chk");
  EXPECT_EQ(file.info("/state/lambda").extents, (karman::ArrayExtents{10, 100}));
}

TEST(Checkpoint, NoTruncatedFileLoads) {
  TemporaryFolder const folder;
  State(1).write(folder / "a.chk", 1);
  std::string const whole = content(folder / "a.chk");
  std::size_t tried = 0;
  for (std::size_t length = 0; length < whole.size(); length += 37, ++tried) {
    put(folder / "cut.chk", whole.substr(0, length));
    ASSERT_TRUE(is_one_line(message_of<FileError>([&] { Checkpoint::open(folder / "cut.chk", format); }))) << length;
  }
  EXPECT_GT(tried, 200u);
  put(folder / "cut.chk", whole.substr(0, whole.size() - 1));
  EXPECT_THROW(Checkpoint::open(folder / "cut.chk", format), FileError);
  put(folder / "cut.chk", whole + '\0');
  EXPECT_THROW(Checkpoint::open(folder / "cut.chk", format), FileError);
}

TEST(Checkpoint, NoFlippedByteLoads) {
  TemporaryFolder const folder;
  State(1).write(folder / "a.chk", 1);
  std::string const whole = content(folder / "a.chk");
  std::mt19937 random(20);
  for (int round = 0; round < 500; ++round) {
    std::string damaged = whole;
    // The seal itself every tenth time.
    std::size_t const at = round % 10 == 0 ? whole.size() - 1 - random() % 32 : random() % whole.size();
    damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(1 + random() % 255));
    put(folder / "bad.chk", damaged);
    ASSERT_TRUE(is_one_line(message_of<FileError>([&] { Checkpoint::open(folder / "bad.chk", format); }))) << at;
  }
}

TEST(Checkpoint, AFullDiskLosesNothing) {
  TemporaryFolder const folder;
  State(1).write(folder / "a.chk", 1);
  State(2).write(folder / "a.chk", 2);
  auto const size = std::filesystem::file_size(folder / "a.chk");
  for (std::uintmax_t const limit : {std::uintmax_t{0}, size / 4, size / 2, size - 33, size - 16, size - 1}) {
    int const code = in_child([&] {
      limit_file_size(limit);
      try {
        State(3).write(folder / "a.chk", 3);
      } catch (FileError const& error) {
        return is_one_line(error.what()) ? FileError::exit_code : 1;
      }
      return 0;
    });
    EXPECT_EQ(code, FileError::exit_code) << limit;
    EXPECT_EQ(verified_generation(Checkpoint::open(folder / "a.chk", format)), 2);
    EXPECT_EQ(verified_generation(Checkpoint::open(folder / "a.chk.previous", format)), 1);
    EXPECT_EQ(folder.names().size(), 2u);
  }
}

TEST(Checkpoint, SurvivesKillWhileWriting) {
  TemporaryFolder const folder;
  std::size_t const n = 10'000;
  using Clock = std::chrono::steady_clock;
  auto const start = Clock::now();
  int newest = 0;
  for (; newest < 4; ++newest) State(newest, n).write(folder / "a.chk", newest);
  State(newest, n).write(folder / "a.chk", newest);
  auto const one_write = (Clock::now() - start) / 5;
  std::mt19937 random(7);
  int advanced = 0;
  // Killed at any moment of the first three writes; of more where a child writes slower than its parent did, as long as
  // it takes.
  int window = 3;
  for (int round = 0; round < 100 || (advanced <= 20 && round < 400); ++round) {
    if (round % 20 == 19 && advanced < round / 3) window *= 2;
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    std::fflush(nullptr);
    pid_t const child = fork();
    if (child == 0) {
      try {
        close(ready[1]);  // signals that writing begins
        for (int generation = newest + 1;; ++generation) State(generation, n).write(folder / "a.chk", generation);
      } catch (std::exception const& error) {
        std::fprintf(stderr, "child: %s\n", error.what());
      }
      _exit(1);
    }
    close(ready[1]);
    char nothing = 0;
    ASSERT_EQ(read(ready[0], &nothing, 1), 0);
    close(ready[0]);
    Clock::duration const longest = std::min<Clock::duration>(one_write * window, std::chrono::seconds(2));
    std::this_thread::sleep_for(longest * static_cast<int>(random() % 1000) / 1000);
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer failed by itself";
    int const found = verified_generation(Checkpoint::open_latest(folder / "a.chk", format));
    ASSERT_GE(found, newest) << "a checkpoint that was complete is lost";
    if (found > newest) ++advanced;
    newest = found;
  }
  EXPECT_GT(advanced, 20) << "the writers were killed too early for the test to mean anything";
  State(newest, n).write(folder / "a.chk", newest);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.chk", "a.chk.previous"}))
      << "killed writers' files are cleared";
}

}  // namespace checkpoint_test
