#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "modeller/class_model.h"
#include "sprig/modeller.h"

namespace sprig::modeller {

/// What a placed node says: the log of how much likelier it is to lie there when its class is present,
/// along each axis.
struct NodeTerm {
    /// One density: constant - half of the squared deviation times `precision`, or Student's form of it.
    struct Density {
        double mean = 0;
        double precision = 0;
        double exponent = 0; ///< of the Student-t, (degrees + 1) / 2; unused by the Gaussian
    };
    std::array<Density, match::max_dimensions> own = {};
    std::array<Density, match::max_dimensions> other = {};
    double constant = 0; ///< what does not depend on the place
    bool counts = false; ///< there are enough observations to say anything
};

/// What a placed edge says: how much nearer its direction is to that of its class than to that of all.
struct EdgeTerm {
    DoubledAngle weight; ///< times the doubled angle of the observed displacement
};

/// A unit, ready to be read out.
struct PlanUnit {
    Lineage lineage = 0;
    std::uint32_t label = 0;
    std::uint32_t target = 0; ///< an index into the plan's units, or `none`
    bool consulted = true;
    bool is_negative = false;
    match::Pattern pattern; ///< its own, or with `unified` its whole chain's, its own nodes and edges first
    std::uint32_t own_nodes = 0;
    std::uint32_t first = 0;            ///< where its nodes' places are kept
    std::vector<std::uint32_t> anchors; ///< where its anchors' places are kept
    double absent = 0;                  ///< what it says by not being there
    double present = 0;                 ///< ... and by being there, wherever that is
    std::vector<NodeTerm> nodes;
    std::vector<EdgeTerm> edges;
    std::vector<Moments> usual; ///< where its nodes usually lie, if a position gate asks

    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
};

/// A model, compiled for reading: each unit after its target.
struct ReadPlan {
    std::vector<std::string> labels;
    std::vector<PlanUnit> units;
    std::size_t places = 0; ///< how many nodes there are in all
    std::size_t dimensions = 2;
    double temperature = 1;
};

/// Adds the units of a class to a plan.
void add_class(ReadPlan& plan, const ClassModel& model, std::size_t classes, const ModellerParams& params);

/// What a unit that was placed says, as the sum of its terms; a multiple of 2^-32.
[[nodiscard]] double present_value(const PlanUnit& unit, const match::Observation& observation,
                                   const std::uint32_t* places, const ReadPlan& plan,
                                   const ModellerParams& params);
/// What it would say if it were there, each node at its usual place and each edge as it usually is.
[[nodiscard]] double usual_value(const PlanUnit& unit, const ReadPlan& plan, const ModellerParams& params);
/// What each of its own nodes says by where it lies: that part of `present_value`. Empty for a read-out that
/// looks at presence alone.
[[nodiscard]] std::vector<double> node_values(const PlanUnit& unit, const match::Observation& observation,
                                              const std::uint32_t* places, const ReadPlan& plan,
                                              const ModellerParams& params);

} // namespace sprig::modeller
