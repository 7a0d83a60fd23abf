// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hdf5_parts.hpp"
#include "io/files/input_file.hpp"
#include <karman/io/checkpoint.hpp>
#include <karman/io/content_hash.hpp>
#include <karman/io/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <set>
#include <stdexcept>
#include <system_error>

namespace karman {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view layout_name = "karman.checkpoint";
constexpr int layout_version = 1;
constexpr std::array<char, 8> seal_mark{'K', 'A', 'R', 'M', 'A', 'N', 'C', '1'};
constexpr std::size_t most_arrays = 4096;
constexpr std::size_t most_metadata_bytes = std::size_t{64} << 20;

/// The last 32 bytes of a checkpoint: mark, number of bytes before the seal, hash of these, hash of the seal so far.
struct Seal {
  static constexpr std::size_t bytes = 32;
  std::uint64_t length = 0;
  std::uint64_t hash = 0;

  std::array<unsigned char, bytes> encode() const {
    std::array<unsigned char, bytes> text{};
    std::memcpy(text.data(), seal_mark.data(), seal_mark.size());
    put(text.data() + 8, length);
    put(text.data() + 16, hash);
    put(text.data() + 24, content_hash(text.data(), 24));
    return text;
  }

  static void put(unsigned char* to, std::uint64_t value) {
    for (int i = 0; i < 8; ++i) to[i] = static_cast<unsigned char>(value >> (8 * i));
  }
};

class Stream {
 public:
  Stream(fs::path const& path, int flags, std::string message_path)
      : path_(std::move(message_path)), descriptor_(::open(path.c_str(), flags | O_CLOEXEC)) {
    if (descriptor_ < 0) fail("open");
  }
  Stream(Stream const&) = delete;
  Stream& operator=(Stream const&) = delete;
  ~Stream() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  [[noreturn]] void fail(std::string const& operation) const {
    throw FileError(path_, operation, std::generic_category().message(errno));
  }
  std::uint64_t regular_size() const { return detail::regular_file_size(descriptor_, path_, "open"); }
  /// Reads as many of `count` bytes as there are.
  std::size_t read(void* to, std::size_t count) const {
    for (;;) {
      ssize_t const got = ::read(descriptor_, to, count);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) fail("read");
    }
  }
  void append(unsigned char const* from, std::size_t count) const {
    if (::lseek(descriptor_, 0, SEEK_END) < 0) fail("write");
    while (count > 0) {
      ssize_t const written = ::write(descriptor_, from, count);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail("write");
      from += written;
      count -= static_cast<std::size_t>(written);
    }
  }

 private:
  std::string path_;
  int descriptor_;
};

/// Hash of the next `length` bytes. If there are fewer, hash of those, with their number in `length`.
std::uint64_t hash_stream(Stream const& stream, std::uint64_t& length) {
  std::vector<unsigned char> block(std::size_t{1} << 20);
  ContentHash hash;
  std::uint64_t done = 0;
  while (done < length) {
    std::size_t const got = stream.read(block.data(), std::min<std::uint64_t>(block.size(), length - done));
    if (got == 0) break;
    hash.update(block.data(), got);
    done += got;
  }
  length = done;
  return hash.value();
}

/// Appends a seal, and returns the hash in it.
std::uint64_t add_seal(StagedPath const& staged) {
  Stream const stream(staged.temporary(), O_RDWR, staged.path().string());
  Seal seal;
  seal.length = stream.regular_size();
  std::uint64_t const expected = seal.length;
  seal.hash = hash_stream(stream, seal.length);
  if (seal.length != expected) throw FileError(staged.path().string(), "write", "the file changed during the write");
  auto const text = seal.encode();
  stream.append(text.data(), text.size());
  return seal.hash;
}

/// Verifies a seal, and returns the hash in it.
std::uint64_t check_seal(fs::path const& path) {
  detail::regular_file_size(path, "open");
  Stream const stream(path, O_RDONLY | O_NONBLOCK, path.string());
  std::uint64_t const size = stream.regular_size();
  auto const damaged = [&](char const* how) { throw FileError(path.string(), "use checkpoint", how); };
  if (size < Seal::bytes) damaged("too short for a checkpoint");
  Seal found;
  found.length = size - Seal::bytes;
  found.hash = hash_stream(stream, found.length);
  std::array<unsigned char, Seal::bytes> text{};
  for (std::size_t done = 0; done < text.size();) {
    std::size_t const got = stream.read(text.data() + done, text.size() - done);
    if (got == 0) break;
    done += got;
  }
  if (std::memcmp(text.data(), seal_mark.data(), seal_mark.size()) != 0) {
    damaged("not a checkpoint, or truncated");
  }
  if (text != found.encode()) damaged("damaged (hash and content differ)");
  return found.hash;
}

constexpr char const* part_hashes = "/part_hashes";

/// Verifies the parts of a checkpoint from `first` on, every `step`-th one.
void check_parts(Hdf5File const& file, int first, int step) {
  auto const names = detail::read_part_names(file);
  if (!names) return;
  std::vector<std::uint64_t> const hashes = file.read_vector<std::uint64_t>(part_hashes, detail::most_parts);
  fs::path const folder = detail::folder_of_parts(file.path());
  for (int part = first; part < names->count; part += step) {
    std::string const trouble = "part " + std::to_string(part);
    try {
      std::uint64_t const hash = check_seal(folder / names->name(part));
      if (hashes.size() != static_cast<std::size_t>(names->count) || hash != hashes[static_cast<std::size_t>(part)])
        throw FileError(folder / names->name(part), "use", "it belongs to another checkpoint");
    } catch (FileError const& error) {
      throw FileError(file.path().string(), "use checkpoint", trouble + ": " + error.what());
    }
  }
}

/// Identity of the content of a file, without reading it.
struct FileIdentity {
  dev_t device = 0;
  ino_t number = 0;
  off_t bytes = 0;
  time_t seconds = 0;
  long nanoseconds = 0;

  bool operator==(FileIdentity const&) const = default;
};

std::optional<FileIdentity> identity_of(fs::path const& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

/// The last checkpoint of this process, whose seals need no second reading.
class LastWritten {
 public:
  static LastWritten& of_process() {
    static LastWritten last;
    return last;
  }
  bool is(fs::path const& path) {
    std::lock_guard const guard(mutex_);
    if (files_.empty() || files_.front().second != identity_of(path)) return false;
    return std::all_of(files_.begin() + 1, files_.end(),
                       [](auto const& part) { return part.second == identity_of(part.first); });
  }
  void set(fs::path const& path, std::vector<fs::path> const& parts) {
    std::lock_guard const guard(mutex_);
    files_.assign(1, {path, identity_of(path)});
    for (fs::path const& part : parts) files_.emplace_back(part, identity_of(part));
    if (!files_.front().second) files_.clear();
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<fs::path, std::optional<FileIdentity>>> files_;  ///< the file and its parts
};

/// True for a checkpoint with a correct seal. Reads it, unless this process has just written it.
bool is_whole(fs::path const& path) {
  if (LastWritten::of_process().is(path)) return true;
  try {
    check_seal(path);
    check_parts(Hdf5File::open(path), 0, 1);
    return true;
  } catch (FileError const&) {
    return false;
  }
}

void hash_number(ContentHash& hash, std::uint64_t value) {
  unsigned char bytes[8];
  Seal::put(bytes, value);
  hash.update(bytes, sizeof bytes);
}

void hash_string(ContentHash& hash, std::string_view text) {
  hash_number(hash, text.size());
  hash.update(text.data(), text.size());
}

/// The hash of the state from the hashes of its arrays, in the order of their names.
class StateHash {
 public:
  StateHash(CheckpointFormat const& format, std::string_view metadata) {
    hash_string(hash_, format.name);
    hash_number(hash_, static_cast<std::uint64_t>(format.version));
    hash_string(hash_, metadata);
  }
  void add(std::string_view name, ScalarType type, ArrayExtents const& extents, std::uint64_t bytes_hash) {
    hash_string(hash_, name);
    hash_string(hash_, scalar_name(type));
    hash_number(hash_, extents.rank());
    for (std::size_t extent : extents) hash_number(hash_, extent);
    hash_number(hash_, bytes_hash);
  }
  std::uint64_t value() const { return hash_.value(); }

 private:
  ContentHash hash_;
};

/// Hashes are computed from the little-endian bytes of the file.
std::uint64_t array_hash(ConstArray const& array) {
  if constexpr (std::endian::native == std::endian::little) {
    return content_hash(array.data, array.bytes());
  } else {
    ContentHash hash;
    std::size_t const size = scalar_size(array.type);
    auto const* value = static_cast<unsigned char const*>(array.data);
    std::array<unsigned char, 8> reversed{};
    for (std::size_t i = 0; i < array.extents.count(); ++i, value += size) {
      std::reverse_copy(value, value + size, reversed.begin());
      hash.update(reversed.data(), size);
    }
    return hash.value();
  }
}

/// A number as bytes, from one process to another.
std::string bytes_of(std::uint64_t value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::uint64_t number_of(std::string const& bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), std::min(sizeof value, bytes.size()));
  return value;
}

/// The hash of an array from the hashes of its parts.
std::uint64_t content_hash_of(std::vector<std::string> const& hashes) {
  ContentHash hash;
  for (std::string const& bytes : hashes) hash_number(hash, number_of(bytes));
  return hash.value();
}

std::string dataset_name(std::string_view array) { return "/state/" + std::string(array); }

void check_array_name(std::string_view name) {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string_view::npos ||
      name.find('\0') != std::string_view::npos) {
    throw std::invalid_argument("invalid array name for a checkpoint: \"" + std::string(name) + '"');
  }
}

}  // namespace

std::uint64_t write_checkpoint(fs::path const& path, CheckpointFormat const& format, std::string_view metadata,
                               std::span<CheckpointArray const> arrays, FileProcesses const& processes) {
  if (arrays.size() > most_arrays) throw std::invalid_argument("checkpoint: too many arrays");
  std::vector<CheckpointArray const*> sorted;
  for (CheckpointArray const& array : arrays) {
    check_array_name(array.name);
    sorted.push_back(&array);
  }
  std::sort(sorted.begin(), sorted.end(), [](auto const* a, auto const* b) { return a->name < b->name; });
  if (std::adjacent_find(sorted.begin(), sorted.end(),
                         [](auto const* a, auto const* b) { return a->name == b->name; }) != sorted.end()) {
    throw std::invalid_argument("checkpoint: duplicate array name");
  }

  // A link to the checkpoint of another run is replaced, and that checkpoint stays.
  detail::PartsWriter writer(processes, path, Overwrite::yes, Links::replace);
  Hdf5File& file = writer.shared();
  file.write_attribute("/", "layout", layout_name);
  file.write_attribute("/", "layout_version", layout_version);
  file.write_attribute("/", "format", format.name);
  file.write_attribute("/", "version", format.version);
  file.write_text("/metadata", metadata);
  file.make_group("/state");
  StateHash state(format, metadata);
  for (CheckpointArray const* array : sorted) {
    std::string const name = dataset_name(array->name);
    ConstArray const values = array->load ? array->load() : array->array;
    std::uint64_t hash = array_hash(values);
    ArrayExtents const whole = array->part ? array->part->whole : values.extents;
    if (array->part) {
      writer.write(name, values, *array->part, {});
      if (processes.size > 1) hash = content_hash_of(processes.gather(bytes_of(hash)));
    } else {
      file.write(name, values);
    }
    file.write_attribute(name, "hash", hash);
    state.add(array->name, values.type, whole, hash);
  }
  std::uint64_t part_hash = 0;
  writer.finish_parts([&](StagedPath const& part) { part_hash = add_seal(part); });
  if (processes.size > 1) {
    std::vector<std::uint64_t> hashes;
    for (std::string const& text : processes.gather(bytes_of(part_hash))) hashes.push_back(number_of(text));
    file.write(part_hashes, hashes.data(), {hashes.size()});
  }
  file.write_attribute("/", "state_hash", state.value());

  fs::path const previous = previous_checkpoint(path);
  writer.publish(
      [&](Hdf5File& shared) {
        StagedPath staged = shared.finish();
        add_seal(staged);
        // A damaged checkpoint must not replace its predecessor, from which a restart continues.
        if (is_whole(path)) staged.commit_keeping_previous(previous);
        else staged.commit();
        LastWritten::of_process().set(path, writer.part_paths());
      },
      {previous});
  return number_of(processes.from_first(bytes_of(state.value())));
}

fs::path previous_checkpoint(fs::path const& path) {
  fs::path previous = path;
  previous += ".previous";
  return previous;
}

Checkpoint Checkpoint::open(fs::path const& path, CheckpointFormat const& format, FileProcesses const& processes) {
  processes.in_all([&] {
    if (processes.is_first()) check_seal(path);
  });
  std::optional<Checkpoint> checkpoint;
  processes.in_all([&] {
    checkpoint.emplace(read(path, format));
    check_parts(checkpoint->file_, processes.rank, processes.size);
  });
  return std::move(*checkpoint);
}

/// Reads a file with a good seal.
Checkpoint Checkpoint::read(fs::path const& path, CheckpointFormat const& format) {
  auto const refuse = [&](std::string const& why) { throw FileError(path.string(), "use checkpoint", why); };
  Checkpoint checkpoint(Hdf5File::open(path));
  Hdf5File const& file = checkpoint.file_;
  if (file.read_string("/", "layout") != layout_name || file.read_integer("/", "layout_version") != layout_version) {
    refuse("written by another version of Karman");
  }
  std::string const name = file.read_string("/", "format");
  std::int64_t const version = file.read_integer("/", "version");
  if (name != format.name) refuse("expected a state of \"" + format.name + "\", found \"" + name + '"');
  if (version != format.version) {
    refuse("expected state version " + std::to_string(format.version) + ", found " + std::to_string(version));
  }
  checkpoint.metadata_ = file.read_text("/metadata", most_metadata_bytes);
  StateHash state(format, checkpoint.metadata_);
  for (Hdf5Entry const& entry : file.list("/state")) {
    std::string const array = dataset_name(entry.name);
    DatasetInfo const info = file.info(array);
    state.add(entry.name, info.type, info.extents, file.read_unsigned(array, "hash"));
  }
  checkpoint.state_hash_ = file.read_unsigned("/", "state_hash");
  if (state.value() != checkpoint.state_hash_) refuse("state and hash differ");
  return checkpoint;
}

Checkpoint Checkpoint::open_latest(fs::path const& path, CheckpointFormat const& format,
                                   FileProcesses const& processes) {
  try {
    return open(path, format, processes);
  } catch (FileError const& newest) {
    fs::path const previous = previous_checkpoint(path);
    std::error_code error;
    bool const exists = processes.from_first(fs::exists(previous, error) ? "yes" : "") == "yes";
    if (exists) {
      try {
        Checkpoint checkpoint = open(previous, format, processes);
        checkpoint.warning_ = std::string(newest.what()) + "; using " + previous.string();
        return checkpoint;
      } catch (FileError const&) {
        // The user asked for the newest one, so its error is shown.
      }
    }
    throw;
  }
}

bool Checkpoint::has(std::string_view array) const {
  check_array_name(array);
  return file_.exists(dataset_name(array));
}

DatasetInfo Checkpoint::info(std::string_view array) const {
  check_array_name(array);
  return file_.info(dataset_name(array));
}

void Checkpoint::read_box(std::string_view array, MutableArray const& destination, ArrayExtents const& begin) const {
  check_array_name(array);
  file_.read_box(dataset_name(array), destination, begin);
}

void Checkpoint::read(std::string_view array, MutableArray const& destination) const {
  check_array_name(array);
  std::string const name = dataset_name(array);
  file_.read(name, destination);
  if (file_.info(name).in_parts) return;
  ConstArray read_back;
  read_back.type = destination.type;
  read_back.data = destination.data;
  read_back.extents = destination.extents;
  if (array_hash(read_back) != file_.read_unsigned(name, "hash")) {
    throw FileError(path().string(), "read " + name + " in", "hash and content differ");
  }
}

}  // namespace karman
