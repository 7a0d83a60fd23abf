// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/class_polygons.hpp>
#include <karman/io/error.hpp>
#include <karman/io/raster.hpp>
#include <karman/io/vector_layer.hpp>

#include <gtest/gtest.h>

namespace without_gdal_test {

using namespace karman;
using namespace karman::test;

TEST(WithoutGdal, TheMessageNamesTheOption) {
  ASSERT_FALSE(built_with_gdal());
  TemporaryFolder const folder;
  put(folder / "dem.tif", "");
  put(folder / "city.shp", "");
  for (std::string const& message :
       {message_of<CaseError>([&] { read_raster(folder / "dem.tif"); }),
        message_of<CaseError>([&] { read_vector_layer(folder / "city.shp"); }),
        message_of<FileError>([&] { write_geotiff(folder / "a.tif", Overwrite::no, {}); }),
        message_of<FileError>([&] { write_geopackage(folder / "a.gpkg", Overwrite::no, {}); }),
        message_of<FileError>([&] { write_kmz(folder / "a.kmz", Overwrite::no, "", {}); }), gdal_fault("GTiff")}) {
    EXPECT_NE(message.find("built without GDAL"), std::string::npos) << message;
    EXPECT_NE(message.find("-DKARMAN_GDAL=ON"), std::string::npos) << message;
    EXPECT_TRUE(is_one_line(message)) << message;
  }
  EXPECT_THROW(read_raster(folder / "none.tif"), FileError);
}

}  // namespace without_gdal_test
