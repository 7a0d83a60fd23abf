// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kokkos Views in HDF5 files. CMake target: karman::io_views.
#pragma once

#include <karman/core/concepts.hpp>
#include <karman/io/hdf5_file.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace karman {
namespace detail {

template <class V>
constexpr bool is_host_view =
    bool(Kokkos::SpaceAccessibility<Kokkos::DefaultHostExecutionSpace, typename V::memory_space>::accessible);

/// The extents of a View whose values lie in memory as in a file: the last index fastest, without gaps. Throws
/// std::invalid_argument for any other.
template <class V>
ArrayExtents row_major_extents(std::string_view name, V const& view) {
  constexpr int rank = static_cast<int>(V::rank);
  static_assert(rank <= static_cast<int>(ArrayExtents::max_rank), "files hold arrays of at most four extents");
  ArrayExtents extents;
  for (int axis = 0; axis < rank; ++axis) extents.append(view.extent(axis));
  std::size_t stride = 1;
  for (int axis = rank - 1; axis >= 0; --axis) {
    if (view.extent(axis) > 1 && static_cast<std::size_t>(view.stride(axis)) != stride) {
      throw std::invalid_argument("the View " + view.label() + " for " + std::string(name) + " has stride " +
                                  std::to_string(view.stride(axis)) + " along axis " + std::to_string(axis) +
                                  ", a file needs " + std::to_string(stride) +
                                  "; copy it to a contiguous View of LayoutRight");
    }
    stride *= view.extent(axis);
  }
  return extents;
}

}  // namespace detail

/// View with values of a number type that files can hold.
template <class V>
concept FileView = Kokkos::is_view<V>::value && FileScalar<typename V::non_const_value_type>;

/// Writes a View as a new dataset of its extents, as Hdf5File::write() does. Device memory goes through a copy on the
/// host.
/// \param space instance of the copy
/// \param file file open for writing
/// \param name path inside the file
/// \param view rank 0 to 4, the last index fastest, without gaps: LayoutRight, or any layout with these strides
/// \param options storage layout
/// \par Cost
/// The bytes of the View, twice from a device.
/// \par Synchrony
/// Fences `space`.
/// \throws std::invalid_argument for strides that no dataset has
/// \throws FileError as Hdf5File::write()
template <ExecutionSpace Exec, FileView V>
void write_view(Exec const& space, Hdf5File& file, std::string_view name, V const& view,
                DatasetOptions const& options = {}) {
  using Value = typename V::non_const_value_type;
  ArrayExtents const extents = detail::row_major_extents(name, view);
  if constexpr (detail::is_host_view<V>) {
    space.fence();
    file.write(name, static_cast<Value const*>(view.data()), extents, options);
  } else {
    using Flat = Kokkos::View<Value const*, Kokkos::LayoutRight, typename V::memory_space,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::View<Value*, Kokkos::LayoutRight, Kokkos::HostSpace> const copy(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "karman::io::write_view"), extents.count());
    Kokkos::deep_copy(space, copy, Flat(view.data(), extents.count()));
    space.fence();
    file.write(name, static_cast<Value const*>(copy.data()), extents, options);
  }
}

/// Reads a dataset into a View.
/// \param space instance of the copy
/// \param file file open for reading
/// \param name path inside the file
/// \param view exactly the stored type and extents; shape as write_view()
/// \par Cost
/// The bytes of the View, twice to a device.
/// \par Synchrony
/// Fences `space`.
/// \throws std::invalid_argument for strides that no dataset has
/// \throws FileError for a dataset of another type or other extents
template <ExecutionSpace Exec, FileView V>
void read_view(Exec const& space, Hdf5File const& file, std::string_view name, V const& view) {
  using Value = typename V::value_type;
  static_assert(!std::is_const_v<Value>, "a View that is read into has values that can change");
  ArrayExtents const extents = detail::row_major_extents(name, view);
  space.fence();  // kernels may still use the values
  if constexpr (detail::is_host_view<V>) {
    file.read(name, view.data(), extents);
  } else {
    using Flat =
        Kokkos::View<Value*, Kokkos::LayoutRight, typename V::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::View<Value*, Kokkos::LayoutRight, Kokkos::HostSpace> const copy(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "karman::io::read_view"), extents.count());
    file.read(name, copy.data(), extents);
    Kokkos::deep_copy(space, Flat(view.data(), extents.count()), copy);
    space.fence();
  }
}

}  // namespace karman
