// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Red-black relaxation: iterations of a loaded plan.
#include "peers/sor_peers.hpp"
#include "space_work.hpp"
#include "traffic.hpp"
#include <karman/solvers/grid/red_black_sor.hpp>

namespace karman::perf {

namespace {

template <class Exec, class T>
void fill(Exec const& space, SorShape<Exec> const& v, SorAmplitudes const& amplitudes, double source,
          Field<Exec, T> const& lambda, Field<Exec, T> const& rhs) {
  double const red = amplitudes.red, black = amplitudes.black;
  Kokkos::parallel_for(
      "karman::perf::fill",
      Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>>(
          space, {0, 0, 0}, {int(lambda.extent(0)), int(lambda.extent(1)), int(lambda.extent(2))}),
      KOKKOS_LAMBDA(int k, int j, int i) {
        double const here = v(k, j, i);
        lambda(k, j, i) = T(((k + j + i) % 2 == 0 ? red : black) * here);
        rhs(k, j, i) = T(source * here);
      });
}

template <class Exec, class T>
double distance(Exec const& space, SorShape<Exec> const& v, SorAmplitudes const& expected,
                Field<Exec, T> const& lambda) {
  double const red = expected.red, black = expected.black;
  double largest = 0;
  Kokkos::parallel_reduce(
      "karman::perf::check",
      Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>>(
          space, {0, 0, 0}, {int(lambda.extent(0)), int(lambda.extent(1)), int(lambda.extent(2))}),
      KOKKOS_LAMBDA(int k, int j, int i, double& worst) {
        double const wanted = ((k + j + i) % 2 == 0 ? red : black) * v(k, j, i);
        double const difference = compat::math::fabs(double(lambda(k, j, i)) - wanted);
        if (!(difference <= worst)) worst = difference;
      },
      Kokkos::Max<double>(largest));
  return largest;
}

/// Karman's solver.
template <class Exec, class T>
class KarmanSor final : public SorImplementation<Exec, T> {
 public:
  KarmanSor(Exec const& space, SorProblem const& problem, SorStorage storage)
      : problem_(problem),
        shape_(space, problem),
        grid_({problem.box().nx, problem.box().ny, problem.box().nz}, SorBox::spacing),
        solver_(space, {grid_, sides(problem.box())}, {storage}) {
    lambda_ = allocate<Field<Exec, T>>(space, "karman::perf::lambda", grid_.nz(), grid_.ny(), grid_.nx());
    rhs_ = allocate<Field<Exec, T>>(space, "karman::perf::rhs", grid_.nz(), grid_.ny(), grid_.nx());
  }

  void load(Exec const& space) override {
    fill(space, shape_, problem_.after(0), problem_.source() * problem_.box().weight(), lambda_, rhs_);
    solver_.load(space, lambda_, rhs_);
  }
  void iterate(Exec const& space, int count) override { solver_.iterate(space, count, SorBox::omega); }
  double distance(Exec const& space, SorAmplitudes const& expected) override {
    solver_.store(space, lambda_);
    return perf::distance(space, shape_, expected, lambda_);
  }

 private:
  static Boundaries sides(SorBox const& box) {
    return box.planar() ? Boundaries::planar(Boundary::fixed) : Boundaries::all(Boundary::fixed);
  }
  SorProblem problem_;
  SorShape<Exec> shape_;
  UniformGrid grid_;
  RedBlackSor<Exec, T> solver_;
  Field<Exec, T> lambda_, rhs_;
};

template <class Exec, class T>
using Maker = std::function<std::unique_ptr<SorImplementation<Exec, T>>(Exec const&, SorProblem const&)>;

template <class Exec, class T>
class SorWork final : public SpaceWork<Exec> {
 public:
  SorWork(Exec const& space, SorBox const& box, Maker<Exec, T> const& make)
      : SpaceWork<Exec>(space), problem_(box), implementation_(make(space, problem_)) {
    implementation_->load(space);
    this->fence();
  }

  std::string check(bool spoil) override {
    implementation_->iterate(this->space(), SorBox::check_iterations);
    // Spoiled: the answer of one more iteration, which a sound check must refuse.
    auto const expected = problem_.after(SorBox::check_iterations + (spoil ? 1 : 0));
    double const distance = implementation_->distance(this->space(), expected);
    return compare("the largest difference from the known iterate", distance, 0, problem_.template tolerance<T>());
  }

 protected:
  void run() override { implementation_->iterate(this->space(), 1); }

 private:
  SorProblem problem_;
  std::unique_ptr<SorImplementation<Exec, T>> implementation_;
};

template <class Exec, class T>
void append_row(std::vector<Row>& rows, SorBox const& box, std::string const& algorithm, std::string const& peer,
                double bytes, double memory, Maker<Exec, T> const& make) {
  Row row;
  row.family = "sor";
  row.algorithm = algorithm;
  row.backend = name(backend_of<Exec>());
  row.precision = precision_name<T>;
  row.size = box.size();
  row.peer = peer;
  row.unit = "cells";
  row.units = box.cells();
  row.bytes = bytes;
  row.memory_bytes = memory;
  row.back_to_back = true;
  row.prepare = [box, make] { return std::make_unique<SorWork<Exec, T>>(Exec(), box, make); };
  rows.push_back(std::move(row));
}

template <class Exec, class T>
void append_storages(std::vector<Row>& rows, SorBox const& box, std::vector<SorStorage> const& storages) {
  for (SorStorage storage : storages) {
    double coefficients = traffic::packed_coefficients;
    if (storage != SorStorage::packed) coefficients = traffic::coefficient_arrays(sizeof(T));
    std::string algorithm(name(storage));
    if (box.planar()) algorithm += "_2d";
    // Fields of the benchmark and of the plan; codes beside the expanded coefficients.
    double const memory = box.cells() * (4.5 * sizeof(T) + 2 + coefficients);
    append_row<Exec, T>(rows, box, algorithm, "", traffic::split_colors(box.cells(), sizeof(T), coefficients), memory,
                        [storage](Exec const& space, SorProblem const& problem) {
                          return std::make_unique<KarmanSor<Exec, T>>(space, problem, storage);
                        });
    if (storage != SorStorage::packed) continue;
    double const peer_memory = box.cells() * 2.2 * sizeof(T);
    append_row<Exec, T>(rows, box, algorithm, "kokkos_mdrange", traffic::interleaved_colors(box.cells(), sizeof(T)),
                        peer_memory, kokkos_mdrange_sor<Exec, T>);
    if constexpr (runs_on_host<Exec>) {
      append_row<Exec, T>(rows, box, algorithm, "openmp_simd", traffic::split_colors(box.cells(), sizeof(T), 0),
                          peer_memory, host_simd_sor<Exec, T>);
    } else {
      append_row<Exec, T>(rows, box, algorithm, "plain_cuda", traffic::split_colors(box.cells(), sizeof(T), 0),
                          peer_memory, cuda_sor<Exec, T>);
    }
  }
}

template <class Exec>
void append_sor(std::vector<Row>& rows, Selection const& selection) {
  std::vector<SorStorage> const all{SorStorage::packed, SorStorage::folded, SorStorage::coefficients};
  std::vector<SorStorage> const packed{SorStorage::packed};
  SorBox block{1024, 1024, 256};
  SorBox plane{16384, 16384, 1};
  if constexpr (runs_on_host<Exec>) {
    block = selection.quick ? SorBox{256, 256, 96} : SorBox{1024, 1024, 32};
    plane = selection.quick ? SorBox{2560, 2560, 1} : SorBox{8192, 4096, 1};
  }
  append_storages<Exec, float>(rows, block, all);
  append_storages<Exec, double>(rows, block, selection.quick ? packed : all);
  append_storages<Exec, float>(rows, plane, packed);
  if (!selection.quick) append_storages<Exec, double>(rows, plane, packed);
}

}  // namespace

void append_sor_rows(std::vector<Row>& rows, Selection const& selection) {
#define KARMAN_APPEND(Exec) append_sor<Exec>(rows, selection);
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
}

}  // namespace karman::perf
