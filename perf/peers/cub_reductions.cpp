// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_check.hpp"
#include "reduction_peers.hpp"

#include <cub/device/device_reduce.cuh>

namespace karman::perf {

namespace {

enum class Call { max, min, sum };

template <class T>
cudaError_t call_cub(Call call, void* workspace, std::size_t& bytes, T const* x, T* result, std::int64_t n,
                     cudaStream_t stream) {
  if (call == Call::max) return cub::DeviceReduce::Max(workspace, bytes, x, result, n, stream);
  if (call == Call::min) return cub::DeviceReduce::Min(workspace, bytes, x, result, n, stream);
  return cub::DeviceReduce::Sum(workspace, bytes, x, result, n, stream);
}

template <class Exec, class T>
class CubReduction final : public Reduction<Exec, T> {
 public:
  CubReduction(Exec const& space, Task task, std::int64_t n) : task_(task), device_("karman::perf::result", 3) {
    if (task == Task::sum) calls_ = {Call::sum};
    else if (task == Task::min_max_sum) calls_ = {Call::min, Call::max, Call::sum};
    else calls_ = {Call::max};
    std::size_t most = 0;
    for (Call call : calls_) {
      std::size_t bytes = 0;
      cuda_check(call_cub<T>(call, nullptr, bytes, nullptr, device_.data(), n, space.cuda_stream()));
      most = std::max(most, bytes);
    }
    workspace_ =
        Kokkos::View<char*, typename Exec::memory_space>("karman::perf::workspace", std::max<std::size_t>(most, 1));
    cuda_check(cudaMallocHost(&host_, 3 * sizeof(T)));
  }
  ~CubReduction() override { cudaFreeHost(host_); }

  void run(Exec const& space, ReductionFields<Exec, T> const& fields) override {
    auto const n = static_cast<std::int64_t>(fields.u.extent(0));
    for (std::size_t c = 0; c < calls_.size(); ++c) {
      std::size_t bytes = workspace_.extent(0);
      cuda_check(call_cub<T>(calls_[c], workspace_.data(), bytes, fields.u.data(), device_.data() + c, n,
                             space.cuda_stream()));
    }
    if (task_ != Task::max_on_device) fetch(space);
  }

  std::vector<double> results(Exec const& space) override {
    fetch(space);
    return {host_, host_ + calls_.size()};
  }

 private:
  void fetch(Exec const& space) {
    cuda_check(
        cudaMemcpyAsync(host_, device_.data(), calls_.size() * sizeof(T), cudaMemcpyDeviceToHost, space.cuda_stream()));
    cuda_check(cudaStreamSynchronize(space.cuda_stream()));
  }
  Task task_;
  std::vector<Call> calls_;
  Kokkos::View<T*, typename Exec::memory_space> device_;
  Kokkos::View<char*, typename Exec::memory_space> workspace_;
  T* host_ = nullptr;
};

}  // namespace

template <class Exec, class T>
ReductionMaker<Exec, T> cub_reduction(Task task) {
  return [task](Exec const& space, std::int64_t n) { return std::make_unique<CubReduction<Exec, T>>(space, task, n); };
}

template ReductionMaker<Kokkos::Cuda, float> cub_reduction<Kokkos::Cuda, float>(Task);
template ReductionMaker<Kokkos::Cuda, double> cub_reduction<Kokkos::Cuda, double>(Task);

}  // namespace karman::perf
