// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_spectrum_file.hpp"

#include "common/case/direction.hpp"
#include "common/case/texts.hpp"
#include "common/mesh/mesh_of_file.hpp"
#include "spectrum_formats.hpp"
#include "wave_options_json.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <algorithm>
#include <cmath>

namespace karman::waves {
namespace {

/// By the first line: SWAN, NDBC, else a table.
FileSpectrum spectrum_of(Case const& input, std::filesystem::path const& file) {
  SpectrumText text(file);
  if (text.first_line().starts_with("SWAN")) return read_swan_spectrum(input, text);
  if (is_ndbc_head(text.first_line())) return read_ndbc_spectrum(input, text, file);
  return read_spectrum_table(input, text);
}

/// Density of a table over the frequency.
void sum_up(FileSpectrum& spectrum) {
  if (spectrum.table.empty()) return;
  std::vector<double> const widths = bin_widths(spectrum.bins);
  spectrum.density.assign(spectrum.frequency.size(), 0);
  for (std::size_t n = 0; n < spectrum.table.size(); ++n)
    spectrum.density[n / widths.size()] += spectrum.table[n] * widths[n % widths.size()];
}

/// Number of frequencies with energy but without direction or spread.
std::size_t undirected(FileSpectrum const& spectrum) {
  std::size_t count = 0;
  for (std::size_t n = 0; n < spectrum.direction.size(); ++n) {
    bool const known =
        std::isfinite(spectrum.direction[n]) && (spectrum.resultant.empty() || std::isfinite(spectrum.resultant[n]));
    count += !known && spectrum.density[n] > 0 ? 1 : 0;
  }
  return count;
}

/// Directions and spread of the case, for files that have none.
void complete_directions(Case const& input, std::string const& name, FileSpectrum& spectrum) {
  std::size_t const count = spectrum.frequency.size();
  bool const directed = !spectrum.table.empty() || mean_direction_of(spectrum).has_value();
  if (directed && input.has("/waves/direction"))
    throw input.error("/waves/direction", "expected no direction: " + name + " has directions");
  bool const spread_given = input.has("/waves/spreading");
  bool const spread = !spectrum.table.empty() || !spectrum.resultant.empty();
  if (spread && spread_given)
    throw input.error("/waves/spreading", "expected no spreading: " + name + " has the spread of its directions");
  if (!directed) {
    if (!input.has("/waves/direction"))
      throw input.error("/waves/direction",
                        "expected a direction: " + name + " has no directions at frequencies with energy");
    auto const convention = read_options<app::DirectionConvention>(input, "/waves/convention");
    double const travel = app::travel_degrees(input.get<double>("/waves/direction"), convention) * app::degree;
    spectrum.direction.assign(count, travel);
  }
  // Spreads without a direction of their own may all be missing too.
  if (!spread || (!directed && !mean_direction_of(spectrum))) {
    double const exponent = spread_given ? input.get<double>("/waves/spreading") : 0;
    spectrum.resultant.assign(count, exponent > 0 ? resultant_of_exponent(exponent) : 1);
  }
}

}  // namespace

SeaState read_spectrum_file(Case const& input, std::vector<std::string>& remarks) {
  std::filesystem::path const file = app::file_of(input, "/waves/file");
  std::string const name = file.filename().string();
  FileSpectrum spectrum = spectrum_of(input, file);
  std::string const where = name + (spectrum.place.empty() ? "" : ", " + spectrum.place);
  sum_up(spectrum);
  bool const any = std::any_of(spectrum.density.begin(), spectrum.density.end(), [](double s) { return s > 0; });
  if (spectrum.frequency.size() < 2 || !any)
    throw input.error("/waves/file", "expected a spectrum with energy at two frequencies or more" +
                                         (spectrum.place.empty() ? "" : ": " + spectrum.place));
  complete_directions(input, name, spectrum);
  for (std::string const& remark : spectrum.remarks) remarks.push_back(name + ": " + remark);
  if (std::size_t const count = undirected(spectrum); count > 0) {
    remarks.push_back(name + app::formatted(": %zu frequencies with energy have no direction or spread; their "
                                            "neighbours' ones are used",
                                            count));
  }
  auto const convention = read_options<app::DirectionConvention>(input, "/waves/convention");
  std::string mean;
  if (auto const travel = mean_direction_of(spectrum)) {
    double const degrees = app::within_turn(app::travel_degrees(*travel * app::degrees, convention));
    mean = app::formatted(", mean direction %.4g degrees", degrees);
  }
  remarks.push_back(where +
                    app::formatted(": Hs %.4g m, Tp %.4g s%s; %zu frequencies from %.4g to %.4g Hz",
                                   significant_height_of(spectrum), peak_period_of(spectrum), mean.c_str(),
                                   spectrum.frequency.size(), spectrum.frequency.front(), spectrum.frequency.back()) +
                    (spectrum.bins.empty() ? "" : app::formatted(", %zu directions", spectrum.bins.size())));
  return sea_state_of(spectrum, {input.get<int>("/waves/periods"), input.get<int>("/waves/directions")});
}

}  // namespace karman::waves
