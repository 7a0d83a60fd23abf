// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hdf5_parts.hpp"

#include "hdf5_state.hpp"
#include <karman/io/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <random>
#include <stdexcept>
#include <system_error>

namespace karman {

void FileProcesses::in_all(std::function<void()> const& work) const {
  if (size == 1) return work();
  std::exception_ptr mine;
  std::string message;
  try {
    work();
  } catch (std::exception const& error) {
    mine = std::current_exception();
    message = error.what();
    if (message.empty()) message = "failed";
  }
  std::vector<std::string> const messages = all_gather(message);
  auto const first = std::find_if(messages.begin(), messages.end(), [](auto const& text) { return !text.empty(); });
  if (first == messages.end()) return;
  if (mine) std::rethrow_exception(mine);
  throw FileError("process " + std::to_string(first - messages.begin()) + ':', "", *first);
}

namespace detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view part_format = "karman.part";
constexpr int part_digits = 4;

/// `result.part-`: the common beginning of the names of all parts of a file.
std::string part_beginning(fs::path const& path) { return path.stem().string() + ".part-"; }

/// The number of the writing in the name of a part after its beginning; 0 for any other text.
int writing_in(std::string_view text) {
  int number = 0;
  auto const parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return parsed.ec == std::errc{} && parsed.ptr != text.data() + text.size() && *parsed.ptr == '-' ? number : 0;
}

/// The least number of a writing that no part in the folder has.
int free_writing(fs::path const& path) {
  std::string const beginning = part_beginning(path), ending = path.extension().string();
  std::vector<int> used;
  std::error_code ignored;
  for (fs::directory_iterator entry(folder_of_parts(path), ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    std::string const name = entry->path().filename().string();
    if (name.starts_with(beginning) && name.ends_with(ending))
      used.push_back(writing_in(std::string_view(name).substr(beginning.size())));
  }
  int writing = 1;
  while (std::find(used.begin(), used.end(), writing) != used.end()) ++writing;
  return writing;
}

/// Number of a new writing, different from all others.
std::uint64_t new_id() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) ^ device();
}

std::string bytes_of(void const* data, std::size_t count) { return {static_cast<char const*>(data), count}; }

/// Extents with their rank as bytes.
std::string packed(ArrayExtents const& extents) {
  std::string text(1, static_cast<char>(extents.rank()));
  for (std::uint64_t const extent : extents) text += bytes_of(&extent, sizeof extent);
  return text;
}

/// Takes extents from the beginning of such bytes.
ArrayExtents unpack(std::string_view& text) {
  ArrayExtents extents;
  auto const rank = static_cast<std::size_t>(text.front());
  text.remove_prefix(1);
  for (std::uint64_t extent = 0; extents.rank() < rank; text.remove_prefix(sizeof extent)) {
    std::memcpy(&extent, text.data(), sizeof extent);
    extents.append(extent);
  }
  return extents;
}

}  // namespace

std::string PartNames::name(int part) const {
  std::array<char, 16> digits{};
  std::snprintf(digits.data(), digits.size(), "%0*d", part_digits, part);
  return prefix + digits.data() + suffix;
}

std::optional<int> PartNames::part_of(std::string const& file) const {
  if (file.size() <= prefix.size() || !file.starts_with(prefix)) return std::nullopt;
  int part = -1;
  std::from_chars(file.data() + prefix.size(), file.data() + file.size(), part);
  if (part < 0 || part >= count || file != name(part)) return std::nullopt;
  return part;
}

std::string why_no_tiling(ArrayExtents const& whole, std::vector<PlacedPart> const& parts) {
  std::size_t const rank = whole.rank();
  auto const label = [](PlacedPart const& part) { return "the part of process " + std::to_string(part.part); };
  std::uint64_t count = 0;
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (part->begin.rank() != rank || part->extents.rank() != rank) return label(*part) + " has another rank";
    for (std::size_t axis = 0; axis < rank; ++axis) {
      if (part->begin[axis] > whole[axis] || part->extents[axis] > whole[axis] - part->begin[axis])
        return label(*part) + " exceeds the array of " + whole.text();
    }
    if (part->extents.count() == 0) continue;
    count += part->extents.count();
    for (auto other = parts.begin(); other != part; ++other) {
      bool common = other->extents.count() > 0;
      for (std::size_t axis = 0; common && axis < rank; ++axis) {
        common = part->begin[axis] < other->begin[axis] + other->extents[axis] &&
                 other->begin[axis] < part->begin[axis] + part->extents[axis];
      }
      if (common) return label(*other) + " and " + label(*part) + " overlap";
    }
  }
  return count == whole.count() ? "" : "the parts leave a gap in the array of " + whole.text();
}

std::optional<PartNames> read_part_names(Hdf5File const& file) {
  if (!file.has_attribute("/", "parts_id")) return std::nullopt;
  PartNames names;
  std::int64_t const count = file.read_integer("/", "parts");
  names.id = file.read_unsigned("/", "parts_id");
  names.prefix = file.read_string("/", "parts_prefix");
  names.suffix = file.read_string("/", "parts_suffix");
  constexpr std::size_t longest = 255;
  bool const plain = !names.prefix.empty() && (names.prefix + names.suffix).find('/') == std::string::npos &&
                     names.prefix.size() + names.suffix.size() < longest;
  if (!plain || count < 1 || count > most_parts)
    throw FileError(file.path().string(), "read", "the names of its parts are damaged");
  names.count = static_cast<int>(count);
  return names;
}

fs::path folder_of_parts(fs::path const& file) {
  std::error_code error;
  fs::path const real = fs::is_symlink(file, error) ? fs::canonical(file, error) : file;
  fs::path const& used = error ? file : real;
  return used.has_parent_path() ? used.parent_path() : fs::path(".");
}

Hdf5File open_part(fs::path const& folder, PartNames const& names, int part) {
  Hdf5File file = Hdf5File::open(folder / names.name(part));
  bool const is_part = file.has_attribute("/", "format") && file.read_string("/", "format") == part_format;
  if (!is_part || file.read_unsigned("/", "part_of") != names.id || file.read_integer("/", "part") != part)
    throw FileError(file.path().string(), "use", "it belongs to another file or process");
  return file;
}

PartsWriter::PartsWriter(FileProcesses const& processes, fs::path const& path, Overwrite overwrite, Links links)
    : processes_(processes), path_(path) {
  if (processes.size > most_parts)
    throw std::invalid_argument("a file has at most " + std::to_string(most_parts) + " parts");
  bool const several = processes.size > 1;
  processes_.in_all([&] {
    if (!several) return shared_.emplace(Hdf5File::create(path, overwrite, links)), void();
    if (!processes_.is_first()) return shared_.emplace(Hdf5File::create_in_memory(path)), void();
    shared_.emplace(Hdf5File::create(path, overwrite, Links::replace));
    shared_->defer_disk_errors();
    names_.id = new_id();
    names_.prefix = part_beginning(path) + std::to_string(free_writing(path)) + '-';
  });
  if (!several) return;
  std::string const id = processes_.from_first(bytes_of(&names_.id, sizeof names_.id));
  std::memcpy(&names_.id, id.data(), sizeof names_.id);
  names_.count = processes_.size;
  names_.prefix = processes_.from_first(names_.prefix);
  names_.suffix = path.extension().string();
  shared_->write_attribute("/", "parts", names_.count);
  shared_->write_attribute("/", "parts_id", names_.id);
  shared_->write_attribute("/", "parts_prefix", names_.prefix);
  shared_->write_attribute("/", "parts_suffix", names_.suffix);
  processes_.in_all([&] {
    part_.emplace(Hdf5File::create(folder_of_parts(path) / names_.name(processes_.rank)));
    part_->write_attribute("/", "format", part_format);
    part_->write_attribute("/", "part_of", names_.id);
    part_->write_attribute("/", "part", processes_.rank);
  });
}

PartsWriter::~PartsWriter() {
  // The file may be in place although its commit reported an error afterwards.
  std::error_code ignored;
  if (!published_.empty() && !is_committed()) fs::remove(published_, ignored);
}

bool PartsWriter::is_committed() const noexcept {
  try {
    auto const names = read_part_names(Hdf5File::open(path_));
    return names && names->id == names_.id;
  } catch (std::exception const&) {
    return false;
  }
}

std::vector<fs::path> PartsWriter::part_paths() const {
  std::vector<fs::path> paths;
  for (int part = 0; part < names_.count; ++part) paths.push_back(folder_of_parts(path_) / names_.name(part));
  return paths;
}

void PartsWriter::write(std::string_view name, ConstArray const& mine, ArrayPart const& place,
                        DatasetOptions const& options) {
  std::vector<PlacedPart> parts;
  std::string reason;
  for (std::string const& text : processes_.gather(packed(place.whole) + packed(place.begin) + packed(mine.extents))) {
    std::string_view rest = text;
    if (unpack(rest) != place.whole) reason = "the processes have arrays of different extents";
    PlacedPart part{static_cast<int>(parts.size()), {}, {}};
    part.begin = unpack(rest);
    part.extents = unpack(rest);
    parts.push_back(part);
  }
  // All processes see the extents of all, so that a difference is one for all of them.
  if (reason.empty()) reason = why_no_tiling(place.whole, parts);
  if (!reason.empty()) throw std::invalid_argument("SharedHdf5File: " + std::string(name) + ": " + reason);
  processes_.in_all([&] {
    if (!part_) return shared_->write(name, mine, options);
    part_->write(name, mine, options);
    std::vector<Hdf5Source> sources;
    for (PlacedPart const& part : parts)
      if (part.extents.count() > 0) sources.push_back({names_.name(part.part), part.begin, part.extents});
    shared_->write_virtual(name, mine.type, place.whole, sources);
  });
}

void PartsWriter::finish_parts(std::function<void(StagedPath const&)> const& add) {
  processes_.in_all([&] {
    if (!part_) return;
    finished_.emplace(part_->finish());
    part_.reset();
    if (add) add(*finished_);
  });
}

/// The parts of files at these places, as far as the files are readable and the parts theirs.
std::vector<fs::path> PartsWriter::present_parts(std::vector<fs::path> const& files) const {
  std::vector<fs::path> found;
  for (fs::path const& path : files) {
    try {
      Hdf5File const file = Hdf5File::open(path);
      auto const names = read_part_names(file);
      // A file under another name than its first one shares its parts with none.
      if (!names || !names->prefix.starts_with(part_beginning(path_))) continue;
      fs::path const folder = folder_of_parts(path);
      for (int part = 0; part < names->count; ++part) {
        try {
          found.push_back(open_part(folder, *names, part).path());
        } catch (FileError const&) {
          // Missing, or the part of another file.
        }
      }
    } catch (FileError const&) {
      // No file, or a damaged one, whose parts have unknown names.
    }
  }
  return found;
}

void PartsWriter::publish(std::function<void(Hdf5File&)> const& commit_shared, std::vector<fs::path> const& kept) {
  processes_.in_all([&] {
    if (!finished_) return;
    finished_->commit();
    published_ = finished_->path();
  });
  processes_.in_all([&] {
    if (!processes_.is_first()) return;
    std::vector<fs::path> files = kept;
    files.push_back(path_);
    std::vector<fs::path> const before = present_parts(files);
    commit_shared(*shared_);
    published_.clear();
    std::vector<fs::path> const after = before.empty() ? before : present_parts(files);
    std::error_code ignored;
    for (fs::path const& part : before)
      if (std::find(after.begin(), after.end(), part) == after.end()) fs::remove(part, ignored);
  });
  published_.clear();
}

}  // namespace detail

SharedHdf5File SharedHdf5File::create(FileProcesses const& processes, std::filesystem::path const& path,
                                      Overwrite overwrite) {
  return SharedHdf5File(std::make_unique<detail::PartsWriter>(processes, path, overwrite, Links::follow));
}

SharedHdf5File::SharedHdf5File(std::unique_ptr<detail::PartsWriter> writer) : writer_(std::move(writer)) {}
SharedHdf5File::SharedHdf5File(SharedHdf5File&&) noexcept = default;
SharedHdf5File& SharedHdf5File::operator=(SharedHdf5File&&) noexcept = default;
SharedHdf5File::~SharedHdf5File() = default;

Hdf5File& SharedHdf5File::shared() { return writer_->shared(); }

void SharedHdf5File::write(std::string_view name, ConstArray const& mine, ArrayPart const& part,
                           DatasetOptions const& options) {
  writer_->write(name, mine, part, options);
}

void SharedHdf5File::commit() {
  writer_->finish_parts();
  writer_->publish([](Hdf5File& file) { file.commit(); });
}

}  // namespace karman
