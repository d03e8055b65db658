#include "lab/studies/variants.h"

#include <algorithm>
#include <deque>
#include <mutex>

#include "lab/pieces.h"
#include "lab/run_json.h"
#include "sprig/error.h"
#include "vision/front_end_parameters.h"

namespace sprig::lab {

namespace {

using Json = nlohmann::ordered_json;

/// What is asked of all variants.
struct Question {
    const StudyContext& context;
    const Digits& digits;
    const Views& views;

    [[nodiscard]] std::size_t ticks() const {
        return (stream_per_class(context) * digits.classes().size()) +
               (views.held_out.size() * digits.held_out.size());
    }
};

/// What all variants with one front end see: the held-out digits, by view, and the streams.
class Sight {
  public:
    Sight(const Question& question, FrontEndParams front_end, const Tick& tick)
        : question_(question), front_end_(front_end), streams_(question.context.seeds.size()),
          is_made_(question.context.seeds.size()) {
        // All threads of the context take part: they would have to wait anyway.
        StudyContext context = question.context;
        context.show = [&tick](const std::string&) {
            return [&tick](std::size_t, std::size_t) { tick(); }; // stops when the piece is stopped
        };
        const Digits& digits = question.digits;
        for (const View& view : question.views.held_out)
            held_out_.push_back(
                networks_of(context, digits.held_out_data(), digits.held_out, front_end, view.show));
    }

    [[nodiscard]] const FrontEndParams& front_end() const { return front_end_; }
    [[nodiscard]] const std::vector<std::vector<Network>>& held_out() const { return held_out_; }
    [[nodiscard]] const NetworksByClass& stream(std::size_t seed_index) {
        std::call_once(is_made_[seed_index], [&] {
            const StudyContext& context = question_.context;
            streams_[seed_index] = stream_of(context, question_.digits, context.seeds[seed_index], front_end_,
                                             question_.views.learned);
        });
        return streams_[seed_index];
    }

  private:
    Question question_;
    FrontEndParams front_end_;
    std::vector<std::vector<Network>> held_out_;
    std::vector<NetworksByClass> streams_;
    std::deque<std::once_flag> is_made_;
};

/// Makes networks when they are first asked for. Those of the two newest front ends stay: pieces come front
/// end by front end, and while the first ones of one begin, the last ones of another end.
class Sights {
  public:
    [[nodiscard]] std::shared_ptr<Sight> get(const Question& question, const FrontEndParams& front_end,
                                             const Tick& tick) {
        const std::lock_guard lock(mutex_);
        for (const std::shared_ptr<Sight>& known : newest_)
            if (known->front_end() == front_end) return known;
        if (newest_.size() == 2) newest_.erase(newest_.begin());
        return newest_.emplace_back(std::make_shared<Sight>(question, front_end, tick));
    }

  private:
    std::mutex mutex_;
    std::vector<std::shared_ptr<Sight>> newest_;
};

VariantRun run_one(const Digits& digits, Sight& sight, std::size_t seed_index, Learner& learner,
                   const Tick& tick) {
    teach(learner, digits.classes(), sight.stream(seed_index), tick);
    VariantRun run;
    const std::unique_ptr<Reader> reader = learner.reader();
    for (const std::vector<Network>& networks : sight.held_out())
        run.scores.push_back(score_digits(digits, decisions(*reader, networks, digits.classes(), tick)));
    run.census = learner.census();
    return run;
}

Json json_of(std::uint64_t seed, const VariantRun& run) {
    Json scores = Json::array();
    for (const DigitScores& view : run.scores)
        scores.push_back({view.filtered_balanced, view.plain, view.balanced});
    return {{"seed", seed}, {"scores", std::move(scores)}, {"census", lab::json_of(run.census)}};
}

double share_of(const Json& json) {
    if (!json.is_number() || json.get<double>() < 0 || json.get<double>() > 1)
        throw bad_input("an accuracy is none");
    return json.get<double>();
}

/// The run again. Throws if the text is anything else.
VariantRun variant_run_of(const Json& json) {
    VariantRun run;
    for (const Json& view : json.at("scores")) {
        if (view.size() != 3) throw bad_input("not as many accuracies as there should be");
        run.scores.push_back({share_of(view.at(0)), share_of(view.at(1)), share_of(view.at(2))});
    }
    run.census = census_of(json.at("census"));
    return run;
}

bool is_variant_run(const Json& json, std::uint64_t seed, std::size_t views) {
    try {
        return json.at("seed") == seed && variant_run_of(json).scores.size() == views;
    } catch (const std::exception&) { // ours, or the JSON library's
        return false;
    }
}

std::string learned_name(const Views& views) {
    if (!views.learned) return "as they are";
    return views.learned_name.empty() ? "in the study's own way" : views.learned_name;
}

Json json_of(const Question& question) {
    const Digits& digits = question.digits;
    Json json = {{"learned", digits.source},
                 {"pool", digits.pool.size()},
                 {"per_class", stream_per_class(question.context)},
                 {"learned_shown", learned_name(question.views)},
                 {"held_out", name_of(question.context.held_out)},
                 {"held_out_images", digits.held_out.size()},
                 {"held_out_shown", Json::array()},
                 {"limit", question.context.limit}};
    for (const View& view : question.views.held_out) json["held_out_shown"].push_back(view.name);
    return json;
}

Work work_of(const Question& question, const Variant& variant, const Learner& learner) {
    Json what = {{"learner", variant.setting.learner}, {"version", learner.version()}};
    what["parameters"] = Json::parse(learner.parameters());
    what["front_end"] = sprig::to_json(learner.front_end());
    what["digits"] = json_of(question);
    const std::string& study = question.context.study;
    return {(study.empty() ? "variants" : study) + "/" + variant.name, std::move(what)};
}

/// The variants by index, those that see alike one after the other.
std::vector<std::size_t> by_front_end(const std::vector<FrontEndParams>& front_ends) {
    std::vector<std::size_t> order;
    for (std::size_t v = 0; v < front_ends.size(); ++v) {
        const auto sees_alike = [&](std::size_t other) { return front_ends[other] == front_ends[v]; };
        const auto last = std::find_if(order.rbegin(), order.rend(), sees_alike);
        order.insert(last == order.rend() ? order.end() : last.base(), v);
    }
    return order;
}

/// The pieces of one variant, one for each seed. What they refer to must outlive them.
void add_pieces(std::vector<Piece>& pieces, const Question& question, const LearnerSetting& setting,
                const Work& work, const FrontEndParams& front_end, Sights& sights) {
    constexpr double seconds_per_tick = 60e-6;
    const std::vector<std::uint64_t>& seeds = question.context.seeds;
    for (std::size_t s = 0; s < seeds.size(); ++s) {
        Piece& piece = pieces.emplace_back();
        piece.work = work;
        piece.seed = seeds[s];
        piece.ticks = question.ticks();
        piece.seconds = static_cast<double>(piece.ticks) * seconds_per_tick;
        piece.compute = [&, s](const Tick& tick) {
            const std::shared_ptr<Sight> sight = sights.get(question, front_end, tick);
            const std::unique_ptr<Learner> learner = question.context.make(setting, seeds[s]);
            return json_of(seeds[s], run_one(question.digits, *sight, s, *learner, tick));
        };
        piece.is_sound = [seed = seeds[s], views = question.views.held_out.size()](const Json& json) {
            return is_variant_run(json, seed, views);
        };
    }
}

} // namespace

std::vector<std::vector<VariantRun>> run_variants(const StudyContext& context, const Digits& digits,
                                                  const std::vector<Variant>& variants, const Views& views) {
    const Question question{context, digits, views};
    std::vector<Work> works;
    std::vector<FrontEndParams> front_ends;
    for (const Variant& variant : variants) {
        // Made before any work begins, so that a wrong setting is known at once.
        const std::unique_ptr<Learner> learner = context.make(variant.setting, context.seeds.front());
        works.push_back(work_of(question, variant, *learner));
        front_ends.push_back(learner->front_end());
    }
    Sights sights;
    std::vector<Piece> pieces;
    const std::vector<std::size_t> order = by_front_end(front_ends);
    for (const std::size_t v : order)
        add_pieces(pieces, question, variants[v].setting, works[v], front_ends[v], sights);
    const std::vector<Json> gave = compute_pieces(context, pieces, "learning");
    std::vector<std::vector<VariantRun>> result(variants.size());
    for (std::size_t p = 0; p < gave.size(); ++p)
        result[order[p / context.seeds.size()]].push_back(variant_run_of(gave[p]));
    return result;
}

} // namespace sprig::lab
