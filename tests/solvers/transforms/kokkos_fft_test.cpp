// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms that kokkos-fft does in a build that uses it, from its reports to Kokkos' tools. fft_test.cpp compares all
// results with the sums.
#include "backends.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/solvers/transforms/fft.hpp>

#include <fftw3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace kokkos_fft_test {

using namespace karman;

std::vector<std::string>& regions() {
  static std::vector<std::string> names;
  return names;
}

void enter_region(char const* name) { regions().emplace_back(name); }

/// How often kokkos-fft planned and executed while run() ran.
struct Calls {
  int plans = 0, executions = 0;
};

template <class Run>
Calls calls_of_kokkos_fft(Run const& run) {
  namespace tools = Kokkos::Tools::Experimental;
  auto const before = tools::get_callbacks();
  regions().clear();
  tools::set_push_region_callback(enter_region);
  run();
  tools::set_callbacks(before);
  Calls calls;
  for (auto const& name : regions()) {
    calls.plans += name.rfind("KokkosFFT::create_", 0) == 0;
    calls.executions += name.rfind("KokkosFFT::exec_plan", 0) == 0;
  }
  return calls;
}

template <class Parameter>
class KokkosFftOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  using Complex = Kokkos::complex<T>;
  using Spectrum = Field<Exec, Complex>;
  Exec space;
};
TYPED_TEST_SUITE(KokkosFftOn, karman::test::AllBackends, karman::test::BackendNames);

/// The values 1, 2, 3, ... in every field.
template <class F>
void count_up(F const& field) {
  auto const host = Kokkos::create_mirror_view(field);
  for (std::size_t n = 0; n < host.size(); ++n) host.data()[n] = typename F::non_const_value_type(double(n + 1));
  Kokkos::deep_copy(field, host);
}

TYPED_TEST(KokkosFftOn, DoesWhatIsPackedAndLeavesTheRest) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Spectrum = typename TestFixture::Spectrum;
  for (int choice = 1; choice < 8; ++choice) {
    FftAxes const axes{(choice & 1) != 0, (choice & 2) != 0, (choice & 4) != 0};
    // The fastest axes without a gap between them: x; x and y; all three.
    bool const taken = choice == 1 || choice == 3 || choice == 7;
    Spectrum const a("karman::test::a", 4, 6, 8), b("karman::test::b", 4, 6, 8);
    count_up(a);
    EXPECT_EQ(calls_of_kokkos_fft([&] {
                ComplexFft<Exec, T> const fft(this->space, {4, 6, 8}, axes);
                fft.forward(this->space, a, b);
                fft.backward(this->space, b, b);
              }).executions,
              taken ? 2 : 0)
        << "complex, axes " << choice;
    EXPECT_EQ(calls_of_kokkos_fft([&] {
                RealFft<Exec, T> const fft(this->space, {4, 6, 8}, axes);
                auto const [nz, ny, nx] = fft.spectrum_extents();
                Field<Exec, T> const real("karman::test::real", 4, 6, 8);
                Spectrum const spectrum("karman::test::spectrum", nz, ny, nx);
                fft.forward(this->space, real, spectrum);
                fft.backward(this->space, spectrum, real);
              }).executions,
              taken ? 2 : 0)
        << "real, axes " << choice;
  }
}

/// Along z of a field of single columns, and along y of a plane: nothing lies in between.
TYPED_TEST(KokkosFftOn, AxesOfOneValueLeaveNoGap) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Spectrum = typename TestFixture::Spectrum;
  for (auto const& [extents, axis] :
       {std::pair(std::array{7, 1, 1}, Axis::z), std::pair(std::array{3, 5, 1}, Axis::y)}) {
    Spectrum const field("karman::test::field", extents[0], extents[1], extents[2]);
    ComplexFft<Exec, T> const fft(this->space, extents, FftAxes::only(axis));
    EXPECT_EQ(calls_of_kokkos_fft([&] { fft.forward(this->space, field, field); }).executions, 1);
  }
}

TYPED_TEST(KokkosFftOn, NothingIsPlannedOrAllocatedInATransform) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Spectrum = typename TestFixture::Spectrum;
  using Kind = karman::test::RecordedEvent::Kind;
  ComplexFft<Exec, T> const fft(this->space, {4, 6, 8}, {});
  Spectrum const a("karman::test::a", 4, 6, 8);
  Calls calls;
  auto const events = karman::test::record([&] {
    calls = calls_of_kokkos_fft([&] {
      fft.forward(this->space, a, a);
      fft.backward(this->space, a, a);
    });
  });
  EXPECT_EQ(calls.executions, 2);
  EXPECT_EQ(calls.plans, 0);
  for (auto const& event : events) {
    EXPECT_TRUE(event.kind != Kind::allocation && event.kind != Kind::kernel) << event.label;
  }
}

/// Calls that differ from the plan of kokkos-fft go to FFTW's and cuFFT's own plans, with the same result: on the host
/// other alignments, on a device another instance.
TYPED_TEST(KokkosFftOn, OtherAddressesAndInstancesGiveTheSame) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Complex = typename TestFixture::Complex;
  using Spectrum = typename TestFixture::Spectrum;
  constexpr int n = 16;
  ComplexFft<Exec, T> const fft(this->space, {3, 5, n}, FftAxes::only(Axis::x));
  Spectrum const field("karman::test::field", 3, 5, n), expected("karman::test::expected", 3, 5, n);
  count_up(field);
  fft.forward(this->space, field, expected);
  // Addresses in the middle of a complex number suit no vector instructions of FFTW.
  Kokkos::View<T*, typename Exec::memory_space> const memory("karman::test::memory", 2 * 3 * 5 * n + 1);
  T* const address = memory.data() + (runs_on_host<Exec> ? 1 : 0);
  Spectrum const found(reinterpret_cast<Complex*>(address), 3, 5, n);
  Exec const instance = Kokkos::Experimental::partition_space(this->space, 1, 1)[1];
  this->space.fence();
  EXPECT_EQ(calls_of_kokkos_fft([&] { fft.forward(instance, field, found); }).executions, 0);
  instance.fence();
  auto const a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, expected);
  std::vector<T> b(2 * a.size());
  Kokkos::deep_copy(Kokkos::View<T*, Kokkos::HostSpace>(b.data(), b.size()),
                    Kokkos::View<T*, typename Exec::memory_space>(address, b.size()));
  double largest = 0, difference = 0;
  for (std::size_t m = 0; m < a.size(); ++m) {
    std::complex<double> const value(a.data()[m].real(), a.data()[m].imag());
    difference = std::max(difference, std::abs(value - std::complex<double>(b[2 * m], b[2 * m + 1])));
    largest = std::max(largest, std::abs(value));
  }
  // log2(n) steps of at most a few roundings each, in either result.
  EXPECT_LE(difference, 2 * (8 + 6 * 4) * std::numeric_limits<T>::epsilon() * largest);
}

/// kokkos-fft only estimates.
TYPED_TEST(KokkosFftOn, MeasuredPlansOnTheHostAreThoseOfFftw) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Spectrum = typename TestFixture::Spectrum;
  Spectrum const a("karman::test::a", 4, 6, 8);
  ComplexFft<Exec, T> const fft(this->space, {4, 6, 8}, {}, {FftPlanning::measure});
  EXPECT_EQ(calls_of_kokkos_fft([&] { fft.forward(this->space, a, a); }).executions, runs_on_host<Exec> ? 0 : 1);
}

/// kokkos-fft sets the threads of FFTW's planner; the enclosing program's choice is restored.
TYPED_TEST(KokkosFftOn, ThePlannersThreadsAreLeftAsTheyWere) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  ComplexFft<Exec, T> const first(this->space, {2, 2, 4}, {});
  fftw_plan_with_nthreads(3);
  fftwf_plan_with_nthreads(5);
  ComplexFft<Exec, T> const second(this->space, {2, 2, 4}, {});
  EXPECT_EQ(fftw_planner_nthreads(), 3);
  EXPECT_EQ(fftwf_planner_nthreads(), 5);
  fftw_plan_with_nthreads(1);
  fftwf_plan_with_nthreads(1);
}

}  // namespace kokkos_fft_test
