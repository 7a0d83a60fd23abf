// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "turbulence_model.hpp"

#include "common/fields/field_copies.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/error.hpp>
#include <karman/solvers/spectral/vorticity_solver.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace karman::turbulence {
namespace {

template <ExecutionSpace Exec, class T>
class Model final : public TurbulenceModel {
  using Solver = VorticitySolver<Exec, T>;
  using Points = Plane<Exec, T>;
  using Spectrum = typename Solver::Spectrum;
  using HostModes = Kokkos::View<Kokkos::complex<T>**, Kokkos::LayoutRight, Kokkos::HostSpace,
                                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using ConstHostModes = Kokkos::View<Kokkos::complex<T> const**, Kokkos::LayoutRight, Kokkos::HostSpace,
                                      Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

 public:
  Model(Exec const& space, TurbulenceProblem const& problem)
      : space_(space), control_(problem.control), solver_(space, problem.setup) {
    if (!problem.forcing.empty()) {
      Points const values = points("karman::turbulence::forcing");
      app::upload(space_, problem.forcing.array(), values);
      solver_.set_forcing(space_, values);
    }
    if (problem.random) solver_.set_random_forcing(space_, *problem.random);
  }

  void start(app::HostField const& vorticity) override {
    Points const values = points("karman::turbulence::start");
    app::upload(space_, vorticity.array(), values);
    solver_.start(space_, values, 0, control_);
  }

  void restart(app::HostField const& modes, VorticityMoment const& moment) override {
    ConstArray const array = modes.array();
    require(array.type == scalar_type_of<T>() && array.extents == mode_extents(),
            "TurbulenceModel: the modes have another precision or other extents");
    Spectrum const spectrum(Kokkos::view_alloc(space_, std::string("karman::turbulence::restart")), rows(), columns());
    Kokkos::deep_copy(space_, spectrum,
                      ConstHostModes(static_cast<Kokkos::complex<T> const*>(array.data), rows(), columns()));
    compat::fence(space_, "karman::turbulence::restart");
    solver_.restart(space_, spectrum, moment, control_);
  }

  void set_end(double end) override { solver_.set_end(space_, end); }

  void set_dt_max(double dt_max) override { solver_.set_dt_max(dt_max); }

  void advance(int steps) override { solver_.step(space_, steps); }

  VorticityFigures diagnostics() override { return solver_.figures(space_); }

  VorticitySpectra spectra() override { return solver_.spectra(space_); }

  std::vector<std::int64_t> histogram(double largest, int bins) override {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(bins));
    solver_.histogram(space_, largest, counts);
    return counts;
  }

  void copy_vorticity(app::HostField& vorticity) override {
    Points const values = points("karman::turbulence::copy");
    solver_.copy_vorticity(space_, values);
    vorticity = app::HostField(scalar_type_of<T>(), {values.extent(0), values.extent(1)});
    app::download(space_, values, vorticity.array());
  }

  void copy_velocity(app::HostField& velocity) override {
    std::array const parts{points("karman::turbulence::u"), points("karman::turbulence::v")};
    solver_.copy_velocity(space_, parts[0], parts[1]);
    std::size_t const n = parts[0].size();
    velocity = app::HostField(scalar_type_of<T>(), {parts[0].extent(0), parts[0].extent(1), 3});
    auto* const vectors = static_cast<T*>(velocity.array().data);
    app::HostField part(scalar_type_of<T>(), {parts[0].extent(0), parts[0].extent(1)});
    for (std::size_t c = 0; c < 2; ++c) {
      app::download(space_, parts[c], part.array());
      auto const* const values = static_cast<T const*>(std::as_const(part).array().data);
      for (std::size_t p = 0; p < n; ++p) vectors[3 * p + c] = values[p];
    }
  }

  void copy_modes(app::HostField& modes) const override {
    modes = app::HostField(scalar_type_of<T>(), mode_extents());
    typename VorticitySolver<Exec, T>::Spectrum const spectrum(
        Kokkos::view_alloc(space_, Kokkos::WithoutInitializing, std::string("karman::turbulence::modes")), rows(),
        columns());
    solver_.copy_spectrum(space_, spectrum);
    Kokkos::deep_copy(space_, HostModes(static_cast<Kokkos::complex<T>*>(modes.array().data), rows(), columns()),
                      spectrum);
    compat::fence(space_, "karman::turbulence::copy_modes");
  }

  std::int64_t memory_bytes() const override { return solver_.workspace_bytes(); }

 private:
  std::size_t rows() const { return static_cast<std::size_t>(solver_.setup().points[1]); }
  std::size_t columns() const { return static_cast<std::size_t>(solver_.setup().points[0]) / 2 + 1; }
  ArrayExtents mode_extents() const { return {rows(), columns(), 2}; }

  Points points(char const* label) const {
    return Points(Kokkos::view_alloc(space_, Kokkos::WithoutInitializing, std::string(label)), rows(),
                  static_cast<std::size_t>(solver_.setup().points[0]));
  }

  Exec space_;
  StepControl control_;
  Solver solver_;
};

}  // namespace

std::unique_ptr<TurbulenceModel> make_turbulence_model(Backend backend, TurbulenceProblem const& problem) {
  return dispatch(backend, [&](auto const& space) -> std::unique_ptr<TurbulenceModel> {
    using Exec = std::decay_t<decltype(space)>;
    if (problem.precision == app::Precision::f32) return std::make_unique<Model<Exec, float>>(space, problem);
    return std::make_unique<Model<Exec, double>>(space, problem);
  });
}

std::int64_t turbulence_model_bytes(Backend backend, TurbulenceProblem const& problem) {
  std::int64_t const real = app::real_size(problem.precision);
  std::int64_t const points = std::int64_t(problem.setup.points[0]) * problem.setup.points[1];
  std::int64_t const plan = dispatch(backend, [&](auto const& space) {
    using Exec = std::decay_t<decltype(space)>;
    return problem.precision == app::Precision::f32 ? VorticitySolver<Exec, float>::workspace_bytes(problem.setup)
                                                    : VorticitySolver<Exec, double>::workspace_bytes(problem.setup);
  });
  // The velocity while it is copied; the modes of a steady forcing.
  return plan + 2 * real * points + (problem.steady_forcing || !problem.forcing.empty() ? real * points : 0);
}

}  // namespace karman::turbulence
