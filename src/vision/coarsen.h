#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vision/change_points.h"

namespace sprig {

/// One step of coarsening: a maximum and a minimum that are removed together.
struct Removal {
    std::uint32_t first = 0; ///< `second` follows it on the contour among change points of its direction
    std::uint32_t second = 0;
    std::int64_t extent = 0; ///< their distance along their direction
};

/// Computes the order in which change points disappear as the shape is coarsened: of all contours and
/// directions, the neighbouring maximum and minimum with the smallest extent are removed together and their
/// neighbours become adjacent, until nothing is left. Extents never decrease.
///
/// Ties are broken by contour, in canonical order, then by the smaller end of the pair, then by the larger
/// one. Ends are compared by (x, y, type) and then by their order on the contour.
///
/// Only points of one ring become neighbours, so each ring is coarsened alone and the sequences are merged.
class Coarsener {
  public:
    /// Sets the extents of all points. The rings are used up.
    void set_extents(ChangePoints& change);
    /// Likewise, and returns all removals in order. The result is valid until the next call.
    std::vector<Removal>& run(ChangePoints& change);

  private:
    /// The next removal of a ring.
    struct Head {
        std::size_t at;
        std::size_t end;
    };

    struct Ring {
        std::span<std::uint32_t> members;
        std::span<std::int64_t> projections;
    };

    void coarsen(ChangePoints& change);
    void coarsen_small(std::span<ChangePoint> points, Ring ring);
    void coarsen_large(std::span<ChangePoint> points, Ring ring);
    void remove(std::span<ChangePoint> points, const Removal& pair) {
        points[pair.first].extent = points[pair.second].extent = pair.extent;
        if (keeps_removals_) by_ring_.push_back(pair);
    }
    void merge(std::span<const ChangePoint> points);

    std::vector<Removal> by_ring_; ///< the removals of each ring in order, ring by ring
    std::vector<Head> heads_;
    std::vector<Removal> merged_;
    bool keeps_removals_ = false;
    // Of a large ring that is being coarsened, by point:
    std::vector<std::uint32_t> next_;
    std::vector<std::uint32_t> previous_;
    std::vector<std::int64_t> projection_;
    std::vector<Removal> heap_; ///< may contain pairs that are no longer neighbours
};

} // namespace sprig
