// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backend_probe_run.hpp"
#include "backend_probes.hpp"
#include <karman/core/backend_check.hpp>
#include <karman/core/compat.hpp>
#include <karman/core/profiling.hpp>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

namespace karman {
namespace detail {
namespace {

char const* name(Probe probe) {
  switch (probe) {
    case Probe::memory: return "plain memory";
    case Probe::rank_1: return "rank-1 Views";
    case Probe::rank_2: return "rank-2 Views";
    case Probe::rank_3: return "rank-3 Views";
    case Probe::members: return "functor members";
    case Probe::many_views: return "functors with many Views";
    case Probe::scratch: return "team scratch";
    case Probe::reductions: return "reductions";
  }
  return "unknown";
}

/// Waits for the instance and returns the error of a fault, empty without one. Avoids Kokkos' fence, which ends the
/// process after a fault in a kernel.
template <class Exec>
std::string wait_for(Exec const& space) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    cudaError_t const error = cudaStreamSynchronize(space.cuda_stream());
    return error == cudaSuccess ? std::string() : cudaGetErrorString(error);
  }
#endif
  compat::fence(space, "karman::check_backend::wait");
  return {};
}

/// Memory without a View, because the code of View is under test.
template <class Exec>
class ProbeArray {
 public:
  ProbeArray(std::string const& label, std::size_t size)
      : data_(static_cast<double*>(Kokkos::kokkos_malloc<Memory>(label, size * sizeof(double)))) {}
  ~ProbeArray() {
    if (!abandoned_) Kokkos::kokkos_free<Memory>(data_);
  }
  ProbeArray(ProbeArray const&) = delete;
  ProbeArray& operator=(ProbeArray const&) = delete;
  double* data() const { return data_; }
  /// Keeps the memory until the process ends: a lost device cannot free it.
  void abandon() { abandoned_ = true; }

 private:
  using Memory = typename Exec::memory_space;
  double* data_;
  bool abandoned_ = false;
};

/// The probes of one backend, each with `ProbeBox::cells` places for its answers.
template <class Exec>
class ProbeRun {
 public:
  explicit ProbeRun(Exec const& space)
      : space_(space),
        input_("karman::check_backend::input", inputs),
        answers_("karman::check_backend::answers", probes.size() * Box::cells) {}

  /// Runs one probe and waits for it. Returns the error of a fault, empty without one.
  std::string run(Probe probe) {
    using Types = ProbeTypes<Exec>;
    double* const in = input_.data();
    double* const out = answers_of(probe);
    typename Types::ConstBox const box(in, Box::nz, Box::ny, Box::nx);
    typename Types::Box const result(out, Box::nz, Box::ny, Box::nx);
    switch (probe) {
      case Probe::memory: {
        int const all = static_cast<int>(probes.size()) * Box::cells;
        Kokkos::parallel_for("karman::check_backend::memory", Range(space_, 0, all),
                             ProbeMemory{in, answers_.data(), inputs, all});
        break;
      }
      case Probe::rank_1:
        Kokkos::parallel_for(
            "karman::check_backend::rank_1", Range(space_, 0, Box::cells),
            ProbeRank1<Exec>{typename Types::ConstLine(in, Box::cells), typename Types::Line(out, Box::cells)});
        break;
      case Probe::rank_2: {
        int const rows = Box::nz * Box::ny;
        Kokkos::parallel_for(
            "karman::check_backend::rank_2",
            Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>(space_, {0, 0}, {rows, Box::nx}),
            ProbeRank2<Exec>{typename Types::ConstPlane(in, Box::nx, rows), typename Types::Plane(out, rows, Box::nx)});
        break;
      }
      case Probe::rank_3:
        Kokkos::parallel_for("karman::check_backend::rank_3", cells(), ProbeRank3<Exec>{box, result});
        break;
      case Probe::members:
        Kokkos::parallel_for("karman::check_backend::members", Range(space_, 0, 1), members());
        break;
      case Probe::many_views: {
        ProbeManyViews<Exec> many;
        for (int n = 0; n < Box::fields; ++n) many.in[n] = typename Types::ConstBox(in + n, Box::nz, Box::ny, Box::nx);
        many.out = result;
        Kokkos::parallel_for("karman::check_backend::many_views", cells(), many);
        break;
      }
      case Probe::scratch:
        Kokkos::parallel_for(
            "karman::check_backend::scratch",
            teams().set_scratch_size(
                0, Kokkos::PerTeam(static_cast<int>(ProbeScratch<Exec>::Scratch::shmem_size(Box::nx)))),
            ProbeScratch<Exec>{box, result});
        break;
      case Probe::reductions: {
        using Memory = typename Exec::memory_space;
        using Number = Kokkos::View<double, Memory, typename Types::Unmanaged>;
        Kokkos::parallel_reduce("karman::check_backend::largest", Range(space_, 0, Box::cells),
                                ProbeLargest<Exec>{typename Types::ConstLine(in, Box::cells)},
                                Kokkos::Max<double, Memory>(Number(out)));
        Kokkos::parallel_reduce("karman::check_backend::sum", teams(), ProbeTeamSum<Exec>{box}, Number(out + 1));
        break;
      }
    }
    return wait_for(space_);
  }

  /// All values that the probes wrote, in the order of `probes`.
  std::vector<double> fetch() const {
    std::vector<double> values(probes.size() * Box::cells);
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    Kokkos::deep_copy(
        space_, Kokkos::View<double*, Kokkos::HostSpace, Unmanaged>(values.data(), values.size()),
        Kokkos::View<double const*, typename Exec::memory_space, Unmanaged>(answers_.data(), values.size()));
    compat::fence(space_, "karman::check_backend::fetch");
    return values;
  }

  std::vector<double> exact_members() const {
    std::vector<double> values(ProbeMembers<Exec>::count);
    members().write(values.data());
    return values;
  }

  void abandon() {
    input_.abandon();
    answers_.abandon();
  }

 private:
  using Box = ProbeBox;
  using Range = Kokkos::RangePolicy<Exec>;
  static constexpr int inputs = Box::cells + Box::fields;

  auto cells() const {
    return Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>>(space_, {0, 0, 0}, {Box::nz, Box::ny, Box::nx});
  }
  auto teams() const { return Kokkos::TeamPolicy<Exec>(space_, Box::nz * Box::ny, runs_on_host<Exec> ? 1 : 32); }
  double* answers_of(Probe probe) const { return answers_.data() + static_cast<int>(probe) * Box::cells; }

  ProbeMembers<Exec> members() const {
    using Types = ProbeTypes<Exec>;
    double* const in = input_.data();
    return {answers_of(Probe::members),
            typename Types::Line(in, 11),
            1.25,
            typename Types::ConstPlane(in + 1, 12, 13),
            2.5,
            typename Types::Box(in + 2, 2, 3, 4),
            typename Types::ConstLine(in + 3, 14),
            3.75};
  }

  Exec space_;
  ProbeArray<Exec> input_, answers_;
};

/// The verdict in one line: backend, finding, versions, remedy.
template <class Exec>
std::string problem_line(std::string const& finding) {
  BuildInfo const build = build_info();
  std::string line = std::string(karman::name(backend_of<Exec>())) + ": kernels " + finding +
                     " in this build (Kokkos " + build.kokkos_version + ", ";
  if (!build.cuda_version.empty() && !runs_on_host<Exec>) {
    return line + "nvcc " + build.cuda_version +
           "); rebuild Kokkos with -DKokkos_ENABLE_IMPL_VIEW_LEGACY=ON or use Kokkos 4.7.02 or later, then rebuild "
           "Karman";
  }
  return line + build.compiler + "); rebuild Kokkos and Karman with one compiler";
}

}  // namespace

template <ExecutionSpace Exec>
BackendVerdict run_backend_probes(Exec const& space, std::optional<Probe> spoiled) {
  Region const region("karman::check_backend");
  ProbeRun<Exec> run(space);
  for (Probe const probe : probes) {
    if (std::string const error = run.run(probe); !error.empty()) {
      run.abandon();
      return {problem_line<Exec>("fault (" + std::string(name(probe)) + ": " + error + ")"), true};
    }
  }
  std::vector<double> answers = run.fetch();
  if (spoiled) answers[static_cast<std::size_t>(*spoiled) * ProbeBox::cells] += 1;
  std::string wrong;
  for (Probe const probe : probes) {
    std::vector<double> const exact = exact_answers(probe, run.exact_members());
    std::size_t const first = static_cast<std::size_t>(probe) * ProbeBox::cells;
    bool right = true;
    for (std::size_t n = 0; n < exact.size(); ++n) right = right && answers[first + n] == exact[n];
    if (!right) wrong += (wrong.empty() ? "" : ", ") + std::string(name(probe));
  }
  if (wrong.empty()) return {};
  return {problem_line<Exec>("give wrong answers (" + wrong + ")"), false};
}

}  // namespace detail

template <ExecutionSpace Exec>
BackendVerdict check_backend(Exec const& space) {
  return detail::run_backend_probes(space, std::nullopt);
}

#define KARMAN_INSTANTIATE(Exec)                                                                 \
  template BackendVerdict detail::run_backend_probes(Exec const&, std::optional<detail::Probe>); \
  template BackendVerdict check_backend(Exec const& space);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
