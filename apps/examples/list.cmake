# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Names of the examples: folders, programs. The build, the everyday tests and the tests of the package read this list.
set(karman_examples
  01_cfl_time_step
  02_sor_poisson
  03_vertical_diffusion
  04_multigrid_poisson
  05_mesh_poisson
  06_euler_vortex
  07_spectral_advection
  08_amg)
# Examples on parts that are not installed: built within Karman alone, with its applications.
set(karman_inner_examples
  09_heat_conduction)
# Examples that run as several processes: built where MPI is.
set(karman_distributed_examples
  10_many_processes)
