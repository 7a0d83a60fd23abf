# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Readable numbers and names."""

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

ALGORITHMS = {
    ("copy", "copy"): "Copy",
    ("copy", "triad"): "Triad",
    ("copy", "fma_peak"): "Fused multiplications and additions in registers",
    ("reductions", "max"): "Maximum",
    ("reductions", "max_on_device"): "Maximum, result left on the device",
    ("reductions", "sum"): "Sum",
    ("reductions", "min_max_sum"): "Minimum, maximum and sum in one pass",
    ("reductions", "max_speed"): "Largest speed of three components",
    ("sor", "packed"): "Packed wall codes",
    ("sor", "folded"): "Folded coefficient arrays",
    ("sor", "coefficients"): "Nine coefficient arrays",
    ("sor", "packed_2d"): "Packed wall codes, two dimensions",
    ("poisson", "mg_pcg"): "Multigrid in conjugate gradients, to 1e-8",
    ("poisson", "multigrid"): "Multigrid alone, to 1e-8",
    ("poisson", "fast_periodic"): "Directly, x and y periodic",
    ("poisson", "fast_dirichlet"): "Directly, Dirichlet sides",
    ("tridiagonal", "contiguous"): "Systems contiguous",
    ("tridiagonal", "interleaved"): "Systems interleaved",
    ("tridiagonal", "shared_matrix"): "One matrix for all systems, interleaved",
    ("tridiagonal", "pivoting"): "With scaled partial pivoting",
    ("tridiagonal_algorithms", "thomas"): "Thomas",
    ("tridiagonal_algorithms", "interleaved_thomas"): "interleaved Thomas",
    ("tridiagonal_algorithms", "cyclic_reduction"): "CR",
    ("tridiagonal_algorithms", "parallel_cyclic_reduction"): "PCR",
    ("tridiagonal_algorithms", "cr_pcr"): "CR-PCR",
    ("tridiagonal_algorithms", "pcr_thomas"): "PCR-Thomas",
    ("tridiagonal_algorithms", "partitioned"): "partitioned",
    ("tridiagonal_algorithms", "pivoting"): "pivoting",
    ("assembly", "laplacian_ordered"): "Laplacian, mesh in order",
    ("assembly", "laplacian_shuffled"): "Laplacian, mesh shuffled",
    ("assembly", "laplacian_renumbered"): "Laplacian, mesh renumbered along a curve",
    ("assembly", "mild_slope_ordered"): "Complex mild-slope equation, mesh in order",
    ("assembly", "mild_slope_shuffled"): "Complex mild-slope equation, mesh shuffled",
    ("assembly", "mild_slope_renumbered"): "Complex mild-slope equation, mesh renumbered along a curve",
    ("waves", "harbour"): "A harbour solved, friction by iteration",
    ("waves", "harbour_cocg"): "The same by COCG with Jacobi",
    ("waves", "harbour_direct"): "The same by a direct solver, factors reused",
    ("waves", "reassembly"): "Reassembly of its matrix",
    ("waves", "cocg"): "100 iterations of COCG with Jacobi",
    ("waves", "product"): "Sparse matrix times vector",
    **{("amg", f"{step}_{mesh}"): f"{title}, {where}"
       for mesh, where in (("ordered", "mesh in order"), ("shuffled", "mesh shuffled"), ("stretched", "cells stretched 1:100"))
       for step, title in (("setup", "Set-up"), ("factor", "New values"), ("apply", "One cycle"), ("solve", "Solve"),
                           ("jacobi", "Solve with Jacobi"))},
    ("euler", "residual_renumbered"): "Residual, mesh renumbered along a curve",
    ("euler", "residual_shuffled"): "Residual, mesh shuffled",
    ("euler", "rk4_step_renumbered"): "Step of four stages, mesh renumbered along a curve",
    ("euler", "rk4_step_shuffled"): "Step of four stages, mesh shuffled",
    ("euler_sizes", "residual"): "Residual",
    ("euler_sizes", "residual_1"): "Residual on one thread",
    ("euler_sizes", "residual_pinned_transfers"): "Residual with transfers, page-locked memory",
    ("euler_sizes", "residual_plain_transfers"): "Residual with transfers, plain memory",
    ("vorticity", "rk3_step"): "Step of three stages, dt by the device",
    ("vorticity", "rk3_step_equal_dt"): "Step of three stages, equal dt",
    ("vorticity", "rk54_step"): "Step of five stages, dt by the device",
    ("coloring", "parallel_ordered"): "In parallel, mesh in order",
    ("coloring", "parallel_shuffled"): "In parallel, mesh shuffled",
    ("coloring", "balanced_ordered"): "Classes of equal size, mesh in order",
    ("coloring", "balanced_shuffled"): "Classes of equal size, mesh shuffled",
    ("coloring", "given_order_ordered"): "Greedy in the order given, mesh in order",
    ("coloring", "given_order_shuffled"): "Greedy in the order given, mesh shuffled",
    ("coloring", "largest_degree_first_ordered"): "Greedy, largest degree first, mesh in order",
    ("coloring", "largest_degree_first_shuffled"): "Greedy, largest degree first, mesh shuffled",
    ("coloring", "lexicographic_bfs_ordered"): "Greedy after lexicographic search, mesh in order",
    ("coloring", "lexicographic_bfs_shuffled"): "Greedy after lexicographic search, mesh shuffled",
}
FAMILIES = {"copy": "Memory bandwidth and arithmetic", "reductions": "Reductions", "sor": "Red-black relaxation",
            "poisson": "Poisson's equation", "scaling": "Solvers on grids over processes", "tridiagonal": "Tridiagonal systems",
            "tridiagonal_algorithms": "Tridiagonal systems, every algorithm",
            "tridiagonal_hybrid": "Tridiagonal systems, crossover of the hybrid",
            "assembly": "Finite-element assembly", "assembly_strategies": "Finite-element assembly, every strategy",
            "amg": "Algebraic multigrid", "coloring": "Colouring the triangles of a mesh", "euler": "Compressible Euler equations",
            "euler_sizes": "Compressible Euler equations over the number of triangles",
            "euler_threads": "Compressible Euler equations over the number of threads",
            "vorticity": "Two-dimensional turbulence", "waves": "Harbour waves"}
PEERS = {
    "transforms_alone": "its transforms alone",
    "kokkos": "Kokkos parallel_reduce",
    "kokkos_team": "Kokkos, teams",
    "kokkos_mdrange": "Kokkos MDRange loop",
    "plain_tree": "plain tree, O(n log n)",
    "copy_to_host": "copy to the host, loop",
    "openmp_simd": "OpenMP SIMD loop",
    "cub": "CUB",
    "cub_three_calls": "CUB, three calls",
    "thrust": "Thrust",
    "plain_cuda": "plain CUDA kernel",
    "cusparse_strided": "cuSPARSE gtsv2StridedBatch",
    "cusparse_thomas": "cuSPARSE gtsvInterleavedBatch, Thomas",
    "cusparse_lu": "cuSPARSE gtsvInterleavedBatch, LU",
    "cusparse_qr": "cuSPARSE gtsvInterleavedBatch, QR",
    "cusparse_nopivot": "cuSPARSE gtsv2_nopivot",
    "cusparse_gtsv2": "cuSPARSE gtsv2",
    "lapack": "LAPACK gtsv, OpenMP loop",
    "lapack_many_rhs": "LAPACK gtsv, 32 right-hand sides per call",
    "element_atomics": "element atomics, precomputed map",
    "colors_with_gaps": "colours with gaps",
    "atomics": "element atomics",
    "colors": "colours",
    "expanded_arrays": "expanded arrays",
    "coordinate_form": "coordinate form (as PETSc)",
    "scatter_view": "Kokkos ScatterView",
    "kokkos_kernels": "Kokkos Kernels",
    "plain_kokkos": "plain Kokkos loops, scalars on the host",
    "cufft_alone": "cuFFT, two passes of the transforms alone",
    "fftw_alone": "FFTW, two passes of the transforms alone",
    "hypre_pfmg": "hypre PFMG",
    "hypre_boomeramg": "hypre BoomerAMG",
    "hypre_boomeramg_aggressive": "hypre BoomerAMG, first level aggressive",
    "hypre_cg_pfmg": "hypre PFMG in conjugate gradients",
    "amrex_mlmg": "AMReX MLMG",
    "amgx_classical": "AmgX, classical multigrid",
    "amgx_aggregation": "AmgX, multigrid on aggregates",
    "ginkgo_multigrid": "Ginkgo, multigrid on aggregates",
}
SHORT_FAMILIES = {"sor": "Relaxation", "poisson": "Poisson", "tridiagonal": "Tridiagonal", "assembly": "Assembly", "amg": "Multigrid",
                  "coloring": "Colouring", "euler": "Euler", "vorticity": "Turbulence", "waves": "Waves"}
"""Names for charts, where the full one is long."""
SHORT_PEERS = {"kokkos": "Kokkos", "kokkos_team": "Kokkos teams", "kokkos_mdrange": "Kokkos MDRange", "openmp_simd": "OpenMP SIMD", "cub": "CUB",
               "cub_three_calls": "CUB, 3 calls", "thrust": "Thrust", "plain_cuda": "plain CUDA", "cusparse_strided": "cuSPARSE strided",
               "cusparse_thomas": "cuSPARSE Thomas", "cusparse_lu": "cuSPARSE LU", "cusparse_qr": "cuSPARSE QR",
               "cusparse_nopivot": "cuSPARSE nopivot", "cusparse_gtsv2": "cuSPARSE gtsv2", "lapack": "LAPACK",
               "lapack_many_rhs": "LAPACK, 32 sides", "colors": "colours",
               "colors_with_gaps": "colours", "scatter_view": "ScatterView", "transforms_alone": "transforms", "kokkos_kernels": "Kokkos Kernels",
               "cufft_alone": "cuFFT alone", "fftw_alone": "FFTW alone", "hypre_pfmg": "hypre PFMG", "hypre_cg_pfmg": "hypre CG-PFMG",
               "hypre_boomeramg": "BoomerAMG", "hypre_boomeramg_aggressive": "BoomerAMG aggr.", "amrex_mlmg": "AMReX MLMG",
               "amgx_classical": "AmgX classical", "amgx_aggregation": "AmgX aggregates", "ginkgo_multigrid": "Ginkgo multigrid"}
BACKENDS = {"cuda": "CUDA", "openmp": "OpenMP", "threads": "Threads", "serial": "Serial"}
PRECISIONS = {"f32": "single", "f64": "double"}


def algorithm(row):
    return ALGORITHMS.get((row.family, row.algorithm), row.algorithm.replace("_", " "))


def family(name):
    return FAMILIES.get(name, name.replace("_", " "))


def backend(name):
    return BACKENDS.get(name, name)


def implementation(row):
    if not row.peer:
        return "Karman"
    return PEERS.get(row.peer, row.peer.replace("_", " "))


def short_family(name):
    return SHORT_FAMILIES.get(name) or family(name)


def short_peer(name):
    return SHORT_PEERS.get(name) or name.replace("_", " ")


def size(text):
    """2²⁸ for powers of two, 1024 × 1024 × 256 for grids."""
    if "x" in text:
        return text.replace("x", " × ")
    number = int(text)
    exponent = number.bit_length() - 1
    if exponent >= 10 and number == 1 << exponent:
        return "2" + str(exponent).translate(SUPERSCRIPTS)
    return f"{number:,}".replace(",", " ")


def significant(value, digits=3):
    """A number with this many digits, never in exponent form."""
    if value == 0:
        return "0"
    magnitude = 0
    scaled = abs(value)
    while scaled >= 10:
        scaled /= 10
        magnitude += 1
    while scaled < 1:
        scaled *= 10
        magnitude -= 1
    return f"{value:.{max(0, digits - 1 - magnitude)}f}"


def seconds(value):
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale:
            return f"{significant(value / scale)} {unit}"
    return f"{significant(value * 1e9)} ns"


def spread(row):
    """Spread of the repetitions; early recorded results have only their median."""
    return f"{100 * row.spread:.1f} %" if row.has_spread else "–"


def noise(row):
    """A line for a cell of the page; empty where the repetitions agree."""
    return f'<small class="noisy">NOISY {spread(row)}</small>' if row.noisy else ""


def rate(row):
    """Elements or cells per second."""
    noun = "cell-iterations/s" if row.family == "sor" else f"{row.unit}/s"
    for prefix, scale in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if row.rate >= scale:
            return f"{significant(row.rate / scale)} {prefix} {noun}"
    return f"{significant(row.rate)} {noun}"


def bandwidth(value):
    return f"{significant(value * 1e-9)} GB/s"


def arithmetic(row):
    """Operations per second and their share of the peak; empty where they are not counted."""
    if not row.flops:
        return ""
    share = f", {percent(row.share_of_peak)} of peak" if row.peak else ""
    return f"{significant(row.flop_rate * 1e-9)} GFlop/s{share}"


def percent(share):
    return f"{100 * share:.0f} %"


def times(ratio):
    return f"{ratio:.2f} ×" if ratio < 9.95 else f"{ratio:.0f} ×"


def failure(row):
    return "not run" if row.skipped else "FAILED"
