// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the bits of sums on every backend of the host, for reductions_test to compare between numbers of threads.
#include <karman/core/backend.hpp>
#include <karman/core/reductions.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

namespace {

template <class T, class Exec>
void print_sums(Exec const& space) {
  karman::Reducer<Exec> reducer(space);
  for (std::int64_t const n : {1, 33, 4097, 100007, 1234567, 5000000}) {
    Kokkos::View<T*, Kokkos::HostSpace> const values("karman::test::values", static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) values(i) = static_cast<T>(std::sin(static_cast<double>(i)));
    auto const rows = Kokkos::subview(values, std::pair<std::int64_t, std::int64_t>(n / 3, n));
    auto const all = reducer.min_max_sum(space, values);
    std::printf("%s %d sum %a %a %a %a\n", std::string(karman::name(karman::backend_of<Exec>())).c_str(),
                int(sizeof(T)), static_cast<double>(all.sum), static_cast<double>(reducer.sum(space, rows)),
                static_cast<double>(reducer.norm_l2(space, values)),
                static_cast<double>(reducer.relative_difference_l1(space, values, values)));
  }
}

template <class Exec>
void print_host() {
  if constexpr (karman::runs_on_host<Exec>) {
    Exec const space;
    print_sums<float>(space);
    print_sums<double>(space);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
#define KARMAN_PRINT(Exec) print_host<Exec>();
  KARMAN_FOR_EACH_BACKEND(KARMAN_PRINT)
#undef KARMAN_PRINT
  return 0;
}
