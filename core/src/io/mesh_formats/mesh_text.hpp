// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shared parts of the readers and writers of meshes.
#pragma once

#include <karman/io/atomic_file.hpp>
#include <karman/io/mesh_files.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace karman::detail {

constexpr std::int64_t most_numbers = std::numeric_limits<std::int32_t>::max();

/// The text of a file, read word by word.
class MeshText {
 public:
  /// Text from `comment` to the end of a line is ignored.
  MeshText(std::filesystem::path const& path, std::size_t most_bytes, char comment = '\0');
  /// A text that was already read: the part of a file from this line on.
  MeshText(std::string source, std::string text, int first_line = 1)
      : source_(std::move(source)), text_(std::move(text)), line_(first_line - 1) {}

  std::string const& source() const { return source_; }
  /// Line of the last words read, from 1; at most 2^31 - 1.
  int line() const { return line_; }
  std::string_view text() const { return text_; }
  /// The file ends with the end of a line.
  bool ends_with_line() const { return !text_.empty() && text_.back() == '\n'; }

  /// Goes to the next line that is not blank; false when there is none.
  bool next_line();
  /// The same, but throws when no line follows.
  void open_line(std::string_view expected);
  /// The same for "node 7 of 12"; the words are composed only where they are needed.
  void open_line(std::string_view what, std::size_t number, std::string_view of);
  /// Throws unless the line ends here.
  void close_line(std::string_view expected);
  /// From here on, words are read across lines. `end` names the end in messages.
  void across_lines(char const* end = "end of the file") {
    across_lines_ = true;
    end_ = end;
  }

  /// The next word; empty when there is none.
  std::string_view word();
  /// True if there is another word.
  bool more();
  /// True if the rest of the line contains "=".
  bool has_key() const { return std::string_view(text_).substr(0, line_end_).find('=', position_) < line_end_; }
  /// Returns the key of a line "key = value" and continues with the value; of any other line, its rest.
  std::string_view key();
  /// The rest of the line, without blanks at its ends.
  std::string_view rest();
  /// Skips a quoted text that ends in its line, or one word.
  void skip_quoted(std::string_view expected);

  /// The bytes behind the line; the next line starts after them. Throws unless the file has that many.
  std::string_view bytes(std::size_t count, std::string_view expected);
  /// Number of bytes behind the line.
  std::size_t bytes_left() const { return text_.size() - next_line_; }
  /// Continues behind the next `mark` after the line; false when there is none.
  bool skip_past(std::string_view mark);
  /// From here on lines have no numbers, as in a binary file.
  void without_lines() { counts_lines_ = false, line_ = 0; }

  std::int64_t integer(std::string_view expected, std::int64_t low, std::int64_t high);
  int label(std::string_view expected);
  /// Finite and below `bound` in size. Exponents of Fortran are read too: 1.0D+00 and 1.0-100.
  double real(std::string_view expected, double bound = 1e100);
  /// A number of things that take at least `least_bytes` each. Throws when the rest of the file is too short for it.
  std::size_t count(std::string_view what, std::size_t least_bytes);

  /// Throws CaseError with the found and the expected text, each of at most 200 bytes.
  [[noreturn]] void fail(std::string_view found, std::string_view expected) const { fail(line_, found, expected); }
  [[noreturn]] void fail(int line, std::string_view found, std::string_view expected) const;

 private:
  std::string source_;
  std::string text_;
  char comment_ = '\0';
  std::size_t position_ = 0;
  std::size_t line_end_ = 0;   ///< of the words of the current line
  std::size_t next_line_ = 0;  ///< start of the line after it
  int line_ = 0;
  bool across_lines_ = false;
  bool counts_lines_ = true;
  char const* end_ = "end of the line";
};

/// Result of a reader, before the checks.
struct FoundMesh {
  MeshData mesh;                                    ///< nodes by their places, edges in any direction
  std::vector<double> z;                            ///< of the nodes, or empty
  std::vector<int> region_entities, edge_entities;  ///< labels to use where all others are 0, or empty
  std::vector<int> middle_nodes;                    ///< nodes of higher-order elements besides the corners
  std::vector<std::size_t> split;  ///< of each quadrilateral, its first triangle; the second one follows
  std::vector<int> node_lines, triangle_lines, edge_lines;  ///< in the file, or empty
  /// Memory for so many more nodes or triangles: a number that was compared with the size of the file.
  void expect_nodes(std::size_t count) {
    mesh.nodes.reserve(mesh.nodes.size() + count);
    node_lines.reserve(mesh.nodes.size() + count);
  }
  void expect_triangles(std::size_t count) {
    mesh.triangles.reserve(mesh.triangles.size() + count);
    mesh.regions.reserve(mesh.triangles.size() + count);
    triangle_lines.reserve(mesh.triangles.size() + count);
  }
  bool node_strings = false;  ///< edges are pairs of neighbours in lists of nodes, not all of them sides of triangles
};

/// Adds a line to the remarks, where somebody listens.
void remark(MeshReadOptions const& options, std::string text);

/// Adds a quadrilateral as two triangles. finished() chooses the diagonal, once all nodes are known.
void add_quadrilateral(FoundMesh& found, std::array<int, 4> const& nodes, int region, int line);

/// Checks and completes it. Reports errors by `fail(line, found, expected)` of the text.
MeshData finished(FoundMesh found, MeshText const& text, MeshReadOptions const& options);

/// True for a .msh file of FreeFEM: it begins with a number, one of Gmsh with "$".
bool is_freefem(MeshText const& text);
MeshData read_freefem(MeshText& text, MeshReadOptions const& options);
MeshData read_gmsh(MeshText& text, MeshReadOptions const& options);
MeshData read_medit(MeshText& text, MeshReadOptions const& options);
MeshData read_su2(MeshText& text, MeshReadOptions const& options);
MeshData read_xdmf(std::filesystem::path const& path, MeshReadOptions const& options);
MeshData read_selafin(std::filesystem::path const& path, MeshReadOptions const& options);
MeshData read_adcirc(MeshText& text, MeshReadOptions const& options);
MeshData read_cgns(std::filesystem::path const& path, MeshReadOptions const& options);
/// The fields of the last frame.
std::vector<NodalField> read_selafin_fields(std::filesystem::path const& path, std::size_t nodes);
std::vector<NodalField> read_adcirc_depth(MeshText& text, std::size_t nodes);
std::vector<NodalField> read_sol(MeshText& text, std::size_t nodes, std::size_t triangles);
std::vector<NodalField> read_xdmf_fields(std::filesystem::path const& path, std::size_t nodes, std::size_t triangles);

void write_gmsh_2_2(AtomicFile& file, MeshData const& mesh);
void write_gmsh_4_1(AtomicFile& file, MeshData const& mesh);
void write_medit(AtomicFile& file, MeshData const& mesh);
void write_su2(AtomicFile& file, MeshData const& mesh);
void write_xdmf(std::filesystem::path const& path, MeshData const& mesh, std::vector<NodalField> const& fields,
                Overwrite overwrite);
void write_selafin(std::filesystem::path const& path, MeshData const& mesh, std::vector<NodalField> const& fields,
                   MeshWriteOptions const& options);

/// The shortest decimal text that restores the value.
std::string shortest_digits(double value);

/// Shortest decimal texts of numbers, separated by blanks, ended by a line end.
class TextLine {
 public:
  TextLine& operator<<(std::string_view word);
  TextLine& operator<<(double value);
  TextLine& operator<<(std::int64_t value);
  TextLine& operator<<(int value) { return *this << std::int64_t{value}; }
  TextLine& operator<<(std::size_t value) { return *this << static_cast<std::int64_t>(value); }
  void end(AtomicFile& file);

 private:
  std::string line_;
};

/// Throws std::invalid_argument unless all indices, lengths and coordinates are valid.
void require_writable(MeshData const& mesh);
/// The same for a name: it must fit on a line and contain none of `forbidden`.
void require_name(std::string const& name, std::string_view forbidden, char const* format);

}  // namespace karman::detail
