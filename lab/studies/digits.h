#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "lab/protocol/experiment.h"
#include "lab/report/study.h"

namespace sprig::lab {

/// MNIST with the held-out images that the context selects. With `filtered` the pool has only images that
/// pass the paper's filter; the held-out images are always unfiltered.
[[nodiscard]] ExperimentData load_digits(const StudyContext& context, bool filtered);
/// A note on the held-out images and how many of them pass the filter.
[[nodiscard]] std::string describe_held_out(const ExperimentData& data);

/// The held-out digits that pass the paper's filter, or all of them.
enum class Part { filtered, all };
inline constexpr std::array parts = {Part::filtered, Part::all};
[[nodiscard]] inline const char* name_of(Part part) {
    return part == Part::filtered ? "filtered" : "all";
}
[[nodiscard]] inline bool is_in(Part part, const ExperimentData& data, std::size_t held_out) {
    return part == Part::all || data.passes_filter[held_out];
}

/// The paper's stream, or a shorter one if the context limits the number of images; nothing else is drawn.
[[nodiscard]] Protocol usual_stream(const StudyContext& context);
/// The number of samples of each class in that stream.
[[nodiscard]] std::size_t stream_per_class(const StudyContext& context);
/// The networks of that stream.
[[nodiscard]] NetworksByClass stream_of(const StudyContext& context, const ExperimentData& data,
                                        std::uint64_t seed, const FrontEndParams& front_end);

/// Teaches a stream in the paper's order: in each cycle, a block of each class.
void teach(Learner& learner, const std::vector<std::string>& classes, const NetworksByClass& stream,
           const Tick& tick = {}, std::size_t per_block = 5);

/// Computes `count` values in all threads of the context. `make_worker` is called for every 250 of them and
/// returns a function from an index to a value.
template <class Value, class MakeWorker>
std::vector<Value> compute_in_parallel(const StudyContext& context, std::size_t count, const char* title,
                                       MakeWorker make_worker) {
    constexpr std::size_t chunk = 250;
    std::vector<std::vector<Value>> parts_of((count + chunk - 1) / chunk);
    const auto work = [&](std::size_t part, const Tick& tick) {
        auto worker = make_worker();
        for (std::size_t i = part * chunk; i < std::min(count, (part + 1) * chunk); ++i) {
            tick();
            parts_of[part].push_back(worker(i));
        }
    };
    in_parallel(parts_of.size(), context.threads, count, work, context.begin(title));
    std::vector<Value> all;
    for (std::vector<Value>& part : parts_of) std::ranges::move(part, std::back_inserter(all));
    return all;
}

/// The networks of some images, in their order. `change` gets the index of an image in `images`.
[[nodiscard]] std::vector<Network> networks_of(const StudyContext& context, const Dataset& dataset,
                                               const std::vector<std::size_t>& images,
                                               const FrontEndParams& front_end,
                                               const ChangeImage& change = {});

/// Builds `data.large`, the networks of the held-out images, with a learner's front end.
void build_large(const StudyContext& context, ExperimentData& data, const FrontEndParams& front_end);

/// One of several settings that are compared.
struct Variant {
    std::string name; ///< also the name of a folder in the cache
    LearnerChoice setting;
};

/// Trains every variant on the usual stream of every seed and tests it on all held-out images in every view
/// of the data (without views: unchanged). Returns the results by variant. Networks are built once for all
/// variants with the same front end, and only if a result is not cached.
[[nodiscard]] std::vector<Results> run_variants(const StudyContext& context, ExperimentData data,
                                                const std::vector<Variant>& variants);

/// One number of each seed's run.
template <class Get>
std::vector<double> over_seeds(const Results& results, Get get) {
    std::vector<double> values;
    for (const SeedRun& run : results.runs()) values.push_back(static_cast<double>(get(run)));
    return values;
}

} // namespace sprig::lab
