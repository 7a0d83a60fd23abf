// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "line_passes.hpp"

#include "fftw_functions.hpp"
#include "half_length_transform.hpp"
#include "stockham_transform.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

namespace karman::detail {

namespace {

/// A dimension of a transform. `in` and `out` count the values of either side.
struct PassDimension {
  std::int64_t in, out, in_stride, out_stride;
  bool transformed;

  /// The same with both sides in one array.
  PassDimension within_in() const { return {in, in, in_stride, in_stride, transformed}; }
  PassDimension within_out() const { return {out, out, out_stride, out_stride, transformed}; }
};

/// Dimensions of more than one value, slowest first.
std::vector<PassDimension> pass_dimensions(DftShape const& shape, bool halves_in, bool halves_out) {
  std::vector<PassDimension> result;
  for (auto const* list : {&shape.transformed, &shape.batched}) {
    for (auto const& d : *list) {
      if (d.n == 1) continue;
      bool const halved = &d == &shape.transformed.back();
      std::int64_t const half = d.n / 2 + 1;
      PassDimension const dimension{halved && halves_in ? half : d.n, halved && halves_out ? half : d.n, d.in_stride,
                                    d.out_stride, list == &shape.transformed};
      result.push_back(dimension);
    }
  }
  std::stable_sort(result.begin(), result.end(),
                   [](PassDimension const& a, PassDimension const& b) { return a.in_stride > b.in_stride; });
  return result;
}

/// The kind for vectors; none for kinds left to FFTW.
std::optional<HalfLengthKind> half_length_kind(DftKind kind) {
  if (kind == DftKind::real_forward) return HalfLengthKind::real_forward;
  if (kind == DftKind::real_backward) return HalfLengthKind::real_backward;
  return std::nullopt;
}
std::optional<HalfLengthKind> half_length_kind(Trigonometric kind, bool forward) {
  switch (kind) {
    case Trigonometric::dct2: return forward ? HalfLengthKind::dct2 : HalfLengthKind::dct3;
    case Trigonometric::dct3: return forward ? HalfLengthKind::dct3 : HalfLengthKind::dct2;
    case Trigonometric::dct4: return HalfLengthKind::dct4;
    case Trigonometric::dst2: return forward ? HalfLengthKind::dst2 : HalfLengthKind::dst3;
    case Trigonometric::dst3: return forward ? HalfLengthKind::dst3 : HalfLengthKind::dst2;
    case Trigonometric::dst4: return HalfLengthKind::dst4;
    default: return std::nullopt;
  }
}

double values_of(std::vector<PassDimension> const& dims) {
  double values = 1;
  for (auto const& d : dims) values *= double(d.in);
  return values;
}

bool short_power_of_two(std::int64_t n) { return n <= 2048 && std::has_single_bit(static_cast<std::uint64_t>(n)); }

/// A complex number as two real ones, copied as a whole.
template <class T>
struct ComplexPair {
  T real, imaginary;
};

/// The part [first, last) of worker w of n tasks.
std::pair<std::int64_t, std::int64_t> part_of(std::int64_t n, int w, int workers) {
  return {n * w / workers, n * (w + 1) / workers};
}

/// Of a row of a group: whole lines of a cache.
constexpr std::int64_t group_bytes = 256;

/// copy(i, b) for the n values i of `count` lines b. A whole group has a constant number of lines, for vector code.
template <class Value, class Copy>
void for_each_value(std::int64_t n, int count, Copy const& copy) {
  constexpr int width = static_cast<int>(group_bytes / sizeof(Value));
  for (std::int64_t i = 0; i < n; ++i) {
    if (count == width) {
      for (int b = 0; b < width; ++b) copy(i, b);
    } else {
      for (int b = 0; b < count; ++b) copy(i, b);
    }
  }
}

/// Copies `count` neighboring lines of n values with this stride to contiguous lines, `distance` apart.
template <class Value>
void gather(Value const* from, std::int64_t stride, std::int64_t n, int count, Value* to, std::int64_t distance) {
  for_each_value<Value>(n, count, [=](std::int64_t i, int b) { to[b * distance + i] = from[i * stride + b]; });
}

/// The reverse of gather().
template <class Value>
void scatter(Value const* from, std::int64_t distance, std::int64_t n, int count, Value* to, std::int64_t stride) {
  for_each_value<Value>(n, count, [=](std::int64_t i, int b) { to[i * stride + b] = from[b * distance + i]; });
}

/// Copies `count` lines of n values.
template <class Value>
void copy_lines(char const* from, std::int64_t from_stride, std::int64_t from_line, char* to, std::int64_t to_stride,
                std::int64_t to_line, std::int64_t n, int count) {
  auto const* const in = reinterpret_cast<Value const*>(from);
  auto* const out = reinterpret_cast<Value*>(to);
  for (std::int64_t i = 0; i < n; ++i) {
    for (int b = 0; b < count; ++b) out[i * to_stride + b * to_line] = in[i * from_stride + b * from_line];
  }
}

/// Values of a field from which passes of FFTW are faster than a plan of FFTW for the whole transform.
constexpr double few_values = 8192;

/// Lines up to this length, for which FFTW has single codelets, go through it in groups: a call costs as much as a
/// line.
constexpr std::int64_t short_line = 64;

/// Slabs up to this size go through several passes while they lie in the cache of a core.
constexpr std::int64_t slab_bytes = std::int64_t(1) << 19;

/// Of a line of a cache.
constexpr std::int64_t line_bytes = 64;

/// Distance of lines of n values in a buffer: whole cache lines, and not a power of two, whose lines would lie on the
/// same places of a cache.
constexpr std::int64_t padded_bytes(std::int64_t bytes) {
  return (bytes + line_bytes - 1) / line_bytes * line_bytes + line_bytes;
}

}  // namespace

template <class T>
struct LinePasses<T>::State {
  using Complex = ComplexPair<T>;
  static constexpr int lanes = StockhamTransform<T>::lanes;

  /// Neighboring lines, and blocks of them.
  struct Loop {
    std::int64_t n = 1, in_stride = 0, out_stride = 0;
  };
  struct Pass {
    FftwTransform<T> transform;
    std::int64_t n;  ///< length of the transform
    PassDimension line;
    Loop lines, blocks;
    bool reads_in, writes_out;  ///< otherwise it reads `out`, writes `in`
    bool contiguous;
    bool in_slabs = false;  ///< blocks belong to the slowest dimension
    /// Of a group by vectors, in place of FFTW.
    std::optional<StockhamTransform<T>> complex_lines = {};
    std::optional<HalfLengthTransform<T>> real_lines = {};
    int group = 1;             ///< lines that are copied or transformed together
    FftwOwned<T> plan = {};    ///< of one line, from one array to another
    FftwOwned<T> batch = {};   ///< of a group, from one array to another, where groups are transformed together
    FftwOwned<T> within = {};  ///< of such a group in place, where it is contiguous and real

    std::int64_t in_size() const { return (transform.complex_in() ? 2 : 1) * std::int64_t(sizeof(T)); }
    std::int64_t out_size() const { return (transform.complex_out() ? 2 : 1) * std::int64_t(sizeof(T)); }
    /// Of lines in the buffer.
    std::int64_t distance() const { return padded_bytes(std::max(line.in * in_size(), line.out * out_size())); }
    bool real() const { return !transform.complex_in() && !transform.complex_out(); }
    /// Cosine and sine transforms of FFTW allocate a line in each call.
    bool batched() const { return (n <= short_line || real()) && lines.n >= group; }
    /// Distance of a line in the buffer and its transform.
    std::int64_t ahead() const { return batched() ? group * distance() : distance(); }
    std::int64_t groups() const { return (lines.n + group - 1) / group; }
    bool pairs = false;  ///< real lines are copied as complex ones of half the length

    bool vectors() const { return complex_lines || real_lines; }
    std::int64_t vector_bytes() const {
      return complex_lines ? complex_lines->buffer_bytes() : real_lines->buffer_bytes();
    }
    /// Of values of a group in rows, where they are not so in the field.
    std::int64_t row_bytes() const {
      bool const in_field = !contiguous && lines.n % lanes == 0;
      return in_field ? 0 : lanes * std::max(line.in * in_size(), line.out * out_size());
    }
  };
  /// Passes of a slab after each other where `fused`; otherwise one pass.
  struct Stage {
    std::size_t first, last;
    bool fused;
  };

  int workers;
  std::vector<Pass> passes;
  std::vector<Stage> stages;
  std::int64_t buffer_bytes = 0;  ///< of one worker
  FftwMemory<T> buffers;

  State(DftShape const& shape, FftwTransform<T> const& ends, FftwTransform<T> const& between,
        std::optional<HalfLengthKind> real, int workers_)
      : workers(std::max(1, workers_)) {
    bool const backward = ends.complex_in() && !ends.complex_out();
    auto const dims = pass_dimensions(shape, backward, ends.complex_out() && !ends.complex_in());
    // The start of threads costs more than a small transform.
    if (values_of(dims) < few_values) workers = 1;
    add_passes(dims, shape.transformed.back().n, ends, between, backward);
    plan(real);
    join(dims);
  }

  /// Real values exist before the first pass or after the last: that along the halved axis, the fastest.
  void add_passes(std::vector<PassDimension> const& dims, std::int64_t halved_length, FftwTransform<T> const& ends,
                  FftwTransform<T> const& between, bool backward) {
    std::vector<std::size_t> order;
    for (std::size_t d = dims.size(); d-- > 0;) {
      if (dims[d].transformed) order.push_back(d);
    }
    if (backward) std::reverse(order.begin(), order.end());
    for (std::size_t p = 0; p < order.size(); ++p) {
      bool const crosses = backward ? p + 1 == order.size() : p == 0;
      // Passes before or after the one from `in` to `out` stay in one of both.
      auto const side = [&](PassDimension const& d) { return crosses ? d : backward ? d.within_in() : d.within_out(); };
      Pass pass{crosses ? ends : between,
                dims[order[p]].in,
                side(dims[order[p]]),
                {},
                {},
                crosses || backward,
                crosses || !backward,
                order[p] + 1 == dims.size(),
                order[p] != 0 && dims.size() == 3};
      if (crosses) pass.n = ends.complex_in() == ends.complex_out() ? pass.line.in : halved_length;
      std::vector<Loop> loops;
      for (std::size_t d = dims.size(); d-- > 0;) {
        if (d == order[p]) continue;
        PassDimension const loop = side(dims[d]);
        // Axes other than the halved one have as many values on both sides.
        loops.push_back({loop.out, loop.in_stride, loop.out_stride});
      }
      if (!loops.empty()) pass.lines = loops[0];
      if (loops.size() > 1) pass.blocks = loops[1];
      bool const gapless = pass.blocks.in_stride == pass.lines.n * pass.lines.in_stride &&
                           pass.blocks.out_stride == pass.lines.n * pass.lines.out_stride;
      if (order[p] == 0 && loops.size() > 1 && gapless) {
        pass.lines.n *= pass.blocks.n;
        pass.blocks = {};
      }
      passes.push_back(std::move(pass));
    }
  }

  /// Vectors for at least half as many lines as lanes. Contiguous ones have to be copied to rows: for Fourier
  /// transforms of short powers of two FFTW's rules find faster plans. Wide vectors are faster still for real ones.
  static void plan_vectors(Pass& pass, std::optional<HalfLengthKind> real) {
    bool const by_fftw = pass.contiguous && short_power_of_two(pass.n);
    if (pass.lines.n < lanes / 2) return;
    if (pass.transform.complex_in() && pass.transform.complex_out()) {
      if (!by_fftw && StockhamTransform<T>::suits(pass.n)) pass.complex_lines.emplace(pass.n, pass.transform.forward());
    } else if (real && (!by_fftw || pass.real() || StockhamTransform<T>::has_wide_vectors()) &&
               HalfLengthTransform<T>::suits(pass.n)) {
      bool const even = (pass.transform.complex_in() ? pass.lines.out_stride : pass.lines.in_stride) % 2 == 0;
      pass.pairs = pass.contiguous && even && !pass.real();
      pass.real_lines.emplace(pass.n, *real, pass.pairs);
    }
  }

  void plan(std::optional<HalfLengthKind> real) {
    for (auto& pass : passes) {
      plan_vectors(pass, real);
      if (pass.vectors()) {
        pass.group = lanes;
        buffer_bytes = std::max(buffer_bytes, pass.vector_bytes() + pass.row_bytes());
        continue;
      }
      std::int64_t const most = std::max(pass.in_size(), pass.out_size());
      pass.group = static_cast<int>(std::min(std::max<std::int64_t>(1, pass.lines.n), group_bytes / most));
      if (pass.contiguous && !pass.batched()) pass.group = 1;
      // A group fits into the cache of a core.
      while (pass.group > 1 && pass.group * pass.distance() > slab_bytes) pass.group /= 2;
      std::int64_t const batch = pass.contiguous ? pass.group * pass.lines.out_stride * pass.out_size() : 0;
      buffer_bytes = std::max({buffer_bytes, pass.ahead() + pass.group * pass.distance(), padded_bytes(batch)});
    }
    buffers = FftwMemory<T>(buffer_bytes * workers + line_bytes);
    FftwPlanner<T> const planner(1, FftPlanning::estimate);
    for (auto& pass : passes) {
      if (pass.vectors()) continue;
      unsigned const keep = pass.transform.overwrites_input() ? 0u : unsigned(FFTW_PRESERVE_INPUT);
      DftShape const line{{{pass.n, 1, 1}}, {}};
      char* const to = buffer_of(0);
      pass.plan.reset(pass.transform.plan(line, to + pass.ahead(), to, keep | FFTW_ESTIMATE));
      if (!pass.batched()) continue;
      std::int64_t const from_line = pass.contiguous ? pass.lines.in_stride : pass.distance() / pass.in_size();
      std::int64_t const to_line = pass.contiguous ? pass.lines.out_stride : pass.distance() / pass.out_size();
      FftwMemory<T> const scratch(pass.group * from_line * pass.in_size());
      DftShape const lines{line.transformed, {{pass.group, from_line, to_line}}};
      pass.batch.reset(pass.transform.plan(lines, scratch.data(), to, keep | FFTW_ESTIMATE));
      DftShape const same{line.transformed, {{pass.group, from_line, from_line}}};
      if (pass.contiguous && pass.real()) {
        pass.within.reset(pass.transform.plan(same, scratch.data(), scratch.data(), FFTW_ESTIMATE));
      }
    }
  }

  /// Neighboring passes that share their blocks run slab by slab.
  void join(std::vector<PassDimension> const& dims) {
    std::int64_t slab = 2 * sizeof(T);
    for (std::size_t d = 1; d < dims.size(); ++d) slab *= std::max(dims[d].in, dims[d].out);
    for (std::size_t p = 0; p < passes.size(); ++p) {
      bool const alike = !stages.empty() && passes[p].in_slabs && passes[stages.back().first].in_slabs &&
                         slab <= slab_bytes && (workers == 1 || dims[0].in >= 4 * workers);
      if (alike) {
        stages.back().last = p + 1;
        stages.back().fused = true;
      } else {
        stages.push_back({p, p + 1, false});
      }
    }
  }

  void run(Stage const& stage, int worker, char* in, char* out) const {
    if (stage.fused) {
      auto const [first, last] = part_of(passes[stage.first].blocks.n, worker, workers);
      for (std::int64_t block = first; block < last; ++block) {
        for (std::size_t p = stage.first; p < stage.last; ++p) {
          run_groups(passes[p], worker, in, out, block, 0, passes[p].groups());
        }
      }
      return;
    }
    Pass const& pass = passes[stage.first];
    auto [first, last] = part_of(pass.blocks.n * pass.groups(), worker, workers);
    while (first < last) {
      std::int64_t const block = first / pass.groups(), group = first % pass.groups();
      std::int64_t const end = std::min(pass.groups(), group + last - first);
      run_groups(pass, worker, in, out, block, group, end);
      first += end - group;
    }
  }

  char* buffer_of(int worker) const {
    auto const address = reinterpret_cast<std::uintptr_t>(buffers.data());
    return buffers.data() + (line_bytes - static_cast<std::int64_t>(address % line_bytes)) + worker * buffer_bytes;
  }

  void run_groups(Pass const& pass, int worker, char* in, char* out, std::int64_t block, std::int64_t first,
                  std::int64_t last) const {
    char* const buffer = buffer_of(worker);
    char* const from = (pass.reads_in ? in : out) + block * pass.blocks.in_stride * pass.in_size();
    char* const to = (pass.writes_out ? out : in) + block * pass.blocks.out_stride * pass.out_size();
    for (std::int64_t g = first; g < last; ++g) {
      std::int64_t const line = g * pass.group;
      int const count = static_cast<int>(std::min<std::int64_t>(pass.group, pass.lines.n - line));
      char* const read = from + line * pass.lines.in_stride * pass.in_size();
      char* const written = to + line * pass.lines.out_stride * pass.out_size();
      if (pass.vectors()) {
        run_vectors(pass, read, written, count, buffer);
      } else if (!pass.contiguous) {
        run_strided(pass, read, written, count, buffer);
      } else if (pass.batch && count == pass.group && fftw_aligned<T>(read) && fftw_aligned<T>(written)) {
        run_batch(pass, read, written, buffer);
      } else {
        for (int b = 0; b < count; ++b) {
          run_line(pass, read + b * pass.lines.in_stride * pass.in_size(),
                   written + b * pass.lines.out_stride * pass.out_size(), buffer);
        }
      }
    }
  }

  /// Neighboring lines of any strides by vector instructions.
  void run_vectors(Pass const& pass, char const* from, char* to, int count, char* buffer) const {
    std::int64_t const in_row = pass.in_size() / std::int64_t(sizeof(T)),
                       out_row = pass.out_size() / std::int64_t(sizeof(T));
    if (!pass.contiguous && count == lanes) {
      return transform_rows(pass, from, pass.line.in_stride * in_row, to, pass.line.out_stride * out_row, buffer);
    }
    char* const rows = buffer + pass.vector_bytes();
    // Lanes without a line.
    if (count < lanes) std::fill_n(rows, pass.row_bytes(), '\0');
    PassDimension const line = pass.line;
    if (pass.transform.complex_in()) {
      copy_lines<Complex>(from, line.in_stride, pass.lines.in_stride, rows, lanes, 1, line.in, count);
    } else if (pass.pairs) {
      copy_lines<Complex>(from, 1, pass.lines.in_stride / 2, rows, lanes, 1, line.in / 2, count);
    } else {
      copy_lines<T>(from, line.in_stride, pass.lines.in_stride, rows, lanes, 1, line.in, count);
    }
    transform_rows(pass, rows, lanes * (pass.pairs ? 2 : in_row), rows, lanes * (pass.pairs ? 2 : out_row), buffer);
    if (pass.transform.complex_out()) {
      copy_lines<Complex>(rows, lanes, 1, to, line.out_stride, pass.lines.out_stride, line.out, count);
    } else if (pass.pairs) {
      copy_lines<Complex>(rows, lanes, 1, to, 1, pass.lines.out_stride / 2, line.out / 2, count);
    } else {
      copy_lines<T>(rows, lanes, 1, to, line.out_stride, pass.lines.out_stride, line.out, count);
    }
  }

  /// Strides in real numbers.
  void transform_rows(Pass const& pass, char const* from, std::int64_t from_row, char* to, std::int64_t to_row,
                      char* buffer) const {
    auto const* const in = reinterpret_cast<T const*>(from);
    auto* const out = reinterpret_cast<T*>(to);
    if (pass.complex_lines) return pass.complex_lines->run(in, from_row / 2, out, to_row / 2, buffer);
    pass.real_lines->run(in, from_row, out, to_row, buffer);
  }

  /// A contiguous line. The plan is for aligned addresses.
  void run_line(Pass const& pass, char* from, char* to, char* buffer) const {
    char* read = from;
    char* written = to;
    if (!fftw_aligned<T>(from)) {
      read = buffer + pass.ahead();
      std::memcpy(read, from, static_cast<std::size_t>(pass.line.in * pass.in_size()));
    }
    if (from == to || !fftw_aligned<T>(to)) written = buffer;
    pass.transform.execute(pass.plan.get(), read, written);
    if (written != to) std::memcpy(to, written, static_cast<std::size_t>(pass.line.out * pass.out_size()));
  }

  /// A group of contiguous lines.
  void run_batch(Pass const& pass, char* from, char* to, char* buffer) const {
    if (from == to && pass.within) return pass.transform.execute(pass.within.get(), from, to);
    if (from != to) return pass.transform.execute(pass.batch.get(), from, to);
    pass.transform.execute(pass.batch.get(), from, buffer);
    std::int64_t const step = pass.lines.out_stride * pass.out_size();
    for (int b = 0; b < pass.group; ++b) {
      std::memcpy(to + b * step, buffer + b * step, static_cast<std::size_t>(pass.line.out * pass.out_size()));
    }
  }

  /// Neighboring lines with a stride. Each goes from its place in the buffer to another that is free by then.
  void run_strided(Pass const& pass, char* from, char* to, int count, char* buffer) const {
    std::int64_t const distance = pass.distance();
    char* const read = buffer + pass.ahead();
    char* const written = buffer;
    if (pass.transform.complex_in()) {
      gather(reinterpret_cast<Complex const*>(from), pass.line.in_stride, pass.line.in, count,
             reinterpret_cast<Complex*>(read), distance / pass.in_size());
    } else {
      gather(reinterpret_cast<T const*>(from), pass.line.in_stride, pass.line.in, count, reinterpret_cast<T*>(read),
             distance / pass.in_size());
    }
    if (pass.batch && count == pass.group) {
      pass.transform.execute(pass.batch.get(), read, written);
    } else {
      for (int b = 0; b < count; ++b) {
        pass.transform.execute(pass.plan.get(), read + b * distance, written + b * distance);
      }
    }
    if (pass.transform.complex_out()) {
      scatter(reinterpret_cast<Complex const*>(written), distance / pass.out_size(), pass.line.out, count,
              reinterpret_cast<Complex*>(to), pass.line.out_stride);
    } else {
      scatter(reinterpret_cast<T const*>(written), distance / pass.out_size(), pass.line.out, count,
              reinterpret_cast<T*>(to), pass.line.out_stride);
    }
  }
};

template <class T>
LinePasses<T>::LinePasses(DftShape const& shape, DftKind kind, int workers) {
  DftKind const between = kind == DftKind::real_forward    ? DftKind::complex_forward
                          : kind == DftKind::real_backward ? DftKind::complex_backward
                                                           : kind;
  state_ = {"LinePasses", std::make_unique<State>(shape, FftwTransform<T>(kind), FftwTransform<T>(between),
                                                  half_length_kind(kind), workers)};
}

template <class T>
LinePasses<T>::LinePasses(DftShape const& shape, Trigonometric kind, bool forward, int workers) {
  FftwTransform<T> const transform(kind, forward);
  state_ = {"LinePasses",
            std::make_unique<State>(shape, transform, transform, half_length_kind(kind, forward), workers)};
}

template <class T>
bool LinePasses<T>::suits(DftShape const& shape, DftKind kind) {
  bool vectors = true;
  for (auto const& d : shape.transformed) {
    bool const halved = half_length_kind(kind) && &d == &shape.transformed.back();
    bool const suited = halved ? HalfLengthTransform<T>::suits(d.n) &&
                                     (StockhamTransform<T>::has_wide_vectors() || !short_power_of_two(d.n))
                               : StockhamTransform<T>::suits(d.n);
    vectors &= d.n == 1 || suited;
  }
  return suits(shape, vectors ? 2048.0 : few_values);
}

template <class T>
bool LinePasses<T>::suits(DftShape const& shape, Trigonometric kind, bool forward) {
  bool const vectors = half_length_kind(kind, forward) && !shape.transformed.empty() &&
                       HalfLengthTransform<T>::suits(shape.transformed.back().n);
  return suits(shape, vectors ? 256.0 : few_values);
}

template <class T>
bool LinePasses<T>::suits(DftShape const& shape, double fewest) {
  // The halved axis has at least two values.
  if (shape.transformed.empty() || shape.transformed.back().n < 2) return false;
  auto const dims = pass_dimensions(shape, false, false);
  if (values_of(dims) < fewest || dims.size() > 3 || dims.back().in_stride != 1 || dims.back().out_stride != 1)
    return false;
  return std::is_sorted(dims.begin(), dims.end(),
                        [](PassDimension const& a, PassDimension const& b) { return a.out_stride > b.out_stride; });
}

template <class T>
int LinePasses<T>::workers() const {
  return state_->workers;
}

template <class T>
int LinePasses<T>::stages() const {
  return static_cast<int>(state_->stages.size());
}

template <class T>
void LinePasses<T>::run(int stage, int worker, void const* in, void* out) const {
  // Only passes that may overwrite their input write to `in`.
  state_->run(state_->stages[static_cast<std::size_t>(stage)], worker, const_cast<char*>(static_cast<char const*>(in)),
              static_cast<char*>(out));
}

template class LinePasses<float>;
template class LinePasses<double>;

}  // namespace karman::detail
