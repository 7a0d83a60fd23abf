// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Contents of files: dense row-major arrays of numbers, with a scalar type and up to four extents.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace karman {

/// Number type of a stored array.
enum class ScalarType { float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64 };

/// Bytes of one value.
std::size_t scalar_size(ScalarType type);
/// Name of a number type: "float32", "uint16", ...
std::string_view scalar_name(ScalarType type);

/// True when `T` is one of `Types`.
template <class T, class... Types>
concept one_of = (std::same_as<T, Types> || ...);

/// C++ type that corresponds to a ScalarType.
template <class T>
concept FileScalar = one_of<T, float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                            std::uint16_t, std::uint32_t, std::uint64_t>;

/// ScalarType of a C++ type.
template <FileScalar T>
constexpr ScalarType scalar_type_of() {
  if constexpr (std::same_as<T, float>) return ScalarType::float32;
  else if constexpr (std::same_as<T, double>) return ScalarType::float64;
  else if constexpr (std::same_as<T, std::int8_t>) return ScalarType::int8;
  else if constexpr (std::same_as<T, std::int16_t>) return ScalarType::int16;
  else if constexpr (std::same_as<T, std::int32_t>) return ScalarType::int32;
  else if constexpr (std::same_as<T, std::int64_t>) return ScalarType::int64;
  else if constexpr (std::same_as<T, std::uint8_t>) return ScalarType::uint8;
  else if constexpr (std::same_as<T, std::uint16_t>) return ScalarType::uint16;
  else if constexpr (std::same_as<T, std::uint32_t>) return ScalarType::uint32;
  else return ScalarType::uint64;
}

/// Extents of a row-major array, slowest index first: {nz, ny, nx} for a field indexed (k, j, i). Rank 0 is a single
/// value.
/// \throws std::invalid_argument for negative extents, more than `max_rank` of them, or more than 2^60 values in all
class ArrayExtents {
 public:
  /// Greatest rank.
  static constexpr std::size_t max_rank = 4;

  ArrayExtents() = default;

  /// Extents from numbers, slowest first.
  template <std::integral... Integers>
    requires(sizeof...(Integers) >= 1 && sizeof...(Integers) <= max_rank)
  ArrayExtents(Integers... extents) {
    (append(extents), ...);
  }

  /// Extents from an array, slowest first.
  template <std::integral Integer, std::size_t Rank>
    requires(Rank <= max_rank)
  ArrayExtents(std::array<Integer, Rank> const& extents) {
    for (Integer extent : extents) append(extent);
  }

  /// Appends one extent at the fast end.
  template <std::integral Integer>
  void append(Integer extent) {
    append_checked(std::cmp_less(extent, 0), static_cast<std::uint64_t>(extent));
  }

  /// Number of extents.
  std::size_t rank() const { return rank_; }
  /// Extent of an axis; 0 is the slowest.
  std::size_t operator[](std::size_t axis) const { return extents_[axis]; }
  /// Number of values: product of the extents, 1 for rank 0.
  std::size_t count() const;
  /// Text such as "4 x 3 x 2", or "scalar".
  std::string text() const;
  /// First extent.
  std::size_t const* begin() const { return extents_.data(); }
  /// One past the last extent.
  std::size_t const* end() const { return extents_.data() + rank_; }
  /// True for equal ranks and extents.
  friend bool operator==(ArrayExtents const&, ArrayExtents const&) = default;

 private:
  void append_checked(bool negative, std::uint64_t extent);
  std::size_t rank_ = 0;
  std::array<std::size_t, max_rank> extents_{};
};

/// Dense array in host memory, read by a call; owns nothing.
struct ConstArray {
  ScalarType type = ScalarType::float64;  ///< number type
  void const* data = nullptr;             ///< first value
  ArrayExtents extents;                   ///< extents

  ConstArray() = default;
  /// Array of shape.count() values, which outlive the call.
  template <FileScalar T>
  ConstArray(T const* values, ArrayExtents const& shape) : type(scalar_type_of<T>()), data(values), extents(shape) {}

  /// Bytes of the array.
  std::size_t bytes() const { return extents.count() * scalar_size(type); }
};

/// Dense array in host memory, written by a call; owns nothing.
struct MutableArray {
  ScalarType type = ScalarType::float64;  ///< number type
  void* data = nullptr;                   ///< first value
  ArrayExtents extents;                   ///< extents

  MutableArray() = default;
  /// Array of shape.count() values, which outlive the call.
  template <FileScalar T>
  MutableArray(T* values, ArrayExtents const& shape) : type(scalar_type_of<T>()), data(values), extents(shape) {}

  /// Bytes of the array.
  std::size_t bytes() const { return extents.count() * scalar_size(type); }
};

}  // namespace karman
