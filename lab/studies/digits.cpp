#include "lab/studies/digits.h"

#include <fmt/format.h>

namespace sprig::lab {

ExperimentData load_digits(const StudyContext& context, bool filtered) {
    return load_data({.pool = Pool::train,
                      .held_out = context.held_out,
                      .filtered = filtered,
                      .dataset = "mnist",
                      .limit = context.limit},
                     context.begin("preparing"));
}

std::string describe_held_out(const ExperimentData& data) {
    return fmt::format("Held out: {} images of {}, of which the paper's filter keeps {}.",
                       data.held_out.size(), data.test ? "mnist:t10k" : "mnist:train (dev: the last 10,000)",
                       std::ranges::count(data.passes_filter, true));
}

Protocol usual_stream(const StudyContext& context) {
    Protocol protocol = {.held_out_per_class = 0, .evaluate = EvaluateAt::end};
    const std::size_t per_class = std::max<std::size_t>(1, context.limited(1000) / 10);
    protocol.per_block = std::min(protocol.per_block, per_class);
    protocol.cycles = per_class / protocol.per_block;
    return protocol;
}

std::size_t stream_per_class(const StudyContext& context) {
    const Protocol protocol = usual_stream(context);
    return protocol.cycles * protocol.per_block;
}

NetworksByClass stream_of(const StudyContext& context, const ExperimentData& data, std::uint64_t seed,
                          const FrontEndParams& params) {
    FrontEnd front_end(params);
    return extract(data.dataset, draw(data.dataset, data.pool, seed, stream_per_class(context), 0).stream,
                   front_end, data.learned_view.change);
}

void teach(Learner& learner, const std::vector<std::string>& classes, const NetworksByClass& stream,
           const Tick& tick, std::size_t per_block) {
    for (const std::string& label : classes) learner.add_class(label);
    for (std::size_t first = 0; first < stream.front().size(); first += per_block) {
        for (std::size_t c = 0; c < stream.size(); ++c) {
            const std::size_t end = std::min(stream[c].size(), first + per_block);
            for (std::size_t i = first; i < end; ++i) {
                if (tick) tick();
                (void)learner.learn(stream[c][i], classes[c]);
            }
        }
    }
}

std::vector<Network> networks_of(const StudyContext& context, const Dataset& dataset,
                                 const std::vector<std::size_t>& images, const FrontEndParams& params,
                                 const ChangeImage& change) {
    return compute_in_parallel<Network>(context, images.size(), "building networks", [&] {
        return [&, front_end = FrontEnd(params)](std::size_t i) mutable {
            return network_of(front_end, dataset.image(images[i]), i, change);
        };
    });
}

void build_large(const StudyContext& context, ExperimentData& data, const FrontEndParams& front_end) {
    std::vector<std::size_t> images;
    for (std::size_t i = 0; i < data.held_out.size(); ++i)
        if (!data.options.filtered || data.passes_filter[i]) images.push_back(data.held_out[i]);
    std::vector<Network> networks = networks_of(context, data.held_out_data(), images, front_end);
    data.front_end = front_end;
    data.large.emplace(data.classes().size());
    for (std::size_t i = 0; i < images.size(); ++i) {
        const auto label = static_cast<std::size_t>(data.held_out_data().label(images[i]));
        (*data.large)[label].push_back(std::move(networks[i]));
    }
}

std::vector<Results> run_variants(const StudyContext& context, ExperimentData data,
                                  const std::vector<Variant>& variants) {
    if (data.views.empty()) data.views = {{"as they are"}};
    // All front ends are made before any work, so that a wrong setting is reported at once.
    std::vector<FrontEndParams> front_ends;
    front_ends.reserve(variants.size());
    for (const Variant& variant : variants)
        front_ends.push_back(context.make(variant.setting, context.seeds.front())->front_end());
    const auto build_views = [&] {
        for (View& view : data.views)
            view.networks =
                networks_of(context, data.held_out_data(), data.held_out, data.front_end, view.change);
    };
    const auto name_of_results = [&](const Variant& variant) { return context.study + "/" + variant.name; };
    std::map<std::string, Results> by_name;
    for (std::size_t v = 0; v < variants.size(); ++v) {
        if (by_name.contains(name_of_results(variants[v]))) continue;
        data.front_end = front_ends[v];
        std::vector<Experiment> experiments;
        for (std::size_t other = v; other < variants.size(); ++other)
            if (front_ends[other] == front_ends[v])
                experiments.push_back(experiment(name_of_results(variants[other]), variants[other].setting,
                                                 data, usual_stream(context), context));
        by_name.merge(run_experiments(context, experiments, build_views));
    }
    std::vector<Results> results;
    results.reserve(variants.size());
    for (const Variant& variant : variants) results.push_back(by_name.at(name_of_results(variant)));
    return results;
}

} // namespace sprig::lab
