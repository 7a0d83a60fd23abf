// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dimension scales, texts of any lengths, and datasets of which only a part was written.
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <array>
#include <filesystem>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace hdf5_conventions_test {

using karman::FileError;
using karman::Hdf5File;
using namespace karman::test;

TEST(Hdf5Texts, OfAnyLengthsComeBack) {
  TemporaryFolder const folder;
  std::vector<std::string> const names{"", "quay", "Jetée", std::string(5000, 'x'), "two\nlines"};
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    file.write_texts("/gauges/names", names);
    file.write_texts("/none", {});
    EXPECT_THROW(file.write_texts("/nul", std::vector<std::string>{std::string("a\0b", 3)}), std::invalid_argument);
    file.commit();
  }
  {
    Hdf5File const file = Hdf5File::open(folder / "a.h5");
    EXPECT_EQ(file.read_texts("/gauges/names"), names);
    EXPECT_TRUE(file.read_texts("/none").empty());
    std::string const longer = message_of<FileError>([&] { file.read_texts("/gauges/names", 4000); });
    EXPECT_TRUE(contains(longer, "the strings are too long")) << longer;
    EXPECT_TRUE(contains(message_of<FileError>([&] { file.read_text("/gauges/names"); }), "expected one string"));
  }
  hid_t const raw = H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t const dataset = H5Dopen2(raw, "/gauges/names", H5P_DEFAULT);
  hid_t const type = H5Dget_type(dataset);
  EXPECT_GT(H5Tis_variable_str(type), 0);
  EXPECT_EQ(H5Tget_cset(type), H5T_CSET_UTF8);
  H5Tclose(type);
  H5Dclose(dataset);
  H5Fclose(raw);
}

TEST(Hdf5Texts, OfOneFixedLengthAreRead) {
  TemporaryFolder const folder;
  hid_t const raw = H5Fcreate((folder / "f.h5").c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t const two = 2;
  hid_t const space = H5Screate_simple(1, &two, nullptr);
  hid_t const type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 4);
  hid_t const dataset = H5Dcreate2(raw, "names", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, "ab\0\0cde");
  H5Dclose(dataset);
  H5Tclose(type);
  H5Sclose(space);
  H5Fclose(raw);
  EXPECT_EQ(Hdf5File::open(folder / "f.h5").read_texts("/names"), (std::vector<std::string>{"ab", "cde"}));
}

TEST(Hdf5Scales, AreAttachedToTheirAxes) {
  TemporaryFolder const folder;
  std::vector<double> const values(24, 1.5);
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    file.write("/grid/x", values.data(), {4});
    file.write("/grid/y", values.data(), {3});
    for (char const* name : {"/p", "/q"}) {
      file.write(name, values.data(), {2, 3, 4}, {.chunk = {}, .deflate = 1});
      file.attach_scale(name, 2, "/grid/x");
      file.attach_scale(name, 1, "/grid/y");
    }
    std::string const message = message_of<std::invalid_argument>([&] { file.attach_scale("/p", 0, "/grid/x"); });
    EXPECT_EQ(message, "the dataset /grid/x of 4 values does not fit axis 0 of /p, which has the extents 2 x 3 x 4");
    EXPECT_THROW(file.attach_scale("/p", 3, "/grid/x"), std::invalid_argument);
    EXPECT_THROW(file.attach_scale("/p", 0, "/nowhere"), FileError);
    file.commit();
  }
  EXPECT_EQ(Hdf5File::open(folder / "a.h5").read_vector<double>("/q"), values);
  hid_t const raw = H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t const x = H5Dopen2(raw, "/grid/x", H5P_DEFAULT);
  EXPECT_GT(H5DSis_scale(x), 0);
  char name[8] = {};
  EXPECT_EQ(H5DSget_scale_name(x, name, sizeof name), 1);
  EXPECT_STREQ(name, "x");
  for (char const* field : {"/p", "/q"}) {
    hid_t const dataset = H5Dopen2(raw, field, H5P_DEFAULT);
    EXPECT_GT(H5DSis_attached(dataset, x, 2), 0);
    EXPECT_EQ(H5DSis_attached(dataset, x, 1), 0);
    EXPECT_EQ(H5DSget_num_scales(dataset, 0), 0);
    EXPECT_EQ(H5DSget_num_scales(dataset, 1), 1);
    H5Dclose(dataset);
  }
  H5Dclose(x);
  H5Fclose(raw);
}

TEST(Hdf5Links, AreSecondNamesOfOneObject) {
  TemporaryFolder const folder;
  std::vector<double> const values{1, 2, 3};
  std::array<std::uint8_t, 3> const flags{0, 7, 255};
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    file.write("/grid/x", values.data(), {3});
    file.link("/grid/x", "/x");
    file.write_attribute("/x", "flags", flags);
    EXPECT_THROW(file.link("/grid/x", "/x"), FileError);
    EXPECT_THROW(file.link("/nowhere", "/y"), FileError);
    EXPECT_THROW(file.link("/grid/x", "y"), std::invalid_argument);
    EXPECT_THROW(file.write_attribute("/x", "none", std::span<std::uint8_t const>()), std::invalid_argument);
    file.commit();
  }
  {
    Hdf5File file = Hdf5File::open(folder / "a.h5");
    EXPECT_EQ(file.read_vector<double>("/x"), values);
    EXPECT_TRUE(file.has_attribute("/grid/x", "flags")) << "both names are of one object";
    EXPECT_THROW(file.link("/grid/x", "/y"), std::invalid_argument);
  }
  hid_t const raw = H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t const attribute = H5Aopen_by_name(raw, "/x", "flags", H5P_DEFAULT, H5P_DEFAULT);
  std::array<std::uint8_t, 3> found{};
  EXPECT_GE(H5Aread(attribute, H5T_NATIVE_UINT8, found.data()), 0);
  EXPECT_EQ(found, flags);
  H5Aclose(attribute);
  H5Fclose(raw);
}

/// Each plane of a dataset is a dataset for other programs, also in a file that was renamed.
TEST(Hdf5Planes, AreReadAsDatasets) {
  TemporaryFolder const folder;
  std::vector<float> values(3 * 2 * 4);
  std::iota(values.begin(), values.end(), 0.0F);
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    file.write("/maps", values.data(), {3, 2, 4}, {.chunk = {}, .deflate = 3});
    file.name_planes("/maps", "/steps");
    file.write("/line", values.data(), {4});
    EXPECT_THROW(file.name_planes("/line", "/points"), std::invalid_argument);
    EXPECT_THROW(file.name_planes("/maps", "/steps"), FileError) << "the group exists";
    file.commit();
  }
  std::filesystem::rename(folder / "a.h5", folder / "b.h5");
  hid_t const raw = H5Fopen((folder / "b.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  for (std::size_t n = 0; n < 3; ++n) {
    hid_t const plane = H5Dopen2(raw, ("/steps/" + std::to_string(n)).c_str(), H5P_DEFAULT);
    ASSERT_GE(plane, 0);
    std::array<float, 8> found{};
    EXPECT_GE(H5Dread(plane, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()), 0);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(found[i], values[8 * n + i]);
    H5Dclose(plane);
  }
  H5Fclose(raw);
}

/// Datasets of 5 x 5 doubles in chunks of 4 x 4, of which the first rows are written.
void write_partly(std::filesystem::path const& path, bool compressed, hsize_t rows) {
  hid_t const raw = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  std::array<hsize_t, 2> const extents{5, 5}, chunk{4, 4}, begin{0, 0}, count{rows, 5};
  hid_t const space = H5Screate_simple(2, extents.data(), nullptr);
  hid_t const creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 2, chunk.data());
  if (compressed) H5Pset_deflate(creation, 1);
  hid_t const dataset = H5Dcreate2(raw, "p", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (rows > 0) {
    std::vector<double> values(25);
    std::iota(values.begin(), values.end(), 1.0);
    hid_t const part = H5Screate_simple(2, count.data(), nullptr);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, begin.data(), nullptr, count.data(), nullptr);
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, part, space, H5P_DEFAULT, values.data());
    H5Sclose(part);
  }
  H5Dclose(dataset);
  H5Pclose(creation);
  H5Sclose(space);
  H5Fclose(raw);
}

TEST(Hdf5Chunks, ThatWereNeverWrittenAreNotReadAsZeros) {
  TemporaryFolder const folder;
  for (bool const compressed : {false, true}) {
    for (hsize_t const rows : {0, 2, 4}) {
      write_partly(folder / "a.h5", compressed, rows);
      Hdf5File const file = Hdf5File::open(folder / "a.h5");
      EXPECT_TRUE(contains(message_of<FileError>([&] { file.read_vector<double>("/p"); }), "the dataset is incomplete"))
          << compressed << rows;
    }
    write_partly(folder / "a.h5", compressed, 5);
    EXPECT_EQ(Hdf5File::open(folder / "a.h5").read_vector<double>("/p")[24], 25);
  }
}

}  // namespace hdf5_conventions_test
