// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reduction_peers.hpp"

#include <cmath>
#include <limits>

namespace karman::perf {

namespace {

template <class Exec>
using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

template <class Exec, class T, class Target>
void reduce_max(Exec const& space, Values<Exec, T> const& x, Target const& target) {
  Kokkos::parallel_reduce(
      "karman::perf::peer_max", Range<Exec>(space, 0, x.extent(0)),
      KOKKOS_LAMBDA(std::int64_t i, T& largest) {
        if (x(i) > largest) largest = x(i);
      },
      target);
}

template <class Exec, class T>
double reduce_sum(Exec const& space, Values<Exec, T> const& x) {
  T result = 0;
  Kokkos::parallel_reduce(
      "karman::perf::peer_sum", Range<Exec>(space, 0, x.extent(0)),
      KOKKOS_LAMBDA(std::int64_t i, T& total) { total += x(i); }, result);
  return double(result);
}

template <class Exec, class T>
std::vector<double> reduce_min_max_sum(Exec const& space, Values<Exec, T> const& x) {
  T low = 0, high = 0, total = 0;
  Kokkos::parallel_reduce(
      "karman::perf::peer_min_max_sum", Range<Exec>(space, 0, x.extent(0)),
      KOKKOS_LAMBDA(std::int64_t i, T& least, T& largest, T& sum) {
        T const here = x(i);
        if (here < least) least = here;
        if (here > largest) largest = here;
        sum += here;
      },
      Kokkos::Min<T>(low), Kokkos::Max<T>(high), total);
  return {double(low), double(high), double(total)};
}

template <class Exec, class T>
double reduce_speed(Exec const& space, ReductionFields<Exec, T> const& fields) {
  auto const u = fields.u, v = fields.v, w = fields.w;
  T square = 0;
  Kokkos::parallel_reduce(
      "karman::perf::peer_max_speed", Range<Exec>(space, 0, u.extent(0)),
      KOKKOS_LAMBDA(std::int64_t i, T& largest) {
        T const here = u(i) * u(i) + v(i) * v(i) + w(i) * w(i);
        if (here > largest) largest = here;
      },
      Kokkos::Max<T>(square));
  return std::sqrt(double(square));
}

template <class Exec, class T>
class KokkosReduction final : public Reduction<Exec, T> {
 public:
  explicit KokkosReduction(Task task) : task_(task), device_("karman::perf::result") {}

  void run(Exec const& space, ReductionFields<Exec, T> const& fields) override {
    if (task_ == Task::max_on_device) {
      reduce_max<Exec, T>(space, fields.u, Kokkos::Max<T, typename Exec::memory_space>(device_));
    } else if (task_ == Task::max) {
      T largest = 0;
      reduce_max<Exec, T>(space, fields.u, Kokkos::Max<T>(largest));
      results_ = {double(largest)};
    } else if (task_ == Task::sum) {
      results_ = {reduce_sum<Exec, T>(space, fields.u)};
    } else if (task_ == Task::min_max_sum) {
      results_ = reduce_min_max_sum<Exec, T>(space, fields.u);
    } else {
      results_ = {reduce_speed<Exec, T>(space, fields)};
    }
  }

  std::vector<double> results(Exec const& space) override {
    compat::fence(space, "karman::perf::result");
    if (task_ != Task::max_on_device) return results_;
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), device_);
    return {double(host())};
  }

 private:
  Task task_;
  Kokkos::View<T, typename Exec::memory_space> device_;
  std::vector<double> results_;
};

/// One piece of the field per team.
template <class Exec, class T>
struct TeamMax {
  static constexpr std::int64_t piece = 65536;
  Values<Exec, T> x;

  KOKKOS_FUNCTION void operator()(typename Kokkos::TeamPolicy<Exec>::member_type const& team, T& largest) const {
    std::int64_t const n = x.extent(0);
    std::int64_t const begin = team.league_rank() * piece;
    std::int64_t const end = begin + piece < n ? begin + piece : n;
    T in_piece = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, begin, end),
        [&](std::int64_t i, T& most) {
          if (x(i) > most) most = x(i);
        },
        Kokkos::Max<T>(in_piece));
    if (in_piece > largest) largest = in_piece;
  }
};

template <class Exec, class T>
class KokkosTeamReduction final : public Reduction<Exec, T> {
 public:
  void run(Exec const& space, ReductionFields<Exec, T> const& fields) override {
    auto const n = static_cast<std::int64_t>(fields.u.extent(0));
    int const teams = int((n + TeamMax<Exec, T>::piece - 1) / TeamMax<Exec, T>::piece);
    T largest = 0;
    Kokkos::parallel_reduce("karman::perf::peer_team_max", Kokkos::TeamPolicy<Exec>(space, teams, Kokkos::AUTO),
                            TeamMax<Exec, T>{fields.u}, Kokkos::Max<T>(largest));
    result_ = double(largest);
  }
  std::vector<double> results(Exec const&) override { return {result_}; }

 private:
  double result_ = 0;
};

}  // namespace

template <class Exec, class T>
ReductionMaker<Exec, T> kokkos_reduction(Task task) {
  return [task](Exec const&, std::int64_t) { return std::make_unique<KokkosReduction<Exec, T>>(task); };
}

template <class Exec, class T>
ReductionMaker<Exec, T> kokkos_team_reduction() {
  return [](Exec const&, std::int64_t) { return std::make_unique<KokkosTeamReduction<Exec, T>>(); };
}

#define KARMAN_INSTANTIATE(Exec)                                              \
  template ReductionMaker<Exec, float> kokkos_reduction<Exec, float>(Task);   \
  template ReductionMaker<Exec, double> kokkos_reduction<Exec, double>(Task); \
  template ReductionMaker<Exec, float> kokkos_team_reduction<Exec, float>();  \
  template ReductionMaker<Exec, double> kokkos_team_reduction<Exec, double>();
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::perf
