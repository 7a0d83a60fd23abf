// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Formats of files with wave spectra. All readers throw CaseError with file, line and requirement, and FileError.
#pragma once

#include "file_spectrum.hpp"
#include "spectrum_text.hpp"

#include <filesystem>
#include <string>

namespace karman::waves {

constexpr double least_spectrum_frequency = 1e-5, most_spectrum_frequency = 20;  ///< Hz
constexpr double most_spectrum_density = 1e6;                                    ///< m2/Hz
constexpr double least_spectrum_spread = 0, most_spectrum_spread = 180;          ///< degrees
inline constexpr char const* frequency_wanted = "a frequency above the one before, 1e-5 to 20 Hz";

/// Spectral file of SWAN (SWAN user manual, appendix "Spectrum files"), with one or two dimensions.
FileSpectrum read_swan_spectrum(Case const& input, SpectrumText& text);

/// True for a head of NDBC: "#YY MM DD hh mm ..." or "YYYY MM DD hh ...".
bool is_ndbc_head(std::string_view line);
/// Spectral wave density of NDBC (ndbc.noaa.gov, "Measurement descriptions"): real-time .data_spec or a year of
/// history. Mean directions and r_1 come from files beside it: .swdir and .swr1, or the files d and j of the year.
FileSpectrum read_ndbc_spectrum(Case const& input, SpectrumText& text, std::filesystem::path const& path);

/// Table with named columns: frequency or period, energy density, and perhaps direction, spread, time and location.
FileSpectrum read_spectrum_table(Case const& input, SpectrumText& text);

}  // namespace karman::waves
