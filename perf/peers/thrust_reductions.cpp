// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reduction_peers.hpp"

#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

#include <cmath>

namespace karman::perf {

namespace {

template <class T>
struct Larger {
  __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

template <class T>
struct Triple {
  T min, max, sum;
};

template <class T>
struct MakeTriple {
  __host__ __device__ Triple<T> operator()(T x) const { return {x, x, x}; }
};

template <class T>
struct JoinTriples {
  __host__ __device__ Triple<T> operator()(Triple<T> a, Triple<T> b) const {
    return {b.min < a.min ? b.min : a.min, a.max < b.max ? b.max : a.max, a.sum + b.sum};
  }
};

template <class T>
struct SquaredSpeed {
  T const* u;
  T const* v;
  T const* w;
  __host__ __device__ T operator()(std::int64_t i) const { return u[i] * u[i] + v[i] * v[i] + w[i] * w[i]; }
};

template <class Exec, class T>
class ThrustReduction final : public Reduction<Exec, T> {
 public:
  explicit ThrustReduction(Task task) : task_(task) {}

  void run(Exec const& space, ReductionFields<Exec, T> const& fields) override {
    auto const policy = thrust::cuda::par.on(space.cuda_stream());
    T const* const u = fields.u.data();
    auto const n = static_cast<std::int64_t>(fields.u.extent(0));
    T const least = std::numeric_limits<T>::lowest();
    if (task_ == Task::max) {
      results_ = {double(thrust::reduce(policy, u, u + n, least, Larger<T>{}))};
    } else if (task_ == Task::sum) {
      results_ = {double(thrust::reduce(policy, u, u + n, T(0)))};
    } else if (task_ == Task::min_max_sum) {
      Triple<T> const none{std::numeric_limits<T>::max(), least, T(0)};
      auto const all = thrust::transform_reduce(policy, u, u + n, MakeTriple<T>{}, none, JoinTriples<T>{});
      results_ = {double(all.min), double(all.max), double(all.sum)};
    } else {
      thrust::counting_iterator<std::int64_t> const first(0);
      SquaredSpeed<T> const square{u, fields.v.data(), fields.w.data()};
      results_ = {std::sqrt(double(thrust::transform_reduce(policy, first, first + n, square, T(0), Larger<T>{})))};
    }
  }

  std::vector<double> results(Exec const&) override { return results_; }

 private:
  Task task_;
  std::vector<double> results_;
};

}  // namespace

template <class Exec, class T>
ReductionMaker<Exec, T> thrust_reduction(Task task) {
  return [task](Exec const&, std::int64_t) { return std::make_unique<ThrustReduction<Exec, T>>(task); };
}

template ReductionMaker<Kokkos::Cuda, float> thrust_reduction<Kokkos::Cuda, float>(Task);
template ReductionMaker<Kokkos::Cuda, double> thrust_reduction<Kokkos::Cuda, double>(Task);

}  // namespace karman::perf
