// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file_faults.hpp"

#include "initial_file.hpp"
#include <karman/io/hdf5_file.hpp>

#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace karman::euler {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view use_checkpoint = "use checkpoint";

/// Whether the content is at fault, and not the name or a right of access.
bool is_readable(fs::path const& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && std::ifstream(path).is_open();
}

/// Fault of a file that HDF5 cannot open.
std::string fault_of_content(fs::path const& path) {
  constexpr std::string_view signature = "\211HDF\r\n\032\n";
  std::array<char, signature.size()> begin{};
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), begin.size());
  if (file.gcount() == 0) return "it is empty";
  return std::string_view(begin.data(), begin.size()) == signature ? "it is truncated or damaged"
                                                                   : "it is neither a result nor a checkpoint";
}

/// Whether it is a result of this program.
bool is_result(fs::path const& path) {
  try {
    Hdf5File const file = Hdf5File::open(path);
    return file.exists("/fields") && file.has_attribute("/", "format") &&
           file.read_string("/", "format") == result_format;
  } catch (FileError const&) {
    return false;
  }
}

}  // namespace

FileError start_fault(fs::path const& path, FileError const& error) {
  std::string operation = error.operation();
  if (error.path() != path.string() || operation == mesh_of_checkpoint || !is_readable(path)) return error;
  std::string fault;
  if (operation == "open") {
    fault = fault_of_content(path);
  } else if (operation == use_checkpoint) {
    fault = error.reason();
  } else {
    if (operation.ends_with(" in") || operation.ends_with(" of")) operation += " it";
    fault = "it is damaged or incomplete: cannot " + operation;
  }
  return {path.string(), "start from", fault + "; give the euler.h5 or the euler.checkpoint of a run"};
}

FileError restart_fault(fs::path const& path, FileError const& error) {
  if (error.path() != path.string() || !is_readable(path)) return error;
  std::string const operation(use_checkpoint);
  if (is_result(path)) {
    return {path.string(), operation,
            "it is a result; restart from the euler.checkpoint beside it, or start from it by /initial/file"};
  }
  return {path.string(), operation,
          (error.operation() == operation ? error.reason() : "it is damaged") +
              "; restart from the euler.checkpoint of a run"};
}

}  // namespace karman::euler
