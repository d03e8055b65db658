#include <cstdlib>

#include "constellation/model_reader.h"
#include "constellation/working_set.h"

// Instead of many_units.cpp, packed_bound.cpp, packed_unit.cpp, sketch.cpp, type_summary.cpp and
// working_set.cpp where the size of the code counts and no model has very many units: in the package for
// JavaScript. The answers are the same. All units are ready to be scored, none is packed, and a decision
// screens them all.

namespace sprig::constellation {

bool ModelReader::has_many_units() const {
    return false;
}
// Not called then:
void ModelReader::score_nearest() {}
void ModelReader::find_among_many() {}

PackedBound::PackedBound(const UnitContext& context) : context_(context), is_possible_(false) {}

bool WorkingSet::holds(std::size_t /*nodes*/) const {
    return true;
}
std::vector<std::size_t> WorkingSet::use(std::size_t /*label*/, std::size_t /*nodes*/) {
    return {};
}

// Never called.
PackedUnit::PackedUnit(const Unit& /*unit*/, const FeatureSet& /*set*/) {
    std::abort();
}
Unit PackedUnit::unpacked(const FeatureSet& /*set*/) const {
    std::abort();
}

} // namespace sprig::constellation
