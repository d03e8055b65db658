#include "store/constellation_trace.h"

#include "store/bytes.h"

namespace sprig::store {

using constellation::nowhere;

std::string pack_trace(Lineage unit, const ConstellationTrace::Founded& founded,
                       const constellation::Shown& shown, std::span<const std::uint32_t> placed,
                       std::string_view packed) {
    std::string bytes;
    const std::size_t values = shown.size() * shown.width;
    bytes.reserve((values * sizeof(double)) + (2 * (placed.size() + shown.types())) + 64);
    Packer packer(bytes);
    packer.number(unit);
    packer.small(founded.in);
    packer.small(founded.born);
    packer.small(shown.types());
    for (std::size_t type = 0; type < shown.types(); ++type)
        packer.small(shown.begins[type + 1] - shown.begins[type]);
    for (std::size_t i = 0; i < values; ++i) packer.number(shown.features[i]);
    if (founded.born > 0) placed = {};
    packer.small(placed.size());
    for (const std::uint32_t at : placed) packer.small(at == nowhere ? 0 : at + 1);
    packer.number(sum_of_words(packed));
    return bytes;
}

ConstellationTrace unpack_trace(std::string_view bytes, std::size_t width) {
    ConstellationTrace trace;
    trace.width = width;
    Unpacker unpacker(bytes);
    unpacker.number(trace.unit);
    trace.founded.in = unpacker.small<ClassId>();
    trace.founded.born = unpacker.small();
    std::size_t nodes = 0;
    trace.begins.push_back(0);
    for (std::size_t types = unpacker.small_count(); types > 0; --types) {
        nodes = unpacker.room_for(nodes + unpacker.small_count(), width * sizeof(double));
        trace.begins.push_back(static_cast<std::uint32_t>(nodes));
    }
    trace.features.resize(unpacker.room_for(nodes, width * sizeof(double)) * width);
    for (double& value : trace.features) unpacker.number(value);
    for (std::size_t placed = unpacker.small_count(); placed > 0; --placed) {
        const std::size_t at = unpacker.small_below(nodes + 1);
        trace.placed.push_back(at == 0 ? nowhere : static_cast<std::uint32_t>(at - 1));
    }
    unpacker.number(trace.sum);
    unpacker.end();
    return trace;
}

} // namespace sprig::store
