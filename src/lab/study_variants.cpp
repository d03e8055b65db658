#include "lab/study_variants.h"

#include <algorithm>

namespace sprig::lab {

namespace {

/// Variants that see with the same front end, by their index.
struct Alike {
    FrontEndParams front_end;
    std::vector<std::size_t> variants;
};

std::vector<Alike> group(const StudyContext& context, const std::vector<Variant>& variants) {
    std::vector<Alike> groups;
    for (std::size_t v = 0; v < variants.size(); ++v) {
        // Made before any work begins, so that a wrong setting is known at once.
        const FrontEndParams seen_with =
            context.make(variants[v].setting, context.seeds.front())->front_end();
        const auto found = std::ranges::find(groups, seen_with, &Alike::front_end);
        if (found == groups.end()) {
            groups.push_back({seen_with, {v}});
        } else {
            found->variants.push_back(v);
        }
    }
    return groups;
}

using NetworksByView = std::vector<std::vector<Network>>;

VariantRun run_one(const Digits& digits, const NetworksByClass& stream, const NetworksByView& held_out,
                   Learner& learner, const Tick& tick) {
    teach(learner, digits.classes(), stream, tick);
    VariantRun run;
    const std::unique_ptr<Reader> reader = learner.reader();
    for (const std::vector<Network>& networks : held_out)
        run.scores.push_back(score_digits(digits, decisions(*reader, networks, digits.classes(), tick)));
    run.census = learner.census();
    return run;
}

} // namespace

std::vector<std::vector<VariantRun>> run_variants(const StudyContext& context, const Digits& digits,
                                                  const std::vector<Variant>& variants, const Views& views) {
    const std::size_t seeds = context.seeds.size();
    std::vector<std::vector<VariantRun>> result(variants.size(), std::vector<VariantRun>(seeds));
    const std::vector<Alike> groups = group(context, variants);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const Alike& alike = groups[g];
        NetworksByView held_out;
        for (const View& view : views.held_out) {
            held_out.push_back(
                networks_of(context, digits.held_out_data(), digits.held_out, alike.front_end, view.show));
        }
        const std::vector<NetworksByClass> streams =
            streams_of(context, digits, alike.front_end, views.learned);
        const auto work = [&](std::size_t piece, const Tick& tick) {
            const std::size_t v = alike.variants[piece / seeds];
            const std::size_t s = piece % seeds;
            const std::unique_ptr<Learner> learner = context.make(variants[v].setting, context.seeds[s]);
            result[v][s] = run_one(digits, streams[s], held_out, *learner, tick);
        };
        const std::size_t each = (stream_per_class(context) * digits.classes().size()) +
                                 (views.held_out.size() * digits.held_out.size());
        const std::size_t pieces = alike.variants.size() * seeds;
        in_parallel(pieces, context.threads, pieces * each, work,
                    context.begin("learning (" + std::to_string(g + 1) + " of " +
                                  std::to_string(groups.size()) + ")"));
    }
    return result;
}

} // namespace sprig::lab
