// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ESRI ASCII grids.
#include "fuzz_target.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/error.hpp>
#include <karman/io/raster.hpp>

#include <cmath>
#include <stdexcept>

namespace {

using namespace karman;

void require_sound(Raster const& raster) {
  if (raster.columns < 1 || raster.rows < 1) throw std::logic_error("a raster without cells was read");
  if (raster.values.size() != static_cast<std::size_t>(raster.columns) * static_cast<std::size_t>(raster.rows))
    throw std::logic_error("a raster with another number of values was read");
  for (std::size_t axis = 0; axis < 2; ++axis) {
    if (!std::isfinite(raster.corner[axis]) || !(raster.spacing[axis] > 0) || !std::isfinite(raster.end()[axis]))
      throw std::logic_error("a raster without a place was read");
  }
  for (double value : raster.values) {
    if (std::isinf(value)) throw std::logic_error("an infinite value was read");
  }
  double const x = 0.5 * (raster.corner[0] + raster.end()[0]);
  if (std::isinf(raster.at(x, raster.corner[1]))) throw std::logic_error("an infinite value was interpolated");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static test::TemporaryFolder const folder;
  test::put(folder / "a.asc", std::string(reinterpret_cast<char const*>(data), size));
  try {
    require_sound(read_ascii_grid(folder / "a.asc"));
  } catch (CaseError const&) {
  } catch (FileError const&) {
  }
  return 0;
}

namespace karman::fuzz {

std::vector<std::string> seeds() {
  return {"ncols 3\nnrows 2\nxllcorner 100\nyllcorner -50\ncellsize 10\nNODATA_value -1\n1 2 3\n4.5 -1 +6e0\n",
          "NCOLS 1\nNROWS 2\nXLLCENTER 1e3\nYLLCENTER 2\nDX 1\nDY 2\nnan\n7\n"};
}

std::vector<std::string> words() {
  return {"ncols ", "nrows ", "cellsize ", "dx ", "NODATA_value ", "\n",
          "1e308",  "-1e999", "1e-999",    "nan", "inf",           "0 "};
}

}  // namespace karman::fuzz
