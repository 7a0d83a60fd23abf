// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds without MPI.
#include "world.hpp"

#include <cstdlib>

namespace karman::campaign {

World::World(int&, char**&) {}
World::~World() = default;
void World::abort() { std::_Exit(1); }

}  // namespace karman::campaign
