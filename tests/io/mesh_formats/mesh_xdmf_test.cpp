// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/damaged_file.hpp"
#include "io/expect_message.hpp"
#include "io/hdf5_leaks.hpp"
#include "sample_mesh.hpp"
#include <karman/io/hdf5_file.hpp>
#include <karman/mesh/mesh_generators.hpp>

#include <limits>
#include <random>
#include <stdexcept>

namespace mesh_xdmf_test {

using namespace karman;
using namespace karman::test;

TEST(MeshXdmf, ComesBackBitForBit) {
  TemporaryFolder const folder;
  for (MeshData const& mesh : {sample_mesh(), mesh_harbour({}), mesh_annulus({})}) {
    write_mesh(folder / "a.xdmf", mesh, {.overwrite = Overwrite::yes});
    expect_same(read_mesh(folder / "a.xdmf"), mesh);
  }
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.h5", "a.xdmf"}));
  EXPECT_THROW(write_mesh(folder / "a.xdmf", sample_mesh()), FileError) << "it exists";
}

TEST(MeshXdmf, SaysWhereTheNumbersAre) {
  TemporaryFolder const folder;
  write_mesh(folder / "a.xdmf", sample_mesh());
  EXPECT_EQ(content(folder / "a.xdmf"), R"(<?xml version="1.0" encoding="UTF-8"?>
<Xdmf Version="3.0">
  <Domain>
    <Grid Name="mesh" GridType="Uniform">
      <Topology TopologyType="Triangle" NumberOfElements="4">
        <DataItem Format="HDF" Dimensions="4 3" NumberType="Int" Precision="4">a.h5:/mesh/triangles</DataItem>
      </Topology>
      <Geometry GeometryType="XY">
        <DataItem Format="HDF" Dimensions="5 2" NumberType="Float" Precision="8">a.h5:/mesh/nodes</DataItem>
      </Geometry>
      <Attribute Name="region" Center="Cell" AttributeType="Scalar">
        <DataItem Format="HDF" Dimensions="4" NumberType="Int" Precision="4">a.h5:/mesh/regions</DataItem>
      </Attribute>
    </Grid>
  </Domain>
</Xdmf>
)");
}

TEST(MeshXdmf, HoldsFields) {
  TemporaryFolder const folder;
  std::vector<NodalField> const fields{{"height & all", 1, {1, 2, 3, 4, 5.5}},
                                       {"flux", 2, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}};
  write_mesh(folder / "a.xdmf", sample_mesh(), fields);
  auto const read = read_fields(folder / "a.xdmf", 5);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].name, "height & all");
  EXPECT_EQ(read[0].values, fields[0].values);
  EXPECT_EQ(read[1].components, 3);
  EXPECT_EQ(read[1].values, (std::vector<double>{1, 2, 0, 3, 4, 0, 5, 6, 0, 7, 8, 0, 9, 10, 0}));
  EXPECT_THROW(read_fields(folder / "a.xdmf", 4), CaseError);
  auto const refuse = [&](NodalField const& field) {
    EXPECT_THROW(write_mesh(folder / "b.xdmf", sample_mesh(), {field}), std::invalid_argument);
    EXPECT_EQ(folder.names().size(), 2u);
  };
  refuse({"a", 1, {1, 2}});
  refuse({"a/b", 1, {1, 2, 3, 4, 5}});
  refuse({"", 1, {1, 2, 3, 4, 5}});
  refuse({"a", 6, std::vector<double>(30)});
  EXPECT_THROW(write_mesh(folder / "b.xdmf", sample_mesh(), {fields[0], fields[0]}), std::invalid_argument);
  EXPECT_EQ(folder.names().size(), 2u);
  EXPECT_THROW(write_mesh(folder / "b.h5", sample_mesh(), fields, {.format = MeshFormat::xdmf}), std::invalid_argument);
  EXPECT_EQ(folder.names().size(), 2u) << "the text would be in the place of the numbers";
  EXPECT_THROW(write_mesh(folder / "b.msh", sample_mesh(), fields), std::invalid_argument);
}

std::string const in_the_text = R"(<?xml version="1.0"?>
<!DOCTYPE Xdmf SYSTEM "Xdmf.dtd" []>
<!-- two triangles -->
<Xdmf Version="2.0"><Domain>
  <Grid Name="lines"><Topology TopologyType="Polyline"/></Grid>
  <Grid Name='mesh &amp; all'>
    <Topology Type="TRIANGLE" NumberOfElements="2" BaseOffset="1">
      <DataItem Dimensions="2 3" NumberType="Int">1 2 3
        1 3 4</DataItem>
    </Topology>
    <Geometry Type="XYZ"><DataItem Format="XML" Dimensions="4 3">0 0 5  1 0 5  1 1 5  0 1 5</DataItem></Geometry>
    <Attribute Name="Region" Center="Cell"><DataItem Dimensions="2">7 8</DataItem></Attribute>
    <Attribute Name="h"><DataItem Dimensions="4">1 2 3 4e0</DataItem></Attribute>
  </Grid>
</Domain></Xdmf>
)";

std::string const good_text = replaced(in_the_text, " []", "");

TEST(MeshXdmf, ReadsNumbersInTheText) {
  TemporaryFolder const folder;
  put(folder / "a.xmf", good_text);
  std::vector<std::string> remarks;
  MeshReadOptions options;
  options.remarks = &remarks;
  MeshData const mesh = read_mesh(folder / "a.xmf", options);
  EXPECT_EQ(remarks, std::vector<std::string>{"grid \"lines\" passed over"});
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(mesh.nodes[3], (std::array<double, 2>{0, 1}));
  EXPECT_EQ(mesh.regions, (std::vector<int>{7, 8}));
  auto const fields = read_fields(folder / "a.xmf", 4);
  ASSERT_EQ(fields.size(), 1u);
  EXPECT_EQ(fields[0].values, (std::vector<double>{1, 2, 3, 4}));
}

TEST(MeshXdmf, ReadsOtherNumberTypes) {
  TemporaryFolder const folder;
  std::vector<std::uint64_t> const triangles{0, 1, 2, 0, 2, 3};
  std::vector<float> const nodes{0, 0, 1, 0, 1, 1, 0, 1};
  {
    Hdf5File file = Hdf5File::create(folder / "n.h5");
    file.write("/data0", nodes.data(), {4, 2});
    file.write("/data1", triangles.data(), {2, 3});
    file.commit();
  }
  std::string const text = R"(<Xdmf><Domain><Grid><Geometry GeometryType="XY">
    <DataItem DataType="Float" Dimensions="4 2" Format="HDF" Precision="4">n.h5:/data0</DataItem></Geometry>
    <Topology TopologyType="Triangle"><DataItem Dimensions="2 3" Format="HDF">
      n.h5:/data1
    </DataItem></Topology></Grid></Domain></Xdmf>)";
  put(folder / "a.xdmf", text);
  MeshData const mesh = read_mesh(folder / "a.xdmf");
  EXPECT_EQ(mesh.triangles.size(), 2u);
  EXPECT_EQ(mesh.regions, (std::vector<int>{1, 1}));
  auto const message = [&](std::string const& from, std::string const& to) {
    put(folder / "b.xdmf", replaced(text, from, to));
    return message_of<std::runtime_error>([&] { read_mesh(folder / "b.xdmf"); });
  };
  EXPECT_TRUE(contains(message("n.h5:/data1", "n.h5:/data0"), "/data0 of float32: expected whole numbers"));
  EXPECT_TRUE(contains(message("n.h5:/data1", "n.h5:/data7"), "no such object"));
  EXPECT_TRUE(contains(message("n.h5:/data1", "m.h5:/data1"), "m.h5"));
  EXPECT_TRUE(contains(message("n.h5:/data1", "../n.h5:/data1"), "expected an HDF5 file in the folder of this one"));
  EXPECT_TRUE(contains(message("n.h5:/data1", "/n.h5:/data1"), "expected an HDF5 file in the folder of this one"));
  EXPECT_TRUE(contains(message("n.h5:/data1", "n.h5:/data1/"), "a name in an HDF5 file"));
  EXPECT_TRUE(contains(message("\"2 3\"", "\"3 3\""), ":3: 6 numbers: expected the count in Dimensions"));
}

TEST(MeshXdmf, NamesWhatIsWrongWithItsLine) {
  TemporaryFolder const folder;
  struct Wrong {
    char const *from, *to, *says;
  };
  Wrong const all[] = {
      {"\"Xdmf.dtd\"", "\"Xdmf.dtd\" [<!ENTITY a \"b\">]", ":2: a document type with definitions"},
      {"\"Xdmf.dtd\"", "\"Xdmf.dtd\" [ %a; ]", ":2: a document type with definitions"},
      {"\"Xdmf.dtd\"", "\"Xdmf.dtd\" [", ":2: a document type with definitions"},
      {"<Xdmf Version", "<Xml Version", ":15: </Xdmf>: expected well-formed XML (Start-end tags mismatch)"},
      {"Type=\"TRIANGLE\"", "Type=\"TRIANGLE", ":7: <Topology Type="},
      {"Name='mesh", "Name='g' Name='mesh", ":6: attribute Name: expected every attribute once"},
      {"<Domain>", "<Domain><![CDATA[1", "expected well-formed XML"},
      {"<Domain>", "<Domain>&#128;", ":4: &#128: expected one of the entities"},
      {"<Domain>", "<Domain>&#0;", ":4: &#0: expected one of the entities"},
      {"<Domain>", "<Domain>&#x26;", ":4: &#x26: expected one of the entities"},
      {"</Xdmf>", "</Xdmf>\n<Xdmf/>", ":16: more than <Xdmf>: expected one element"},
      {"</Xdmf>", "</Xdmf>\nmore", ":15: more than <Xdmf>: expected one element"},
      {"<!-- two", "before <!-- two", ":2: more than <Xdmf>: expected one element"},
      {"</Domain>", "</Domain", ":15: </Domain"},
      {"-- two triangles --", "-- two triangles", "expected well-formed XML"},
      {"\"2 3\"", "\"2 4\"", ":9: end of the DataItem: expected a whole number"},
      {"\"2 3\"", "\"2147483648 3\"", ":8: \"2147483648\": expected Dimensions"},
      {"\"2 3\"", "\"2147483647 2147483647 2147483647 2147483647\"", "expected Dimensions within the number of values"},
      {"\"2 3\"", "\"\"", ":8: no Dimensions"},
      {"1 3 4</DataItem>", "1 3 5</DataItem>",
       ":8: triangle 2 with nodes 1 3 5 (counted from 1): expected three of the 4"},
      {"1 3 4</DataItem>", "1 3 0</DataItem>", ":8: 0: expected the number of a node, from 1"},
      {"1 3 4</DataItem>", "1 3 x</DataItem>", ":9: \"x\": expected a whole number"},
      {"1 3 4</DataItem>", "1 3</DataItem>", ":9: end of the DataItem: expected a whole number"},
      {"1 3 4</DataItem>", "1 3 4 4</DataItem>", ":8: more numbers"},
      {"BaseOffset=\"1\"", "BaseOffset=\"2\"", ":7: \"2\": expected BaseOffset 0 or 1"},
      {"\"XYZ\"", "\"X_Y_Z\"", ":11: x_y_z: expected a Geometry of the type XY or XYZ"},
      {"1 1 5", "1 1 6", ":11: z = 6 of node 3"},
      {"\"2 3\"", "\"2 3 1 1 1\"", ":8: 2 3 1 1 1: expected four Dimensions at most"},
      {"1 1 5", "1 inf 5", ":11: \"inf\": expected a number"},
      {"&amp;", "&unknown;", ":6: &unknown"},
      {">7 8<", ">7<", ":12: 2: expected Dimensions within the number of values"},
      {"Format=\"XML\"", "Format=\"Binary\"", ":11: Binary: expected Format HDF or XML"},
      {"Format=\"XML\"", "Format=\"HDF\"", ":11: "},
      {"Format=\"XML\"", "Reference=\"XML\"", "expected an absolute path such as /Xdmf/Domain/Grid[1]/"},
  };
  for (Wrong const& wrong : all) {
    put(folder / "a.xmf", replaced(good_text, wrong.from, wrong.to));
    std::string const message = message_of<CaseError>([&] { read_mesh(folder / "a.xmf"); });
    EXPECT_TRUE(is_one_line(message) && contains(message, wrong.says)) << wrong.to << ": " << message;
  }
  std::string deep = "<Xdmf>";
  for (int i = 0; i < 100'000; ++i) deep += "<Grid>";
  put(folder / "a.xmf", deep);
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_mesh(folder / "a.xmf"); }), "more than 64 elements"));
}

/// A document whose second grid refers to the numbers of the domain and to parts of the first grid.
std::string const referring = R"(<Xdmf Version="3.0"><Domain>
<DataItem Name="cells" Dimensions="2 3" Format="XML">0 1 2 0 2 3</DataItem>
<DataItem Name="points" Dimensions="4 2" Format="XML">0 0 1 0 1 1 0 1</DataItem>
<Grid Name="steps" GridType="Collection"><Grid Name="t0">
<Topology TopologyType="Triangle"><DataItem Reference="XML">
  /Xdmf/Domain/DataItem[@Name="cells"]
</DataItem></Topology>
<Geometry GeometryType="XY"><DataItem Reference="/Xdmf/Domain/DataItem[2]"/></Geometry>
<Attribute Name="region" Center="Cell"><DataItem Name="r" Dimensions="2">7 8</DataItem></Attribute>
<Attribute Name="depth"><DataItem Dimensions="4">1 2 3 4</DataItem></Attribute>
</Grid><Grid Name="sides">
<Topology TopologyType="Polyline"><DataItem Dimensions="1 2">0 1</DataItem></Topology>
<Geometry Reference="XML">/Xdmf/Domain/Grid/Grid[@Name='t0'][1]/Geometry</Geometry>
<Attribute Name="f" Center="Cell"><DataItem Dimensions="1">5</DataItem></Attribute>
</Grid></Grid></Domain></Xdmf>
)";

TEST(MeshXdmf, FollowsReferences) {
  TemporaryFolder const folder;
  put(folder / "a.xdmf", referring);
  MeshData const mesh = read_mesh(folder / "a.xdmf");
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(mesh.nodes, (std::vector<std::array<double, 2>>{{0, 0}, {1, 0}, {1, 1}, {0, 1}}));
  EXPECT_EQ(mesh.regions, (std::vector<int>{7, 8}));
  EXPECT_EQ(mesh.edges, (std::vector<std::array<int, 2>>{{0, 1}})) << "a grid at the same nodes";
  EXPECT_EQ(mesh.edge_labels, std::vector<int>{5});
  // A later step refers to the topology and geometry of the first one, and an attribute to that of another.
  put(folder / "a.xdmf", replaced(replaced(referring, "<Grid Name=\"sides\">",
                                           "<Grid Name=\"t1\"><Topology Reference=\"/Xdmf/Domain/Grid/Grid/Topology\"/>"
                                           "<Geometry Reference=\"/Xdmf/Domain/Grid/Grid/Geometry\"/></Grid>"
                                           "<Grid Name=\"sides\">"),
                                  "<DataItem Dimensions=\"4\">1 2 3 4</DataItem>",
                                  "<DataItem Reference=\"XML\">/Xdmf/Domain/Grid/Grid/Attribute[@Name=\"region\"]"
                                  "/DataItem</DataItem>"));
  EXPECT_EQ(read_mesh(folder / "a.xdmf").triangles, mesh.triangles);
  EXPECT_EQ(read_fields(folder / "a.xdmf", 2).at(0).values, (std::vector<double>{7, 8}));
  struct Wrong {
    char const *from, *to, *says;
  };
  for (Wrong const& wrong : std::initializer_list<Wrong>{
           {"[@Name=\"cells\"]", "[@Name=\"cell\"]",
            ":5: \"/Xdmf/Domain/DataItem[@Name=\"cell\"]\": expected the path of an"},
           {"DataItem[2]", "DataItem[3]", ":8: \"/Xdmf/Domain/DataItem[3]\": expected the path of an element"},
           {"DataItem[2]", "DataItem[0]", "expected an absolute path such as"},
           {"DataItem[2]", "DataItem[2", "expected an absolute path such as"},
           {"DataItem[2]", "DataItem[@Name]", "expected an absolute path such as"},
           {"\"/Xdmf/Domain/DataItem[2]\"", "\"//DataItem\"", "\"//DataItem\": expected an absolute path such as"},
           {"\"/Xdmf/Domain/DataItem[2]\"", "\"count(//*)\"", "expected an absolute path such as"},
           {"\"/Xdmf/Domain/DataItem[2]\"", "\"/Xdmf/Domain\"", "expected the path of a DataItem"},
           {"\"/Xdmf/Domain/DataItem[2]\"", "\"/Xdmf/Domain/Grid/Grid/Geometry/DataItem\"", "a chain of references"}}) {
    put(folder / "a.xdmf", replaced(referring, wrong.from, wrong.to));
    std::string const message = message_of<CaseError>([&] { read_mesh(folder / "a.xdmf"); });
    EXPECT_TRUE(is_one_line(message) && contains(message, wrong.says)) << wrong.to << ": " << message;
  }
}

TEST(MeshXdmf, TakesWhatFilesOfOthersHave) {
  TemporaryFolder const folder;
  auto const expect_read = [&](std::string const& text) {
    put(folder / "a.xmf", text);
    MeshData const mesh = read_mesh(folder / "a.xmf");
    EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}})) << text;
    EXPECT_EQ(mesh.regions, (std::vector<int>{7, 8})) << text;
  };
  expect_read("\xef\xbb\xbf" + good_text);
  expect_read(replaced(good_text, "<?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>"));
  expect_read(in_the_text);
  expect_read(replaced(in_the_text, "[]", "[ \n]"));
  expect_read(replaced(good_text, "<Domain>", "<Domain><![CDATA[ & <b> ]]>"));
  expect_read(replaced(good_text, "two triangles", "two & <b> triangles &x;"));
  expect_read(replaced(good_text, "1 2 3\n", "1 2<!-- of three\n -->&#32;3\r\n"));
  expect_read(replaced(good_text, "mesh &amp; all", "&lt;&gt;&quot;&apos;&#65; \xc3\xa9"));
  expect_read(good_text + "<!-- the end -->\n");
  std::string inside = good_text;
  // 62 around the grid, the DataItems are the 65th.
  for (int i = 0; i < 60; ++i)
    inside = replaced(replaced(inside, "<Domain>", "<D><Domain>"), "</Domain>", "</Domain></D>");
  expect_read(inside);
  put(folder / "a.xmf", replaced(replaced(inside, "<Domain>", "<D><Domain>"), "</Domain>", "</Domain></D>"));
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_mesh(folder / "a.xmf"); }), "more than 64 elements"));
  std::string const zero = replaced(good_text, "two triangles", std::string("two\n") + '\0' + "triangles");
  put(folder / "a.xmf", zero);
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_mesh(folder / "a.xmf"); }), ":4: a zero byte"));
}

/// A document around grids at the nodes of the unit square and of a triangle at its right.
std::string document(std::string const& topology, std::string const& more = "", std::string const& grids = "") {
  return "<Xdmf xmlns:xi=\"https://www.w3.org/2001/XInclude\"><Domain><Grid Name=\"mesh\">\n<Geometry "
         "GeometryType=\"XY\">"
         "<DataItem Dimensions=\"5 2\">0 0 1 0 1 1 0 1 2 0</DataItem></Geometry>\n" +
         topology + more + "</Grid>\n" + grids + "</Domain></Xdmf>\n";
}
std::string cells(std::string const& type, std::string const& extents, std::string const& numbers) {
  return "<Topology TopologyType=\"" + type + "\"><DataItem Dimensions=\"" + extents + "\">" + numbers +
         "</DataItem></Topology>\n";
}
std::string labels(std::string const& name, std::string const& extents, std::string const& numbers) {
  return "<Attribute Name=\"" + name + "\" Center=\"Cell\"><DataItem Dimensions=\"" + extents + "\">" + numbers +
         "</DataItem></Attribute>\n";
}
/// A grid of labels, as dolfinx writes it.
std::string tags(std::string const& name, std::string const& topology, std::string const& values) {
  return "<Grid Name=\"" + name + "\"><xi:include xpointer=\"xpointer(/Xdmf/Domain/Grid/Geometry)\"/>\n" + topology +
         values + "</Grid>\n";
}

TEST(MeshXdmf, ReadsQuadrilaterals) {
  MeshData const mesh =
      read_text("a.xdmf", document(cells("Quadrilateral", "1 4", "0 1 2 3"), labels("region", "1", "4")));
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(mesh.regions, (std::vector<int>{4, 4}));
}

TEST(MeshXdmf, ReadsTopologiesOfSeveralKinds) {
  // A point, two lines, a quadrilateral, a triangle, a line of second order whose middle is node 4.
  std::string const topology = cells("Mixed", "23", "1 1 0 2 2 0 1 2 2 1 4 5 0 1 2 3 4 1 4 2 2 2 3");
  std::string const text =
      document(replaced(topology, "2 2 3<", "2 2 3 2<"), labels("gmsh:physical", "6", "9 1 2 7 8 3"));
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_text("a.xdmf", text); }), "more numbers"));
  MeshData const mesh =
      read_text("a.xdmf", document(replaced(replaced(topology, "\"23\"", "\"24\""), "2 2 3<", "2 2 3 2<"),
                                   labels("gmsh:physical", "6", "9 1 2 7 8 3")));
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}, {1, 4, 2}}));
  EXPECT_EQ(mesh.regions, (std::vector<int>{7, 7, 8}));
  EXPECT_EQ(mesh.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 4}, {2, 3}}));
  EXPECT_EQ(mesh.edge_labels, (std::vector<int>{1, 2, 3}));
  auto const refusal = [](std::string const& numbers, std::string const& count) {
    return message_of<CaseError>([&] { read_text("a.xdmf", document(cells("Mixed", count, numbers))); });
  };
  EXPECT_TRUE(contains(refusal("4 0 1 2 6 0 1 2 3", "9"), ":3: cells of kind 6: expected points, lines, triangles"));
  EXPECT_TRUE(contains(refusal("4 0 1 2 4 0 1", "7"), ":3: the end of the cells: expected all nodes of the last cell"));
  EXPECT_TRUE(contains(refusal("4 0 1 2 2", "5"), ":3: the end of the cells"));
  EXPECT_TRUE(contains(refusal("4 0 1 2 2 3 0 1 2", "9"), ":3: 3 nodes of a point or line: expected one of a point"));
  EXPECT_TRUE(contains(refusal("2 2 0 1", "4"), "no triangles"));
}

TEST(MeshXdmf, ReadsTagsOfFacetsAndCells) {
  std::string const mesh_cells = cells("Triangle", "3 3", "0 1 2 0 2 3 1 4 2");
  std::string const facets =
      tags("facets", cells("PolyLine", "4 2", "0 1 4 1 2 3 0 2"), labels("facets", "4 1", "5 6 7 8"));
  std::string const regions = tags("cells", cells("Triangle", "2 3", "2 3 0 2 1 0"), labels("cells", "2 1", "3 2"));
  std::string const field = "<Grid GridType=\"Collection\"><Grid Name=\"u\"><xi:include xpointer=\"all\"/>" +
                            labels("u", "3", "1 2 3") + "</Grid></Grid>";
  MeshData const mesh = read_text("a.xdmf", document(mesh_cells, "", facets + regions + field));
  EXPECT_EQ(mesh.edges, (std::vector<std::array<int, 2>>{{0, 1}, {1, 4}, {2, 3}})) << "0 to 2 lies inside";
  EXPECT_EQ(mesh.edge_labels, (std::vector<int>{5, 6, 7}));
  EXPECT_EQ(mesh.regions, (std::vector<int>{2, 3, 1})) << "by their nodes";
  std::string const geometry =
      "<Geometry GeometryType=\"XY\"><DataItem Dimensions=\"5 2\">0 0 1 0 1 1 0 1 2 0</DataItem></Geometry>";
  std::string const repeated =
      replaced(facets, "<xi:include xpointer=\"xpointer(/Xdmf/Domain/Grid/Geometry)\"/>", geometry);
  EXPECT_EQ(read_text("a.xdmf", document(mesh_cells, "", repeated)).edge_labels, mesh.edge_labels);
  EXPECT_TRUE(contains(message_of<CaseError>([&] {
                         read_text("a.xdmf", document(mesh_cells, "", replaced(facets, "\"4 1\"", "\"3 1\"")));
                       }),
                       "more numbers"));
  std::string const fewer = replaced(replaced(facets, "\"4 1\"", "\"3 1\""), "5 6 7 8", "5 6 7");
  EXPECT_TRUE(contains(message_of<CaseError>([&] { read_text("a.xdmf", document(mesh_cells, "", fewer)); }),
                       ":7: 3 labels: expected one per cell, 4"));
}

TEST(MeshXdmf, ReadsTheNamesOfMeshio) {
  std::string const names =
      "<Information Name=\"Information\" Value=\"2\"><![CDATA[<main><map dim=\"1\" key=\"quay\">5</map>"
      "<map dim=\"2\" key=\"water\">1</map><map dim=\"0\" key=\"corner\">3</map></main>]]></Information>\n";
  MeshData const mesh = read_text("a.xdmf", document(cells("Triangle", "1 3", "0 1 2"), names));
  EXPECT_EQ(mesh.boundary_names, (std::map<int, std::string>{{5, "quay"}}));
  EXPECT_EQ(mesh.region_names, (std::map<int, std::string>{{1, "water"}}));
  for (auto const& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {">5<", ">x<"}, {"dim=\"1\"", "dim=\"4\""}, {"</map><map dim=\"2\"", "</mop><map dim=\"2\""}}) {
    std::string const text = document(cells("Triangle", "1 3", "0 1 2"), replaced(names, from, to));
    EXPECT_TRUE(is_one_line(message_of<CaseError>([&] { read_text("a.xdmf", text); }))) << to;
  }
}

TEST(MeshXdmf, NeverDoesHarm) {
  DamagedFile file("a.xmf");
  auto const refusal = [&](std::string const& text) {
    // HDF5 files that are not there are FileErrors.
    return file.refusal<CaseError, FileError>(text, [](auto const& path) {
      MeshData const mesh = read_mesh(path);
      EXPECT_EQ(mesh.regions.size(), mesh.triangles.size());
    });
  };
  for (std::size_t at = 0; at + 1 < good_text.size(); ++at) EXPECT_NE(refusal(good_text.substr(0, at)), "") << at;
  std::mt19937 random(17);
  for (int i = 0; i < 4000; ++i) refusal(damaged(good_text, 2, "0123456789<>/=\"&; \n-x", random));
  // An entity that ends with the file, in a text and in an attribute.
  for (char const* end : {"&amp", "&", "&#38", "&lt"}) {
    for (char const* start : {"<Xdmf>\n<Domain>", "<Xdmf>\n<Domain Name='", "<Xdmf>\n<Domain Name=\""}) {
      EXPECT_TRUE(contains(refusal(std::string(start) + end), ":2: " + std::string(end) + ": expected one of the"));
    }
  }
}

TEST(MeshHdf5, ChecksWhatItReads) {
  TemporaryFolder const folder;
  auto const message = [&](auto change) {
    {
      MeshData mesh = sample_mesh();
      Hdf5File file = Hdf5File::create(folder / "a.h5", Overwrite::yes);
      write_mesh(file, "/mesh", mesh);
      file.commit();
      Hdf5File other = Hdf5File::create(folder / "b.h5", Overwrite::yes);
      change(mesh, other);
      other.commit();
    }
    Hdf5File const file = Hdf5File::open(folder / "b.h5");
    return message_of<std::runtime_error>([&] { read_mesh(file, "/mesh"); });
  };
  // Content that write_mesh() refuses is written piece by piece.
  auto const pieces = [](MeshData const& mesh, Hdf5File& file, std::size_t columns = 3) {
    file.write("/mesh/nodes", mesh.nodes.data()->data(), {mesh.nodes.size(), std::size_t{2}});
    file.write("/mesh/triangles", mesh.triangles.data()->data(), {mesh.triangles.size() * 3 / columns, columns});
    file.write("/mesh/edges", mesh.edges.data()->data(), {mesh.edges.size(), std::size_t{2}});
    file.write("/mesh/regions", mesh.regions.data(), {mesh.regions.size()});
    file.write("/mesh/edge_labels", mesh.edge_labels.data(), {mesh.edge_labels.size()});
  };
  using Mesh = MeshData;
  EXPECT_TRUE(contains(message([&](Mesh mesh, Hdf5File& file) {
                         mesh.triangles[1][2] = 5;
                         pieces(mesh, file);
                       }),
                       "b.h5:/mesh: triangle 2 with nodes 2 3 6 (counted from 1): expected three of the 5 nodes"));
  EXPECT_TRUE(contains(message([&](Mesh mesh, Hdf5File& file) {
                         mesh.triangles[1][2] = -2147483647;
                         pieces(mesh, file);
                       }),
                       "expected three of the 5 nodes"));
  EXPECT_TRUE(contains(message([&](Mesh const& mesh, Hdf5File& file) { pieces(mesh, file, 4); }),
                       "expected the extents n x 3, found 3 x 4"));
  EXPECT_TRUE(contains(message([&](Mesh mesh, Hdf5File& file) {
                         mesh.regions.pop_back();
                         pieces(mesh, file);
                       }),
                       "expected the extent 4, found 3"));
  EXPECT_TRUE(contains(message([&](Mesh mesh, Hdf5File& file) {
                         mesh.nodes[0][0] = std::numeric_limits<double>::quiet_NaN();
                         pieces(mesh, file);
                       }),
                       "node 1"));
  EXPECT_TRUE(contains(message([&](Mesh const& mesh, Hdf5File& file) {
                         pieces(mesh, file);
                         file.write_text("/mesh/region_names", "1 shallow\n2\n");
                       }),
                       "/mesh/region_names:2: end of the line: expected the name of a label"));
  EXPECT_TRUE(contains(message([&](Mesh const&, Hdf5File& file) { file.make_group("/mesh"); }), "no such object"));
}

}  // namespace mesh_xdmf_test
