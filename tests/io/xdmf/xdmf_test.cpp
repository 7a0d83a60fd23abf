// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/xdmf.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace xdmf_test {

using karman::ArrayExtents;
using karman::Overwrite;
using karman::ScalarType;
using karman::XdmfCenter;
using karman::XdmfDataset;
using karman::XdmfDocument;
using karman::XdmfRectilinearGrid;
using karman::XdmfUniformGrid;
using namespace karman::test;

/// The text between `before` and the next `after`, for every `before`.
std::vector<std::string> all(std::string const& text, std::string const& before, std::string const& after) {
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = text.find(before, at)) != std::string::npos;) {
    at += before.size();
    found.push_back(text.substr(at, text.find(after, at) - at));
  }
  return found;
}

/// A check of well-formedness. Elements are nested properly, attributes are quoted, and every bracket or ampersand is
/// part of the syntax.
testing::AssertionResult well_formed(std::string const& text) {
  auto const bad = [](std::string const& what) { return testing::AssertionFailure() << what; };
  std::string const declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  if (!text.starts_with(declaration)) return bad("no XML declaration");
  std::vector<std::string> open;
  std::size_t at = declaration.size();
  while (at < text.size()) {
    if (text[at] == '>') return bad("a stray bracket");
    if (text[at] == '&') {
      std::string const entity = text.substr(at, text.find(';', at) + 1 - at);
      if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;") return bad("a stray &");
    }
    if (text[at] != '<') {
      ++at;
      continue;
    }
    std::size_t const end = text.find('>', at);
    if (end == std::string::npos) return bad("an element without end");
    std::string const tag = text.substr(at + 1, end - at - 1);
    at = end + 1;
    if (tag.find('<') != std::string::npos) return bad("an element in an element");
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return bad("a quote that is not closed");
    if (std::count(tag.begin(), tag.end(), '"') != 2 * std::count(tag.begin(), tag.end(), '=')) return bad(tag);
    if (tag.front() == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return bad('<' + tag + '>');
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  if (!open.empty()) return bad(open.back() + " is not closed");
  return testing::AssertionSuccess();
}

XdmfDataset dataset(std::string const& name, ArrayExtents const& extents, ScalarType type = ScalarType::float32) {
  return {"wind.h5", name, type, extents};
}

TEST(Xdmf, DescribesAUniformGridSlowestIndexFirst) {
  XdmfDocument document;
  XdmfUniformGrid const grid{.cells = {5, 4, 3}, .spacing = {0.5, 1, 2}, .origin = {10, 20, 30}};
  document.add("wind", grid,
               {{"pressure", XdmfCenter::cell, dataset("/p", {3, 4, 5})},
                {"flags", XdmfCenter::cell, dataset("/flags", {3, 4, 5}, ScalarType::uint8)},
                {"velocity", XdmfCenter::cell, dataset("/v", {3, 4, 5, 3}, ScalarType::float64)},
                {"height", XdmfCenter::node, dataset("/z", {4, 5, 6})}});
  std::string const text = document.text();
  EXPECT_TRUE(well_formed(text)) << text;
  EXPECT_TRUE(contains(text, R"(<Topology TopologyType="3DCoRectMesh" Dimensions="4 5 6"/>)")) << text;
  EXPECT_TRUE(contains(text, R"(GeometryType="ORIGIN_DXDYDZ")"));
  EXPECT_TRUE(contains(text, ">30 20 10</DataItem>"));
  EXPECT_TRUE(contains(text, ">2 1 0.5</DataItem>"));
  EXPECT_TRUE(
      contains(text, R"(<DataItem Format="HDF" Dimensions="3 4 5" NumberType="Float" Precision="4">wind.h5:/p<)"));
  EXPECT_TRUE(contains(text, R"(Dimensions="3 4 5" NumberType="UChar" Precision="1">wind.h5:/flags<)"));
  EXPECT_EQ(all(text, "AttributeType=\"", "\""), (std::vector<std::string>{"Scalar", "Scalar", "Vector", "Scalar"}));
  EXPECT_EQ(all(text, "Center=\"", "\""), (std::vector<std::string>{"Cell", "Cell", "Cell", "Node"}));
}

TEST(Xdmf, DescribesRectilinearGrids) {
  XdmfDocument document;
  auto const axis = [](char const* name, std::size_t nodes) { return dataset(name, {nodes}, ScalarType::float64); };
  XdmfRectilinearGrid const grid{.x = axis("/x", 6), .y = axis("/y", 5), .z = axis("/z", 4)};
  document.add("wind", grid, {{"speed", XdmfCenter::cell, dataset("/u", {3, 4, 5})}});
  std::string const text = document.text();
  EXPECT_TRUE(well_formed(text)) << text;
  EXPECT_TRUE(contains(text, R"(<Topology TopologyType="3DRectMesh" Dimensions="4 5 6"/>)"));
  // The axes have the order x, y, z.
  EXPECT_EQ(all(text, "wind.h5:", "<"), (std::vector<std::string>{"/x", "/y", "/z", "/u"}));
}

TEST(Xdmf, DescribesSlicesPlanesAndSeries) {
  XdmfDocument document;
  XdmfUniformGrid const layer{.cells = {5, 4, 1}, .spacing = {1, 1, 2}, .origin = {0, 0, 30}};
  for (int step : {0, 10, 20}) {
    document.add_step("lambda", step, layer,
                      {{"lambda", XdmfCenter::cell, dataset("/watch/" + std::to_string(step), {4, 5})}});
  }
  XdmfRectilinearGrid const rectilinear{
      .x = dataset("/x", {6}), .y = dataset("/y", {5}), .z = {}, .two_dimensional = true};
  document.add_step("other", 0.25, rectilinear, {});
  document.add("plane", XdmfUniformGrid{.cells = {2, 1, 0}, .spacing = {0.5, 2, 1}, .origin = {1, 10, 0}},
               {{"wind", XdmfCenter::node, dataset("/wind", {2, 3, 3})}});
  std::string const text = document.text();
  EXPECT_TRUE(well_formed(text)) << text;
  EXPECT_EQ(all(text, "CollectionType=\"", "\"").size(), 2u);
  EXPECT_EQ(all(text, "<Time Value=\"", "\"/>"), (std::vector<std::string>{"0", "10", "20", "0.25"}));
  EXPECT_TRUE(contains(text, R"(<Topology TopologyType="3DCoRectMesh" Dimensions="2 5 6"/>)"));
  EXPECT_TRUE(contains(text, R"(Dimensions="1 4 5" NumberType="Float" Precision="4">wind.h5:/watch/10<)"));
  EXPECT_TRUE(contains(text, R"(<Topology TopologyType="2DRectMesh" Dimensions="2 3"/>)"));
  EXPECT_TRUE(contains(text, ">1 1.5 2</DataItem>") && contains(text, ">10 12</DataItem>"));
  EXPECT_TRUE(contains(text, R"(Dimensions="2 3 3" NumberType="Float" Precision="4">wind.h5:/wind<)"));
  EXPECT_TRUE(contains(text, R"(<Topology TopologyType="2DRectMesh" Dimensions="5 6"/>)"));
  EXPECT_TRUE(contains(text, R"(GeometryType="VXVY")"));
}

TEST(Xdmf, TrianglesWithValuesAtNodesAndInThem) {
  karman::XdmfTriangleGrid const grid{{"waves.h5", "/mesh/nodes", ScalarType::float64, {6, 2}},
                                      {"waves.h5", "/mesh/triangles", ScalarType::int32, {4, 3}}};
  XdmfDocument document;
  document.add("waves", grid,
               {{"height", XdmfCenter::node, dataset("/height", {6})},
                {"region", XdmfCenter::cell, dataset("/region", {4})},
                {"flux", XdmfCenter::node, dataset("/flux", {6, 3})}});
  document.add_step("surface", 0.25, grid, {});
  std::string const text = document.text();
  EXPECT_TRUE(well_formed(text)) << text;
  EXPECT_TRUE(contains(text, R"(<Topology TopologyType="Triangle" NumberOfElements="4">)"));
  EXPECT_TRUE(contains(text, R"(Dimensions="4 3" NumberType="Int" Precision="4">waves.h5:/mesh/triangles<)"));
  EXPECT_TRUE(contains(text, R"(<Geometry GeometryType="XY">)"));
  EXPECT_TRUE(contains(text, R"(Dimensions="6 2" NumberType="Float" Precision="8">waves.h5:/mesh/nodes<)"));
  EXPECT_TRUE(contains(text, R"(Name="flux" Center="Node" AttributeType="Vector")"));
  EXPECT_TRUE(contains(text, R"(<Time Value="0.25"/>)"));
  auto const add = [&](XdmfCenter center, std::size_t count) {
    document.add("g", grid, {{"a", center, dataset("/a", {count})}});
  };
  EXPECT_THROW(add(XdmfCenter::node, 4), std::invalid_argument);
  EXPECT_THROW(add(XdmfCenter::cell, 6), std::invalid_argument);
  karman::XdmfTriangleGrid swapped = grid;
  std::swap(swapped.nodes, swapped.triangles);
  EXPECT_THROW(document.add("g", swapped, {}), std::invalid_argument);
  EXPECT_EQ(document.text(), text);
}

TEST(Xdmf, EscapesNames) {
  XdmfDocument document;
  document.add("a<b>&\"c\"", XdmfUniformGrid{.cells = {1, 1, 1}},
               {{"höhe & co", XdmfCenter::cell, dataset("/p&q", {1, 1, 1})}});
  EXPECT_TRUE(well_formed(document.text())) << document.text();
  EXPECT_TRUE(contains(document.text(), "Name=\"a&lt;b&gt;&amp;&quot;c&quot;\""));
}

TEST(Xdmf, RefusesWhatDoesNotFit) {
  XdmfDocument document;
  XdmfUniformGrid const grid{.cells = {5, 4, 3}};
  auto const add = [&](XdmfCenter center, XdmfDataset const& data) { document.add("g", grid, {{"a", center, data}}); };
  EXPECT_THROW(add(XdmfCenter::cell, dataset("/a", {5, 4, 3})), std::invalid_argument) << "extents the wrong way round";
  EXPECT_THROW(add(XdmfCenter::node, dataset("/a", {3, 4, 5})), std::invalid_argument);
  EXPECT_THROW(add(XdmfCenter::cell, dataset("/a", {3, 4, 5, 2})), std::invalid_argument);
  EXPECT_THROW(add(XdmfCenter::cell, {}), std::invalid_argument);
  EXPECT_THROW(add(XdmfCenter::cell, dataset("/a", {4, 5})), std::invalid_argument) << "a plane for several layers";
  EXPECT_THROW(add(XdmfCenter::cell, {"/absolute/wind.h5", "/a", ScalarType::float32, {3, 4, 5}}),
               std::invalid_argument);
  EXPECT_THROW(add(XdmfCenter::cell, dataset("a", {3, 4, 5})), std::invalid_argument);
  EXPECT_THROW(document.add("g\n", grid, {}), std::invalid_argument);
  EXPECT_THROW(document.add("g", XdmfUniformGrid{.cells = {0, 4, 3}}, {}), std::invalid_argument);
  EXPECT_THROW(document.add("g", XdmfUniformGrid{.cells = {1, 1, 1}, .spacing = {std::nan(""), 1, 1}}, {}),
               std::invalid_argument);
  EXPECT_THROW(
      document.add("g", XdmfRectilinearGrid{.x = dataset("/x", {1}), .y = dataset("/y", {5}), .z = dataset("/z", {5})},
                   {}),
      std::invalid_argument);
  EXPECT_EQ(document.text(), XdmfDocument().text()) << "what was refused has left nothing behind";
}

TEST(Xdmf, DimensionsAreThoseOfTheDatasets) {
  TemporaryFolder const folder;
  std::vector<float> const values(60);
  {
    karman::Hdf5File file = karman::Hdf5File::create(folder / "wind.h5");
    file.write("/p", values.data(), {3, 4, 5});
    file.commit();
  }
  karman::Hdf5File const file = karman::Hdf5File::open(folder / "wind.h5");
  auto const info = file.info("/p");
  XdmfDocument document;
  document.add("wind", XdmfUniformGrid{.cells = {5, 4, 3}},
               {{"p", XdmfCenter::cell, {"wind.h5", "/p", info.type, info.extents}}});
  document.write(folder / "wind.xdmf");
  EXPECT_EQ(content(folder / "wind.xdmf"), document.text());
  EXPECT_THROW(document.write(folder / "wind.xdmf"), karman::FileError);
  document.write(folder / "wind.xdmf", Overwrite::yes);
  EXPECT_TRUE(
      contains(document.text(), R"(Dimensions="3 4 5" NumberType="Float" Precision="4">wind.h5:/p</DataItem>)"));
}

}  // namespace xdmf_test
