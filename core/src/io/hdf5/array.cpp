// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/array.hpp>

#include <stdexcept>

namespace karman {

std::size_t scalar_size(ScalarType type) {
  switch (type) {
    case ScalarType::int8:
    case ScalarType::uint8: return 1;
    case ScalarType::int16:
    case ScalarType::uint16: return 2;
    case ScalarType::float32:
    case ScalarType::int32:
    case ScalarType::uint32: return 4;
    case ScalarType::float64:
    case ScalarType::int64:
    case ScalarType::uint64: return 8;
  }
  throw std::invalid_argument("invalid ScalarType");
}

std::string_view scalar_name(ScalarType type) {
  switch (type) {
    case ScalarType::float32: return "float32";
    case ScalarType::float64: return "float64";
    case ScalarType::int8: return "int8";
    case ScalarType::int16: return "int16";
    case ScalarType::int32: return "int32";
    case ScalarType::int64: return "int64";
    case ScalarType::uint8: return "uint8";
    case ScalarType::uint16: return "uint16";
    case ScalarType::uint32: return "uint32";
    case ScalarType::uint64: return "uint64";
  }
  throw std::invalid_argument("invalid ScalarType");
}

void ArrayExtents::append_checked(bool negative, std::uint64_t extent) {
  // The bound holds for the product of the extents that are not zero, so that no partial product can overflow.
  constexpr std::uint64_t most_values = std::uint64_t{1} << 60;
  if (negative) throw std::invalid_argument("Extents: negative extent");
  if (rank_ == max_rank) throw std::invalid_argument("Extents: more than four extents");
  std::uint64_t values = 1;
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    if (extents_[axis] > 0) values *= extents_[axis];
  }
  if (extent > most_values / values) throw std::invalid_argument("Extents: more than 2^60 values");
  extents_[rank_++] = extent;
}

std::size_t ArrayExtents::count() const {
  std::size_t values = 1;
  for (std::size_t extent : *this) values *= extent;
  return values;
}

std::string ArrayExtents::text() const {
  if (rank_ == 0) return "scalar";
  std::string text;
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    if (axis > 0) text += " x ";
    text += std::to_string(extents_[axis]);
  }
  return text;
}

}  // namespace karman
