// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of the vorticity equation, beside the bare Fourier transforms that they contain.
#include "space_work.hpp"
#include "traffic.hpp"
#include <karman/core/types.hpp>
#include <karman/solvers/spectral/vorticity_solver.hpp>
#include <karman/solvers/transforms/fft.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace karman::perf {

namespace {

/// Decaying Taylor-Green vortices, an exact solution, for the check; a flow of many waves, for the time.
template <class Exec, class T>
struct Waves {
  Plane<Exec, T> vorticity;
  bool exact;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    namespace math = compat::math;
    auto const n = static_cast<std::int64_t>(vorticity.extent(1));
    std::int64_t const j = place / n, i = place % n;
    double const x = 2 * 3.14159265358979323846 * double(i) / double(n),
                 y = 2 * 3.14159265358979323846 * double(j) / double(n);
    double value = 2 * math::cos(x) * math::cos(y);
    if (!exact) value += math::sin(5 * x + 3 * y) + math::cos(4 * x - 7 * y) + 0.5 * math::sin(11 * y);
    vorticity(j, i) = static_cast<T>(value);
  }
};

constexpr double viscosity = 1e-3;

template <class Exec, class T>
class VorticityWork final : public SpaceWork<Exec> {
 public:
  VorticityWork(Exec const& space, int n, VorticityMethod method, bool adaptive)
      : SpaceWork<Exec>(space),
        n_(n),
        // Steps of equal length are as long as those that the device would choose.
        control_{.cfl = adaptive ? 0.5 : 0, .dt_max = 0.5 / n},
        solver_(space, {.points = {n, n}, .terms = {.viscosity = viscosity}, .method = method}) {
    start(false);
    this->fence();
  }

  std::string check(bool spoil) override {
    start(true);
    for (int step = 0; step < 3; ++step) run();
    auto const figures = solver_.figures(this->space());
    double const energy = figures.energy * (spoil ? 1.01 : 1);
    double const time = figures.moment.time;
    start(false);
    return compare("the energy", energy, 0.25 * std::exp(-4 * viscosity * time),
                   200 * double(std::numeric_limits<T>::epsilon()));
  }

 protected:
  void run() override { solver_.step(this->space()); }

 private:
  void start(bool exact) {
    auto const n = static_cast<std::size_t>(n_);
    Plane<Exec, T> const vorticity("karman::perf::vorticity", n, n);
    Kokkos::parallel_for(
        "karman::perf::waves",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(this->space(), 0, std::int64_t(n_) * n_),
        Waves<Exec, T>{vorticity, exact});
    solver_.start(this->space(), vorticity, 0, control_);
  }

  int n_;
  StepControl control_;
  VorticitySolver<Exec, T> solver_;
};

/// One complex transform in each direction per stage, in place, and nothing else.
template <class Exec, class T>
class TransformsWork final : public SpaceWork<Exec> {
 public:
  TransformsWork(Exec const& space, int n, int stages)
      : SpaceWork<Exec>(space),
        fft_(space, {1, n, n}, {true, true, false}),
        plane_("karman::perf::plane", 1, std::size_t(n), std::size_t(n)),
        stages_(stages),
        factor_(double(n) * n) {
    this->fence();
  }

  std::string check(bool spoil) override {
    using Complex = Kokkos::complex<T>;
    auto const one = Kokkos::subview(plane_, 0, 1, 2);
    Kokkos::deep_copy(this->space(), plane_, Complex(0, 0));
    Kokkos::deep_copy(this->space(), one, Complex(1, 0));
    fft_.forward(this->space(), plane_, plane_);
    fft_.backward(this->space(), plane_, plane_);
    Complex found(0, 0);
    Kokkos::deep_copy(this->space(), found, one);
    this->fence();
    Kokkos::deep_copy(this->space(), plane_, Complex(0, 0));
    return compare("a value after both transforms", double(found.real()) / factor_ * (spoil ? 1.01 : 1), 1,
                   64 * double(std::numeric_limits<T>::epsilon()));
  }

 protected:
  void run() override {
    for (int stage = 0; stage < stages_; ++stage) {
      fft_.backward(this->space(), plane_, plane_);
      fft_.forward(this->space(), plane_, plane_);
    }
  }

 private:
  ComplexFft<Exec, T> fft_;
  Field<Exec, Kokkos::complex<T>> plane_;
  int stages_;
  double factor_;
};

template <class Exec, class T>
void append_method(std::vector<Row>& rows, int n, VorticityMethod method, std::string const& algorithm) {
  Row row;
  row.family = "vorticity";
  row.backend = name(backend_of<Exec>());
  row.precision = precision_name<T>;
  row.size = std::to_string(n) + 'x' + std::to_string(n);
  row.unit = "points";
  row.units = double(n) * n;
  row.bytes = traffic::vorticity_step(row.units, sizeof(T), stages(method));
  row.memory_bytes = row.units * (4.5 * sizeof(T) + 8);
  row.back_to_back = true;
  auto const add = [&](std::string const& what, std::string const& peer, auto const& prepare) {
    row.algorithm = what;
    row.peer = peer;
    row.prepare = prepare;
    rows.push_back(row);
  };
  add(algorithm, "", [=] { return std::make_unique<VorticityWork<Exec, T>>(Exec(), n, method, true); });
  add(algorithm, "transforms_alone",
      [=] { return std::make_unique<TransformsWork<Exec, T>>(Exec(), n, stages(method)); });
  if (method != VorticityMethod::low_storage_rk3) return;
  add(algorithm + "_equal_dt", "", [=] { return std::make_unique<VorticityWork<Exec, T>>(Exec(), n, method, false); });
}

template <class Exec>
void append_vorticity(std::vector<Row>& rows, Selection const& selection) {
  std::vector<int> sizes{512, 1024, 2048, 4096, 8192};
  if (runs_on_host<Exec>) sizes = {256, 512, 1024};
  if (selection.quick) sizes.resize(1);
  for (int const n : sizes) {
    append_method<Exec, double>(rows, n, VorticityMethod::low_storage_rk3, "rk3_step");
    append_method<Exec, double>(rows, n, VorticityMethod::low_storage_rk54, "rk54_step");
    if (!selection.quick) append_method<Exec, float>(rows, n, VorticityMethod::low_storage_rk3, "rk3_step");
  }
}

}  // namespace

void append_vorticity_rows(std::vector<Row>& rows, Selection const& selection) {
#define KARMAN_APPEND(Exec) append_vorticity<Exec>(rows, selection);
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
}

}  // namespace karman::perf
