# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""perf/report.py on small results; several platforms side by side are in platforms_test.py."""

import csv
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PERF = Path(__file__).resolve().parents[2] / "perf"
sys.path.insert(0, str(PERF))
from karman_report import applications, assembly, compare, curves, frame, page, platforms, portability, processes, publish, readme, record, results, scaling, spectral, tables, text  # noqa: E402
import scaling_model  # noqa: E402
from small_results import N, ROWS, WithResults, YARDSTICK  # noqa: E402


class Report(WithResults):
    def test_page_says_what_it_left_out(self):
        names = list(ROWS)
        made = page.build([self.load(errors={names[0]: "skipped: the time budget is over", names[2]: "skipped: the time budget is over"})])
        self.assertIn("2 rows left out: the time budget is over. By family: Reductions 2.", made)
        self.assertIn("<p>2 rows, each checked", made)
        self.assertNotIn("left out:", page.build([self.load()]))

    def test_reads_rows_and_their_statistics(self):
        run = self.load()
        row = run.rows[0]
        self.assertEqual((row.family, row.algorithm, row.backend, row.precision, row.size, row.peer),
                         ("reductions", "max", "cuda", "f64", str(N), ""))
        self.assertAlmostEqual(row.median, 100e-6)
        self.assertAlmostEqual(row.units, N)
        self.assertAlmostEqual(row.yardstick / YARDSTICK, 1)
        self.assertAlmostEqual(row.share, 8 * N / 100e-6 / YARDSTICK)
        self.assertEqual(run.backends(), ["cuda", "openmp"])
        self.assertAlmostEqual(results.cases(run, "cuda")[row.case].versus_best_peer, 0.8)
        self.assertAlmostEqual(results.cases(run, "openmp")[row.case].versus_best_peer, 2.1)

    def test_a_recorded_result_has_medians_only(self):
        path = self.write(ROWS)
        data = json.loads(path.read_text())
        data["benchmarks"] = [entry for entry in data["benchmarks"] if entry["run_type"] == "aggregate"]
        path.write_text(json.dumps(data))
        run = results.load(path)
        self.assertEqual([row.name for row in run.rows], list(ROWS))
        self.assertAlmostEqual(run.rows[0].median, 1e-6)
        self.assertIn("–", next(line for line in tables.terminal([run]) if "/peer:cub" in line))

    def test_two_runs_on_one_machine_are_both_on_the_page(self):
        runs = [self.load(), self.load({f"sor/packed/{backend}/f64/{N}": [50, 50, 50] for backend in ("cuda", "openmp")})]
        places = platforms.columns(runs)
        self.assertEqual(list(places), ["cuda (Test card, run 1)", "openmp (Test processor, run 1)", "cuda (Test card, run 2)",
                                        "openmp (Test processor, run 2)"])
        self.assertEqual(list(platforms.columns_of(runs, "sor")), list(places)[2:])
        made = page.build(runs)
        for figure in ("10.5 G elements/s", "21.0 G cell-iterations/s"):
            self.assertIn(figure, made)

    def test_the_page_stands_alone(self):
        made = page.build([self.load()])
        self.assertNotRegex(made, r"https?://")
        self.assertNotRegex(made, r"<script|<link(?! rel=\"icon\" href=\"data:,\")|@import|url\(")
        self.assertEqual(re.findall(r'(?:src|href)="(?!data:)', made), [])
        for word in ("Karman", "CUB", "Kokkos parallel_reduce", "Test card", "Test processor", "0123456789ab", "NOISY",
                     "Performance portability", "prefers-color-scheme: dark", "width=device-width"):
            self.assertIn(word, made)
        self.assertIn("karman-perf &lt;quick&gt; &amp; more", made)
        self.assertNotIn("FAILED", made)

    def test_a_failed_row_is_shown_without_a_number(self):
        name = f"reductions/max/cuda/f64/{N}"
        run = self.load(rows={name: [123.456]}, errors={name: "wrong answer: the maximum is 3"})
        made = page.build([run])
        self.assertIn("FAILED", made)
        self.assertIn("the maximum is 3", made)
        self.assertNotIn("123", made.replace("0123456789ab", ""))
        self.assertIn("FAILED", "\n".join(tables.terminal([run])))

    def test_the_csv_has_the_columns_of_p3_analysis(self):
        stream = io.StringIO()
        tables.write_csv([self.load()], stream)
        lines = list(csv.DictReader(io.StringIO(stream.getvalue())))
        self.assertEqual(list(lines[0])[:4], ["problem", "platform", "application", "fom"])
        self.assertEqual([line["application"] for line in lines if line["platform"] == "cuda"], ["karman", "cub"])
        self.assertAlmostEqual(float(lines[0]["fom"]), N / 100e-6, delta=1e6)

    def tridiagonal(self, errors=None):
        rows = {f"tridiagonal_algorithms/{algorithm}/cuda/f64/{size}": [factor * time]
                for algorithm, factor in (("thomas", 2), ("cr_pcr", 1))
                for size, time in (("64x16384", 100), ("512x2048", 50), ("4096x256", 300), ("512x16", 7))}
        for precision, best in (("f32", 64), ("f64", 32)):
            for left in (1, 8, 32, 64, 512):
                rows[f"tridiagonal_hybrid/cr_pcr_{left}/cuda/{precision}/512x2048"] = [10 if left == best else 20 + left]
        rows["tridiagonal/contiguous/cuda/f64/512x2048"] = [40, 41, 42]
        rows["tridiagonal/contiguous/cuda/f64/512x2048/peer:cusparse_strided"] = [80, 80, 80]
        return self.load(rows, errors)

    def test_points_of_the_tridiagonal_curves(self):
        run = self.tridiagonal()
        rows = [row for row in run.rows if row.family == "tridiagonal_algorithms"]
        by_rows = dict(curves.over_rows(rows))
        self.assertEqual(set(by_rows), {"Thomas", "CR-PCR"})
        self.assertEqual([p.x for p in by_rows["Thomas"]], [64, 512, 4096])
        self.assertAlmostEqual(by_rows["Thomas"][1].y, 100e3 / N)
        self.assertEqual([p.x for p in dict(curves.over_systems(rows))["CR-PCR"]], [2048, 16])
        hybrid = dict(curves.over_intermediate_size([row for row in run.rows if row.family == "tridiagonal_hybrid"]))
        self.assertEqual({name: min(points, key=lambda p: p.y).x for name, points in hybrid.items()},
                         {"single precision": 64, "double precision": 32})

    def test_the_page_draws_the_tridiagonal_curves(self):
        made = page.build([self.tridiagonal()])
        self.assertEqual(made.count('<svg class="chart"'), 3)
        for word in ("rows per system", "systems of 512 rows", "rows of the parallel cyclic reduction", "CR-PCR", "Crossover, CUDA",
                     "2.00 × the best peer (cuSPARSE gtsv2StridedBatch)".replace("2.00", "1.95")):
            self.assertIn(word, made)
        best = re.findall(r'<text class="value"[^>]*>(\d+)</text>', made)
        self.assertEqual(best, ["64", "32"])
        self.assertNotIn("NaN", made.replace("prefers", ""))
        # A wrong answer gives no point of a curve, and a curve of one point is dropped.
        name = "tridiagonal_hybrid/cr_pcr_64/cuda/f32/512x2048"
        failed = page.build([self.tridiagonal({name: "wrong answer: the largest error is 3"})])
        self.assertIn("FAILED", failed)
        self.assertNotIn("64", re.findall(r'<text class="value"[^>]*>(\d+)</text>', failed))
        self.assertNotIn("<svg", page.build([self.load({name: [5.0]})]))

    def test_curves_keep_their_names_apart_and_inside(self):
        for wanted in ([100, 101, 102, 103], [40, 40, 300], [298, 299, 300], [50]):
            placed = frame.apart(wanted, 17, 40, 300)
            ordered = sorted(placed)
            self.assertGreaterEqual(min(b - a for a, b in zip(ordered, ordered[1:] + [ordered[-1] + 17])), 17)
            self.assertGreaterEqual(ordered[0], 40)
            self.assertLessEqual(ordered[-1], 300)
            self.assertEqual(sorted(range(len(wanted)), key=lambda n: (wanted[n], n)),
                             sorted(range(len(wanted)), key=lambda n: placed[n]))

    def test_verdicts(self):
        old = {"a": [100, 100, 100, 100, 100], "b": [100, 100, 100, 100, 100], "c": [100, 100, 100, 100, 100],
               "noisy": [80, 100, 120, 90, 110], "gone": [1, 1, 1], "broken": [1, 1, 1]}
        new = {"a": [101, 101, 101, 101, 101], "b": [80, 80, 80, 80, 80], "c": [120, 120, 120, 120, 120],
               "noisy": [130, 115, 100, 110, 120], "added": [1, 1, 1], "broken": [1, 1, 1]}

        def name(word):
            return f"reductions/{word}/serial/f64/8"

        old_run = self.load({name(k): v for k, v in old.items()}, name="old.json")
        new_run = self.load({name(k): v for k, v in new.items()}, {name("broken"): "wrong answer: x"}, "new.json")
        lines, verdicts = compare.compare(old_run, new_run)
        self.assertEqual({key.split("/")[1]: word for key, word in verdicts.items()},
                         {"a": "SAME", "b": "FASTER", "c": "SLOWER", "noisy": "SAME", "added": "ADDED", "gone": "GONE",
                          "broken": "FAILED"})
        self.assertTrue(any("SLOWER" in line for line in lines))
        command = [sys.executable, str(PERF / "report.py"), "compare", str(old_run.path), str(old_run.path), "--fail-on-slower"]
        self.assertEqual(subprocess.run(command, capture_output=True, check=False).returncode, 0)
        command[4] = str(new_run.path)
        self.assertEqual(subprocess.run(command, capture_output=True, check=False).returncode, 1)

    def test_a_comparison_with_a_recorded_result(self):
        name = f"sor/packed/cuda/f64/{N}"
        rows = {name: [100, 101, 99], **{f"copy/copy/openmp/f64/{n}": [10, 10, 10] for n in (8, 16)}}
        old_path = self.write(rows, name="old.json")
        data = json.loads(old_path.read_text())
        data["context"]["yardstick_cuda_GBps"] = "110.00"
        data["context"]["backend_openmp_device"] = "Another processor"
        data["benchmarks"] = [entry for entry in data["benchmarks"] if entry["run_type"] == "aggregate"]
        for entry in data["benchmarks"]:
            entry["real_time"] = 100
        old_path.write_text(json.dumps(data))
        old_run = results.load(old_path)
        for times, word, noise in (([102, 102, 102, 102], "SAME", "3.0 %"), ([106, 106, 106, 106], "SLOWER", "3.0 %"),
                                   ([98, 106, 114, 106], "SAME", "7.5 %"), ([70, 90, 130, 150], "SAME", "90.9 %")):
            lines, verdicts = compare.compare(old_run, self.load({name: times}, name="new.json"))
            self.assertEqual(verdicts[name], word)
            line = next(line for line in lines if line.startswith(name))
            self.assertIn(noise, line)
            self.assertEqual("NOISY" in line, times[0] == 70)
        # One line for families that the new run did not measure, and no warning about a device without use.
        self.assertEqual([line.split("  ")[0] for line in lines if line.endswith("  GONE")], ["copy on openmp, 2 rows"])
        self.assertEqual([word for word in verdicts.values()].count("GONE"), 2)
        self.assertFalse([line for line in lines if "warning" in line])
        self.assertIn("cuda: copy bandwidth 110.0 GB/s, then 100.0 GB/s; 1.100 new/old in time", lines)
        self.assertIn("a spread of 3 % is assumed", lines[-1])
        lines, _ = compare.compare(old_run, self.load(rows, name="new.json"))
        self.assertIn("warning: openmp is another device: Another processor; Test processor", lines)
        self.assertIn("cuda: median new/old 1.000 of 1 rows of Karman", lines)

    def test_noisy_rows_are_marked_in_the_charts(self):
        calm = page.build([self.load({f"reductions/max/cuda/f64/{N}": [100, 100, 100]})])
        self.assertNotIn("NOISY", calm)
        self.assertNotIn('unsure"', calm)
        noisy = page.build([self.load({f"reductions/max/cuda/f64/{N}": [100, 150, 200]})])
        summary = noisy[noisy.index('<table class="summary"'):noisy.index("<details>")]
        self.assertIn('class="fill own unsure"', summary)
        self.assertIn("percent of the copy bandwidth, noisy", summary)
        self.assertIn('<small class="noisy">NOISY 33.3 %</small>', summary)
        self.assertIn("spreads over more than 10 %", noisy)
        rows = {f"tridiagonal_algorithms/thomas/cuda/f64/{size}": [100, 100, 100] for size in ("64x16384", "512x2048")}
        rows["tridiagonal_algorithms/thomas/cuda/f64/512x2048"] = [100, 150, 200]
        drawn = page.build([self.load(rows)])
        self.assertEqual(len(re.findall(r'<circle class="unsure s0"', drawn)), 1)
        self.assertEqual(len(re.findall(r'<circle class="dot s0"', drawn)), 1)
        strategy = {f"assembly_strategies/row_gather_ordered/cuda/f64/{N}": [10, 15, 20]}
        self.assertIn("NOISY", page.build([self.load(strategy)]).split("<details>")[0])

    def test_rows_that_memory_does_not_bound_have_no_bar(self):
        rows = {f"{kernel}/{backend}/f64/{N}": [100, 100, 100] for backend in ("cuda", "openmp")
                for kernel in ("poisson/mg_pcg", "coloring/parallel_ordered", "waves/harbour_cocg", "waves/cocg")}
        run = self.load(rows)
        self.assertEqual({row.algorithm: row.has_bandwidth for row in run.rows},
                         {"mg_pcg": False, "parallel_ordered": False, "harbour_cocg": False, "cocg": True})
        made = page.build([run])
        for family in ("Poisson", "Colouring"):
            section = made[made.index(f"<h3>{family}"):].split("<h3>", 2)[1]
            self.assertNotIn('class="bar"', section)
            self.assertNotIn("of copy", section)
            self.assertIn("100 µs", section)
        self.assertEqual(made.count('class="bar"'), 4)  # of COCG's iterations, on two backends, in both tables
        lines = {line.split()[0]: line for line in tables.terminal([run]) if line.startswith("  ") and "/" in line.split()[0]}
        self.assertRegex(lines[f"mg_pcg/cuda/f64/{N}"], "–        –")
        self.assertIn("84 %", lines[f"cocg/cuda/f64/{N}"])
        self.assertEqual(portability.kernels(platforms.distinct([run]), "poisson")[0].architectural, {})
        stream = io.StringIO()
        tables.write_csv([run], stream)
        shares = {line["problem"].split("/")[1]: line["arch eff"] for line in csv.DictReader(io.StringIO(stream.getvalue()))}
        self.assertEqual(shares, {"mg_pcg": "", "parallel_ordered": "", "harbour_cocg": "", "cocg": "0.8389"})

    def test_strategies_stand_side_by_side(self):
        rows = {f"assembly_strategies/{strategy}{equation}_{numbering}/cuda/f64/{N}": [time]
                for strategy, time in (("row_gather", 10), ("colored_blocks", 20))
                for equation in ("", "_mild_slope") for numbering in ("ordered", "shuffled")}
        run = self.load(rows)
        self.assertEqual(assembly.parts("colored_blocks_mild_slope_shuffled"), ("colored_blocks", "mild_slope", "shuffled"))
        tables_of = assembly.side_by_side(run.rows)
        self.assertEqual(list(tables_of), [("", "f64"), ("mild_slope", "f64")])
        lines = tables_of[("", "f64")]
        self.assertEqual(list(lines), ["row_gather", "colored_blocks"])
        self.assertAlmostEqual(lines["colored_blocks"]["shuffled"].median, 20e-6)
        html = page.build([run])
        self.assertIn("coloured blocks in scratch", html)
        self.assertEqual(html.count("Complex mild-slope equation, double precision"), 1)
        self.assertNotIn(">renumbered<", html)

    def test_operations_and_their_share_of_the_peak(self):
        run = results.load(self.write({f"euler/residual_renumbered/openmp/f64/{N}": [100, 100, 100]}, flops=5e6))
        row = run.rows[0]
        self.assertAlmostEqual(row.flop_rate * 1e-9, 50)
        self.assertAlmostEqual(row.share_of_peak, 0.05)
        self.assertEqual(text.arithmetic(row), "50.0 GFlop/s, 5 % of peak")
        self.assertEqual(page.build([run]).count("50.0 GFlop/s, 5 % of peak"), 2)
        self.assertIn("50.0 GFlop/s, 5 % of peak", "\n".join(tables.terminal([run])))
        plain = self.load().rows[0]
        self.assertEqual((plain.flops, plain.share_of_peak, text.arithmetic(plain)), (0, 0, ""))

    def test_the_serial_fraction_of_amdahls_law(self):
        for fraction in (0.0, 0.05, 0.3, 1.0):
            for counts in ((1, 2), (1, 3), (1, 2, 3, 4, 6, 8, 12, 16)):
                times = {p: 2e-3 / scaling.amdahl(fraction, p) for p in counts}
                self.assertAlmostEqual(scaling.serial_fraction(times), fraction)
        # Least squares: with errors of both signs no other fraction has a smaller sum of squares.
        times = {1: 1.0, 2: 0.56, 4: 0.27, 8: 0.20}
        best = scaling.serial_fraction(times)

        def error(f):
            return sum((seconds - 1 / scaling.amdahl(f, p)) ** 2 for p, seconds in times.items())

        self.assertLess(error(best), min(error(best - 0.001), error(best + 0.001)))
        self.assertIsNone(scaling.serial_fraction({1: 1.0}))
        self.assertIsNone(scaling.serial_fraction({2: 1.0, 4: 0.5}))

    def test_scaling_over_threads_and_sizes(self):
        rows = {f"euler_threads/residual_{p}/openmp/f64/524288": [1000 * (0.1 + 0.9 / p)] for p in (1, 2, 4, 8)}
        for n, serial in ((2048, 40), (8192, 160), (2097152, 40000)):
            rows[f"euler_sizes/residual/serial/f64/{n}"] = [serial]
            rows[f"euler_sizes/residual/openmp/f64/{n}"] = [serial / 4]
            rows[f"euler_sizes/residual/cuda/f64/{n}"] = [serial / 40]
            rows[f"euler_sizes/residual_pinned_transfers/cuda/f64/{n}"] = [serial / 20]
        run = self.load(rows)
        points, fraction, elements = scaling.over_threads(run, "openmp", "f64")
        self.assertAlmostEqual(fraction, 0.1)
        self.assertEqual(elements, 524288)
        self.assertEqual([p.x for p in points], [1, 2, 4, 8])
        self.assertAlmostEqual(points[-1].y, 1 / (0.1 + 0.9 / 8))
        times, ratios = scaling.over_sizes(run, "f64"), scaling.speed_ups(run, "f64")
        self.assertEqual(set(times), {"Serial", "OpenMP", "CUDA", "CUDA, transfers, page-locked"})
        self.assertAlmostEqual(times["Serial"][0].y, 0.04)
        self.assertEqual(set(ratios), set(times) - {"Serial"})
        for name, ratio in (("OpenMP", 4), ("CUDA", 40), ("CUDA, transfers, page-locked", 20)):
            self.assertEqual([round(p.y, 6) for p in ratios[name]], [ratio] * 3)
        made = page.build([run])
        self.assertEqual(made.count('<svg class="chart"'), 3)
        for word in ("efficiency on 8 threads 0.59", "Amdahl, f = 10.0 %", "ideal", "speed-up over one thread",
                     "time of a residual (ms)", ">2.1 M<", ">8.2 k<", "524 k triangles"):
            self.assertIn(word, made)
        self.assertEqual(made.count('class="model"'), 2)
        self.assertIn("Time of one thread (Serial, same source", made)
        # Without the times of one thread there is no speed-up, and one number of threads has no curve.
        alone = self.load({name: times for name, times in rows.items() if "serial" not in name and "residual_8" not in name
                           and "residual_2" not in name and "residual_4" not in name})
        self.assertEqual(page.build([alone]).count('<svg class="chart"'), 1)
        # A row with a wrong answer gives no point.
        failed = self.load(rows, {"euler_threads/residual_8/openmp/f64/524288": "wrong answer: x"})
        self.assertEqual([p.x for p in scaling.over_threads(failed, "openmp", "f64")[0]], [1, 2, 4])

    def test_a_build_without_serial_has_its_one_thread_elsewhere(self):
        rows = {f"euler_sizes/residual/openmp/f64/{n}": [n / 100] for n in (2048, 32768, 524288)}
        alone = page.build([self.load(rows)])
        self.assertEqual(alone.count('<svg class="chart"'), 1)
        self.assertNotIn("one thread", alone)
        self.assertNotIn("Serial", alone)
        self.assertEqual(scaling.speed_ups(self.load(rows), "f64"), {})
        rows.update({f"euler_sizes/residual_1/openmp/f64/{n}": [n / 25] for n in (2048, 32768, 524288)})
        run = self.load(rows)
        self.assertEqual(set(scaling.over_sizes(run, "f64")), {"OpenMP", "OpenMP, one thread"})
        ratios = scaling.speed_ups(run, "f64")
        self.assertEqual({name: [round(p.y, 6) for p in points] for name, points in ratios.items()}, {"OpenMP": [4] * 3})
        made = page.build([run])
        self.assertEqual(made.count('<svg class="chart"'), 2)
        self.assertIn("Time of one thread (OpenMP, same source", made)
        self.assertIn("Residual on one thread", made)
        self.assertNotIn("Serial", made)
        # With Serial beside them the reference is Serial.
        rows.update({f"euler_sizes/residual/serial/f64/{n}": [n / 20] for n in (2048, 32768, 524288)})
        self.assertEqual(scaling.speed_ups(self.load(rows), "f64")["OpenMP"][0].y, 5)

    def test_recorded_runs_reduced_to_the_host_make_a_page(self):
        pages = 0
        for path in sorted((PERF / "results").glob("*/result.json")):
            data = json.loads(path.read_text(encoding="utf-8"))
            data["benchmarks"] = [entry for entry in data["benchmarks"] if "/openmp/" in str(entry.get("name"))]
            data["context"] = {key: value for key, value in data["context"].items() if "cuda" not in key}
            if not data["benchmarks"]:
                continue
            reduced = Path(self.folder.name) / "reduced.json"
            reduced.write_text(json.dumps(data), encoding="utf-8")
            run = results.load(reduced)
            self.assertEqual(run.backends(), ["openmp"])
            made = page.build([run])
            body = made[made.index("<main>"):]
            scales = {"euler_sizes", "euler_threads"} & {row.family for row in run.rows}
            for words in ("Serial", "CUDA", "Performance portability", *(() if scales else ("one thread", "speed-up"))):
                self.assertNotIn(words, body)
            for chart in re.findall(r'<svg class="chart".*?</svg>', body, flags=re.S):
                self.assertIn('<path class="line', chart)
            self.assertNotRegex(body, r"<figure></|<tbody></tbody>|<table></|nan\b")
            self.assertIn("  openmp: ", "\n".join(tables.terminal([run])))
            pages += 1
        self.assertGreater(pages, 0)

    def test_solvers_over_processes(self):
        rows = {"sor_weak_1": 100, "sor_weak_2": 125, "sor_strong_2": 62.5, "sor_weak_4": 200, "sor_strong_4": 50, "cg_weak_1": 300,
                "cg_weak_4": 400, "fast_poisson_strong_2": 7}
        rows = {f"scaling/{name}/cuda/f32/512x512x512": [time] for name, time in rows.items()}
        path = self.write(rows)
        data = json.loads(path.read_text())
        for entry in data["benchmarks"]:
            processes_of_row = int(entry["name"].split("/")[1].rpartition("_")[2])
            entry.update(figure_processes=processes_of_row, figure_iterations=20)
            if processes_of_row > 1 and "/sor" in entry["name"]:
                entry.update(figure_bytes_sent=20e6, figure_overlap=0.25, figure_model=0.8)
        path.write_text(json.dumps(data))
        run = results.load(path)
        found = processes.entries(run, "cuda", "f32")
        self.assertEqual({(e.solver, e.kind, e.processes): round(e.efficiency, 9) for e in found},
                         {("sor", "weak", 1): 1, ("sor", "weak", 2): 0.8, ("sor", "strong", 2): 0.8, ("sor", "weak", 4): 0.5,
                          ("sor", "strong", 4): 0.5, ("cg", "weak", 1): 1, ("cg", "weak", 4): 0.75})
        measured, models = processes.curves(found, "sor")
        self.assertEqual({name: [(p.x, round(p.y, 9)) for p in points] for name, points in models.items()},
                         {"weak, model": [(1, 1), (2, 1), (4, 0.625)], "strong, model": [(1, 1), (2, 1), (4, 0.625)]})
        self.assertEqual([(p.x, round(p.y, 9)) for p in measured["strong"]], [(1, 1), (2, 0.8), (4, 0.5)])
        # Without parts of the time there is no model, and a solver without the time of one process has no efficiency.
        self.assertEqual(processes.curves(found, "cg")[1], {})
        made = page.build([run])
        self.assertEqual(made.count('<svg class="chart"'), 2)
        self.assertEqual(made.count('class="model"'), 4)
        for words in ("Solvers on grids over processes", "Efficiency over processes, Red-black SOR", ">1.00 MB<", ">0.25<", ">0.80<"):
            self.assertIn(words, made)
        self.assertIn("  Red-black SOR        single     strong   4          512 × 512 × 512  2.50 µs               0.50        1.00 MB",
                      "\n".join(tables.terminal([run])))
        self.assertNotIn("FastPoisson ", "\n".join(tables.terminal([run])))

    def test_the_page_of_the_model_has_its_tables(self):
        made = [line for line in scaling_model.lines() if line.startswith("|")]
        self.assertGreater(len(made), 20)
        written = [line for line in (PERF.parent / "docs/scaling_model.md").read_text(encoding="utf-8").splitlines() if line.startswith("|")]
        self.assertEqual(written, made)

    def test_the_model_keeps_its_limits(self):
        # Where messages are hidden, only the small kernels are left; tables are met where they were measured.
        self.assertAlmostEqual(scaling_model.interpolated(scaling_model.NCCL, 4 << 20), 93)
        self.assertAlmostEqual(scaling_model.cycle(256**3), 1310)
        alone, time = scaling_model.sor(4, True)
        self.assertAlmostEqual(time - alone, 8 * scaling_model.SMALL)
        for of in (scaling_model.conjugate_gradients, lambda p: scaling_model.multigrid(p, 16), lambda p: scaling_model.fast_poisson(p, 138e3)):
            times = [of(processes)[1] for processes in (2, 4, 8, 64, 1024)]
            self.assertEqual(times, sorted(times))
            self.assertGreater(times[0], of(4)[0])

    def test_steps_of_turbulence_over_points(self):
        rows = {}
        for n, alone in ((512, 60), (1024, 120), (2048, 600)):
            for backend, times in (("cuda", 1), ("openmp", 50)):
                rows[f"vorticity/rk3_step/{backend}/f64/{n}x{n}"] = [1.5 * times * alone]
                rows[f"vorticity/rk3_step/{backend}/f64/{n}x{n}/peer:transforms_alone"] = [times * alone]
        rows["vorticity/rk3_step_equal_dt/cuda/f64/2048x2048"] = [880]
        run = results.load(self.write(rows, unit="points"))
        times, shares = spectral.times(run, "f64"), spectral.shares(run, "f64")
        self.assertEqual(set(times), {"CUDA", "CUDA, transforms", "OpenMP", "OpenMP, transforms"})
        self.assertEqual([p.x for p in times["CUDA"]], [512, 1024, 2048])
        self.assertAlmostEqual(times["CUDA"][-1].y, 0.9)
        self.assertAlmostEqual(times["OpenMP, transforms"][0].y, 3)
        for points in shares.values():
            self.assertEqual([round(p.y, 6) for p in points], [round(100 / 1.5, 6)] * 3)
        made = page.build([run])
        self.assertEqual(made.count('<svg class="chart"'), 2)
        self.assertIn("points/s", made)
        self.assertNotIn(">0 /s", made)
        # A step without the time of its transforms has no share, and neither has one with a wrong answer.
        failed = results.load(self.write(rows, {f"vorticity/rk3_step/cuda/f64/{n}x{n}": "wrong answer: x" for n in (512, 1024)}))
        self.assertEqual([p.x for p in spectral.shares(failed, "f64")["CUDA"]], [2048])

    def test_waves_stand_on_the_page_with_a_sentence(self):
        names = [f"waves/{algorithm}/openmp/f64/40257" for algorithm in ("harbour", "harbour_cocg", "reassembly", "cocg", "product")]
        run = self.load({**{name: [100] for name in names}, "waves/cocg/openmp/f64/40257/peer:plain_kokkos": [300]})
        html = page.build([run])
        self.assertIn(page.GOOD_RESULTS["waves"], html)
        for words in ("Harbour waves", "A harbour solved, friction by iteration", "100 iterations of COCG with Jacobi",
                      "plain Kokkos loops, scalars on the host"):
            self.assertIn(words, html)

    def test_bad_files_give_one_line(self):
        folder = Path(self.folder.name)
        (folder / "text.json").write_text("no json")
        (folder / "list.json").write_text("[]")
        (folder / "empty.json").write_text('{"context": {}, "benchmarks": []}')
        (folder / "odd.json").write_text(json.dumps({"context": {}, "benchmarks": [
            {"name": "reductions/max/cuda/f64/8", "run_type": "iteration", "real_time": "soon", "time_unit": "us"}]}))
        for name in ("text.json", "list.json", "empty.json", "odd.json", "missing.json"):
            done = subprocess.run([sys.executable, str(PERF / "report.py"), "--benchmarks", str(folder / name), "--text"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, name)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
            self.assertTrue(done.stderr.startswith("report.py: "), done.stderr)

    def test_numbers_read_well(self):
        self.assertEqual(text.size(str(1 << 28)), "2²⁸")
        self.assertEqual(text.size("1024x1024x256"), "1024 × 1024 × 256")
        self.assertEqual(text.size("1000"), "1 000")
        self.assertEqual(text.seconds(0.0123), "12.3 ms")
        self.assertEqual(text.seconds(3.4567e-6), "3.46 µs")
        self.assertEqual(text.significant(1234.5), "1234")


class Readme(unittest.TestCase):
    def test_figures_are_those_of_the_recorded_runs(self):
        done = subprocess.run([sys.executable, "-B", str(PERF / "report.py"), "readme", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_typed_figure_is_replaced(self):
        content = readme.README.read_text(encoding="utf-8")
        number = readme.text.seconds(readme._case(readme.recorded(), "sor/packed", "cuda", "f32", "1024x1024x256")[1].own.median)
        self.assertIn(number, content)
        self.assertEqual(readme.updated(content.replace(number, "1.00 ms"), readme.recorded()), content)
        with self.assertRaisesRegex(results.ResultError, "expected one"):
            readme.updated(content.replace(readme.END, ""), readme.recorded())
        with self.assertRaisesRegex(results.ResultError, "no recorded row sor/packed/cuda/f32/1x1x1"):
            readme._case(readme.recorded(), "sor/packed", "cuda", "f32", "1x1x1")


WIDTH_SCRIPT = '<script>onload = () => document.title = "width " + document.documentElement.scrollWidth + " of " + innerWidth</script>'


class Publish(WithResults):
    def publish(self, *words):
        self.site = Path(self.folder.name) / "site"
        command = [sys.executable, "-B", str(PERF / "report.py"), "publish", "--output", str(self.site), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_links_lead_to_files(self):
        (Path(self.folder.name) / "other").mkdir()
        first, second = self.write(ROWS), self.write(ROWS, name="other/result.json")
        done = self.publish("--benchmarks", str(first), str(second))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        made = (self.site / "index.html").read_text()
        links = re.findall(r'(?:src|href)="([^"]+)"', made)
        self.assertEqual(sorted(links), ["data/1-result.json", "data/2-result.json", "data:,", "style.css"])
        for link in set(links) - {"data:,"}:
            self.assertTrue((self.site / link).is_file(), link)
        self.assertEqual((self.site / "data/2-result.json").read_bytes(), second.read_bytes())
        self.assertNotIn("<style>", made)
        self.assertEqual([path.name for path in Path(self.folder.name).iterdir() if path.name.startswith(".")], [])

    def test_pictures_are_files(self):
        wind = {"facts": {"title": "Wind"}, "pictures": [{"file": "overview.png", "title": "Overview", "caption": "", "section": "hero",
                                                            "data": "data:image/png;base64,aGVsbG8="}]}
        publish.publish(Path(self.folder.name) / "site", [], wind, [], [], False)
        self.assertIn('src="pictures/01.png"', (Path(self.folder.name) / "site/index.html").read_text())
        self.assertEqual((Path(self.folder.name) / "site/pictures/01.png").read_bytes(), b"hello")

    def test_nothing_of_others_is_replaced(self):
        path = str(self.write(ROWS))
        self.assertEqual(self.publish("--benchmarks", path).returncode, 0)
        (self.site / "own.txt").write_text("own")
        again = self.publish("--benchmarks", path)
        self.assertEqual((again.returncode, again.stderr), (2, f"report.py: {self.site}: holds a page already; --overwrite replaces it\n"))
        other = self.write(ROWS, name="new.json")
        self.assertEqual(self.publish("--benchmarks", str(other), "--overwrite").returncode, 0)
        self.assertEqual(sorted(str(p.relative_to(self.site)) for p in self.site.rglob("*") if p.is_file()),
                         ["data/new.json", "index.html", "own.txt", "published.json", "style.css"])
        (self.site / "published.json").write_text('{"files": ["../result.json"]}')
        outside = self.publish("--benchmarks", path, "--overwrite")
        self.assertEqual((outside.returncode, outside.stderr.count("\n")), (2, 1))
        self.assertTrue(Path(path).is_file())
        (self.site / "published.json").unlink()
        taken = self.publish("--benchmarks", path, "--overwrite")
        self.assertEqual((taken.returncode, taken.stderr.count("\n")), (2, 1))
        self.assertIn("holds other files", taken.stderr)

    @unittest.skipUnless(shutil.which("chromium"), "needs chromium")
    def test_page_fits_a_phone_and_a_desk(self):
        self.assertEqual(self.publish("--benchmarks", str(self.write(ROWS))).returncode, 0)
        index = self.site / "index.html"
        index.write_text(index.read_text().replace("</main>", f"</main>{WIDTH_SCRIPT}"))
        for width in (500, 1280):
            done = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},900", "--dump-dom",
                                   index.as_uri()], capture_output=True, text=True, check=True, timeout=60)
            needed, given = map(int, re.search(r"<title>width (\d+) of (\d+)</title>", done.stdout).groups())
            self.assertLessEqual(needed, given)


class WholeApplications(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, runs, name="runs.json"):
        path = Path(self.folder.name) / name
        context = {"date": "2026-11-29", "versions": {"commit": "0123456789ab", "kokkos": "4.6.1", "compiler": "g++ 12.2"}}
        path.write_text(json.dumps({"format": applications.FORMAT, "format_version": 1, "context": context, "runs": runs}))
        return path

    @staticmethod
    def run_of(backend, case, seconds=None, failure="", device="Test card"):
        application, name = case.split("/")
        made = {"application": application, "case": name, "backend": backend, "device": device}
        return {**made, "failure": failure} if failure else {**made, "seconds": seconds}

    def platforms(self):
        seconds = {"elapsed": 2.0, "set_up": 0.5, "solve": 1.0, "output": 0.1}
        return applications.load(self.write([
            self.run_of("cuda", "euler/sod_tube", seconds), self.run_of("openmp", "euler/sod_tube", {**seconds, "elapsed": 4.0}, device="Test <cpu>"),
            self.run_of("cuda", "wind/city", failure="skipped: longer than 1 s"), self.run_of("openmp", "wind/city", seconds, device="Test <cpu>")]))

    def test_shares_add_up(self):
        first = self.platforms()[0].cases["euler/sod_tube"]
        self.assertEqual({part: round(share, 6) for part, share in first.shares.items()}, {"set_up": 0.25, "solve": 0.5, "output": 0.05, "rest": 0.2})
        self.assertEqual(applications.sentence(first.seconds), "2.00 s: set-up 25 %, solve 50 %, output 5 %, rest 20 %")
        # Clocks of two programs may differ a little.
        self.assertEqual(applications.Timed({"elapsed": 1.0, "solve": 1.01}).shares["rest"], 0)

    def test_section_compares_platforms(self):
        made = applications.section(self.platforms())
        self.assertIn("0.50 × the speed of the first column", made)
        self.assertIn("skipped: longer than 1 s", made)
        self.assertIn("Test &lt;cpu&gt;", made)
        self.assertIn('aria-label="set-up 25 %, solve 50 %, output 5 %, rest 20 %"', made)
        self.assertIn("2026-11-29", made)
        whole = page.build([], None, self.platforms())
        self.assertIn("<h1>Time of whole applications</h1>", whole)
        self.assertNotIn("http", whole)

    def test_equal_backends_are_told_apart_by_their_device(self):
        other = applications.load(self.write([self.run_of("cuda", "wind/city", {"elapsed": 1.0}, device="Other card")], "other.json"))
        both = self.platforms() + other
        self.assertEqual(applications.labels(both), [f"{text.backend('cuda')}, Test card", text.backend("openmp"), f"{text.backend('cuda')}, Other card"])
        self.assertIn("–", applications.section(both))

    def test_other_files_are_refused_in_one_line(self):
        for content in ('{"format": "other"}', "[", '{"format": "karman.applications", "context": {}, "runs": []}',
                        '{"format": "karman.applications", "context": {}, "runs": [{}]}',
                        '{"format": "karman.applications", "context": {}, "runs": [{"application": "a", "case": "b", "backend": "cuda", "device": ""}]}'):
            path = Path(self.folder.name) / "wrong.json"
            path.write_text(content)
            done = subprocess.run([sys.executable, "-B", str(PERF / "report.py"), "--applications", str(path), "--text"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr.count("\n"), done.stdout), (2, 1, ""), content)
            self.assertIn("wrong.json", done.stderr)

    def test_table_for_a_terminal(self):
        done = subprocess.run([sys.executable, "-B", str(PERF / "report.py"), "--text", "--applications",
                               str(self.write([self.run_of("openmp", "wind/city", {"elapsed": 0.5, "solve": 0.25})]))],
                              capture_output=True, text=True, check=True)
        self.assertRegex(done.stdout, r"wind/city +500 ms: solve 50 %, rest 50 %")


class Record(WithResults):
    def setUp(self):
        super().setUp()
        self.record = Path(self.folder.name) / "machine"

    def run_record(self, *paths, **more):
        record.record(self.record, paths, **more)
        return results.load(self.record / record.RESULT)

    def test_medians_and_spreads_come_back(self):
        noisy = f"sor/packed/cuda/f64/{N}"
        left_out = f"sor/folded/cuda/f64/{N}"
        first = self.write(ROWS, host_name="mine", executable="/home/me/karman-perf", command="karman-perf --benchmark_out=/home/me/a.json")
        second = self.write({noisy: [70, 90, 130, 150], left_out: [1], **ROWS}, {left_out: "skipped: the time budget is over"}, "more.json",
                            peak_cuda_f64_GFlops="1000")
        found = self.run_record(first, second)
        self.assertEqual([row.name for row in found.rows], [*ROWS, noisy])
        for row in found.rows:
            original = next(other for run in (first, second) for other in results.load(run).rows if other.name == row.name)
            self.assertAlmostEqual(row.spread, original.spread, places=5)
            self.assertEqual((row.noisy, text.spread(row)), (original.noisy, text.spread(original)))
        self.assertTrue(found.rows[-1].noisy)
        self.assertEqual(found.context["command"], "karman-perf --benchmark_out=a.json; karman-perf <quick> & more")
        self.assertEqual(found.context["peak_cuda_f64_GFlops"], "1000")
        for path in self.record.iterdir():
            self.assertNotRegex(path.read_text(), "mine|/home|" + self.folder.name, path.name)
        table = (self.record / record.TABLE).read_text()
        self.assertTrue(table.startswith("# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"))
        self.assertIn("not run", table)
        lines, verdicts = compare.compare(found, results.load(first))
        self.assertEqual(verdicts[next(iter(ROWS))], "SAME")
        for time in ("NaN", "Infinity", "-1.0", "0"):
            first.write_text(re.sub(r'"real_time": [^,}]*', f'"real_time": {time}', first.read_text(), count=1))
            with self.assertRaisesRegex(results.ResultError, "real_time .*, expected a positive number"):
                results.load(first)
        self.assertFalse([line for line in lines if "is assumed" in line])

    def test_one_machine_and_one_commit(self):
        first = self.write(ROWS)
        for changes, words in (({"commit": "0123456789ab-dirty"}, "its commit is 0123456789ab-dirty, that of .*result.json 0123456789ab"),
                               ({"kokkos_version": "5.0"}, "its kokkos_version is 5.0"),
                               ({"backend_cuda_device": "Other card"}, "cuda is another device: Test card, 1000; Other card, 1000")):
            with self.assertRaisesRegex(results.ResultError, words):
                self.run_record(first, self.write(ROWS, name="other.json", **changes))
        for commit in ("0123456789ab-dirty", "unknown", None):
            with self.assertRaisesRegex(results.ResultError, "expected a commit without changes"):
                self.run_record(self.write(ROWS, commit=commit))
        name = next(iter(ROWS))
        with self.assertRaisesRegex(results.ResultError, f"{name} FAILED: wrong"):
            self.run_record(self.write(ROWS, {name: "wrong"}))
        self.assertFalse(self.record.exists())

    def test_whole_applications_of_the_same_commit(self):
        runs = Path(self.folder.name) / "runs.json"
        for commit, failure, words in (("f" * 12, "", "measured at ffffffffffff, the rows at 0123456789ab"),
                                       ("0123456789ab", "exit code 3: no", "poisson/wire_1d FAILED: exit code 3: no"),
                                       ("0123456789ab", "", "")):
            run = {"application": "poisson", "case": "wire_1d", "backend": "openmp", "device": "Test processor",
                   **({"failure": failure} if failure else {"seconds": {"elapsed": 2.0, "solve": 1.0}})}
            runs.write_text(json.dumps({"format": applications.FORMAT, "context": {"versions": {"commit": commit}}, "runs": [run]}))
            if words:
                with self.assertRaisesRegex(results.ResultError, words):
                    self.run_record(self.write(ROWS), runs_of_cases=runs)
            else:
                self.run_record(self.write(ROWS), runs_of_cases=runs)
        self.assertEqual(applications.load(self.record / record.APPLICATIONS)[0].cases["poisson/wire_1d"].seconds["elapsed"], 2.0)

    def test_an_earlier_record_is_replaced_on_request(self):
        path = self.write(ROWS)
        self.run_record(path)
        (self.record / record.APPLICATIONS).write_text("old")
        with self.assertRaisesRegex(results.ResultError, "--overwrite replaces it"):
            self.run_record(path)
        self.run_record(path, overwrite=True)
        self.assertEqual(sorted(path.name for path in self.record.iterdir()), [record.RESULT, record.ROWS, record.TABLE])
        (self.record / "notes.txt").write_text("precious")
        with self.assertRaisesRegex(results.ResultError, "holds other files .notes.txt."):
            self.run_record(path, overwrite=True)
        self.assertEqual((self.record / "notes.txt").read_text(), "precious")


if __name__ == "__main__":
    unittest.main()
