#include "lab/studies/digits.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "lab/measures/metrics.h"
#include "lab/protocol/pieces.h"
#include "lab/protocol/results.h"
#include "vision/front_end_parameters.h"

namespace sprig::lab {

namespace {

/// Images that one thread takes at a time. Which thread that is changes nothing.
constexpr std::size_t chunk = 250;

std::size_t chunks_of(std::size_t count) {
    return (count + chunk - 1) / chunk;
}

std::vector<std::size_t> range(std::size_t first, std::size_t end) {
    std::vector<std::size_t> indices(end - first);
    std::iota(indices.begin(), indices.end(), first);
    return indices;
}

/// Which of the images the paper's filter keeps. It always sees with the paper's front end.
std::vector<bool> kept(const Dataset& data, const std::vector<std::size_t>& images,
                       const Progress& progress) {
    FrontEnd front_end;
    const TopologyRule rule;
    std::vector<bool> result;
    for (const std::size_t i : images) {
        if (progress) progress(result.size(), images.size());
        const Topology seen = front_end.topology(data.image(i));
        result.push_back(rule.keeps(data.label_name(i), seen.components, seen.holes));
    }
    return result;
}

void keep_filtered(Digits& digits, const Progress& progress) {
    const std::vector<bool> keep = kept(digits.train, digits.pool, progress);
    std::vector<std::size_t> pool;
    for (std::size_t i = 0; i < keep.size(); ++i) {
        if (keep[i]) pool.push_back(digits.pool[i]);
    }
    digits.pool = std::move(pool);
}

Network network_of(FrontEnd& front_end, ImageView image, std::size_t index, const ShowImage& show) {
    return show ? front_end(show(image, index).view()) : front_end(image);
}

} // namespace

Digits load_digits(const StudyContext& context, bool filtered) {
    const Progress progress = context.begin("preparing");
    Digits digits;
    digits.train = load_dataset("mnist:train");
    const bool dev = context.held_out == HeldOut::dev;
    if (!dev) digits.test = load_dataset("mnist:t10k");
    const std::size_t end = dev ? first_dev_image : digits.train.size();
    // Under a limit twenty times as many are looked at as a stream takes: enough of each class.
    digits.pool = range(0, context.limit == 0 ? end : std::min(end, 20 * context.limit));
    const std::size_t first = dev ? first_dev_image : 0;
    const std::size_t count = context.limited(digits.held_out_data().size() - first);
    digits.held_out = range(first, first + count);
    digits.typical = kept(digits.held_out_data(), digits.held_out, progress);
    if (filtered) keep_filtered(digits, progress);
    digits.source = filtered ? "mnist:train, filtered" : "mnist:train";
    return digits;
}

std::size_t stream_per_class(const StudyContext& context) {
    return std::max<std::size_t>(1, context.limited(1000) / 10);
}

std::vector<Network> networks_of(const StudyContext& context, const Dataset& data,
                                 const std::vector<std::size_t>& images, const FrontEndParams& params,
                                 const ShowImage& show) {
    const Progress progress = context.begin("building networks");
    std::vector<std::vector<Network>> parts(chunks_of(images.size()));
    const auto build = [&](std::size_t piece, const Tick& tick) {
        FrontEnd front_end(params);
        const std::size_t end = std::min(images.size(), (piece + 1) * chunk);
        for (std::size_t i = piece * chunk; i < end; ++i) {
            tick();
            parts[piece].push_back(network_of(front_end, data.image(images[i]), i, show));
        }
    };
    in_parallel(parts.size(), context.threads, images.size(), build, progress);
    std::vector<Network> result;
    result.reserve(images.size());
    for (std::vector<Network>& part : parts) std::ranges::move(part, std::back_inserter(result));
    return result;
}

NetworksByClass stream_of(const StudyContext& context, const Digits& digits, std::uint64_t seed,
                          const FrontEndParams& params, const ShowImage& show, const Tick& tick) {
    FrontEnd front_end(params);
    NetworksByClass result;
    for (const auto& of_class : draw(digits.train, digits.pool, seed, stream_per_class(context), 0).stream) {
        std::vector<Network>& networks = result.emplace_back();
        for (const std::size_t i : of_class) {
            if (tick) tick();
            networks.push_back(network_of(front_end, digits.train.image(i), i, show));
        }
    }
    return result;
}

std::vector<NetworksByClass> streams_of(const StudyContext& context, const Digits& digits,
                                        const FrontEndParams& params, const ShowImage& show) {
    std::vector<NetworksByClass> result(context.seeds.size());
    const auto build = [&](std::size_t piece, const Tick& tick) {
        result[piece] = stream_of(context, digits, context.seeds[piece], params, show, tick);
    };
    in_parallel(result.size(), context.threads,
                result.size() * stream_per_class(context) * digits.classes().size(), build,
                context.begin("building networks"));
    return result;
}

void teach(Learner& learner, const std::vector<std::string>& classes, const NetworksByClass& stream,
           const Tick& tick) {
    constexpr std::size_t per_block = 5;
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

double Tally::plain() const {
    const auto right = std::accumulate(right_.begin(), right_.end(), std::size_t{0});
    const auto images = std::accumulate(images_.begin(), images_.end(), std::size_t{0});
    return images == 0 ? 0 : static_cast<double>(right) / static_cast<double>(images);
}

double Tally::balanced() const {
    std::vector<double> by_class;
    for (std::size_t c = 0; c < images_.size(); ++c) {
        if (images_[c] > 0)
            by_class.push_back(static_cast<double>(right_[c]) / static_cast<double>(images_[c]));
    }
    return mean(by_class).value_or(0);
}

std::vector<std::size_t> decisions(Reader& reader, std::span<const Network> networks,
                                   const std::vector<std::string>& classes, const Tick& tick) {
    std::vector<std::size_t> place; // of the reader's classes among ours
    for (const std::string& label : reader.classes())
        place.push_back(static_cast<std::size_t>(std::ranges::find(classes, label) - classes.begin()));
    std::vector<std::size_t> result;
    result.reserve(networks.size());
    for (const Network& network : networks) {
        if (tick) tick();
        const Decision& decision = reader.decide(network);
        result.push_back(decision.best ? place[*decision.best] : classes.size());
    }
    return result;
}

std::vector<std::size_t> decisions(const StudyContext& context, const Reader& reader,
                                   const std::vector<Network>& networks,
                                   const std::vector<std::string>& classes) {
    const Progress progress = context.begin("asking");
    std::vector<std::vector<std::size_t>> parts(chunks_of(networks.size()));
    const auto ask = [&](std::size_t piece, const Tick& tick) {
        const std::size_t first = piece * chunk;
        const std::size_t count = std::min(chunk, networks.size() - first);
        parts[piece] = decisions(*reader.clone(), std::span(networks).subspan(first, count), classes, tick);
    };
    in_parallel(parts.size(), context.threads, networks.size(), ask, progress);
    std::vector<std::size_t> result;
    for (const auto& part : parts) result.insert(result.end(), part.begin(), part.end());
    return result;
}

DigitScores score_digits(const Digits& digits, const std::vector<std::size_t>& decided) {
    Tally all(digits.classes().size());
    Tally filtered(digits.classes().size());
    for (std::size_t i = 0; i < decided.size(); ++i) {
        const std::size_t label = digits.held_out_class(i);
        all.add(label, decided[i] == label);
        if (digits.typical[i]) filtered.add(label, decided[i] == label);
    }
    return {filtered.balanced(), all.plain(), all.balanced()};
}

std::string in_words(const StudyContext& context, const Digits& digits) {
    const auto typical = std::ranges::count(digits.typical, true);
    return fmt::format(
        "Held out: {} images of {}, of which the paper's filter keeps {}.", digits.held_out.size(),
        context.held_out == HeldOut::dev ? "mnist:train (dev: the last 10,000)" : "mnist:t10k", typical);
}

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

Json json_of(const VariantRun& run) {
    Json scores = Json::array();
    for (const DigitScores& view : run.scores)
        scores.push_back({view.filtered_balanced, view.plain, view.balanced});
    return {{"scores", std::move(scores)}, {"census", lab::json_of(run.census)}};
}

VariantRun variant_run_of(const Json& json) {
    VariantRun run;
    for (const Json& view : json.at("scores"))
        run.scores.push_back({view.at(0).get<double>(), view.at(1).get<double>(), view.at(2).get<double>()});
    run.census = census_of(json.at("census"));
    return run;
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
void add_pieces(std::vector<Piece>& pieces, const Question& question, const LearnerChoice& setting,
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
            return json_of(run_one(question.digits, *sight, s, *learner, tick));
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
