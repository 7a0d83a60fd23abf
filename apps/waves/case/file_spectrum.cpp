// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file_spectrum.hpp"

#include "common/case/direction.hpp"
#include "spectrum_text.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

namespace karman::waves {
namespace {

using Complex = std::complex<double>;
constexpr double turn = 2 * std::numbers::pi;

/// A function that is linear between points and zero outside.
template <class Value>
class PieceLine {
 public:
  PieceLine(std::vector<double> const& at, std::vector<Value> values) : at_(at), values_(std::move(values)) {}

  Value integral(double from, double to) const {
    Value sum{};
    auto const first = std::upper_bound(at_.begin(), at_.end(), from) - at_.begin();
    for (std::size_t n = static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, first)); n < at_.size(); ++n) {
      double const a = std::max(from, at_[n - 1]), b = std::min(to, at_[n]);
      if (!(at_[n - 1] < to)) break;
      if (b > a) sum += 0.5 * (b - a) * (value(n, a) + value(n, b));
    }
    return sum;
  }

 private:
  /// Within the interval that ends at point n.
  Value value(std::size_t n, double x) const {
    double const part = (x - at_[n - 1]) / (at_[n] - at_[n - 1]);
    return (1 - part) * values_[n - 1] + part * values_[n];
  }

  std::vector<double> const& at_;
  std::vector<Value> values_;
};

/// Energy below a frequency and its inverse.
class FrequencyShares {
 public:
  FrequencyShares(std::vector<double> frequency, std::vector<double> density)
      : frequency_(std::move(frequency)), density_(std::move(density)), energy_(frequency_.size(), 0) {
    for (std::size_t n = 1; n < frequency_.size(); ++n)
      energy_[n] = energy_[n - 1] + 0.5 * (frequency_[n] - frequency_[n - 1]) * (density_[n] + density_[n - 1]);
  }

  double total() const { return energy_.back(); }

  double at(double share) const {
    double const wanted = std::clamp(share, 0.0, 1.0) * total();
    auto const above = std::upper_bound(energy_.begin() + 1, energy_.end() - 1, wanted);
    std::size_t const n = static_cast<std::size_t>(above - energy_.begin());
    double const width = frequency_[n] - frequency_[n - 1], low = density_[n - 1], slope = (density_[n] - low) / width;
    double const rest = std::max(0.0, wanted - energy_[n - 1]);
    // Root of slope x^2 / 2 + low x = rest, in the form without cancellation.
    double const root = std::sqrt(std::max(0.0, low * low + 2 * slope * rest));
    double const x = low + root > 0 ? 2 * rest / (low + root) : 0;
    return frequency_[n - 1] + std::clamp(x, 0.0, width);
  }

 private:
  std::vector<double> frequency_, density_, energy_;
};

/// Density times mean unit vector at the frequencies, and density where it is known.
struct DirectedDensity {
  std::vector<Complex> moment;
  std::vector<double> known;
};

DirectedDensity directed(FileSpectrum const& spectrum) {
  std::size_t const count = spectrum.frequency.size();
  DirectedDensity result{std::vector<Complex>(count), std::vector<double>(count, 0)};
  if (!spectrum.table.empty()) {
    std::vector<double> const widths = bin_widths(spectrum.bins);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < widths.size(); ++j)
        result.moment[i] += std::polar(spectrum.table[i * widths.size() + j] * widths[j], spectrum.bins[j]);
    }
    result.known = spectrum.density;
    return result;
  }
  for (std::size_t i = 0; i < count && !spectrum.direction.empty(); ++i) {
    double const r = spectrum.resultant.empty() ? 1 : spectrum.resultant[i];
    if (!std::isfinite(spectrum.direction[i]) || !std::isfinite(r)) continue;
    result.moment[i] = std::polar(spectrum.density[i] * r, spectrum.direction[i]);
    result.known[i] = spectrum.density[i];
  }
  return result;
}

/// Angles that halve the parts of equal energy of a distribution that is constant around each direction. The circle is
/// cut opposite to the mean.
std::vector<double> middles_of_table(std::vector<double> const& bins, std::vector<double> const& widths,
                                     std::vector<double> const& energy, double mean, int count) {
  struct Piece {
    double from, width, energy;
  };
  std::vector<Piece> pieces;
  double total = 0;
  for (std::size_t j = 0; j < bins.size(); ++j) {
    if (!(energy[j] > 0)) continue;
    double const from = std::remainder(bins[j] - mean, turn) - 0.5 * widths[j], to = from + widths[j];
    double const low = -0.5 * turn, high = 0.5 * turn;
    total += energy[j];
    double const inside = std::min(to, high) - std::max(from, low);
    pieces.push_back({std::max(from, low), inside, energy[j] * inside / widths[j]});
    if (from < low) pieces.push_back({from + turn, low - from, energy[j] * (low - from) / widths[j]});
    if (to > high) pieces.push_back({low, to - high, energy[j] * (to - high) / widths[j]});
  }
  std::sort(pieces.begin(), pieces.end(), [](Piece const& a, Piece const& b) { return a.from < b.from; });
  if (pieces.empty()) return {mean};
  std::vector<double> middles;
  double below = 0;
  std::size_t at = 0;
  for (int part = 0; part < count; ++part) {
    double const wanted = total * (part + 0.5) / count;
    while (at + 1 < pieces.size() && below + pieces[at].energy < wanted) below += pieces[at++].energy;
    double const share = std::clamp((wanted - below) / pieces[at].energy, 0.0, 1.0);
    middles.push_back(mean + pieces[at].from + share * pieces[at].width);
  }
  return middles;
}

/// The same for cos^2s about the mean direction.
std::vector<double> middles_of_spread(double mean, double resultant, int count) {
  constexpr double nearly_one = 1e-9;
  if (!(resultant < 1 - nearly_one)) return {mean};
  double const power = 2 * resultant / (1 - resultant);
  auto middles = middles_of_equal_bands([&](double angle) { return std::pow(std::cos(0.5 * angle), power); },
                                        -0.5 * turn, 0.5 * turn, count);
  for (double& angle : middles) angle += mean;
  return middles;
}

/// Digits of a date and time, filled up with zeros to seconds; empty for texts with fewer than a date has.
std::string time_digits(std::string const& text) {
  constexpr std::size_t date = 8, seconds = 14;
  std::string digits;
  for (char const c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) digits += c;
  }
  if (digits.size() < date || digits.size() > seconds) return {};
  digits.resize(seconds, '0');
  return digits;
}

}  // namespace

SpectrumPick::SpectrumPick(Case const& input, std::string key) : input_(input), key_(std::move(key)) {
  auto const& waves = input.json().at("waves");
  auto const given = waves.find(key_);
  if (given == waves.end()) return;
  if (given->is_string()) text_ = given->get<std::string>();
  else wanted_ = given->get<std::size_t>();
}

bool SpectrumPick::offer(std::string const& text) {
  ++count_;
  if (count_ == 1) first_ = text;
  last_ = text;
  if (found_ > 0) return false;
  bool chosen = wanted_ > 0 ? count_ == wanted_ : text_.empty() || text == text_;
  if (!chosen && wanted_ == 0 && key_ == "time") {
    std::string const digits = time_digits(text_);
    chosen = !digits.empty() && digits == time_digits(text);
  }
  if (!chosen) return false;
  found_ = count_;
  chosen_ = text;
  return true;
}

void SpectrumPick::finish(std::string const& file) const {
  bool const open = wanted_ == 0 && text_.empty();
  if (open ? count_ <= 1 : found_ > 0) return;
  if (count_ == 0)
    throw input_.error("/waves/" + key_, "expected none: " + file + " names no " + key_ + "; leave it out");
  std::string const all = file + " has " + std::to_string(count_) + ' ' + key_ + (count_ == 1 ? "" : "s") +
                          (count_ == 1 ? ", \"" + printable(first_) + '"'
                                       : ", \"" + printable(first_) + "\" to \"" + printable(last_) + '"');
  if (open) throw input_.error("/waves/" + key_, "expected a " + key_ + ", its number or text: " + all);
  throw input_.error("/waves/" + key_, "expected the number or text of a " + key_ + ": " + all);
}

std::string SpectrumPick::words() const {
  return key_ + ' ' + std::to_string(found_) + " of " + std::to_string(count_) +
         (chosen_.empty() ? "" : " (" + printable(chosen_) + ')');
}

std::vector<double> bin_widths(std::vector<double> const& bins) {
  std::vector<std::size_t> order(bins.size());
  for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
  auto const angle = [&](std::size_t n) { return std::remainder(bins[n], turn); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return angle(a) < angle(b); });
  std::vector<double> widths(bins.size());
  std::size_t const count = order.size();
  constexpr double end_of_sector = 1.5;
  for (std::size_t k = 0; k < count; ++k) {
    double const here = angle(order[k]);
    double before = here - angle(order[(k + count - 1) % count]), after = angle(order[(k + 1) % count]) - here;
    if (before <= 0) before += turn;
    if (after <= 0) after += turn;
    if (before > end_of_sector * after) before = after;
    if (after > end_of_sector * before) after = before;
    widths[order[k]] = 0.5 * (before + after);
  }
  return widths;
}

double resultant_of_spread(double spread) { return std::clamp(1 - 0.5 * spread * spread, 0.0, 1.0); }

double resultant_of_power(double power) {
  // Integrals of cos^(m+1) and cos^m over half a circle, by the gamma function.
  double const m = power;
  return std::exp(2 * std::lgamma(0.5 * m + 1) - std::lgamma(0.5 * m + 0.5) - std::lgamma(0.5 * m + 1.5));
}

double resultant_of_exponent(double exponent) { return exponent / (exponent + 1); }

double significant_height_of(FileSpectrum const& spectrum) {
  return 4 * std::sqrt(FrequencyShares(spectrum.frequency, spectrum.density).total());
}

double peak_period_of(FileSpectrum const& spectrum) {
  auto const peak = std::max_element(spectrum.density.begin(), spectrum.density.end());
  return 1 / spectrum.frequency[static_cast<std::size_t>(peak - spectrum.density.begin())];
}

std::optional<double> mean_direction_of(FileSpectrum const& spectrum) {
  Complex const sum = PieceLine<Complex>(spectrum.frequency, directed(spectrum).moment)
                          .integral(spectrum.frequency.front(), spectrum.frequency.back());
  if (!(std::abs(sum) > 0)) return std::nullopt;
  return std::arg(sum);
}

SeaState sea_state_of(FileSpectrum const& spectrum, BandCounts const& counts) {
  FrequencyShares const shares(spectrum.frequency, spectrum.density);
  DirectedDensity const all = directed(spectrum);
  PieceLine<Complex> const moment(spectrum.frequency, all.moment);
  PieceLine<double> const known(spectrum.frequency, all.known);
  double const first = spectrum.frequency.front(), last = spectrum.frequency.back();
  double const whole = known.integral(first, last);
  std::vector<double> const widths = bin_widths(spectrum.bins);
  std::vector<PieceLine<double>> columns;
  for (std::size_t j = 0; j < widths.size(); ++j) {
    std::vector<double> column;
    for (std::size_t i = 0; i < spectrum.frequency.size(); ++i)
      column.push_back(spectrum.table[i * widths.size() + j] * widths[j]);
    columns.emplace_back(spectrum.frequency, std::move(column));
  }
  SeaState sea{{}, [shares](double share) { return shares.at(share); }};
  double const bands = counts.periods, variance = shares.total() / bands;
  for (int band = 0; band < counts.periods; ++band) {
    double const from = shares.at(band / bands), to = shares.at((band + 1) / bands);
    double energy = known.integral(from, to);
    Complex vector = moment.integral(from, to);
    // A band whose directions are all missing takes the ones of the whole spectrum.
    if (!(energy > 0)) energy = whole, vector = moment.integral(first, last);
    std::vector<double> angles;
    if (columns.empty()) {
      angles = middles_of_spread(std::arg(vector), std::min(1.0, std::abs(vector) / energy), counts.directions);
    } else {
      std::vector<double> parts;
      for (auto const& column : columns) parts.push_back(column.integral(from, to));
      angles = middles_of_table(spectrum.bins, widths, parts, std::arg(vector), counts.directions);
    }
    double const amplitude = std::sqrt(2 * variance / static_cast<double>(angles.size()));
    double const period = 1 / shares.at((band + 0.5) / bands);
    for (double const angle : angles)
      sea.components.push_back({period, {{amplitude, angle, 0}}, 2 * amplitude, 0, band / bands, (band + 1) / bands});
  }
  return sea;
}

}  // namespace karman::waves
