#include <algorithm>
#include <array>

#include "fuzz_target.h"
#include "sprig/front_end.h"
#include "support/reference_layers.h"

// The first bytes are the parameters and the width, the rest are pixels.

namespace {

using sprig::fuzz::require;

constexpr std::size_t header_size = 6;

sprig::FrontEndParams params_from(const std::uint8_t* data) {
    sprig::FrontEndParams params;
    params.threshold = data[0] % 255;
    params.scale = 1 + (data[1] % 3);
    params.deskew = (data[2] & 1U) != 0;
    params.finest_only = (data[2] & 2U) != 0;
    params.min_contour = data[2] >> 4U;
    params.directions = 1 + (data[3] % 8);
    params.min_persistence = (data[4] % 16) / 4.0;
    return params;
}

/// The reference implementation must find the same edges.
void compare_with_reference(const sprig::Network& network) {
    const sprig::test::ReferenceLayers reference(network);
    require(reference.edges().size() == network.edge_count());
    for (const sprig::Edge& e : network.edges()) {
        const auto found = reference.edges().find({e.layer, e.from, e.to});
        require(found != reference.edges().end());
        require(found->second == std::pair(e.first_level, e.last_level));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size <= header_size) return 0;
    const sprig::FrontEndParams params = params_from(data);
    const std::size_t pixels = std::min<std::size_t>(size - header_size, 32 * 32);
    const std::size_t width = 1 + (data[5] % std::min<std::size_t>(pixels, 32));
    const sprig::ImageView image{data + header_size, static_cast<int>(width),
                                 static_cast<int>(pixels / width)};
    sprig::FrontEnd front_end(params);
    const sprig::Network network = front_end(image);
    network.check();
    require(front_end(image) == network);
    constexpr std::size_t max_nodes = 60; // the reference is slow
    if (params.scale == 1 && params.min_persistence == 0 && !params.finest_only &&
        network.node_count() <= max_nodes) {
        compare_with_reference(network);
    }
    return 0;
}
