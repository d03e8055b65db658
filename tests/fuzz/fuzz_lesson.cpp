#include <string>

#include <zlib.h>

#include "fuzz_target.h"
#include "sprig/error.h"
#include "sprig/modeller.h"
#include "store/codec.h"
#include "store/content.h"

namespace {

/// A model that knows one small thing, so that there is something for a patch to fit.
struct Known {
    sprig::store::Content content;
    std::unique_ptr<sprig::store::Codec> codec;

    Known() {
        const sprig::Modeller modeller(sprig::modeller_preset("best"), 1);
        content.head = sprig::store::head_of(modeller, "best");
        codec = sprig::store::make_codec(content.head);
        const sprig::store::Shape shape = codec->shape();
        content.classes[1] = {"a", std::string(8 * codec->columns().of_class.size(), '\0')};
        const std::size_t words = shape.of_unit + 1 + (2 * shape.of_node) + 1 + shape.of_edge;
        std::string packed(8 * words, '\0');
        packed[8 * shape.of_unit] = 2;                             // nodes
        packed[8 * (shape.of_unit + 1 + (2 * shape.of_node))] = 1; // an edge
        content.units[1] = {1, packed};
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using sprig::fuzz::require;
    static const Known known;
    // With the right checksum: what a fuzzer makes would never get past it.
    std::string bytes(reinterpret_cast<const char*>(data), size);
    const std::uint64_t checksum = crc32_z(0, data, size);
    bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
    try {
        sprig::store::Delta delta = sprig::store::unpack_delta(bytes, known.content, known.codec->shape());
        // What was accepted must survive the way out and back ...
        const std::string packed = sprig::store::pack(delta);
        require(pack(sprig::store::unpack_delta(packed, known.content, known.codec->shape())) == packed);
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
    return 0;
}
