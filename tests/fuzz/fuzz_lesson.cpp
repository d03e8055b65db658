#include <string>

#include <zlib.h>

#include "fuzz_target.h"
#include "sprig/constellation.h"
#include "sprig/error.h"
#include "sprig/modeller.h"
#include "store/codec.h"
#include "store/packed_delta.h"

namespace {

/// A model that knows one small thing, so that there is something for a patch or a trace to fit.
struct Known {
    sprig::store::Content content;
    std::unique_ptr<sprig::store::Codec> codec;

    explicit Known(const sprig::Learner& learner) {
        content.head = sprig::store::head_of(learner, "");
        codec = sprig::store::make_codec(content.head);
        const sprig::store::Shape shape = codec->shape();
        content.classes[1] = {"a", std::string(8 * codec->columns().of_class.size(), '\0')};
        const std::size_t edges = shape.of_edge > 0 ? 1 : 0;
        const std::size_t words = shape.of_unit + 1 + (2 * shape.of_node) + 1 + (edges * shape.of_edge);
        std::string packed(8 * words, '\0');
        packed[8 * shape.of_unit] = 2; // nodes
        packed[8 * (shape.of_unit + 1 + (2 * shape.of_node))] = static_cast<char>(edges);
        content.units[1] = {1, packed};
    }
};

void unpack(const Known& known, const std::string& bytes) {
    using sprig::fuzz::require;
    try {
        sprig::store::Delta delta = sprig::store::unpack_delta(bytes, known.content, *known.codec);
        // What was accepted must survive the way out and back ...
        const std::string packed = sprig::store::pack(delta);
        require(pack(sprig::store::unpack_delta(packed, known.content, *known.codec)) == packed);
        // ... and be taken back; whether it makes a model is another question.
        sprig::store::Content content = known.content;
        sprig::store::Delta inverse = apply(content, std::move(delta));
        try {
            const auto learner = known.codec->restore(content);
            learner->check();
        } catch (const sprig::Error&) {
        }
        (void)apply(content, std::move(inverse));
        require(content.units == known.content.units && content.classes == known.content.classes);
    } catch (const sprig::Error& error) {
        require(error.kind() == sprig::ErrorKind::bad_input);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Known modeller(sprig::Modeller(sprig::modeller_preset("best"), 1));
    static const Known constellation{sprig::Constellation()};
    // With the right checksum: what a fuzzer makes would never get past it.
    std::string bytes(reinterpret_cast<const char*>(data), size);
    const std::uint64_t checksum = crc32_z(0, data, size);
    bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
    unpack(modeller, bytes);
    unpack(constellation, bytes);
    return 0;
}
