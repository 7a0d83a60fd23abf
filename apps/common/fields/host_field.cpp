// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_field.hpp"

#include <karman/core/error.hpp>

#include <cstring>

namespace karman::app {
namespace {

template <class To>
void round_into(std::span<double const> values, std::byte* target) {
  for (double const value : values) {
    To const rounded = static_cast<To>(value);
    std::memcpy(target, &rounded, sizeof(To));
    target += sizeof(To);
  }
}

template <class From>
std::vector<double> widen(std::vector<std::byte> const& bytes) {
  std::vector<double> values(bytes.size() / sizeof(From));
  std::byte const* source = bytes.data();
  for (double& value : values) {
    From stored = 0;
    std::memcpy(&stored, source, sizeof(From));
    value = stored;
    source += sizeof(From);
  }
  return values;
}

}  // namespace

HostField::HostField(ScalarType type, ArrayExtents const& extents)
    : type_(type), extents_(extents), bytes_(extents.count() * scalar_size(type)) {}

HostField::HostField(Precision precision, ArrayExtents const& extents, std::span<double const> values)
    : HostField(scalar_type(precision), extents) {
  require(values.size() == extents.count(), "HostField: the number of values is not that of the extents");
  if (precision == Precision::f32) round_into<float>(values, bytes_.data());
  else round_into<double>(values, bytes_.data());
}

ConstArray HostField::array() const {
  ConstArray array;
  array.type = type_;
  array.data = bytes_.data();
  array.extents = extents_;
  return array;
}

MutableArray HostField::array() {
  MutableArray array;
  array.type = type_;
  array.data = bytes_.data();
  array.extents = extents_;
  return array;
}

std::vector<double> HostField::in_double() const {
  require(type_ == ScalarType::float32 || type_ == ScalarType::float64, "HostField: in_double needs float or double");
  return type_ == ScalarType::float32 ? widen<float>(bytes_) : widen<double>(bytes_);
}

}  // namespace karman::app
