#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "modeller/class_model.h"
#include "sprig/modeller.h"

namespace sprig::modeller {

/// The log-likelihood ratio of a node's position, along each axis: in samples of its class against all
/// samples (Gaussian) or samples of other classes (Student-t).
struct NodeTerm {
    /// A Gaussian or Student-t density.
    struct Density {
        double mean = 0;
        double precision = 0;
        double exponent = 0; ///< of the Student-t, (degrees + 1) / 2; unused by the Gaussian
    };
    std::array<Density, match::max_dimensions> own = {};
    std::array<Density, match::max_dimensions> other = {};
    double constant = 0; ///< the part that does not depend on the position
    bool counts = false; ///< whether there are enough observations to use it
};

/// Compares the orientation of an edge with the mean of its class and with the mean of all samples.
struct EdgeTerm {
    DoubledAngle weight; ///< of the doubled angle of the observed displacement
};

/// A unit, compiled for prediction.
struct PlanUnit {
    Lineage lineage = 0;
    std::uint32_t label = 0;
    std::uint32_t target = 0; ///< index into the plan's units, or `none`
    bool contributes = true;  ///< to the score
    bool is_negative = false;
    match::Pattern pattern; ///< its own or, with `unified`, that of its chain, its own nodes and edges first
    std::uint32_t own_nodes = 0;
    std::uint32_t first = 0;            ///< index of its first node in the plan
    std::vector<std::uint32_t> anchors; ///< indices of its anchors in the plan
    double absent = 0;                  ///< its value if it does not match
    double present = 0;                 ///< ... and if it does, without the geometry
    std::vector<NodeTerm> nodes;
    std::vector<EdgeTerm> edges;
    std::vector<Moments> typical_positions; ///< of its nodes; empty without a position gate

    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
};

/// A model, compiled for prediction. Each unit comes after its target.
struct ReadPlan {
    std::vector<std::string> labels;
    std::vector<PlanUnit> units;
    std::size_t places = 0; ///< number of nodes of all units
    std::size_t dimensions = 2;
    double temperature = 1;
};

/// Adds the units of a class to a plan.
void add_class(ReadPlan& plan, const ClassModel& model, std::size_t classes, const ModellerParams& params);

/// The value of a unit that matches; a multiple of 2^-32. `places`: the observed node of each node of the
/// plan.
[[nodiscard]] double present_value(const PlanUnit& unit, const match::Observation& observation,
                                   const std::uint32_t* places, const ReadPlan& plan,
                                   const ModellerParams& params);
/// The value of a unit with each node at its mean position and each edge with its mean displacement.
[[nodiscard]] double typical_value(const PlanUnit& unit, const ReadPlan& plan, const ModellerParams& params);
/// The part of `present_value` that each of the unit's own nodes adds by its position. Empty for a read-out
/// that uses only presence.
[[nodiscard]] std::vector<double> node_values(const PlanUnit& unit, const match::Observation& observation,
                                              const std::uint32_t* places, const ReadPlan& plan,
                                              const ModellerParams& params);

} // namespace sprig::modeller
