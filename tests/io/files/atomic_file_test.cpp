// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/child_process.hpp"
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/atomic_file.hpp>
#include <karman/io/csv_writer.hpp>
#include <karman/io/error.hpp>
#include <karman/io/output_folder.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <utility>

namespace atomic_file_test {

/// Calls that this file system does not have.
bool without_links = false, without_locks = false;

}  // namespace atomic_file_test

// Replace the C library's functions, for this program.
extern "C" int link(char const* from, char const* to) noexcept {
  if (!atomic_file_test::without_links) return static_cast<int>(::syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
  errno = EPERM;
  return -1;
}

extern "C" int flock(int descriptor, int operation) noexcept {
  if (!atomic_file_test::without_locks) return static_cast<int>(::syscall(SYS_flock, descriptor, operation));
  errno = EOPNOTSUPP;
  return -1;
}

namespace atomic_file_test {

using karman::AtomicFile;
using karman::FileError;
using karman::Overwrite;
using namespace karman::test;

using Names = std::vector<std::string>;

/// Prepares a folder that no run uses afterwards.
void prepare(std::filesystem::path const& folder, Overwrite overwrite = Overwrite::no) {
  static_cast<void>(karman::prepare_output_folder(folder, overwrite));
}

TEST(AtomicFile, AppearsAtCommitOnly) {
  TemporaryFolder const folder;
  {
    AtomicFile file(folder / "out.txt");
    file.write("one ");
    file.write("two");
    EXPECT_FALSE(std::filesystem::exists(folder / "out.txt"));
    file.commit();
  }
  EXPECT_EQ(content(folder / "out.txt"), "one two");
  EXPECT_EQ(folder.names(), Names{"out.txt"});
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
  TemporaryFolder const folder;
  {
    AtomicFile file(folder / "out.txt");
    file.write(std::string(std::size_t{3} << 20, 'x'));
    EXPECT_EQ(folder.names().size(), 1u);
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST(AtomicFile, OverwritesOnlyOnRequest) {
  TemporaryFolder const folder;
  put(folder / "out.txt", "precious");
  std::string const message = message_of<FileError>([&] { AtomicFile file(folder / "out.txt"); });
  EXPECT_EQ(message, "cannot create " + (folder / "out.txt").string() + ": the file already exists");
  // A file that appears between creation and commit is safe too.
  AtomicFile late(folder / "late.txt");
  late.write("new");
  put(folder / "late.txt", "precious");
  EXPECT_THROW(late.commit(), FileError);
  EXPECT_EQ(content(folder / "late.txt"), "precious");
  EXPECT_EQ(content(folder / "out.txt"), "precious");
}

TEST(AtomicFile, OverwritesWhenAsked) {
  TemporaryFolder const folder;
  put(folder / "out.txt", "old");
  AtomicFile file(folder / "out.txt", Overwrite::yes);
  file.write("new");
  EXPECT_EQ(content(folder / "out.txt"), "old");
  file.commit();
  EXPECT_EQ(content(folder / "out.txt"), "new");
  EXPECT_EQ(folder.names(), Names{"out.txt"});
}

TEST(AtomicFile, ReportsAFullDiskAndKeepsTheOldFile) {
  TemporaryFolder const folder;
  put(folder / "out.txt", "old");
  int const code = in_child([&] {
    limit_file_size(100'000);
    try {
      AtomicFile file(folder / "out.txt", Overwrite::yes);
      file.write(std::string(200'000, 'x'));
      file.commit();
    } catch (FileError const& error) {
      return is_one_line(error.what()) && contains(error.what(), "File too large") ? FileError::exit_code : 1;
    }
    return 0;
  });
  EXPECT_EQ(code, FileError::exit_code);
  EXPECT_EQ(content(folder / "out.txt"), "old");
  EXPECT_EQ(folder.names(), Names{"out.txt"});
}

TEST(AtomicFile, NamesTheMissingFolder) {
  TemporaryFolder const folder;
  std::string const message = message_of<FileError>([&] { AtomicFile file(folder / "no/out.txt"); });
  EXPECT_TRUE(contains(message, (folder / "no").string() + " does not exist")) << message;
  EXPECT_THROW(AtomicFile(folder.path(), Overwrite::yes), FileError);
  EXPECT_THROW(AtomicFile(folder.path() / "", Overwrite::yes), FileError);
}

TEST(AtomicFile, ReplacesFilesOnly) {
  TemporaryFolder const folder;
  put(folder / "target", "old");
  std::filesystem::create_symlink("target", folder / "link");
  karman::write_text_file(folder / "link", "new", Overwrite::yes);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(content(folder / "target"), "new");
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  EXPECT_THROW(AtomicFile(folder / "dangling", Overwrite::yes), FileError);
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(AtomicFile(folder / "pipe", Overwrite::yes), FileError);
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

TEST(AtomicFile, MovesKeepTheFile) {
  TemporaryFolder const folder;
  AtomicFile first(folder / "a.txt");
  first.write("a");
  AtomicFile second = std::move(first);
  AtomicFile third(folder / "b.txt");
  third = std::move(second);
  third.commit();
  EXPECT_EQ(folder.names(), Names{"a.txt"});
  EXPECT_EQ(content(folder / "a.txt"), "a");
}

TEST(StagedPath, RemovesWhatKilledProcessesLeft) {
  TemporaryFolder const folder;
  auto const leave_temporary = [&] {
    return in_child([&] {
      AtomicFile file(folder / "out.txt");
      file.write("half");
      std::raise(SIGKILL);
      return 0;
    });
  };
  EXPECT_EQ(leave_temporary(), -SIGKILL);
  ASSERT_EQ(folder.names().size(), 1u);
  AtomicFile living(folder / "out.txt");
  EXPECT_EQ(folder.names().size(), 1u) << "the abandoned one is gone, the living one is there";
  put(folder / ".out.txt.unrelated", "x");
  AtomicFile other(folder / "out.txt");
  EXPECT_EQ(folder.names().size(), 3u) << "neither a living process's file nor a stranger's is touched";
  // A later run may write other files only.
  EXPECT_EQ(leave_temporary(), -SIGKILL);
  put(folder / ".out.txt.elsewhere-1-0.partial", "x");
  ASSERT_EQ(folder.names().size(), 5u);
  prepare(folder.path(), Overwrite::yes);
  EXPECT_EQ(folder.names().size(), 4u) << "only the file of the killed process is gone";
}

/// Writes a new "state" in a folder, with its predecessor kept as "state.previous".
void write_state(TemporaryFolder const& folder, std::string const& text) {
  karman::StagedPath staged(folder / "state", Overwrite::yes);
  put(staged.temporary(), text);
  staged.commit_keeping_previous(folder / "state.previous");
}

TEST(StagedPath, KeepsThePrevious) {
  TemporaryFolder const folder;
  auto const write = [&](std::string const& text) { write_state(folder, text); };
  write("1");
  EXPECT_EQ(folder.names(), Names{"state"});
  write("2");
  write("3");
  EXPECT_EQ(folder.names(), (Names{"state", "state.previous"}));
  EXPECT_EQ(content(folder / "state"), "3");
  EXPECT_EQ(content(folder / "state.previous"), "2");
}

ino_t number_of(std::filesystem::path const& file) {
  struct stat status{};
  return ::stat(file.c_str(), &status) == 0 ? status.st_ino : 0;
}

// Also on a file system without hard links.
TEST(StagedPath, KeepsTwoStatesWhereverItIsKilled) {
  for (bool const links : {true, false}) {
    without_links = !links;
    TemporaryFolder const folder(fast_place());
    int calls = 0;
    for (KilledAt end = KilledAt::call; end == KilledAt::call; ++calls) {
      put(folder / "state", "2");
      put(folder / "state.previous", "1");
      end = kill_after_system_calls(calls, [&] { write_state(folder, "3"); });
      if (end == KilledAt::unknown) {
        without_links = false;
        GTEST_SKIP() << "no process may trace another here";
      }
      std::string const newest = content(folder / "state"), previous = content(folder / "state.previous");
      ASSERT_TRUE(newest == "2" || newest == "3") << newest << " after " << calls << " calls";
      ASSERT_TRUE(previous == "1" || previous == "2") << previous << " after " << calls << " calls";
      ASSERT_NE(newest, previous) << calls << " calls";
      ASSERT_NE(number_of(folder / "state"), number_of(folder / "state.previous")) << calls << " calls";
      std::filesystem::remove(folder / "state.previous");  // puts it there with another number
    }
    EXPECT_GT(calls, 10) << "killed too early to mean anything";
    EXPECT_EQ(content(folder / "state"), "3");
    write_state(folder, "4");
    EXPECT_EQ(content(folder / "state.previous"), "3");
    EXPECT_EQ(folder.names(), (Names{"state", "state.previous"})) << "killed writers' files are cleared";
  }
  without_links = false;
}

TEST(StagedPath, SeparatesTwoNamesOfOneFile) {
  TemporaryFolder const folder;
  put(folder / "state", "1");
  std::filesystem::create_hard_link(folder / "state", folder / "state.previous");
  write_state(folder, "2");
  EXPECT_EQ(content(folder / "state"), "2");
  EXPECT_EQ(content(folder / "state.previous"), "1");
  EXPECT_EQ(folder.names(), (Names{"state", "state.previous"}));
}

TEST(StagedPath, ReplacesALinkWhenAsked) {
  TemporaryFolder const folder;
  put(folder / "target", "precious");
  std::filesystem::create_symlink("target", folder / "link");
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  for (char const* name : {"link", "dangling"}) {
    karman::StagedPath staged(folder / name, Overwrite::yes, karman::Links::replace);
    put(staged.temporary(), "new");
    staged.commit();
    EXPECT_FALSE(std::filesystem::is_symlink(folder / name)) << name;
    EXPECT_EQ(content(folder / name), "new") << name;
  }
  EXPECT_EQ(content(folder / "target"), "precious");
  EXPECT_EQ(folder.names(), (Names{"dangling", "link", "target"}));
}

/// Names that a folder loses while `action` runs, by a rename or a removal.
template <class Action>
Names names_lost(std::filesystem::path const& folder, Action action) {
  int const events = inotify_init1(IN_NONBLOCK);
  EXPECT_GE(events, 0);
  EXPECT_GE(inotify_add_watch(events, folder.c_str(), IN_MOVED_FROM | IN_DELETE), 0);
  action();
  Names lost;
  alignas(inotify_event) char buffer[65536];
  ssize_t const bytes = read(events, buffer, sizeof buffer);
  for (ssize_t at = 0; at < bytes;) {
    auto const* const event = reinterpret_cast<inotify_event const*>(buffer + at);
    lost.emplace_back(event->name);
    at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
  }
  close(events);
  return lost;
}

// Otherwise a process killed between two renames would leave no file of that name.
TEST(StagedPath, TheNameOfTheNewestIsNeverFree) {
  TemporaryFolder const folder;
  auto const write = [&](std::string const& text) { write_state(folder, text); };
  write("1");
  Names const lost = names_lost(folder.path(), [&] {
    write("2");
    write("3");
  });
  EXPECT_FALSE(lost.empty()) << "nothing was watched";
  for (char const* kept : {"state", "state.previous"}) EXPECT_EQ(std::count(lost.begin(), lost.end(), kept), 0) << kept;
  EXPECT_EQ(content(folder / "state"), "3");
  EXPECT_EQ(content(folder / "state.previous"), "2");
  EXPECT_EQ(folder.names(), (Names{"state", "state.previous"}));
}

TEST(StagedPath, CommitsOnce) {
  TemporaryFolder const folder;
  karman::StagedPath staged(folder / "state", Overwrite::yes);
  put(staged.temporary(), "x");
  staged.commit();
  EXPECT_THROW(staged.commit(), std::logic_error);
}

TEST(ReadTextFile, ChecksWhatItReads) {
  TemporaryFolder const folder;
  put(folder / "text", "hello");
  EXPECT_EQ(karman::read_text_file(folder / "text"), "hello");
  auto const refusal = [](std::filesystem::path const& path, std::size_t most = std::size_t{1} << 20) {
    return message_of<FileError>([&] { karman::read_text_file(path, most); });
  };
  std::string const start = "cannot read " + folder.path().string();
  EXPECT_EQ(refusal(folder / "text", 4), start + "/text: expected at most 4 bytes, found 5 bytes");
  EXPECT_EQ(refusal(folder / "none"), start + "/none: No such file or directory");
  EXPECT_EQ(refusal(folder.path()), start + ": expected a regular file, found a folder");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(refusal(folder / "pipe"), start + "/pipe: expected a regular file, found a pipe") << "and does not wait";
  std::filesystem::create_symlink("/dev/zero", folder / "link");
  EXPECT_EQ(refusal(folder / "link"), start + "/link: expected a regular file, found a device");
  std::filesystem::resize_file(folder / "text", std::uintmax_t{5} << 30);
  EXPECT_EQ(refusal(folder / "text"), start + "/text: expected at most 1 MiB, found 5 GiB");
}

TEST(CsvWriter, WritesRowsThatReadBackExactly) {
  TemporaryFolder const folder;
  karman::CsvWriter csv(folder / "h.csv", {"time [s]", "a,b", "say \"x\""});
  double const third = 1.0 / 3.0;
  csv.append_row(std::array{0.1, third, -2.5e-300});
  csv.append_row(std::array{-std::nan(""), std::numeric_limits<double>::infinity(), -0.0});
  EXPECT_THROW(csv.append_row(std::array{1.0}), std::invalid_argument);
  csv.commit();
  EXPECT_EQ(content(folder / "h.csv"),
            "time [s],\"a,b\",\"say \"\"x\"\"\"\n0.1,0.3333333333333333,-2.5e-300\nnan,inf,-0\n");
  EXPECT_EQ(std::stod("0.3333333333333333"), third);
  EXPECT_THROW(karman::CsvWriter(folder / "none.csv", {}), std::invalid_argument);
  karman::CsvWriter labels(folder / "labels.csv", {"name", "x", "y"});
  labels.append_row("tower, west", std::array{1.5, std::nan("")});
  labels.append_row("", std::array{2.0, 3.0});
  EXPECT_THROW(labels.append_row("short", std::array{2.0}), std::invalid_argument);
  labels.commit();
  karman::CsvWriter texts(folder / "texts.csv", {"name", "kind", "x"});
  texts.append_row(std::array<std::string, 2>{"a,b", "none"}, std::array{0.5});
  texts.append_row(std::array<std::string, 3>{"", "", "\"c\""}, std::span<double const>());
  EXPECT_THROW(texts.append_row(std::array<std::string, 1>{"short"}, std::array{2.0}), std::invalid_argument);
  texts.commit();
  EXPECT_EQ(karman::read_text_file(folder / "texts.csv"), "name,kind,x\n\"a,b\",none,0.5\n,,\"\"\"c\"\"\"\n");
  EXPECT_EQ(karman::read_text_file(folder / "labels.csv"), "name,x,y\n\"tower, west\",1.5,nan\n\"\",2,3\n");
  EXPECT_THROW(karman::CsvWriter(folder / "h.csv", {"x"}), FileError);
}

TEST(OutputFolder, IsMadeAndMustBeEmpty) {
  TemporaryFolder const folder;
  prepare(folder / "a/b/c");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/c"));
  EXPECT_TRUE(std::filesystem::is_empty(folder / "a/b/c"));
  prepare(folder / "a/b/c");
  put(folder / "a/b/c/old", "precious");
  std::string const message = message_of<FileError>([&] { prepare(folder / "a/b/c"); });
  EXPECT_TRUE(contains(message, "already holds files") && contains(message, "--overwrite")) << message;
  prepare(folder / "a/b/c", Overwrite::yes);
  EXPECT_EQ(content(folder / "a/b/c/old"), "precious");
  EXPECT_THROW(prepare(folder / "a/b/c/old/d"), FileError);
  EXPECT_THROW(prepare(folder / "a/b/c/old"), FileError);
}

TEST(OutputFolder, IsRemovedWhenItIsLeftEmpty) {
  TemporaryFolder const folder;
  std::filesystem::create_directory(folder / "old");
  for (char const* below : {"a/b/c", "a/b/c/", "old", "old/x"}) {
    {
      karman::EmptyFolderGuard const guard(folder / below);
      prepare(folder / below);
      EXPECT_TRUE(std::filesystem::is_directory(folder / below));
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "a")) << below;
    EXPECT_FALSE(std::filesystem::exists(folder / "old/x"));
    EXPECT_TRUE(std::filesystem::is_directory(folder / "old")) << "it was there before";
  }
  {
    karman::EmptyFolderGuard const guard(folder / "a/b/c");
    prepare(folder / "a/b/c");
    put(folder / "a/b/result", "precious");
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "a/b/c"));
  EXPECT_EQ(content(folder / "a/b/result"), "precious");
  {
    karman::EmptyFolderGuard const never_made(folder / "nowhere");
  }
}

TEST(OutputFolder, MustBeWritable) {
  // The kernel's own folder: read-only even for the superuser.
  std::string const message = message_of<FileError>([] { prepare("/proc/self", Overwrite::yes); });
  EXPECT_TRUE(is_one_line(message) && contains(message, "cannot write to folder /proc/self")) << message;
  EXPECT_THROW(prepare("/proc/self/results"), FileError);
  if (geteuid() != 0) {
    TemporaryFolder const folder;
    std::filesystem::permissions(folder.path(),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    EXPECT_THROW(prepare(folder.path()), FileError);
    EXPECT_THROW(AtomicFile(folder / "x"), FileError);
  }
}

TEST(OutputFolder, IsOfOneRunAtATime) {
  TemporaryFolder const folder;
  {
    karman::FolderLock lock = karman::prepare_output_folder(folder / "out");
    EXPECT_TRUE(lock.held());
    std::string const message = message_of<FileError>([&] { prepare(folder / "out", Overwrite::yes); });
    std::string const owner = (folder / "out").string() + " is in use by process " + std::to_string(getpid()) + " on ";
    EXPECT_TRUE(message.starts_with(owner) && contains(message, "--output") && is_one_line(message)) << message;
    karman::FolderLock moved = std::move(lock);
    EXPECT_TRUE(moved.held() && !lock.held());
    EXPECT_THROW(prepare(folder / "out"), FileError);
    EXPECT_NO_THROW(prepare(folder / "other"));
    moved = karman::FolderLock();
    EXPECT_NO_THROW(prepare(folder / "out"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder / "out"));
}

TEST(OutputFolder, OfAKilledRunIsFree) {
  TemporaryFolder const folder;
  int const code = in_child([&] {
    karman::FolderLock const lock = karman::prepare_output_folder(folder.path());
    std::raise(SIGKILL);
    return 0;
  });
  EXPECT_EQ(code, -SIGKILL);
  EXPECT_EQ(folder.names().size(), 1u) << "the file of the lock";
  EXPECT_NO_THROW(prepare(folder.path())) << "it counts as empty";
  EXPECT_TRUE(folder.names().empty());
}

TEST(OutputFolder, NeedsNoLocks) {
  TemporaryFolder const folder;
  without_locks = true;
  {
    karman::FolderLock const one = karman::prepare_output_folder(folder.path());
    karman::FolderLock const other = karman::prepare_output_folder(folder.path());
    EXPECT_FALSE(one.held() || other.held());
    EXPECT_TRUE(folder.names().empty());
  }
  without_locks = false;
  // Something else instead of the file.
  std::filesystem::create_symlink("nowhere", folder / ".karman.lock");
  EXPECT_FALSE(karman::prepare_output_folder(folder.path()).held());
  EXPECT_TRUE(std::filesystem::is_symlink(folder / ".karman.lock"));
}

TEST(OutputFolder, ReportsTheFreeSpace) {
  TemporaryFolder const folder;
  EXPECT_GT(karman::free_space(folder.path()), 0u);
  EXPECT_NO_THROW(karman::require_free_space(folder.path(), 1));
  std::string const message =
      message_of<FileError>([&] { karman::require_free_space(folder.path(), std::uint64_t{1} << 60); });
  EXPECT_TRUE(contains(message, "needs 1153 PB")) << message;
  EXPECT_THROW(karman::free_space(folder / "none"), FileError);
}

}  // namespace atomic_file_test
