// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of the solvers to and from JSON, for nlohmann/json 3.11 or later. Host code without Kokkos.
///
/// Each enum and struct has one declaration: `json.get<SorOptions>()` and `nlohmann::json(options)`. Keys are the names
/// of the members, values the names of the enumerators, `auto` for `automatic`. Missing keys keep the default of the
/// member, other keys are ignored, and monitors have no key. A text that names no enumerator gives the first one: check
/// the texts first, for example by a schema, or read with read_options() of karman::io.
#pragma once

#include <karman/solvers/euler/euler_implicit_options.hpp>
#include <karman/solvers/euler/euler_newton_options.hpp>
#include <karman/solvers/euler/euler_rhs_options.hpp>
#include <karman/solvers/fem/fem_assembly_options.hpp>
#include <karman/solvers/grid/adi_options.hpp>
#include <karman/solvers/grid/boundary_options.hpp>
#include <karman/solvers/grid/conjugate_gradients_options.hpp>
#include <karman/solvers/grid/fast_poisson_options.hpp>
#include <karman/solvers/grid/multigrid_options.hpp>
#include <karman/solvers/grid/red_black_sor_options.hpp>
#include <karman/solvers/grid/relaxation_options.hpp>
#include <karman/solvers/mesh_motion/mesh_motion_options.hpp>
#include <karman/solvers/sparse/block_amg_options.hpp>
#include <karman/solvers/sparse/block_preconditioners_options.hpp>
#include <karman/solvers/sparse/direct_solver_options.hpp>
#include <karman/solvers/sparse/ilu_preconditioner_options.hpp>
#include <karman/solvers/sparse/krylov_options.hpp>
#include <karman/solvers/sparse/sparse_preconditioners_options.hpp>
#include <karman/solvers/spectral/vorticity_options.hpp>
#include <karman/solvers/time/time_integrators_options.hpp>
#include <karman/solvers/transforms/fft_options.hpp>
#include <karman/solvers/tridiagonal/tridiagonal_options.hpp>

#include <nlohmann/json.hpp>

#ifndef NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT
#error "karman/solvers/options_json.hpp needs nlohmann/json 3.11 or later"
#endif

namespace karman {

// Sides

NLOHMANN_JSON_SERIALIZE_ENUM(Boundary, {{Boundary::fixed, "fixed"},
                                        {Boundary::dirichlet, "dirichlet"},
                                        {Boundary::neumann, "neumann"},
                                        {Boundary::periodic, "periodic"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Side, {{Side::east, "east"},
                                    {Side::west, "west"},
                                    {Side::north, "north"},
                                    {Side::south, "south"},
                                    {Side::top, "top"},
                                    {Side::bottom, "bottom"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Boundaries, east, west, north, south, top, bottom)

// Methods on grids

NLOHMANN_JSON_SERIALIZE_ENUM(SorStorage, {{SorStorage::automatic, "auto"},
                                          {SorStorage::coefficients, "coefficients"},
                                          {SorStorage::folded, "folded"},
                                          {SorStorage::packed, "packed"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SorSetup, storage)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SorOptions, omega, optimal_omega, tolerance, max_iterations,
                                                check_every, first_iteration)

NLOHMANN_JSON_SERIALIZE_ENUM(MultigridCycle,
                             {{MultigridCycle::v, "v"}, {MultigridCycle::w, "w"}, {MultigridCycle::f, "f"}})
NLOHMANN_JSON_SERIALIZE_ENUM(MultigridSmoother, {{MultigridSmoother::automatic, "auto"},
                                                 {MultigridSmoother::red_black, "red_black"},
                                                 {MultigridSmoother::line, "line"}})
NLOHMANN_JSON_SERIALIZE_ENUM(MultigridCoarsening, {{MultigridCoarsening::automatic, "auto"},
                                                   {MultigridCoarsening::pairs, "pairs"},
                                                   {MultigridCoarsening::aggregates, "aggregates"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(MultigridSetup, cycle, smoother, pre, post, omega, symmetric,
                                                single_precision_cycles, coarsening, gathered_cells, gathered_parts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(MultigridOptions, tolerance, max_iterations, conjugate_gradients,
                                                zero_guess, first_iteration, restart_every)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(KrylovSetup, preconditioned)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(KrylovOptions, tolerance, max_iterations, check_every, first_iteration,
                                                restart_every, flexible)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(RelaxationOptions, omega, tolerance, max_iterations, check_every,
                                                first_iteration)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(AdiOptions, parameters, tolerance, max_iterations, check_every,
                                                first_iteration)

// Transforms and the direct Poisson solver

NLOHMANN_JSON_SERIALIZE_ENUM(Axis, {{Axis::x, "x"}, {Axis::y, "y"}, {Axis::z, "z"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(FftAxes, x, y, z)
NLOHMANN_JSON_SERIALIZE_ENUM(FftPlanning, {{FftPlanning::estimate, "estimate"}, {FftPlanning::measure, "measure"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(FftSetup, planning)
NLOHMANN_JSON_SERIALIZE_ENUM(Trigonometric, {{Trigonometric::dct1, "dct1"},
                                             {Trigonometric::dct2, "dct2"},
                                             {Trigonometric::dct3, "dct3"},
                                             {Trigonometric::dct4, "dct4"},
                                             {Trigonometric::dst1, "dst1"},
                                             {Trigonometric::dst2, "dst2"},
                                             {Trigonometric::dst3, "dst3"},
                                             {Trigonometric::dst4, "dst4"},
                                             {Trigonometric::dst5, "dst5"},
                                             {Trigonometric::dst6, "dst6"},
                                             {Trigonometric::dst7, "dst7"},
                                             {Trigonometric::halfcomplex, "halfcomplex"}})
NLOHMANN_JSON_SERIALIZE_ENUM(TrigonometricEngine,
                             {{TrigonometricEngine::automatic, "auto"}, {TrigonometricEngine::padded, "padded"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TrigonometricSetup, planning, engine, reversed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(FastPoissonSetup, planning, slabs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(FastPoissonOptions, check)

// Tridiagonal systems

NLOHMANN_JSON_SERIALIZE_ENUM(TridiagonalAlgorithm,
                             {{TridiagonalAlgorithm::automatic, "auto"},
                              {TridiagonalAlgorithm::thomas, "thomas"},
                              {TridiagonalAlgorithm::cyclic_reduction, "cyclic_reduction"},
                              {TridiagonalAlgorithm::parallel_cyclic_reduction, "parallel_cyclic_reduction"},
                              {TridiagonalAlgorithm::cr_pcr, "cr_pcr"},
                              {TridiagonalAlgorithm::pcr_thomas, "pcr_thomas"},
                              {TridiagonalAlgorithm::interleaved_thomas, "interleaved_thomas"},
                              {TridiagonalAlgorithm::partitioned, "partitioned"},
                              {TridiagonalAlgorithm::pivoting, "pivoting"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TridiagonalSetup, algorithm, periodic, intermediate_size, check)

// Compressible flow

NLOHMANN_JSON_SERIALIZE_ENUM(EulerScheme, {{EulerScheme::supg, "supg"}, {EulerScheme::muscl, "muscl"}})
NLOHMANN_JSON_SERIALIZE_ENUM(EulerStrategy, {{EulerStrategy::automatic, "auto"},
                                             {EulerStrategy::atomic, "atomic"},
                                             {EulerStrategy::colored, "colored"},
                                             {EulerStrategy::blocks, "blocks"},
                                             {EulerStrategy::expanded, "expanded"}})
NLOHMANN_JSON_SERIALIZE_ENUM(EulerOrder, {{EulerOrder::automatic, "auto"},
                                          {EulerOrder::as_given, "as_given"},
                                          {EulerOrder::along_curve, "along_curve"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(EulerRhsSetup, scheme, strategy, order, gamma, stabilization,
                                                shock_capturing, block_triangles, local_steps, step_limits_tau, moving)
NLOHMANN_JSON_SERIALIZE_ENUM(EulerImplicitMethod,
                             {{EulerImplicitMethod::bdf2, "bdf2"}, {EulerImplicitMethod::tr_bdf2, "tr_bdf2"}})
NLOHMANN_JSON_SERIALIZE_ENUM(EulerPreconditioner, {{EulerPreconditioner::block_ilu, "block_ilu"},
                                                   {EulerPreconditioner::block_gauss_seidel, "block_gauss_seidel"},
                                                   {EulerPreconditioner::block_amg, "block_amg"}})

// Incompressible flow in a periodic box

NLOHMANN_JSON_SERIALIZE_ENUM(VorticityMethod, {{VorticityMethod::low_storage_rk54, "low_storage_rk54"},
                                               {VorticityMethod::low_storage_rk3, "low_storage_rk3"},
                                               {VorticityMethod::crank_nicolson_rk54, "crank_nicolson_rk54"},
                                               {VorticityMethod::crank_nicolson_rk3, "crank_nicolson_rk3"},
                                               {VorticityMethod::etdrk4, "etdrk4"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Dealiasing, {{Dealiasing::circular, "circular"},
                                          {Dealiasing::square, "square"},
                                          {Dealiasing::exponential, "exponential"},
                                          {Dealiasing::none, "none"}})
NLOHMANN_JSON_SERIALIZE_ENUM(RandomModes, {{RandomModes::ring, "ring"}, {RandomModes::single, "single"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(VorticityTerms, viscosity, viscosity_order, friction, hypoviscosity,
                                                hypoviscosity_order, beta)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(RandomForcing, modes, wavenumber, width, energy_rate, seed)

// Moving meshes

NLOHMANN_JSON_SERIALIZE_ENUM(MotionWeight, {{MotionWeight::area, "area"},
                                            {MotionWeight::inverse_area, "inverse_area"},
                                            {MotionWeight::quality, "quality"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(MeshMotionSetup, weight, multigrid_from)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(MeshMotionOptions, tolerance, max_iterations, check_every)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(RigidBodySetup, pivot, weight, sliding)

// Finite elements and sparse matrices

NLOHMANN_JSON_SERIALIZE_ENUM(AssemblyStrategy, {{AssemblyStrategy::automatic, "auto"},
                                                {AssemblyStrategy::atomic, "atomic"},
                                                {AssemblyStrategy::colored, "colored"},
                                                {AssemblyStrategy::colored_blocks, "colored_blocks"},
                                                {AssemblyStrategy::row_gather, "row_gather"},
                                                {AssemblyStrategy::row_blocks, "row_blocks"},
                                                {AssemblyStrategy::expanded, "expanded"}})
NLOHMANN_JSON_SERIALIZE_ENUM(AssemblyOrder, {{AssemblyOrder::automatic, "auto"},
                                             {AssemblyOrder::as_given, "as_given"},
                                             {AssemblyOrder::along_curve, "along_curve"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(FemAssemblySetup, strategy, order, value_bytes, triangle_numbers,
                                                block_triangles, block_rows, moved_bytes)

NLOHMANN_JSON_SERIALIZE_ENUM(KrylovMethod, {{KrylovMethod::cocg, "cocg"},
                                            {KrylovMethod::bicgstab, "bicgstab"},
                                            {KrylovMethod::gmres, "gmres"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(GeneralKrylovSetup, method, restart, rounded_basis)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(GeneralKrylovOptions, tolerance, max_iterations, check_every,
                                                first_iteration, restart_every, stagnation_after)

NLOHMANN_JSON_SERIALIZE_ENUM(SweepOrder, {{SweepOrder::colors, "colors"}, {SweepOrder::rows, "rows"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(BlockGaussSeidelSetup, sweeps, omega, order, passes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(BlockIluSetup, order, passes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(BlockAmgSetup, before, after, visits, order, coarsest, max_levels)
NLOHMANN_JSON_SERIALIZE_ENUM(ColoredMethod, {{ColoredMethod::ssor, "ssor"}, {ColoredMethod::ilu, "ilu"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ColoredSetup, method, omega, passes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ShiftedSetup, colored, steps)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(IluSetup, fill_level, table_limit)

NLOHMANN_JSON_SERIALIZE_ENUM(DirectLibrary, {{DirectLibrary::automatic, "auto"},
                                             {DirectLibrary::mumps, "mumps"},
                                             {DirectLibrary::umfpack, "umfpack"},
                                             {DirectLibrary::superlu, "superlu"}})

// Integration in time

NLOHMANN_JSON_SERIALIZE_ENUM(TimeMethod, {{TimeMethod::euler, "euler"},
                                          {TimeMethod::minimal_storage_rk4, "minimal_storage_rk4"},
                                          {TimeMethod::ssp_rk3, "ssp_rk3"},
                                          {TimeMethod::low_storage_rk54, "low_storage_rk54"},
                                          {TimeMethod::adams_bashforth4, "adams_bashforth4"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TimeIntegratorSetup, method, local_steps)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(StepControl, cfl, dt_max, dt_min, growth, hold, dt_first, local_ratio)

}  // namespace karman
