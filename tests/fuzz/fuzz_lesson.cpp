#include <string>

#include "fuzz_target.h"
#include "learner/packing.h"
#include "sprig/error.h"
#include "store/packed.h"

namespace {

using sprig::fuzz::require;
using sprig::store::ModelState;

/// A model with one class, so that an inverse can refer to its units.
ModelState small_model(const char* learner) {
    ModelState state(sprig::make_learner({learner}, 1), "");
    sprig::Network network(sprig::front_end_schema(state.learner->front_end()));
    const double attributes[] = {1, 1, 0};
    for (const double x : {1.0, 5.0, 9.0}) {
        const double at[] = {x, 2 * x};
        network.add_node(0, at, attributes);
    }
    (void)state.learn(network, "a");
    return state;
}

/// An accepted lesson survives a round trip and can be learned.
void unpack_lesson(const char* learner, const std::string& bytes) {
    ModelState state = small_model(learner);
    const auto schema = sprig::front_end_schema(state.learner->front_end());
    try {
        const auto lesson = sprig::store::unpack_lesson(bytes, schema);
        const std::string packed = sprig::store::pack_lesson(lesson.network, lesson.label, lesson.digest);
        const auto again = sprig::store::unpack_lesson(packed, schema);
        require(again.network == lesson.network && again.label == lesson.label &&
                again.digest == lesson.digest);
        if (lesson.network.node_count() > 50) return; // matching may be slow
        (void)state.learn(lesson.network, lesson.label);
        state.learner->check();
        require(state.storage->restore(state.content())->digest() == state.learner->digest());
    } catch (const sprig::Error& error) {
        require(error.kind() != sprig::ErrorKind::failed);
    }
}

/// An accepted inverse can be applied and undone; one whose result is not a valid model changes nothing.
void unpack_inverse(const char* learner, const std::string& bytes) {
    ModelState state = small_model(learner);
    const sprig::store::Content before = state.content();
    const auto unit_before = [&](sprig::Lineage lineage) { return state.unit_entry(lineage); };
    try {
        sprig::store::Delta delta = sprig::store::unpack_delta(bytes, unit_before);
        sprig::store::Delta inverse;
        try {
            inverse = state.change(std::move(delta));
        } catch (const sprig::Error&) {
            inverse = {before.header.lessons, before.header.steps};
        }
        state.learner->check();
        (void)state.change(std::move(inverse));
        const sprig::store::Content after = state.content();
        require(after.units == before.units && after.classes == before.classes);
    } catch (const sprig::Error& error) {
        require(error.kind() == sprig::ErrorKind::bad_input);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // With a valid checksum, which a fuzzer would never find.
    std::string bytes(reinterpret_cast<const char*>(data), size);
    sprig::learner::append_checksum(bytes);
    for (const char* learner : {"constellation", "modeller"}) {
        unpack_lesson(learner, bytes);
        unpack_inverse(learner, bytes);
    }
    return 0;
}
