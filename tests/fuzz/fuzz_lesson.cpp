#include <string>

#include "fuzz_target.h"
#include "learner/packing.h"
#include "sprig/error.h"
#include "store/packed.h"

namespace {

using sprig::fuzz::require;
using sprig::store::Kept;

/// A model that knows one class with a few units, so that there is something for an inverse to fit.
Kept known(const char* learner) {
    Kept kept(sprig::make_learner({learner}, 1), "");
    sprig::Network network(sprig::front_end_schema(kept.learner->front_end()));
    const double attributes[] = {1, 1, 0};
    for (const double x : {1.0, 5.0, 9.0}) {
        const double at[] = {x, 2 * x};
        network.add_node(0, at, attributes);
    }
    (void)kept.learn(network, "a");
    return kept;
}

/// The input of a lesson: what is accepted is a network that comes out as it went in, and can be learned.
void unpack_lesson(const char* learner, const std::string& bytes) {
    Kept kept = known(learner);
    const auto schema = sprig::front_end_schema(kept.learner->front_end());
    try {
        const auto lesson = sprig::store::unpack_lesson(bytes, schema);
        const std::string packed = sprig::store::pack_lesson(lesson.network, lesson.label, lesson.sum);
        const auto again = sprig::store::unpack_lesson(packed, schema);
        require(again.network == lesson.network && again.label == lesson.label && again.sum == lesson.sum);
        if (lesson.network.node_count() > 50) return; // matching may take long
        (void)kept.learn(lesson.network, lesson.label);
        kept.learner->check();
        require(kept.storage->restore(kept.content)->digest() == kept.learner->digest());
    } catch (const sprig::Error& error) {
        require(error.kind() != sprig::ErrorKind::failed);
    }
}

/// What takes a lesson back: whether it makes a model is another question.
void unpack_inverse(const char* learner, const std::string& bytes) {
    Kept kept = known(learner);
    const auto units = kept.content.units;
    const auto classes = kept.content.classes;
    try {
        sprig::store::Delta delta = sprig::store::unpack_delta(bytes, kept.content);
        sprig::store::Delta inverse = apply(kept.content, std::move(delta));
        try {
            kept.storage->restore(kept.content)->check();
        } catch (const sprig::Error&) {
        }
        (void)apply(kept.content, std::move(inverse));
        require(kept.content.units == units && kept.content.classes == classes);
    } catch (const sprig::Error& error) {
        require(error.kind() == sprig::ErrorKind::bad_input);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // With the right checksum: what a fuzzer makes would never get past it.
    std::string bytes(reinterpret_cast<const char*>(data), size);
    sprig::learner::append_checksum(bytes);
    for (const char* learner : {"constellation", "modeller"}) {
        unpack_lesson(learner, bytes);
        unpack_inverse(learner, bytes);
    }
    return 0;
}
