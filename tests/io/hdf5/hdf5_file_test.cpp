// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/child_process.hpp"
#include "io/expect_message.hpp"
#include "io/hdf5_leaks.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>

namespace hdf5_file_test {

using karman::ArrayExtents;
using karman::FileError;
using karman::Hdf5File;
using karman::Overwrite;
using karman::ScalarType;
using namespace karman::test;

using Names = std::vector<std::string>;

template <class T>
class Hdf5Scalars : public testing::Test {};
using AllScalars = testing::Types<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                                  std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(Hdf5Scalars, AllScalars);

TYPED_TEST(Hdf5Scalars, ComeBackBitForBitInEveryRankAndLayout) {
  TemporaryFolder const folder;
  std::vector<ArrayExtents> const shapes{{}, {1}, {7}, {3, 5}, {4, 3, 5}, {2, 3, 4, 5}, {0}, {3, 0, 2}};
  std::vector<TypeParam> values(120);
  std::mt19937_64 random(1);
  for (TypeParam& value : values) {
    std::uint64_t const bits = random();
    std::memcpy(&value, &bits, sizeof value);
  }
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      std::string const number = std::to_string(i);
      file.write("/plain/" + number, values.data(), shapes[i]);
      file.write("/packed/" + number, values.data(), shapes[i], {.chunk = {}, .deflate = 5});
    }
    file.write("/chunked", values.data(), {4, 5, 6}, {.chunk = {3, 2, 6}});
    file.commit();
  }
  Hdf5File const file = Hdf5File::open(folder / "a.h5");
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::string const group : {"/plain/", "/packed/"}) {
      std::string const name = group + std::to_string(i);
      EXPECT_EQ(file.info(name).extents, shapes[i]);
      EXPECT_EQ(file.info(name).type, karman::scalar_type_of<TypeParam>());
      std::vector<TypeParam> read(shapes[i].count() + 1);  // one more, to have an address for no value
      file.read(name, read.data(), shapes[i]);
      EXPECT_EQ(std::memcmp(read.data(), values.data(), shapes[i].count() * sizeof(TypeParam)), 0) << name;
    }
  }
  EXPECT_TRUE(file.info("/packed/5").compressed);
  EXPECT_TRUE(file.info("/chunked").chunked);
  auto const chunked = file.read_vector<TypeParam>("/chunked");
  EXPECT_EQ(std::memcmp(chunked.data(), values.data(), 120 * sizeof(TypeParam)), 0);
}

/// A file with every kind of content.
void write_sample(std::filesystem::path const& path) {
  Hdf5File file = Hdf5File::create(path, Overwrite::yes);
  std::vector<double> u(60);
  std::iota(u.begin(), u.end(), 0.5);
  file.write("/velocity/u", u.data(), {3, 4, 5});
  file.write("/packed", u.data(), {60}, {.chunk = {16}, .deflate = 9});
  file.write_text("/case", "{\"höhe\": 3}");
  file.write_text("/empty", "");
  file.make_group("/a/b");
  file.write_attribute("/", "version", "0.1.0");
  file.write_attribute("/", "nothing", "");
  file.write_attribute("/velocity/u", "dx", 0.1);
  file.write_attribute("/velocity", "steps", 42);
  file.write_attribute("/velocity", "hash", std::uint64_t{0xffffffffffffffffu});
  file.write_attribute("/velocity", "origin", std::array{1.0, 2.0, 3.0});
  file.create_table("/history", {"iteration", "divergence"});
  for (int i = 0; i < 10'000; ++i) file.append_row("/history", std::array{double(i), 1.0 / (i + 1)});
  file.create_table("/no_rows", {"x"});
  file.commit();
}

TEST(Hdf5File, KeepsTextsAttributesGroupsAndTables) {
  TemporaryFolder const folder;
  write_sample(folder / "a.h5");
  Hdf5File const file = Hdf5File::open(folder / "a.h5");
  EXPECT_EQ(file.read_text("/case"), "{\"höhe\": 3}");
  EXPECT_EQ(file.read_text("/empty"), "");
  EXPECT_EQ(file.read_string("/", "version"), "0.1.0");
  EXPECT_EQ(file.read_string("/", "nothing"), "");
  EXPECT_EQ(file.read_double("/velocity/u", "dx"), 0.1);
  EXPECT_EQ(file.read_integer("/velocity", "steps"), 42);
  EXPECT_EQ(file.read_unsigned("/velocity", "hash"), 0xffffffffffffffffu);
  EXPECT_EQ(file.read_doubles("/velocity", "origin"), (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(file.has_attribute("/velocity", "steps"));
  EXPECT_FALSE(file.has_attribute("/velocity", "none"));
  EXPECT_TRUE(file.exists("/velocity/u"));
  EXPECT_FALSE(file.exists("/velocity/v"));
  EXPECT_FALSE(file.exists("/velocity/u/v"));
  EXPECT_FALSE(file.exists("/none/u"));
  Names names;
  for (auto const& entry : file.list()) names.push_back(entry.name);
  EXPECT_EQ(names, (Names{"a", "case", "empty", "history", "no_rows", "packed", "velocity"}));
  EXPECT_EQ(file.list()[0].kind, karman::Hdf5Entry::Kind::group);
  EXPECT_EQ(file.list()[1].kind, karman::Hdf5Entry::Kind::dataset);
  EXPECT_TRUE(file.list("/a/b").empty());

  karman::Table const history = file.read_table("/history");
  EXPECT_EQ(history.columns, (Names{"iteration", "divergence"}));
  ASSERT_EQ(history.column("divergence").size(), 10'000u);
  EXPECT_EQ(history.column("iteration")[9'999], 9'999);
  EXPECT_EQ(history.column("divergence")[4'999], 1.0 / 5'000);
  EXPECT_THROW(history.column("none"), std::out_of_range);
  EXPECT_TRUE(file.read_table("/no_rows").column("x").empty());
  EXPECT_THROW(file.read_table("/history", 9'999), FileError);
}

TEST(Hdf5File, IsWholeWhateverSpaceClosingGivesBack) {
  TemporaryFolder const folder;
  std::vector<float> const values(5'000, 1.0f);
  for (std::size_t count : {1u, 17u, 333u, 5'000u}) {
    for (int const deflate : {0, 4}) {
      Hdf5File file = Hdf5File::create(folder / "a.h5", Overwrite::yes);
      for (int i = 0; i < 12; ++i) {
        file.write("/deep/down/" + std::to_string(i), values.data(), {count}, {.deflate = deflate});
        file.write_attribute("/deep/down/" + std::to_string(i), "units", "m/s");
      }
      ASSERT_NO_THROW(file.commit()) << count << ' ' << deflate;
      EXPECT_EQ(Hdf5File::open(folder / "a.h5").read_vector<float>("/deep/down/11").size(), count);
    }
  }
}

/// Objects of a file with a time stamp.
Names with_times(std::filesystem::path const& path) {
  Names found;
  hid_t const file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  auto const look = [](hid_t, char const* name, H5O_info_t const* info, void* names) -> herr_t {
    if (info->ctime != 0 || info->mtime != 0) static_cast<Names*>(names)->emplace_back(name);
    return 0;
  };
#if H5_VERSION_GE(1, 12, 0)
  auto const visit = H5Ovisit3;
#else
  auto const visit = H5Ovisit2;
#endif
  EXPECT_GE(visit(file, H5_INDEX_NAME, H5_ITER_INC, look, &found, H5O_INFO_TIME), 0);
  H5Fclose(file);
  return found;
}

TEST(Hdf5File, EqualContentMakesEqualBytes) {
  TemporaryFolder const folder;
  write_sample(folder / "a.h5");
  write_sample(folder / "b.h5");
  EXPECT_TRUE(content(folder / "a.h5") == content(folder / "b.h5"));
  EXPECT_EQ(with_times(folder / "a.h5"), Names());  // also not where both files were made within a second
}

TEST(Hdf5File, HoldsLongTexts) {
  TemporaryFolder const folder;
  std::string const text(300'000, 'x');
  std::string const attribute(60'000, 'y');
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    file.write_text("/case", text);
    file.write_attribute("/", "long", attribute);
    EXPECT_THROW(file.write_attribute("/", "longer", text), std::invalid_argument);
    EXPECT_THROW(file.write_text("/nul", std::string("a\0b", 3)), std::invalid_argument);
    file.commit();
  }
  Hdf5File const file = Hdf5File::open(folder / "a.h5");
  EXPECT_EQ(file.read_text("/case"), text);
  EXPECT_EQ(file.read_string("/", "long"), attribute);
  EXPECT_THROW(file.read_text("/case", 1000), FileError);
}

TEST(Hdf5File, AppearsAtCommitOnlyAndNeverOverwritesUnasked) {
  TemporaryFolder const folder;
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    file.write_text("/x", "first");
    EXPECT_FALSE(std::filesystem::exists(folder / "a.h5"));
  }
  EXPECT_TRUE(folder.names().empty());
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    file.write_text("/x", "first");
    file.commit();
    EXPECT_THROW(file.commit(), std::logic_error);
    EXPECT_THROW(file.write_text("/y", "late"), std::logic_error);
  }
  EXPECT_THROW(Hdf5File::create(folder / "a.h5"), FileError);
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5", Overwrite::yes);
    file.write_text("/x", "second");
    EXPECT_EQ(Hdf5File::open(folder / "a.h5").read_text("/x"), "first");
    file.commit();
  }
  EXPECT_EQ(Hdf5File::open(folder / "a.h5").read_text("/x"), "second");
  EXPECT_EQ(folder.names(), Names{"a.h5"});
}

TEST(Hdf5File, MovesKeepTheFile) {
  TemporaryFolder const folder;
  Hdf5File first = Hdf5File::create(folder / "a.h5");
  first.write_text("/x", "x");
  Hdf5File second = std::move(first);
  second.write_text("/y", "y");
  second.commit();
  Hdf5File read = Hdf5File::open(folder / "a.h5");
  read = Hdf5File::open(folder / "a.h5");
  EXPECT_EQ(read.read_text("/y"), "y");
}

TEST(Hdf5File, RefusesMisuse) {
  TemporaryFolder const folder;
  Hdf5File file = Hdf5File::create(folder / "a.h5");
  std::vector<double> const v(6);
  for (std::string const name : {"", "u", "/", "//u", "/u/", "/../u", "/./u"}) {
    EXPECT_THROW(file.write(name, v.data(), {6}), std::invalid_argument) << name;
  }
  EXPECT_THROW(file.write("/u", static_cast<double const*>(nullptr), {6}), std::invalid_argument);
  EXPECT_THROW(file.write("/u", v.data(), {6}, {.chunk = {2, 3}}), std::invalid_argument);
  EXPECT_THROW(file.write("/u", v.data(), {6}, {.chunk = {7}}), std::invalid_argument);
  EXPECT_THROW(file.write("/u", v.data(), {6}, {.chunk = {0}}), std::invalid_argument);
  EXPECT_THROW(file.write("/u", v.data(), {6}, {.deflate = 10}), std::invalid_argument);
  file.write("/u", v.data(), {6});
  EXPECT_TRUE(is_one_line(message_of<FileError>([&] { file.write("/u", v.data(), {6}); })));
  EXPECT_THROW(file.write("/u/v", v.data(), {6}), FileError);
  file.write_attribute("/u", "a", 1);
  EXPECT_THROW(file.write_attribute("/u", "a", 2), FileError);
  EXPECT_THROW(file.write_attribute("/none", "a", 2), FileError);
  EXPECT_THROW(file.write_attribute("/u", "", 2), std::invalid_argument);
  EXPECT_THROW(file.write_attribute("/u", "e", std::span<double const>()), std::invalid_argument);
  EXPECT_THROW(file.create_table("/t", {}), std::invalid_argument);
  EXPECT_THROW(file.create_table("/t", {"a", "a"}), std::invalid_argument);
  file.create_table("/t", {"a", "b"});
  EXPECT_THROW(file.append_row("/t", std::array{1.0}), std::invalid_argument);
  EXPECT_THROW(file.append_row("/s", std::array{1.0}), std::invalid_argument);
  file.commit();
  Hdf5File read = Hdf5File::open(folder / "a.h5");
  EXPECT_THROW(read.write("/w", v.data(), {6}), std::invalid_argument);
  EXPECT_THROW(read.commit(), std::invalid_argument);
}

TEST(Hdf5File, ComparesTypesAndExtentsWithWhatIsAskedFor) {
  TemporaryFolder const folder;
  write_sample(folder / "a.h5");
  Hdf5File const file = Hdf5File::open(folder / "a.h5");
  std::string const start = "cannot read /velocity/u in " + (folder / "a.h5").string() + ": ";
  std::vector<double> d(60);
  std::vector<float> f(60);
  EXPECT_EQ(message_of<FileError>([&] { file.read("/velocity/u", d.data(), {3, 4, 4}); }),
            start + "expected the extents 3 x 4 x 4, found 3 x 4 x 5");
  EXPECT_EQ(message_of<FileError>([&] { file.read("/velocity/u", d.data(), {60}); }),
            start + "expected the extents 60, found 3 x 4 x 5");
  EXPECT_EQ(message_of<FileError>([&] { file.read("/velocity/u", f.data(), {3, 4, 5}); }),
            start + "expected float32, found float64");
  EXPECT_THROW(file.read_vector<std::int64_t>("/velocity/u"), FileError);
  EXPECT_THROW(file.read_vector<double>("/velocity/u", 59), FileError);
  EXPECT_THROW(file.read_vector<double>("/velocity"), FileError);
  EXPECT_THROW(file.read_vector<double>("/none"), FileError);
  EXPECT_THROW(file.read_vector<double>("/history"), FileError);
  EXPECT_THROW(file.read_vector<double>("/case"), FileError);
  EXPECT_THROW(file.read_text("/velocity/u"), FileError);
  EXPECT_THROW(file.read_table("/velocity/u"), FileError);
  EXPECT_THROW(file.read_integer("/velocity/u", "dx"), FileError);
  EXPECT_THROW(file.read_double("/velocity/u", "none"), FileError);
  EXPECT_THROW(file.read_double("/velocity", "origin"), FileError);
  EXPECT_THROW(file.read_doubles("/velocity/u", "dx"), FileError);
  EXPECT_THROW(file.read_string("/velocity/u", "dx"), FileError);
  EXPECT_THROW(file.list("/velocity/u"), FileError);
}

TEST(Hdf5File, SaysWhyItCannotOpen) {
  TemporaryFolder const folder;
  EXPECT_EQ(message_of<FileError>([&] { Hdf5File::open(folder / "none.h5"); }),
            "cannot open " + (folder / "none.h5").string() + ": No such file or directory");
  put(folder / "text.h5", "no HDF5 file at all");
  EXPECT_TRUE(contains(message_of<FileError>([&] { Hdf5File::open(folder / "text.h5"); }), "not an HDF5 file"));
  put(folder / "empty.h5", "");
  EXPECT_THROW(Hdf5File::open(folder / "empty.h5"), FileError);
  EXPECT_THROW(Hdf5File::open(folder.path()), FileError);
  EXPECT_THROW(Hdf5File::open("/dev/null"), FileError);
}

TEST(Hdf5File, IsSilentOnErrors) {
  TemporaryFolder const folder;
  testing::internal::CaptureStderr();
  EXPECT_THROW(Hdf5File::open(folder / "none.h5"), FileError);
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    EXPECT_THROW(file.info("/none"), FileError);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  // The enclosing program keeps its own handler for HDF5's errors.
  H5E_auto2_t function = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &function, &data);
  EXPECT_NE(function, nullptr);
}

/// Makes a foreign object with the plain C API.
template <class Make>
void make_foreign(std::filesystem::path const& path, Make make) {
  hid_t const file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  make(file);
  H5Fclose(file);
}

TEST(Hdf5File, ReadsForeignByteOrderAndStrings) {
  TemporaryFolder const folder;
  make_foreign(folder / "f.h5", [](hid_t file) {
    hsize_t const n = 3;
    hid_t const space = H5Screate_simple(1, &n, nullptr);
    float const values[] = {1.5f, -2, 3};
    hid_t const dataset = H5Dcreate2(file, "big", H5T_IEEE_F32BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    hid_t const scalar = H5Screate(H5S_SCALAR);
    hid_t const string = H5Tcopy(H5T_C_S1);
    H5Tset_size(string, H5T_VARIABLE);
    hid_t const attribute = H5Acreate2(dataset, "unit", string, scalar, H5P_DEFAULT, H5P_DEFAULT);
    char const* text = "m/s";
    H5Awrite(attribute, string, &text);
    H5Aclose(attribute);
    H5Tclose(string);
    H5Sclose(scalar);
    H5Dclose(dataset);
    H5Sclose(space);
  });
  Hdf5File const file = Hdf5File::open(folder / "f.h5");
  EXPECT_EQ(file.read_vector<float>("/big"), (std::vector<float>{1.5f, -2, 3}));
  EXPECT_EQ(file.read_string("/big", "unit"), "m/s");
}

TEST(Hdf5File, RefusesWhatLeadsElsewhereOrPromisesTooMuch) {
  TemporaryFolder const folder;
  write_sample(folder / "a.h5");
  make_foreign(folder / "f.h5", [&](hid_t file) {
    H5Lcreate_external("a.h5", "/velocity/u", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/nowhere", file, "dangling", H5P_DEFAULT, H5P_DEFAULT);
    hsize_t const n = hsize_t{1} << 34;
    hid_t const space = H5Screate_simple(1, &n, nullptr);
    // 128 GiB by the header, no byte in the file.
    H5Dclose(H5Dcreate2(file, "unwritten", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    hid_t const creation = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t const chunk = 1024;
    H5Pset_chunk(creation, 1, &chunk);
    H5Pset_deflate(creation, 1);
    H5Dclose(H5Dcreate2(file, "sparse", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Pclose(creation);
    hsize_t const few = 4;
    hid_t const small = H5Screate_simple(1, &few, nullptr);
    hid_t const external = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(external, "/etc/hostname", 0, 32);
    H5Dclose(H5Dcreate2(file, "external", H5T_IEEE_F64LE, small, H5P_DEFAULT, external, H5P_DEFAULT));
    H5Pclose(external);
    H5Dclose(H5Dcreate2(file, "odd", H5T_STD_B16LE, small, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    hsize_t const five[] = {1, 1, 1, 1, 1};
    hid_t const deep = H5Screate_simple(5, five, nullptr);
    H5Dclose(H5Dcreate2(file, "rank5", H5T_IEEE_F64LE, deep, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    hid_t const null = H5Screate(H5S_NULL);
    H5Dclose(H5Dcreate2(file, "null", H5T_IEEE_F64LE, null, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(null);
    H5Sclose(deep);
    H5Sclose(small);
    H5Sclose(space);
  });
  Hdf5File const file = Hdf5File::open(folder / "f.h5");
  for (std::string const name :
       {"/elsewhere", "/dangling", "/unwritten", "/sparse", "/external", "/odd", "/rank5", "/null"}) {
    std::string const message = message_of<FileError>([&] { file.read_vector<double>(name, std::size_t{1} << 40); });
    EXPECT_TRUE(is_one_line(message)) << name << ": " << message;
  }
  EXPECT_EQ(file.list().size(), 8u);
  EXPECT_EQ(message_of<FileError>([&] { file.read_vector<double>("/elsewhere"); }),
            "cannot read /elsewhere in " + (folder / "f.h5").string() + ": soft and external links are not supported");
}

/// A dataset `name` of four numbers with chunks of `chunk` numbers, compressed.
void make_chunked(hid_t file, char const* name, hsize_t chunk, int compressions = 1) {
  hsize_t const few = 4, unlimited = H5S_UNLIMITED;
  hid_t const space = H5Screate_simple(1, &few, &unlimited);
  hid_t const creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 1, &chunk);
  for (int n = 0; n < compressions; ++n) H5Pset_deflate(creation, 1);
  hid_t const dataset = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  std::vector<double> const values{1, 2, 3, 4};
  H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(dataset);
  H5Pclose(creation);
  H5Sclose(space);
}

/// The library reads whole chunks: a dataset of 32 bytes could take gigabytes.
TEST(Hdf5File, BoundsTheMemoryOfChunks) {
  TemporaryFolder const folder;
  make_foreign(folder / "f.h5", [](hid_t file) {
    make_chunked(file, "small", hsize_t{1} << 20);  // 8 MiB
    make_chunked(file, "large", hsize_t{1} << 22);
    make_chunked(file, "twice", 8, 2);
  });
  Hdf5File const file = Hdf5File::open(folder / "f.h5");
  EXPECT_EQ(file.read_vector<double>("/small"), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(message_of<FileError>([&] { file.read_vector<double>("/large"); }),
            "cannot read /large in " + (folder / "f.h5").string() +
                ": expected chunks of at most 16 MiB for a dataset of 32 bytes (twice its size, at least 16 MiB, at "
                "most 1 GiB), found 32 MiB");
  EXPECT_TRUE(contains(message_of<FileError>([&] { file.read_vector<double>("/twice"); }), "compressed twice"));
}

/// The size of an unpacked chunk is known only when it is in memory.
TEST(Hdf5File, BoundsTheMemoryOfUnpackedChunks) {
  TemporaryFolder const folder;
  std::vector<std::uint64_t> noise(std::size_t{1} << 19);  // 4 MiB, which no compression reduces
  std::mt19937_64 random(7);
  for (std::uint64_t& value : noise) value = random();
  Hdf5File out = Hdf5File::create(folder / "f.h5", Overwrite::no);
  karman::ConstArray const array(noise.data(), {noise.size()});
  out.write("/whole", array, {.chunk = {noise.size()}, .deflate = 1});
  out.write("/parts", array, {.chunk = {}, .deflate = 1});
  out.commit();
  // 2 GiB more than now.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit const less{pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (rlim_t{2} << 30), before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &less), 0);
  Hdf5File const file = Hdf5File::open(folder / "f.h5");
  std::string const refusal = message_of<FileError>([&] { file.read_vector<std::uint64_t>("/whole"); });
  std::vector<std::uint64_t> parts;
  std::string trouble;
  try {
    parts = file.read_vector<std::uint64_t>("/parts");
  } catch (FileError const& error) {
    trouble = error.what();
  }
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_TRUE(is_one_line(refusal)) << refusal;
  EXPECT_TRUE(contains(refusal, "may unpack to 4.0")) << refusal;
  EXPECT_TRUE(trouble.empty()) << trouble;
  EXPECT_TRUE(parts == noise);
}

/// Even the extents of a virtual dataset come from its sources: nothing is asked of it.
TEST(Hdf5File, OpensNoFileThatAnotherNames) {
  TemporaryFolder const folder;
  make_foreign(folder / "f.h5", [&](hid_t file) {
    hsize_t const begin = 0, step = 4, all = H5S_UNLIMITED, few = 4;
    hid_t const space = H5Screate_simple(1, &begin, &all), source = H5Screate_simple(1, &few, &all);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &begin, &step, &all, &step);
    H5Sselect_hyperslab(source, H5S_SELECT_SET, &begin, &step, &all, &step);
    hid_t const creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_virtual(creation, space, (folder / "pipe.h5").c_str(), "/x", source);
    H5Dclose(H5Dcreate2(file, "virtual", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Pclose(creation);
    H5Sclose(source);
    H5Sclose(space);
  });
  ASSERT_EQ(mkfifo((folder / "pipe.h5").c_str(), 0600), 0);
  Hdf5File const file = Hdf5File::open(folder / "f.h5");
  EXPECT_EQ(message_of<FileError>([&] { file.info("/virtual"); }),
            "cannot read /virtual in " + (folder / "f.h5").string() +
                ": virtual datasets and data in external files are not supported");
  EXPECT_EQ(message_of<FileError>([&] { Hdf5File::open(folder / "pipe.h5"); }),
            "cannot open " + (folder / "pipe.h5").string() + ": expected a regular file, found a pipe");
}

/// The enclosing program keeps its own plugins.
TEST(Hdf5File, LoadsNoPluginItself) {
  TemporaryFolder const folder;
  write_sample(folder / "a.h5");
  unsigned before = 0, after = 0;
  ASSERT_GE(H5PLget_loading_state(&before), 0);
  EXPECT_NE(before, 0u);
  Hdf5File::open(folder / "a.h5").read_vector<double>("/packed");
  ASSERT_GE(H5PLget_loading_state(&after), 0);
  EXPECT_EQ(before, after);
  EXPECT_EQ(in_child([] {
              karman::forbid_hdf5_plugins();
              return std::string(std::getenv("HDF5_PLUGIN_PRELOAD")) == "::" ? 0 : 1;
            }),
            0);
}

/// Reads everything. Returns true if that throws a FileError.
bool read_everything(std::filesystem::path const& path) {
  try {
    Hdf5File const file = Hdf5File::open(path);
    std::vector<std::string> groups{"/"};
    while (!groups.empty()) {
      std::string const group = groups.back();
      groups.pop_back();
      if (group.size() > 100) continue;  // a damaged file may contain itself
      for (auto const& entry : file.list(group)) {
        std::string const name = (group == "/" ? "" : group) + '/' + entry.name;
        if (entry.kind == karman::Hdf5Entry::Kind::group) groups.push_back(name);
        else if (entry.kind != karman::Hdf5Entry::Kind::dataset) continue;
        else if (name == "/case" || name == "/empty") file.read_text(name);
        else if (name == "/history" || name == "/no_rows") file.read_table(name);
        else file.read_vector<double>(name);
      }
    }
    file.read_string("/", "version");
    file.read_double("/velocity/u", "dx");
    file.read_doubles("/velocity", "origin");
  } catch (FileError const& error) {
    EXPECT_TRUE(is_one_line(error.what())) << error.what();
    return true;
  } catch (std::invalid_argument const&) {
    return true;  // a damaged name that no dataset may have
  }
  return false;
}

TEST(Hdf5File, SurvivesTruncation) {
  TemporaryFolder const folder;
  write_sample(folder / "a.h5");
  std::string const whole = content(folder / "a.h5");
  EXPECT_FALSE(read_everything(folder / "a.h5"));
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 16) {
    put(folder / "cut.h5", whole.substr(0, length));
    EXPECT_TRUE(read_everything(folder / "cut.h5")) << length << " of " << whole.size() << " bytes";
  }
}

TEST(Hdf5File, SurvivesFlippedBytesSilently) {
  TemporaryFolder const folder;
  write_sample(folder / "a.h5");
  std::string const whole = content(folder / "a.h5");
  int refused = 0;
  testing::internal::CaptureStderr();
  for (unsigned process = 0; process < 10; ++process) {
    // In separate processes, because the library may fail only at the end of the program.
    int const code = in_child([&] {
      std::mt19937 random(process);
      int count = 0;
      for (int round = 0; round < 25; ++round) {
        std::string damaged = whole;
        // Most of the description of the content is at the beginning.
        for (unsigned bytes = 1 + random() % 3; bytes > 0; --bytes)
          damaged[random() % 4000] = static_cast<char>(random());
        put(folder / "bad.h5", damaged);
        if (read_everything(folder / "bad.h5")) ++count;
      }
      return count;
    });
    EXPECT_TRUE(code >= 0 && code <= 25) << "process " << process << " ends with " << code;
    refused += code;
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_GT(refused, 50);
}

TEST(Hdf5File, ReportsAFullDiskWhateverTheFileSize) {
  TemporaryFolder const folder;
  put(folder / "a.h5", "old");
  std::vector<double> const values(50'000, 1.25);
  // Limits from no byte to nearly enough: another write or flush meets the limit each time.
  for (rlim_t const limit : {0, 100, 2'000, 5'000, 100'000, 399'000, 500'000, 799'000, 801'000}) {
    for (int const deflate : {0, 1}) {
      int const code = in_child([&] {
        limit_file_size(limit);
        try {
          Hdf5File file = Hdf5File::create(folder / "a.h5", Overwrite::yes);
          file.create_table("/history", {"x"});
          std::vector<double> noise(50'000);
          std::mt19937_64 random(1);
          for (double& x : noise) x = std::ldexp(static_cast<double>(random()), -64);
          file.write("/u", noise.data(), {noise.size()}, {.deflate = deflate});
          file.write("/v", noise.data(), {noise.size()}, {.deflate = deflate});
          for (int i = 0; i < 100; ++i) file.append_row("/history", std::array{double(i)});
          file.commit();
        } catch (FileError const& error) {
          bool const clear = is_one_line(error.what()) && contains(error.what(), "File too large");
          if (!clear) std::fprintf(stderr, "%s\n", error.what());
          return clear ? FileError::exit_code : 1;
        }
        return 0;
      });
      // Compressed noise takes less than its 800 000 bytes, uncompressed a little more.
      EXPECT_EQ(code, deflate == 1 && limit > 790'000 ? 0 : FileError::exit_code) << limit << ' ' << deflate;
      if (code == 0) put(folder / "a.h5", "old");
      EXPECT_EQ(content(folder / "a.h5"), "old");
      EXPECT_EQ(folder.names(), Names{"a.h5"});
    }
  }
}

TEST(Hdf5File, TellsTheLibrary) {
  std::string const version = karman::hdf5_library_version();
  EXPECT_EQ(std::count(version.begin(), version.end(), '.'), 2) << version;
}

}  // namespace hdf5_file_test
