# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""perf/report.py with several platforms side by side: performance portability, cascade plots, rooflines."""

import html
import json
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from small_results import N, WithResults, YARDSTICK

from karman_report import cascade, frame, overview, page, platforms, portability, roofline, tables, text

SKIPPED = "skipped: the time budget is over"
WRONG = "wrong answer: x"
MAX, SUM = f"reductions/max/openmp/f64/{N}", f"reductions/sum/openmp/f64/{N}"
SHARE = 8 * N / 100e-6 / YARDSTICK
"""Share of the copy bandwidth of a row of 100 microseconds."""


def pair(row, own, peer, name="kokkos"):
    """A row of Karman and one of a peer, microseconds."""
    return {row: [own] * 3, f"{row}/peer:{name}": [peer] * 3}


class Machines(WithResults):
    def machine(self, device, rows, errors=None, **more):
        """A run on a processor with this name."""
        self.count = getattr(self, "count", 0) + 1
        return self.load(rows, errors, name=f"{self.count}.json", backend_openmp_device=device, **more)

    def three(self, errors=None):
        """Application efficiencies of max: 0.5, 1 and 0.25."""
        return [self.machine("First", pair(MAX, 100, 50)), self.machine("Second", pair(MAX, 100, 200)),
                self.machine("Third", pair(MAX, 400, 100), errors)]

    @staticmethod
    def kernel(runs, algorithm="max"):
        return next(k for k in portability.kernels(platforms.distinct(runs), "reductions") if k.row.algorithm == algorithm)

    @staticmethod
    def values(efficiencies):
        return {letter: round(e.value, 9) for letter, e in efficiencies.items()}


class Platforms(Machines):
    def test_all_files_of_a_machine_are_one_platform(self):
        runs = [self.machine("First", pair(MAX, 100, 50)), self.machine("Second", pair(MAX, 100, 50)),
                self.machine("First", pair(SUM, 100, 50)), self.machine("First", pair(MAX, 100, 50), backend_openmp_concurrency="4"),
                self.load({f"reductions/max/cuda/f64/{N}": [5]}, name="card.json")]
        self.assertEqual([(p.letter, p.name, len(p.runs)) for p in platforms.distinct(runs)],
                         [("A", "OpenMP, First, 2 threads", 2), ("B", "OpenMP, Second, 2 threads", 1), ("C", "OpenMP, First, 4 threads", 1),
                          ("D", "CUDA, Test card", 1)])
        self.assertEqual(set(platforms.distinct(runs)[0].measured("reductions")), {("max", "f64"), ("sum", "f64")})
        self.assertEqual([platforms._letter(n) for n in (0, 25, 26, 27, 52)], ["A", "Z", "AA", "AB", "BA"])

    def test_the_largest_size_counts_and_then_the_newest_run(self):
        def median(*runs):
            return round(1e6 * platforms.distinct(runs)[0].measured("reductions")["max", "f64"].case.own.median)

        small = f"reductions/max/openmp/f64/{N // 4}"
        old = self.machine("First", {MAX: [100], small: [30]}, date="2026-11-20T10:00:00+00:00")
        new = self.machine("First", {MAX: [200]}, date="2026-11-21T10:00:00+00:00")
        smaller = self.machine("First", {small: [20]}, date="2026-11-22T10:00:00+00:00")
        skipped = self.machine("First", {MAX: [1]}, {MAX: SKIPPED}, date="2026-11-23T10:00:00+00:00")
        for runs in ((old, new, smaller, skipped), (skipped, smaller, new, old)):
            self.assertEqual(median(*runs), 200)
        self.assertEqual(median(old, smaller), 100)
        self.assertEqual(median(smaller, skipped), 20)


class Portability(Machines):
    def test_harmonic_mean(self):
        self.assertAlmostEqual(portability.harmonic_mean([1.0, 0.5]), 2 / 3)
        self.assertEqual(portability.harmonic_mean([1.0, 0.0]), 0.0)
        self.assertEqual(portability.harmonic_mean([]), 0.0)
        self.assertIsNone(portability.mean({"A": portability.Efficiency(1.0)}))

    def test_both_efficiencies_of_a_kernel(self):
        kernel = self.kernel(self.three())
        self.assertEqual(self.values(kernel.application), {"A": 0.5, "B": 1, "C": 0.25})
        self.assertAlmostEqual(portability.mean(kernel.application), 3 / 7)
        self.assertEqual(self.values(kernel.architectural), {"A": round(SHARE, 9), "B": round(SHARE, 9), "C": round(SHARE / 4, 9)})
        self.assertAlmostEqual(portability.mean(kernel.architectural), SHARE / 2)

    def test_a_wrong_answer_is_zero(self):
        runs = self.three({MAX: WRONG})
        kernel = self.kernel(runs)
        self.assertEqual(self.values(kernel.application), {"A": 0.5, "B": 1, "C": 0})
        self.assertEqual((portability.mean(kernel.application), portability.mean(kernel.architectural)), (0, 0))
        found = portability.family(platforms.distinct(runs), "reductions", "application")
        self.assertEqual((found.mean, found.lowest("application")[2]), (0, "C"))

    def test_a_platform_without_a_row_is_not_counted(self):
        other = pair(SUM, 100, 50)
        for last in (self.machine("Third", other), self.machine("Third", {**pair(MAX, 1, 1), **other}, {MAX: SKIPPED}),
                     self.machine("Third", other, {SUM: SKIPPED})):
            runs = [*self.three()[:2], last]
            kernel = self.kernel(runs)
            self.assertEqual(self.values(kernel.application), {"A": 0.5, "B": 1})
            self.assertAlmostEqual(portability.mean(kernel.application), 2 / 3)
            self.assertRegex("\n".join(tables.terminal(runs)), r"Maximum, double +application 0.67 \(A B\), architectural 0.84 \(A B\)")
        self.assertIn("It is not measured there and not counted as 0", page.build(runs))

    def test_without_a_peer_there_is_no_application_efficiency(self):
        runs = [*self.three(), self.machine("Fourth", {MAX: [100]}), self.machine("Fifth", pair(MAX, 100, 1), {f"{MAX}/peer:kokkos": SKIPPED})]
        kernel = self.kernel(runs)
        self.assertEqual(list(kernel.application), ["A", "B", "C"])
        self.assertEqual(list(kernel.architectural), ["A", "B", "C", "D", "E"])

    def test_a_family_counts_kernels_on_all_of_its_platforms(self):
        runs = [self.machine("First", {**pair(MAX, 100, 50), **pair(SUM, 100, 25)}),
                self.machine("Second", {**pair(MAX, 100, 100), **pair(SUM, 100, 50), **pair(SUM.replace("f64", "f32"), 100, 1)}),
                self.machine("Third", {f"sor/packed/openmp/f64/{N}": [100]})]
        found = portability.family(platforms.distinct(runs), "reductions", "application")
        self.assertEqual((found.letters, len(found.counted), found.of), (["A", "B"], 2, 3))
        # By platform: 2 / (2 + 4) and 2 / (1 + 2); their mean is also that of the means of kernels, 2/3 and 1/3.
        self.assertEqual(self.values(found.efficiencies), {"A": round(1 / 3, 9), "B": round(2 / 3, 9)})
        self.assertAlmostEqual(found.mean, 4 / 9)
        self.assertAlmostEqual(found.mean, portability.harmonic_mean([2 / 3, 1 / 3]))
        self.assertEqual(found.lowest("application")[0].value, 0.25)
        made = page.build(runs)
        self.assertIn('<span class="rate">0.44</span><small>2 of 3 kernels on A B</small>', made)
        self.assertIn("Performance portability over 3 platforms", made)
        self.assertRegex("\n".join(tables.terminal(runs)), r"\n  all +application 0.44 \(2 of 3 kernels on A B\), architectural")
        # Relaxation is on one platform.
        self.assertEqual([name for name, _ in overview.families(runs)], ["reductions"])

    def test_no_common_kernel_has_no_mean(self):
        runs = [self.machine("First", pair(MAX, 100, 50)), self.machine("Second", pair(SUM, 100, 50))]
        found = portability.family(platforms.distinct(runs), "reductions", "application")
        self.assertEqual((found.mean, found.counted), (None, []))
        made = page.build(runs)
        self.assertIn("none of 2 kernels is on every one of A B", made)
        self.assertNotIn("Karman by family", made)

    def test_noisy_efficiencies_are_marked(self):
        runs = self.three()
        self.assertNotIn("NOISY", page.build(runs))
        noisy = self.machine("Fourth", {MAX: [100, 150, 200], f"{MAX}/peer:kokkos": [200] * 3})
        self.assertEqual([e.noisy for e in self.kernel([*runs, noisy]).application.values()], [False, False, False, True])
        made = overview.section([*runs, noisy])
        self.assertEqual(made.count('<small class="noisy">NOISY</small>'), 2)
        # Application: the second of four places, and all means from there on. Architectural: the third of four.
        self.assertEqual(made.count('<path class="unsure s0"'), 1 + 3 + 1 + 2)

    def test_one_platform_has_no_portability(self):
        runs = [self.machine("First", pair(MAX, 100, 50)), self.machine("First", pair(SUM, 100, 50))]
        for made in (page.build(runs), "\n".join(tables.terminal(runs))):
            self.assertNotIn("ortability", made)
            self.assertNotIn("platforms, the best first", made)


class Cascade(Machines):
    def test_order_and_running_mean(self):
        efficiencies = {letter: portability.Efficiency(value) for letter, value in (("A", 0.5), ("B", 1.0), ("C", 0.25), ("D", 1.0))}
        self.assertEqual([letter for letter, _ in cascade.ordered(efficiencies)], ["B", "D", "A", "C"])
        for found, wanted in zip(cascade.running(efficiencies), (1, 1, 3 / 4, 4 / 8)):
            self.assertAlmostEqual(found, wanted)
        self.assertEqual(cascade.running({**efficiencies, "E": portability.Efficiency(0.0)})[-1], 0)

    @staticmethod
    def panels(made):
        return re.findall(r'<svg class="chart panel".*?</svg>', made, flags=re.S)

    @staticmethod
    def heights(panel, style):
        """Heights of the marks of a line, without that beside its name."""
        places = re.findall(rf'<path class="(?:dot|unsure) s{style}" transform="translate\(([\d.]+) ([\d.]+)\)', panel)
        names = max(float(x) for x, _ in places)
        return [float(y) for x, y in places if float(x) < names]

    def test_marks_are_at_their_efficiencies(self):
        made = overview.section(self.three())
        first, second, *architectural = self.panels(made)
        self.assertEqual(len(architectural), 2)
        for panel, wanted in ((first, (1, 1 / 2, 1 / 4)), (second, (1, 2 / 3, 3 / 7))):
            zero, one = (float(re.search(rf'y="([\d.]+)" text-anchor="end">{value}<', panel)[1]) - 4 for value in ("0.0", "1.0"))
            for y, value in zip(self.heights(panel, 0), wanted, strict=True):
                self.assertAlmostEqual(y, zero + (one - zero) * value, delta=0.2)
        self.assertEqual(re.findall(r'<text class="letter"[^>]*>(\w)<', first), ["B", "A", "C"])
        self.assertEqual(re.findall(r'<text class="letter"', second), [])
        self.assertIn("<desc>Reductions 1.00 B, 0.50 A, 0.25 C</desc>", first)
        self.assertIn("<desc>Reductions 1.00 B, 0.67 A, 0.43 C</desc>", second)
        self.assertEqual(len(set(re.findall(r'<title id="([^"]+)"', made))), 4)

    def test_a_family_keeps_its_style_where_another_is_not_drawn(self):
        rows = {**pair(f"coloring/parallel_ordered/openmp/f64/{N}", 100, 50, "kokkos_kernels"), **pair(MAX, 100, 50)}
        application, _, architectural, _ = self.panels(overview.section([self.machine("First", rows), self.machine("Second", rows)]))
        self.assertEqual([len(self.heights(application, style)) for style in (0, 1)], [2, 2])
        self.assertNotIn("Colouring", architectural)
        self.assertNotIn('class="dot s0"', architectural)
        self.assertEqual(len(self.heights(architectural, 1)), 2)

    def test_implementations_end_where_they_have_no_row(self):
        runs = self.three()
        runs.append(self.load({**pair(f"reductions/max/cuda/f64/{N}", 80, 40, "cub"), f"reductions/max/cuda/f64/{N}/peer:kokkos": [160]},
                              name="card.json"))
        kernel = self.kernel(runs)
        self.assertIs(cascade.leading([kernel]), kernel)
        lines, left_out = cascade.chosen(kernel)
        self.assertEqual([(name, self.values(efficiencies)) for name, efficiencies in lines],
                         [("Karman", {"A": 0.5, "B": 1, "C": 0.25, "D": 0.5}), ("Kokkos", {"A": 1, "B": 0.5, "C": 1, "D": 0.25}),
                          ("CUB", {"D": 1})])
        self.assertEqual(left_out, 0)
        made = overview.family_section(runs, "reductions")
        first, second = self.panels(made)
        self.assertIn("<desc>Karman 1.00 B, 0.50 A, 0.50 D, 0.25 C; Kokkos 1.00 A, 1.00 C, 0.50 B, 0.25 D; CUB 1.00 D</desc>", first)
        self.assertEqual([len(self.heights(second, style)) for style in range(3)], [4, 4, 1])

    def test_crowds_are_cut(self):
        rows = {MAX: [100]}
        rows.update({f"{MAX}/peer:{name}": [101 + n] for n, name in enumerate("abcdefghij")})
        runs = [self.machine("First", rows), self.machine("Second", rows)]
        lines, left_out = cascade.chosen(self.kernel(runs))
        self.assertEqual(([name for name, _ in lines], left_out), (["Karman", *"abcdefg"], 3))
        self.assertIn("3 more in the table of rows.", overview.family_section(runs, "reductions"))

    def test_the_leading_kernel_is_on_most_platforms(self):
        both = {**pair(SUM, 100, 50), **pair(MAX.replace("f64", "f32"), 100, 50), **pair(MAX, 100, 50)}
        more = {**both, f"{SUM}/peer:openmp_simd": [60]}

        def leading(*machines):
            runs = [self.machine(f"Machine {n}", rows) for n, rows in enumerate(machines)]
            row = cascade.leading(portability.kernels(platforms.distinct(runs), "reductions")).row
            return row.algorithm, row.precision

        self.assertEqual(leading(both, both), ("sum", "f64"))
        self.assertEqual(leading(both, both, pair(MAX, 1, 1)), ("max", "f64"))
        self.assertEqual(leading({**pair(MAX, 1, 1), **more}, more), ("sum", "f64"))
        self.assertIsNone(cascade.leading(portability.kernels(platforms.distinct([self.machine("One", both)]), "reductions")))

    def test_lines_differ_without_colour(self):
        self.assertEqual(len(set(frame._SHAPES)), frame.STYLES)
        self.assertEqual(len({frame.dash(n) for n in range(frame.STYLES)}), frame.STYLES)
        looks = [(n % frame.STYLES, frame.dash(n)) for n in range(3 * frame.STYLES)]
        self.assertEqual(len(set(looks)), len(looks))

    def test_names_of_charts_are_short(self):
        for name in (*map(text.short_family, overview.curves.with_table(self.three())), *text.SHORT_FAMILIES.values(), *text.SHORT_PEERS.values(),
                     *(text.short_peer(peer) for peer in text.PEERS)):
            self.assertLessEqual(len(name), 17, name)


class Rooflines(Machines):
    EULER = f"euler/residual_renumbered/openmp/f64/{N}"
    PEAKS = {"peak_openmp_f64_GFlops": "1000.00", "peak_openmp_f32_GFlops": "2000.00"}

    def euler(self, rows=None, **more):
        """40 operations per byte: 8 N bytes, 320 N operations."""
        return self.machine("First", rows or {self.EULER: [1000] * 3}, flops=320.0 * N, **{**self.PEAKS, **more})

    def test_ridge_and_ceilings(self):
        roof = roofline.roof_of(self.euler(), "openmp")
        self.assertEqual((roof.bandwidth, roof.peaks), (100e9, {"f64": 1000e9, "f32": 2000e9}))
        self.assertAlmostEqual(roof.ridge("f64"), 10)
        self.assertAlmostEqual(roof.ridge("f32"), 20)
        for intensity, wanted in ((5, 500e9), (10, 1000e9), (40, 1000e9)):
            self.assertAlmostEqual(roof.attainable(intensity, "f64"), wanted)
        self.assertAlmostEqual(roof.attainable(15, "f32"), 1500e9)

    def test_kernels_are_under_the_roof_of_their_precision(self):
        single = self.EULER.replace("f64", "f32")
        found, = roofline.rooflines([self.euler({self.EULER: [1000] * 3, single: [500] * 3, f"{self.EULER}/peer:atomics": [900]})])
        self.assertEqual([k.row.precision for k in found.kernels], ["f64", "f32"])
        for placed, seconds, limit in zip(found.kernels, (1000e-6, 500e-6), (1000e9, 2000e9), strict=True):
            self.assertAlmostEqual(placed.intensity, 40)
            self.assertAlmostEqual(placed.attainable / limit, 1)
            self.assertAlmostEqual(placed.share, 320 * N / seconds / limit)

    def test_slope_and_ceilings_meet_at_the_ridge(self):
        found, = roofline.rooflines([self.euler()])
        made = roofline.chart(found)

        def ends(kind):
            return [float(value) for value in re.findall(r"[\d.]+", re.search(rf'<path class="{kind}" d="([^"]+)"', made)[1])]

        slope, double, single = ends("roof"), ends("roof s0"), ends("roof s1")
        self.assertEqual(slope[2:], single[:2])
        self.assertEqual(double[1], double[3])
        # On logarithmic axes the ridges are as far apart as their ratio; the slope goes through both.
        share = (double[0] - slope[0]) / (slope[2] - slope[0])
        self.assertAlmostEqual(slope[1] + share * (slope[3] - slope[1]), double[1], delta=0.2)
        x, y = map(float, re.search(r'<path class="dot s0" transform="translate\(([\d.]+) ([\d.]+)\)', made).groups())
        decade = (single[0] - double[0]) / 0.30103
        self.assertAlmostEqual(x, double[0] + 0.60206 * decade, delta=0.3)  # 40 over 10
        self.assertGreater(y, double[1])

    def test_only_counted_kernels_have_a_place(self):
        run = self.euler()
        plain = self.machine("First", pair(MAX, 100, 50))
        made = page.build([run, plain])
        self.assertIn("Without a place, since their operations are not counted: Reductions.", made)
        self.assertEqual(made.count("<title id=\"croofline-"), 1)
        self.assertNotIn("not counted: ", page.build([run]))
        # No peak, no bandwidth, a wrong answer, no operations: no roofline.
        for without in (self.euler(peak_openmp_f64_GFlops=None, peak_openmp_f32_GFlops=None), self.euler(yardstick_openmp_GBps=None),
                        self.euler(yardstick_openmp_GBps="none"), self.euler(errors={self.EULER: WRONG}), plain):
            self.assertNotIn("Roofline", page.build([without]))
        # With the peak of the other precision alone the kernel has no ceiling.
        self.assertEqual(roofline.rooflines([self.euler(peak_openmp_f64_GFlops=None)]), [])

    def test_the_roof_is_of_the_newest_run(self):
        shuffled = self.EULER.replace("renumbered", "shuffled")
        runs = [self.euler(date="2026-11-22", yardstick_openmp_GBps="80.00"), self.euler({shuffled: [2000]}, date="2026-11-21")]
        for order in (runs, runs[::-1]):
            found, = roofline.rooflines(order)
            self.assertEqual((found.roof.bandwidth, len(found.kernels)), (80e9, 2))

    def test_noisy_kernels_are_open(self):
        made = roofline.section([self.euler({self.EULER: [1000, 1500, 2000]})])
        self.assertIn('<path class="unsure s0"', made)
        self.assertIn("NOISY 33.3 %", made)
        self.assertNotIn('class="dot', made)


CHECK = """<script>onload = () => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  const outside = [], overlaps = [];
  let panels = 0;
  for (const svg of document.querySelectorAll("svg.panel")) {
    const box = svg.getBoundingClientRect(), names = [];
    panels += 1;
    for (const words of svg.querySelectorAll("text")) {
      const r = words.getBoundingClientRect();
      if (r.left < box.left || r.right > box.right || r.top < box.top || r.bottom > box.bottom) outside.push(words.textContent);
      if (words.matches(".name, .letter, .tick")) {
        // Text is as high as its letters, about 0.7 of its box.
        const thin = 0.15 * r.height;
        for (const [o, other] of names)
          if (r.left < o.right - 0.5 && o.left < r.right - 0.5 && r.top + thin < o.bottom - thin && o.top + thin < r.bottom - thin)
            overlaps.push(`${words.textContent} on ${other}`);
        names.push([r, words.textContent]);
      }
    }
  }
  document.title = JSON.stringify([document.documentElement.scrollWidth > innerWidth, outside, overlaps, panels]);
}</script>"""


@unittest.skipUnless(shutil.which("chromium"), "needs chromium")
class Drawn(Machines):
    """Pages in a browser: nothing is wider than the window, and no text of a chart is clipped or on another."""

    def check(self, runs, panels):
        path = Path(self.folder.name) / "page.html"
        path.write_text(page.build(runs).replace("</main>", f"</main>{CHECK}"), encoding="utf-8")
        # A window of Chromium has 500 points at least, so a phone is a frame.
        narrow = Path(self.folder.name) / "phone.html"
        narrow.write_text(f'<iframe src="{path.as_uri()}" width="390" height="2000"></iframe><script>onload = () => '
                          "document.title = document.querySelector('iframe').contentDocument.title</script>", encoding="utf-8")
        for file, width in ((path, 1280), (path, 500), (narrow, 800)):
            done = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
                                   f"--window-size={width},900", "--dump-dom", file.as_uri()], capture_output=True, text=True, check=True, timeout=60)
            found = html.unescape(re.search(r"<title>(.*?)</title>", done.stdout)[1])
            self.assertEqual(json.loads(found), [False, [], [], panels], (file.name, width))

    def test_two_platforms(self):
        euler = Rooflines.EULER
        runs = [self.machine(device, {**pair(MAX, 100, peer), euler: [1000], euler.replace("f64", "f32"): [900]}, flops=320.0 * N, **Rooflines.PEAKS)
                for device, peer in (("First", 50), ("Second", 200))]
        # Twice by family (application efficiency of one, architectural of both), once by implementation, two rooflines.
        self.check(runs, 2 + 2 + 2 + 2)

    def test_twenty_platforms_with_many_families(self):
        families = ("reductions/max", "sor/packed", "tridiagonal/contiguous", "poisson/fast_periodic", "assembly/laplacian_ordered",
                    "vorticity/rk3_step", "waves/cocg", "euler/residual_renumbered", "amg/apply_ordered", "coloring/parallel_ordered")
        runs = []
        for n in range(20):
            rows = {}
            for m, kernel in enumerate(families):
                row = f"{kernel}/openmp/f64/{N}"
                for k, name in enumerate(("kokkos_mdrange", "cusparse_nopivot", "hypre_boomeramg_aggressive", "expanded_arrays")):
                    rows.update(pair(row, 100, 60 + (7 * n + 11 * m + 13 * k) % 90, name))
            runs.append(self.machine(f"A processor with a long name, number {n}", rows, flops=320.0 * N, **Rooflines.PEAKS))
        self.check(runs, 4 + 2 * len(families) + 20)


if __name__ == "__main__":
    unittest.main()
