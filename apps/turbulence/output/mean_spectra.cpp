// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mean_spectra.hpp"

#include <array>

namespace karman::turbulence {
namespace {

using SpectrumColumn = std::vector<double> VorticitySpectra::*;
constexpr std::array<SpectrumColumn, 7> members{
    &VorticitySpectra::wavenumber,         &VorticitySpectra::energy,
    &VorticitySpectra::enstrophy,          &VorticitySpectra::energy_transfer,
    &VorticitySpectra::enstrophy_transfer, &VorticitySpectra::energy_flux,
    &VorticitySpectra::enstrophy_flux};

}  // namespace

std::vector<std::string> const& spectra_columns() {
  static std::vector<std::string> const names{"wavenumber",         "energy",      "enstrophy",     "energy_transfer",
                                              "enstrophy_transfer", "energy_flux", "enstrophy_flux"};
  return names;
}

std::vector<std::vector<double>> rows_of(VorticitySpectra const& spectra) {
  std::vector<std::vector<double>> rows;
  for (std::size_t n = 1; n < spectra.wavenumber.size(); ++n) {
    std::vector<double> row;
    for (SpectrumColumn const member : members) row.push_back((spectra.*member)[n]);
    rows.push_back(row);
  }
  return rows;
}

void MeanSpectra::add(VorticitySpectra const& spectra, double seconds) {
  if (sums_.empty()) sums_.assign(members.size(), std::vector<double>(spectra.wavenumber.size(), 0));
  sums_[0] = spectra.wavenumber;
  for (std::size_t c = 1; c < members.size(); ++c) {
    std::vector<double> const& column = spectra.*members[c];
    for (std::size_t n = 0; n < column.size(); ++n) sums_[c][n] += seconds * column[n];
  }
  seconds_ += seconds;
}

VorticitySpectra MeanSpectra::mean() const {
  VorticitySpectra result;
  if (!(seconds_ > 0)) return result;
  for (std::size_t c = 0; c < members.size(); ++c) {
    result.*members[c] = sums_[c];
    for (double& value : result.*members[c]) value /= c == 0 ? 1 : seconds_;
  }
  return result;
}

std::vector<double> MeanSpectra::values() const {
  std::vector<double> all;
  for (auto const& column : sums_) all.insert(all.end(), column.begin(), column.end());
  return all;
}

void MeanSpectra::restore(std::vector<double> const& values, double seconds) {
  seconds_ = seconds;
  std::size_t const shells = values.size() / members.size();
  sums_.clear();
  for (std::size_t c = 0; c < members.size() && shells > 0; ++c) {
    auto const first = values.begin() + static_cast<std::ptrdiff_t>(c * shells);
    sums_.emplace_back(first, first + static_cast<std::ptrdiff_t>(shells));
  }
}

}  // namespace karman::turbulence
