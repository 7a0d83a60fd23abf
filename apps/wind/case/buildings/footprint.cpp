// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "footprint.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <new>

namespace karman::wind {
namespace {

void orient(Ring& ring, bool counter_clockwise) {
  // The first corner stays the first.
  if ((signed_area(ring) > 0) != counter_clockwise) std::reverse(ring.begin() + 1, ring.end());
}

}  // namespace

double signed_area(Ring const& ring) {
  if (ring.empty()) return 0;
  // Relative to the first corner, so that large coordinates cost no digits.
  auto const [x, y] = ring.front();
  double twice = 0;
  for (std::size_t n = 0; n < ring.size(); ++n) {
    Point const& a = ring[n];
    Point const& b = ring[(n + 1) % ring.size()];
    twice += (a[0] - x) * (b[1] - y) - (b[0] - x) * (a[1] - y);
  }
  return 0.5 * twice;
}

/// Start of the memory of a footprint. The ends of its rings follow, then the corners.
struct Footprint::Block {
  std::atomic<std::uint32_t> uses{1};
  std::uint32_t rings = 0;
  double area = 0;

  /// Bytes before the corners.
  static std::size_t head(std::size_t rings) {
    constexpr std::size_t align = alignof(Corner);
    return (sizeof(Block) + rings * sizeof(std::uint32_t) + align - 1) / align * align;
  }

  std::uint32_t* ring_ends() { return static_cast<std::uint32_t*>(static_cast<void*>(this + 1)); }
  Corner* corners() {
    return static_cast<Corner*>(static_cast<void*>(static_cast<std::byte*>(static_cast<void*>(this)) + head(rings)));
  }
};

Footprint::Footprint(Ring outer, std::vector<Ring> holes) {
  std::size_t count = outer.size();
  for (Ring const& hole : holes) count += hole.size();
  std::size_t const rings = holes.size() + 1;
  block_ = new (::operator new(Block::head(rings) + count * sizeof(Corner))) Block;
  block_->rings = static_cast<std::uint32_t>(rings);
  std::uint32_t* end = block_->ring_ends();
  Corner* corner = block_->corners();
  auto const append = [&](Ring& ring, bool counter_clockwise) {
    orient(ring, counter_clockwise);
    for (auto const& [x, y] : ring) new (corner++) Corner{x, y};
    new (end++) std::uint32_t(static_cast<std::uint32_t>(corner - block_->corners()));
    block_->area += signed_area(ring);
  };
  append(outer, true);
  for (Ring& hole : holes) append(hole, false);
}

Footprint::Footprint(Footprint const& other) noexcept : block_(other.block_) {
  if (block_ != nullptr) block_->uses.fetch_add(1, std::memory_order_relaxed);
}

Footprint::~Footprint() {
  if (block_ == nullptr || block_->uses.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  block_->~Block();
  ::operator delete(block_);
}

PlanOutline Footprint::outline() const {
  if (block_ == nullptr) return {};
  return {block_->corners(), block_->ring_ends(), block_->rings};
}

std::vector<Wall> Footprint::walls() const {
  std::vector<Wall> result;
  result.reserve(corner_count());
  for (OutlineWalls walls(outline()); walls.next();) result.push_back(walls.wall());
  return result;
}

double Footprint::area() const { return block_ == nullptr ? 0 : block_->area; }

std::array<double, 2> Footprint::half_extents() const {
  std::array<double, 2> result{};
  for (auto const& [x, y] : outer()) {
    result[0] = std::max(result[0], std::abs(x));
    result[1] = std::max(result[1], std::abs(y));
  }
  return result;
}

std::vector<Ring> Footprint::holes() const {
  std::vector<Ring> result;
  for (std::size_t n = 1; n <= hole_count(); ++n) result.push_back(ring(n));
  return result;
}

Ring Footprint::ring(std::size_t n) const {
  PlanOutline const all = outline();
  Ring result;
  if (all.empty()) return result;
  std::uint32_t const first = n == 0 ? 0 : all.ring_ends[n - 1];
  result.reserve(all.ring_ends[n] - first);
  for (std::uint32_t c = first; c < all.ring_ends[n]; ++c) result.push_back({all.corners[c].x, all.corners[c].y});
  return result;
}

}  // namespace karman::wind
