// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The terms of the equation one by one: slope of the bed, friction, breaking, radiation.
#include "waves/model/extended_terms.hpp"
#include "waves/model/friction_and_breaking.hpp"
#include "waves/model/radiation.hpp"
#include "waves_support.hpp"

namespace waves_terms_test {

using namespace karman::waves;
using namespace karman::waves::test;

/// cosh k(z + h) / cosh kh at the frequency omega.
double vertical(double omega, double h, double z) {
  double const k = dispersion(omega, h).wave_number;
  return std::cosh(k * (z + h)) / std::cosh(k * h);
}

TEST(WaveTerms, SlopeTermsAreTheIntegralsOverTheDepth) {
  double const omega = 2;
  for (double const h : {0.05, 0.3, 0.7, 0.8, 1.0, 3.0, 8.0, 12.0}) {
    // The change with the depth by a difference of fourth order, the integral by the midpoint rule.
    double const d = 1e-3 * h;
    int const points = 2000;
    double flux = 0, slope = 0;
    for (int n = 0; n < points; ++n) {
      double const z = -h + h * (n + 0.5) / points;
      double const change = (8 * (vertical(omega, h + d, z) - vertical(omega, h - d, z)) -
                             (vertical(omega, h + 2 * d, z) - vertical(omega, h - 2 * d, z))) /
                            (12 * d);
      flux += vertical(omega, h, z) * change * h / points;
      slope += change * change * h / points;
    }
    double const k = dispersion(omega, h).wave_number;
    SlopeTerms const terms = slope_terms(k, h);
    EXPECT_NEAR(terms.flux / flux, 1, 1e-6 + k * k * h * h / points) << h;
    EXPECT_NEAR(terms.slope / slope, 1, 1e-6 + k * k * h * h / points) << h;
  }
}

TEST(WaveTerms, SlopeTermsMakeTheCoefficientOfChamberlainAndPorter) {
  // u2 = du1/dh - slope, with u2 as in the paper (J. Fluid Mech. 291, 1995), K = 2kh.
  double const omega = 2;
  for (double const h : {0.3, 1.0, 2.0, 3.0, 5.0}) {
    double const k = dispersion(omega, h).wave_number, kk = 2 * k * h, s = std::sinh(kk), c = std::cosh(kk);
    double const sech = 1 / std::cosh(kk / 2);
    double const u2 = k * sech * sech / (12 * std::pow(kk + s, 3)) *
                      (std::pow(kk, 4) + 4 * std::pow(kk, 3) * s - 9 * s * std::sinh(2 * kk) +
                       3 * kk * (kk + 2 * s) * (c * c - 2 * c + 3));
    double const d = 1e-4 * h;
    auto const u1 = [&](double depth) { return slope_terms(dispersion(omega, depth).wave_number, depth).flux; };
    double const derivative = (8 * (u1(h + d) - u1(h - d)) - (u1(h + 2 * d) - u1(h - 2 * d))) / (12 * d);
    EXPECT_NEAR(derivative - slope_terms(k, h).slope, u2, 1e-9) << h;
  }
}

TEST(WaveTerms, SlopeTermsAreSmoothAndVanishInDeepWater) {
  // At kh = 1/2 the formula changes.
  SlopeTerms const below = slope_terms(1, 0.5 * (1 - 1e-12)), above = slope_terms(1, 0.5 * (1 + 1e-12));
  EXPECT_NEAR(below.flux / above.flux, 1, 1e-10);
  EXPECT_NEAR(below.slope / above.slope, 1, 1e-9);
  EXPECT_EQ(slope_terms(1, 1000).flux, 0);
  // Shallow: u1 -> -(kh)^2 / 6... of the order of (kh)^2.
  EXPECT_NEAR(slope_terms(0.001, 1).flux / slope_terms(0.002, 1).flux, 0.25, 1e-5);
}

TEST(WaveTerms, QuadraticFrictionHasTheNumberOfTheTable) {
  Dispersion const d = dispersion(angular_frequency(2), 0.5);
  auto const rate = [&](double a) {
    return friction_rate(FrictionLaw::quadratic, 0.01, {angular_frequency(2), d.wave_number, d.group_celerity, 0.5, a});
  };
  // Gamma = W / |eta|, 1/(m s), and C_g.
  EXPECT_NEAR(rate(1), .043037, 5e-7);
  EXPECT_NEAR(d.group_celerity, 1.71316, 5e-6);
  // W is D / E of a wave, D = rho c_f <|u|^3>, u = omega a / sinh kh: by the midpoint rule over a period.
  double const a = 0.07, u = angular_frequency(2) * a / std::sinh(d.wave_number * 0.5);
  double mean = 0;
  for (int n = 0; n < 1000; ++n) mean += std::pow(std::fabs(u * std::cos(2 * pi * (n + 0.5) / 1000)), 3) / 1000;
  double const lost = water_density * 0.01 * mean, energy = 0.5 * water_density * gravity * a * a;
  EXPECT_NEAR(rate(a), lost / energy, 1e-5 * lost / energy);
}

TEST(WaveTerms, FrictionOverARoughBed) {
  EXPECT_DOUBLE_EQ(rough_bed_factor(1e-9, 1), 0.3);
  EXPECT_NEAR(rough_bed_factor(10, 1), std::exp(-6 + 5.2 * std::pow(10, -0.19)), 1e-15);
  EXPECT_LT(rough_bed_factor(1000, 1), rough_bed_factor(10, 1));
  // f_w = 2 c_f.
  Dispersion const d = dispersion(1, 3);
  LocalWave const wave{1, d.wave_number, d.group_celerity, 3, 0.4};
  double const coefficient = 0.5 * rough_bed_factor(0.4 / std::sinh(d.wave_number * 3), 0.05);
  EXPECT_DOUBLE_EQ(friction_rate(FrictionLaw::rough, 0.05, wave),
                   friction_rate(FrictionLaw::quadratic, coefficient, wave));
  EXPECT_EQ(friction_rate(FrictionLaw::rough, 0, wave), 0) << "a bed without roughness";
  EXPECT_EQ(friction_rate(FrictionLaw::linear, 0.3, wave), 0.3);
  EXPECT_EQ(friction_rate(FrictionLaw::none, 0.3, wave), 0);
  // No friction in deep water, nor without motion.
  EXPECT_EQ(friction_rate(FrictionLaw::rough, 0.05, {1, 1, 5, 1000, 0.4}), 0);
  EXPECT_EQ(friction_rate(FrictionLaw::rough, 0.05, {1, d.wave_number, d.group_celerity, 3, 0}), 0);
}

TEST(WaveTerms, FrictionInShallowWaterIsThatOfTheLongWave) {
  // u = a sqrt(g / h): W = 8 c_f sqrt(g h) a / (3 pi h^2), to (kh)^2.
  double const h = 2, a = 0.1, omega = 1e-3;
  Dispersion const d = dispersion(omega, h);
  double const kh = d.wave_number * h;
  EXPECT_NEAR(friction_rate(FrictionLaw::quadratic, 0.01, {omega, d.wave_number, d.group_celerity, h, a}) /
                  (8 * 0.01 * std::sqrt(gravity * h) * a / (3 * pi * h * h)),
              1, kh * kh);
}

TEST(WaveTerms, TheShareOfBreakingWaves) {
  for (double b2 = 0.021; b2 < 0.9999; b2 += 0.0013) {
    double const q = breaking_share(b2);
    ASSERT_GT(q, 0);
    ASSERT_NEAR((1 - q) / -std::log(q), b2, 1e-7) << b2;
  }
  EXPECT_EQ(breaking_share(1), 1);
  EXPECT_EQ(breaking_share(7), 1);
  EXPECT_EQ(breaking_share(1e-3), 0);
}

TEST(WaveTerms, BreakingIsTheBoreOfBattjesAndJanssen) {
  DissipationLaw law;
  law.breaking = BreakingLaw::battjes_janssen;
  law.breaking_index = 0.88;
  law.breaking_strength = 1;
  double const omega = 0.7, h = 2;
  Dispersion const d = dispersion(omega, h);
  double const largest = largest_height(d.wave_number, h, 0.88);
  EXPECT_LT(largest, 0.88 * h);
  double const height = 0.8 * largest;
  Breaking const b = breaking_rate(law, {omega, d.wave_number, d.group_celerity, h, height / 2});
  double const dissipation = 0.25 * water_density * gravity * omega / (2 * pi) * b.share * largest * largest;
  EXPECT_NEAR(b.rate * water_density * gravity * height * height / 8, dissipation, 1e-9 * dissipation);
  EXPECT_EQ(breaking_rate(law, {omega, d.wave_number, d.group_celerity, h, 0.01}).rate, 0);
}

TEST(WaveTerms, DampedWaveNumbersSquareRight) {
  for (double const loss : {0.0, 1e-9, 0.3, 1.0, 50.0}) {
    Complex const p = damped_wave_number(2, loss), square = p * p;
    EXPECT_NEAR(square.real(), 4, 1e-13 * (1 + loss));
    EXPECT_NEAR(square.imag(), 4 * loss, 1e-13 * (1 + loss));
    EXPECT_GE(p.imag(), 0);
  }
  EXPECT_NEAR(damped_wave_number(1, 1e-9).imag() / 5e-10, 1, 1e-14);
}

/// Residual of H_n(kr) e^{i n angle} in the condition on the circle of radius r, over |d/dr|.
double left_over(int n, double k, double r) {
  auto const hankel = [](int m, double x) {
    return Number(std::cyl_bessel_j(std::abs(m), x), std::cyl_neumann(std::abs(m), x)) * (m < 0 && m % 2 ? -1.0 : 1.0);
  };
  Number const value = hankel(n, k * r), slope = 0.5 * k * (hankel(n - 1, k * r) - hankel(n + 1, k * r));
  BoundaryTerms arc;
  arc.curvature = 1 / r;
  Outflow const out = outflow(arc, Complex(k, 0));
  Number const first(out.first.real(), out.first.imag()), second(out.second.real(), out.second.imag());
  Number const condition = Number(0, 1) * (first - second * double(n * n) / (r * r)) * value;
  return std::abs(condition - slope) / std::abs(slope);
}

TEST(WaveTerms, AnArcLetsCylindricalWavesOut) {
  // Bayliss, Gunzburger and Turkel: the error decreases with the fourth power of the radius, about n^4 / 8 (kr)^4.
  for (int n = 0; n < 4; ++n) {
    double const near = left_over(n, 1, 20), far = left_over(n, 1, 40);
    EXPECT_LT(near, 2e-6 * std::pow(1 + n, 4)) << n;
    EXPECT_NEAR(std::log2(near / far), 4, 0.35) << n;
  }
  // A straight boundary is an arc of a very large radius.
  BoundaryTerms straight, arc;
  arc.curvature = 1e-7;
  Outflow const a = outflow(straight, Complex(2, 0.1)), b = outflow(arc, Complex(2, 0.1));
  EXPECT_NEAR(b.first.real() / a.first.real(), 1, 1e-6);
  EXPECT_NEAR(b.second.real() / a.second.real(), 1, 1e-6);
}

TEST(WaveTerms, KnownAnglesLetThatAngleOut) {
  BoundaryTerms known;
  known.cos_angle = 0.6;
  Outflow const out = outflow(known, Complex(3, 0));
  EXPECT_DOUBLE_EQ(out.first.real(), 1.8);
  EXPECT_EQ(out.second.real(), 0);
}

}  // namespace waves_terms_test
