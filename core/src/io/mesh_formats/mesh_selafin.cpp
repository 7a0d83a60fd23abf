// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TELEMAC-2D user manual, appendix "SERAFIN format": mesh and fields in records of Fortran.
#include "mesh_selafin.hpp"

#include "fortran_records.hpp"
#include "io/files/plain_text.hpp"
#include <karman/io/error.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

namespace karman::detail {
namespace {

constexpr std::size_t title_bytes = 80, name_bytes = 16, variable_bytes = 32;
constexpr std::size_t parameters = 10;

/// A SELAFIN file up to its frames.
class SelafinReading {
 public:
  SelafinReading(std::filesystem::path const& path, std::size_t most_bytes) : records_(path, most_bytes, title_bytes) {
    records_.read("the title", title_bytes);
    records_.read("the numbers of variables", 8);
    std::int32_t const linear = records_.integer(0), quadratic = records_.integer(1);
    if (linear < 0 || quadratic < 0 || quadratic > most_variables || linear > most_variables)
      records_.fail(std::to_string(linear) + " and " + std::to_string(quadratic),
                    "0 to " + std::to_string(most_variables) + " variables");
    for (std::int32_t v = 0; v < linear + quadratic; ++v) {
      records_.read("the name of a variable", variable_bytes);
      names_.emplace_back(without_blanks(records_.bytes().substr(0, name_bytes)));
    }
    records_.read("the parameters", 4 * parameters);
    origin_ = {static_cast<double>(records_.integer(2)), static_cast<double>(records_.integer(3))};
    std::int32_t const planes = records_.integer(6);
    bool const dated = records_.integer(9) == 1;
    if (planes > 1) records_.fail(std::to_string(planes) + " planes", "a mesh in the plane");
    if (dated) records_.read("the date", 24);
    records_.read("the sizes of the mesh", 16);
    triangles_ = size_at(0, "triangles");
    nodes_ = size_at(1, "nodes");
    if (std::int32_t const corners = records_.integer(2); corners != 3)
      records_.fail(std::to_string(corners) + " nodes per element", "3, a mesh of triangles");
  }

  /// Reads the mesh, without its boundaries.
  void mesh(FoundMesh& found) {
    found.mesh.triangles.resize(triangles_);
    records_.each<std::uint32_t>(
        "the nodes of the triangles", 12 * std::uint64_t{triangles_}, [&](std::size_t i, std::uint32_t bits) {
          if (bits < 1 || bits > nodes_)
            records_.fail(std::to_string(bits), "the number of a node, 1 to " + std::to_string(nodes_));
          found.mesh.triangles[i / 3][i % 3] = static_cast<int>(bits - 1);
        });
    found.mesh.regions.assign(triangles_, 1);
    records_.skip("the numbers of the boundary nodes", 4 * std::uint64_t{nodes_});
    found.mesh.nodes.resize(nodes_);
    for (std::size_t axis : {0, 1}) {
      char const* const what = axis == 0 ? "the x of the nodes" : "the y of the nodes";
      if (axis == 0) find_width(what);
      records_.each_real(what, nodes_, width_,
                         [&](std::size_t n, double value) { found.mesh.nodes[n][axis] = origin_[axis] + value; });
    }
  }

  /// The fields of the last frame.
  std::vector<NodalField> fields() {
    FoundMesh ignored;
    mesh(ignored);
    std::uint64_t const frame = (width_ + 8) + names_.size() * (width_ * std::uint64_t{nodes_} + 8);
    std::uint64_t const frames = records_.bytes_left() / frame;
    if (names_.empty() || frames == 0) records_.fail("no frames", "values of variables");
    records_.seek(records_.position() + (frames - 1) * frame);
    records_.read("the time of a frame", width_);
    std::vector<NodalField> result;
    for (std::string const& name : names_) {
      if (!is_utf8(name)) records_.fail('"' + name + '"', "a name in UTF-8");
      NodalField field{name, 1, std::vector<double>(nodes_)};
      records_.each_real("the values of " + name, nodes_, width_, [&](std::size_t n, double value) {
        if (!std::isfinite(value)) records_.fail("a value that is not finite", "finite numbers");
        field.values[n] = value;
      });
      result.push_back(std::move(field));
    }
    return result;
  }

  std::size_t nodes() const { return nodes_; }
  FortranRecords const& records() const { return records_; }

 private:
  static constexpr std::int32_t most_variables = 10'000;

  /// A number of nodes or triangles, for which the rest of the file is long enough.
  std::size_t size_at(std::size_t index, char const* what) const {
    std::int32_t const number = records_.integer(index);
    std::uint64_t const room = records_.bytes_left() / 12;  // three numbers each, at least
    if (number < 1 || static_cast<std::uint64_t>(number) > room)
      records_.fail(std::to_string(number) + ' ' + what, "1 to " + std::to_string(room) + " for this file size");
    return static_cast<std::size_t>(number);
  }

  /// Titles name the precision, but not in all files. The length of the first record of coordinates gives it.
  void find_width(char const* what) {
    std::uint64_t const length = records_.next_length(what);
    width_ = length == 8 * std::uint64_t{nodes_} ? 8 : 4;
  }

  FortranRecords records_;
  std::vector<std::string> names_;
  std::array<double, 2> origin_{};
  std::size_t triangles_ = 0, nodes_ = 0, width_ = 4;
};

/// Names of variables: upper case, and a unit in the other half.
void require_variables(MeshData const& mesh, std::vector<NodalField> const& fields) {
  std::set<std::string> names;
  for (NodalField const& field : fields) {
    require_name(field.name, "", "SELAFIN");
    if (field.name.size() > name_bytes)
      throw std::invalid_argument("write_mesh: SELAFIN holds 16 bytes of a name, not \"" + field.name + '"');
    if (!names.insert(field.name).second)
      throw std::invalid_argument("write_mesh: two fields of the name \"" + field.name + '"');
    if (field.components != 1 || field.values.size() != mesh.nodes.size())
      throw std::invalid_argument("write_mesh: the field \"" + field.name + "\" needs one value per node");
  }
}

}  // namespace

MeshData read_selafin(std::filesystem::path const& path, MeshReadOptions const& options) {
  SelafinReading reading(path, options.most_bytes);
  FoundMesh found;
  reading.mesh(found);
  std::filesystem::path const boundaries = boundary_file(path);
  if (std::filesystem::exists(boundaries)) {
    MeshText text(boundaries, options.most_bytes, '#');
    read_boundary_file(text, found);
  } else {
    remark(options, "no file " + boundaries.filename().string() + " beside the mesh: its boundary has no labels");
  }
  return finished(std::move(found), MeshText(path.string(), ""), options);
}

std::vector<NodalField> read_selafin_fields(std::filesystem::path const& path, std::size_t nodes) {
  SelafinReading reading(path, MeshReadOptions{}.most_bytes);
  if (reading.nodes() != nodes)
    reading.records().fail(std::to_string(reading.nodes()) + " nodes", std::to_string(nodes) + ", as the mesh has");
  return reading.fields();
}

void write_selafin(std::filesystem::path const& path, MeshData const& mesh, std::vector<NodalField> const& fields,
                   MeshWriteOptions const& options) {
  require_variables(mesh, fields);
  if (mesh.triangles.empty()) throw std::invalid_argument("write_mesh: SELAFIN needs triangles");
  std::size_t const width = options.single_precision ? 4 : 8;
  AtomicFile file(path, options.overwrite), boundaries(boundary_file(path), options.overwrite);
  FortranRecord record;
  record.text("", title_bytes - 8).text(options.single_precision ? "SERAFIN " : "SERAFIND", 8).end(file);
  record.integer(static_cast<std::int32_t>(fields.size())).integer(0).end(file);
  for (NodalField const& field : fields) record.text(field.name, variable_bytes).end(file);
  record.integer(1);
  for (std::size_t i = 1; i < parameters; ++i) record.integer(0);
  record.end(file);
  record.integer(static_cast<std::int32_t>(mesh.triangles.size()))
      .integer(static_cast<std::int32_t>(mesh.nodes.size()));
  record.integer(3).integer(1).end(file);
  for (auto const& nodes : mesh.triangles) {
    for (int const n : nodes) record.integer(n + 1);
  }
  record.end(file);
  std::vector<std::int32_t> place(mesh.nodes.size(), 0);
  std::int32_t next = 1;
  for (auto const& ring : boundary_rings(mesh)) {
    for (int const n : ring) {
      if (auto& number = place[static_cast<std::size_t>(n)]; number == 0) number = next++;
    }
  }
  for (std::int32_t const number : place) record.integer(number);
  record.end(file);
  for (std::size_t axis : {0, 1}) {
    for (auto const& node : mesh.nodes) record.real(node[axis], width);
    record.end(file);
  }
  if (!fields.empty()) record.real(0, width).end(file);
  for (NodalField const& field : fields) {
    for (double const value : field.values) record.real(value, width);
    record.end(file);
  }
  write_boundary_file(boundaries, mesh);
  file.commit();
  boundaries.commit();
}

}  // namespace karman::detail
