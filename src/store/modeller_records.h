#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "learner/calibration.h"
#include "modeller/unit.h"

namespace sprig::store {

/// What the Modeller remembers, field by field. The front end's networks lie in the plane.
struct ModellerRecords {
    struct Class {
        std::uint64_t since = 0;
        std::uint64_t own = 0;
        learner::Calibration calibration = {};
    };
    using Node = modeller::NodeRecord;
    struct Edge {
        std::uint64_t from = 0; ///< keys of nodes
        std::uint64_t to = 0;
        modeller::EdgeRecord record = {};
    };
    /// What a unit has of its own, and what its place in memory says otherwise. Packed it is looked at where
    /// it lies, unpacked it owns what it has.
    template <typename Own>
    struct UnitOf {
        Own own;
        std::uint64_t target = 0; ///< 0: its class
        std::uint8_t polarity = 0;
        std::vector<Node> nodes = {};
        std::vector<Edge> edges = {};
    };
    using Unit = UnitOf<modeller::Unit>;

    void each_class(auto&& record, auto visit) const {
        visit("since", record.since);
        visit("own", record.own);
        static const std::array<std::string, learner::temperature_count> names = [] {
            std::array<std::string, learner::temperature_count> all;
            for (std::size_t t = 0; t < all.size(); ++t) all[t] = fmt::format("loss_{}", t);
            return all;
        }();
        for (std::size_t t = 0; t < learner::temperature_count; ++t)
            visit(names[t], record.calibration.loss[t]);
    }
    void each_unit(auto&& record, auto visit) const {
        visit("target", record.target);
        visit("polarity", record.polarity);
        visit("attached", record.own.attached);
        visit("born", record.own.born);
        visit("active", record.own.active);
        visit("inactive", record.own.inactive);
        visit("active_at_birth", record.own.active_at_birth);
        visit("target_at_birth", record.own.target_at_birth);
        visit("fired", record.own.fired);
        visit("fired_own", record.own.fired_own);
        visit("seen_before", record.own.seen_before);
        visit("seen_own_before", record.own.seen_own_before);
    }
    void each_node(auto&& record, auto visit) const {
        visit("key", record.key);
        visit("type", record.type);
        visit("n", record.n);
        visit("x", record.mean[0]);
        visit("y", record.mean[1]);
        visit("own_n", record.own.n);
        visit("own_x", record.own.mean[0]);
        visit("own_y", record.own.mean[1]);
        visit("own_x_squares", record.own.m2[0]);
        visit("own_y_squares", record.own.m2[1]);
        visit("all_n", record.pool.n);
        visit("all_x", record.pool.mean[0]);
        visit("all_y", record.pool.mean[1]);
        visit("all_x_squares", record.pool.m2[0]);
        visit("all_y_squares", record.pool.m2[1]);
    }
    void each_edge(auto&& edge, auto visit) const {
        visit("tail", edge.from);
        visit("head", edge.to);
        visit("layer", edge.record.layer);
        visit("n", edge.record.n);
        visit("dx", edge.record.mean[0]);
        visit("dy", edge.record.mean[1]);
        visit("own_n", edge.record.own.n);
        visit("own_cosine", edge.record.own.cosine);
        visit("own_sine", edge.record.own.sine);
        visit("all_n", edge.record.pool.n);
        visit("all_cosine", edge.record.pool.cosine);
        visit("all_sine", edge.record.pool.sine);
    }
};

} // namespace sprig::store
