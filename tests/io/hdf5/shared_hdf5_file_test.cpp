// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as any number of processes.
#include "io/child_process.hpp"
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include "world.hpp"
#include <karman/core/box_decomposition.hpp>
#include <karman/io/checkpoint.hpp>
#include <karman/io/communicator_files.hpp>
#include <karman/io/error.hpp>
#include <karman/io/shared_hdf5_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace karman;
using namespace karman::test;
namespace fs = std::filesystem;

/// A folder for all processes; the first one makes and removes it.
class SharedFolder {
 public:
  SharedFolder() {
    if (world().is_first()) own_ = std::make_unique<TemporaryFolder>(fast_place());
    path_ = world().broadcast(own_ ? own_->path().string() : std::string());
  }
  ~SharedFolder() { world().barrier(); }
  fs::path operator/(std::string const& name) const { return path_ / name; }
  /// The names of all files, the same in all processes. Collective.
  std::vector<std::string> names() const {
    world().barrier();
    std::vector<std::string> found;
    for (auto const& entry : fs::directory_iterator(path_)) found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    world().barrier();
    return found;
  }

 private:
  std::unique_ptr<TemporaryFolder> own_;
  fs::path path_;
};

/// Cells (nx, ny, nz) in random ranges along x or y; ranges may be empty.
Box random_box(std::array<int, 3> const& cells, unsigned seed) {
  std::mt19937 random(seed);
  int const axis = seed % 3 == 0 ? 0 : 1, n = cells[static_cast<std::size_t>(axis)];
  std::array<std::vector<int>, 3> edges{std::vector{0, cells[0]}, std::vector{0, cells[1]}, std::vector{0, cells[2]}};
  std::vector<int>& cut = edges[static_cast<std::size_t>(axis)];
  for (int part = 1; part < world().size(); ++part) cut.push_back(std::uniform_int_distribution(0, n)(random));
  std::sort(cut.begin(), cut.end());
  return BoxDecomposition(edges).box(world().rank());
}

/// An array whose values are functions of the global index, and the part of it in a box.
template <class T>
struct Indexed {
  Indexed(std::array<int, 3> const& cells, Box const& box, int seed) {
    part.whole = ArrayExtents(cells[2], cells[1], cells[0]);
    part.begin = ArrayExtents(box.begin[2], box.begin[1], box.begin[0]);
    extents = ArrayExtents(box.end[2] - box.begin[2], box.end[1] - box.begin[1], box.end[0] - box.begin[0]);
    for (int k = box.begin[2]; k < box.end[2]; ++k)
      for (int j = box.begin[1]; j < box.end[1]; ++j)
        for (int i = box.begin[0]; i < box.end[0]; ++i)
          values.push_back(static_cast<T>((k * cells[1] + j) * cells[0] + i + seed));
  }
  ConstArray array() const { return {values.data(), extents}; }

  ArrayPart part;
  ArrayExtents extents;
  std::vector<T> values;
};

Box whole_box(std::array<int, 3> const& cells) { return {{0, 0, 0}, cells}; }

constexpr std::array cells{7, 9, 3};

/// Writes a file with arrays of several types and shared content.
void write_file(FileProcesses const& processes, fs::path const& path, Overwrite overwrite, unsigned seed) {
  Box const box = processes.size == 1 ? whole_box(cells) : random_box(cells, seed);
  SharedHdf5File file = SharedHdf5File::create(processes, path, overwrite);
  file.shared().write_attribute("/", "title", "a title");
  file.shared().write_text("/case", "{}");
  Indexed<double> const p(cells, box, int(seed));
  file.write("/cells/p", p.array(), p.part);
  Indexed<float> const packed(cells, box, int(seed) + 1);
  file.write("/cells/packed", packed.array(), packed.part, {.chunk = {}, .deflate = 4});
  Indexed<std::uint8_t> const solid(cells, box, 0);
  file.write("/cells/solid", solid.array(), solid.part);
  std::vector<double> const line{0, 1, 2, 3, 4, 5, 6};
  file.shared().write("/grid/x", line.data(), {line.size()});
  file.shared().attach_scale("/cells/p", 2, "/grid/x");
  file.shared().write_attribute("/cells/p", "units", "m");
  file.shared().create_table("/history", {"a", "b"});
  file.shared().append_row("/history", std::array{1.0, 2.0});
  file.commit();
}

FileProcesses all() { return file_processes(world()); }

template <class T>
void expect_array(Hdf5File const& file, std::string const& name, int seed) {
  Indexed<T> const expected(cells, whole_box(cells), seed);
  DatasetInfo const info = file.info(name);
  EXPECT_EQ(info.extents, expected.extents);
  EXPECT_EQ(info.type, scalar_type_of<T>());
  EXPECT_EQ(info.in_parts, world().size() > 1);
  EXPECT_EQ(file.read_vector<T>(name), expected.values);
}

TEST(SharedHdf5File, ReadsAsOneFile) {
  SharedFolder const folder;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    fs::path const path = folder / ("result" + std::to_string(seed) + ".h5");
    write_file(all(), path, Overwrite::no, seed);
    Hdf5File const file = Hdf5File::open(path);
    expect_array<double>(file, "/cells/p", int(seed));
    expect_array<float>(file, "/cells/packed", int(seed) + 1);
    expect_array<std::uint8_t>(file, "/cells/solid", 0);
    EXPECT_EQ(file.read_string("/", "title"), "a title");
    EXPECT_EQ(file.read_string("/cells/p", "units"), "m");
    EXPECT_EQ(file.read_text("/case"), "{}");
    EXPECT_EQ(file.read_table("/history").column("b"), std::vector{2.0});
    // Any box, whatever the parts.
    std::mt19937 random(seed + 100 * unsigned(world().rank()));
    for (int trial = 0; trial < 10; ++trial) {
      Box box;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        box.begin[axis] = std::uniform_int_distribution(0, cells[axis])(random);
        box.end[axis] = std::uniform_int_distribution(box.begin[axis], cells[axis])(random);
      }
      Indexed<double> const expected(cells, box, int(seed));
      std::vector<double> found(expected.values.size(), -1);
      file.read_box("/cells/p", {found.data(), expected.extents}, expected.part.begin);
      EXPECT_EQ(found, expected.values);
    }
    std::vector<double> few(2);
    EXPECT_TRUE(contains(message_of<FileError>([&] { file.read_box("/cells/p", {few.data(), {1, 1, 2}}, {0, 0, 6}); }),
                         "expected extents of at least"));
  }
}

TEST(SharedHdf5File, ReplacesAFileWithItsParts) {
  SharedFolder const folder;
  fs::path const path = folder / "result.h5";
  write_file(all(), path, Overwrite::no, 1);
  auto const first = folder.names();
  EXPECT_EQ(first.size(), world().size() == 1 ? 1u : std::size_t(world().size()) + 1);
  std::string const refusal = message_of<FileError>([&] { write_file(all(), path, Overwrite::no, 2); });
  EXPECT_TRUE(contains(refusal, "the file already exists")) << refusal;
  EXPECT_EQ(folder.names(), first);
  for (unsigned seed = 2; seed < 5; ++seed) {
    write_file(all(), path, Overwrite::yes, seed);
    EXPECT_EQ(folder.names().size(), first.size());
    expect_array<double>(Hdf5File::open(path), "/cells/p", int(seed));
  }
  // One process replaces the file of many, and removes their parts.
  world().barrier();
  if (world().is_first()) write_file({}, path, Overwrite::yes, 7);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"result.h5"});
}

TEST(SharedHdf5File, KeepsTheFormerFileWhereOneProcessFails) {
  SharedFolder const folder;
  fs::path const path = folder / "result.h5";
  write_file(all(), path, Overwrite::no, 1);
  auto const names = folder.names();
  for (int failing = 0; failing < world().size(); ++failing) {
    rlimit former{};
    getrlimit(RLIMIT_FSIZE, &former);
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit const full{700, former.rlim_max};
    if (world().rank() == failing) setrlimit(RLIMIT_FSIZE, &full);
    std::string const message = message_of<FileError>([&] { write_file(all(), path, Overwrite::yes, 2); });
    setrlimit(RLIMIT_FSIZE, &former);
    EXPECT_TRUE(contains(message, "File too large")) << message;
    EXPECT_TRUE(is_one_line(message)) << message;
    EXPECT_EQ(contains(message, "process " + std::to_string(failing)), world().rank() != failing) << message;
    EXPECT_EQ(folder.names(), names);
    expect_array<double>(Hdf5File::open(path), "/cells/p", 1);
    world().barrier();
  }
}

TEST(SharedHdf5File, RefusesPartsThatDoNotFillTheArray) {
  SharedFolder const folder;
  Communicator const processes = world();
  int const n = processes.size(), rank = processes.rank();
  std::vector<double> const values(4, 1);
  auto const message = [&](std::size_t whole, std::size_t begin, std::size_t count) {
    SharedHdf5File file = SharedHdf5File::create(all(), folder / "x.h5");
    return message_of<std::invalid_argument>([&] { file.write("/x", {values.data(), {count}}, {{whole}, {begin}}); });
  };
  auto const at = [](int number) { return static_cast<std::size_t>(number); };
  EXPECT_TRUE(contains(message(at(2 * n + 1), at(2 * rank), 2), "leave a gap"));
  EXPECT_TRUE(contains(message(at(2 * n), at(2 * rank), rank + 1 == n ? 3 : 2), "exceeds the array"));
  if (n > 1) {
    EXPECT_TRUE(contains(message(at(2 * n), at(2 * rank), rank == 0 ? 3 : 2), "overlap"));
    EXPECT_TRUE(contains(message(at(2 * n + rank), at(2 * rank), 2), "different extents"));
  }
  EXPECT_TRUE(folder.names().empty());
}

/// Message of a reader after the first process has changed the files. Collective.
template <class Change>
std::string found_after(fs::path const& path, Change const& change) {
  world().barrier();
  if (world().is_first()) change();
  world().barrier();
  std::string message;
  try {
    Hdf5File::open(path).read_vector<double>("/cells/p");
  } catch (FileError const& error) {
    message = error.what();
  }
  world().barrier();
  return message;
}

TEST(SharedHdf5File, NoticesPartsThatAreNotItsOwn) {
  if (world().size() == 1) GTEST_SKIP() << "one process writes no parts";
  SharedFolder const folder;
  fs::path const path = folder / "result.h5", other = folder / "other.h5";
  fs::path const part = folder / "result.part-1-0001.h5", zero = folder / "result.part-1-0000.h5";
  // All processes have cells.
  auto const n = static_cast<std::size_t>(world().size()), rank = static_cast<std::size_t>(world().rank());
  auto const write = [&](fs::path const& where) {
    std::vector<double> const mine(4, double(rank));
    // [shared]
    SharedHdf5File file = SharedHdf5File::create(file_processes(world()), where);
    file.shared().write_attribute("/", "title", "all processes make this call");
    file.write("/cells/p", {mine.data(), {2, 2}}, {.whole = {2 * n, 2}, .begin = {2 * rank, 0}});
    file.commit();
    // [shared]
  };
  write(path);
  write(other);
  auto const move = [](fs::path const& from, fs::path const& to) { fs::rename(from, to); };
  fs::path const aside = folder / "aside";
  EXPECT_EQ(found_after(path, [] {}), "");
  std::string message = found_after(path, [&] { move(part, aside); });
  EXPECT_TRUE(contains(message, "part 1: cannot open " + part.string() + ": No such file")) << message;
  EXPECT_TRUE(is_one_line(message));
  message = found_after(path, [&] { fs::copy_file(folder / "other.part-1-0001.h5", part); });
  EXPECT_TRUE(contains(message, "belongs to another file")) << message;
  message = found_after(path, [&] { fs::copy_file(zero, part, fs::copy_options::overwrite_existing); });
  EXPECT_TRUE(contains(message, "belongs to another file or process")) << message;
  std::string const bytes = content(aside);
  message = found_after(path, [&] { put(part, bytes.substr(0, bytes.size() / 2)); });
  EXPECT_TRUE(contains(message, "part 1: ")) << message;
  message = found_after(path, [&] { put(part, ""); });
  EXPECT_TRUE(contains(message, "part 1: ")) << message;
  EXPECT_EQ(found_after(path, [&] { fs::rename(aside, part); }), "");
  // A folder can be moved, and so can the file alone within it.
  EXPECT_EQ(found_after(folder / "renamed.h5", [&] { fs::rename(path, folder / "renamed.h5"); }), "");
}

CheckpointFormat const format{"karman.test", 1};

std::uint64_t write_state(FileProcesses const& processes, fs::path const& path, unsigned seed) {
  Box const box = processes.size == 1 ? whole_box(cells) : random_box(cells, seed);
  Indexed<double> const p(cells, box, int(seed));
  std::vector<double> const history{1, 2, double(seed)};
  std::vector<CheckpointArray> arrays(2);
  arrays[0] = {.name = "p", .array = p.array(), .load = {}, .part = p.part};
  arrays[1] = {.name = "history", .array = {history.data(), {history.size()}}, .load = {}, .part = {}};
  return write_checkpoint(path, format, "{\"step\": " + std::to_string(seed) + "}", arrays, processes);
}

void expect_state(Checkpoint const& checkpoint, int seed) {
  EXPECT_EQ(checkpoint.metadata(), "{\"step\": " + std::to_string(seed) + "}");
  std::vector<double> history(3);
  checkpoint.read("history", history.data(), {3});
  EXPECT_EQ(history.back(), seed);
  Indexed<double> const whole(cells, whole_box(cells), seed);
  std::vector<double> found(whole.values.size());
  checkpoint.read("p", found.data(), whole.extents);
  EXPECT_EQ(found, whole.values);
  Indexed<double> const part(cells, random_box(cells, 50 + unsigned(seed)), seed);
  std::vector<double> box(part.values.size());
  checkpoint.read_box("p", {box.data(), part.extents}, part.part.begin);
  EXPECT_EQ(box, part.values);
}

TEST(SharedCheckpoint, IsReadByAnyNumberOfProcesses) {
  SharedFolder const folder;
  fs::path const path = folder / "run.checkpoint";
  std::vector<std::uint64_t> hashes;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    hashes.push_back(write_state(all(), path, seed));
    for (int readers = 1; readers <= world().size(); ++readers) {
      Communicator const some = world().split(world().rank() < readers ? 0 : 1);
      Checkpoint const checkpoint = Checkpoint::open(path, format, file_processes(some));
      EXPECT_EQ(checkpoint.state_hash(), hashes.back());
      expect_state(checkpoint, int(seed));
      world().barrier();
    }
    std::size_t const files = world().size() == 1 ? 1 : std::size_t(world().size()) + 1;
    EXPECT_EQ(folder.names().size(), seed == 1 ? files : 2 * files);
    if (seed > 1) expect_state(Checkpoint::open(previous_checkpoint(path), format), int(seed) - 1);
    world().barrier();
  }
  EXPECT_EQ(std::adjacent_find(hashes.begin(), hashes.end()), hashes.end());
  // One process continues the checkpoint of many: the former one stays complete.
  if (world().is_first()) write_state({}, path, 6);
  world().barrier();
  expect_state(Checkpoint::open(path, format, all()), 6);
  expect_state(Checkpoint::open(previous_checkpoint(path), format, all()), 5);
}

TEST(SharedCheckpoint, FallsBackWhereAPartIsDamaged) {
  if (world().size() == 1) GTEST_SKIP() << "one process writes no parts";
  SharedFolder const folder;
  fs::path const path = folder / "run.checkpoint";
  write_state(all(), path, 1);
  write_state(all(), path, 2);
  fs::path const part = folder / "run.part-2-0001.checkpoint";
  ASSERT_TRUE(fs::exists(part));
  std::string const whole = content(part);
  world().barrier();
  std::string changed = whole;
  changed[changed.size() / 2] = static_cast<char>(changed[changed.size() / 2] ^ 1);
  std::string const former = content(folder / "run.part-1-0001.checkpoint");
  for (std::string const& bytes : {changed, former, std::string()}) {
    if (world().is_first()) put(part, bytes);
    world().barrier();
    std::string const message = message_of<FileError>([&] { Checkpoint::open(path, format, all()); });
    EXPECT_TRUE(contains(message, "part 1: ")) << message;
    EXPECT_TRUE(is_one_line(message));
    Checkpoint const latest = Checkpoint::open_latest(path, format, all());
    EXPECT_TRUE(contains(latest.warning(), "using " + previous_checkpoint(path).string())) << latest.warning();
    expect_state(latest, 1);
    world().barrier();
  }
  // A damaged checkpoint does not replace its predecessor.
  write_state(all(), path, 3);
  expect_state(Checkpoint::open(path, format, all()), 3);
  expect_state(Checkpoint::open(previous_checkpoint(path), format, all()), 1);
}

}  // namespace
