#include "lab/studies/digits.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "lab/metrics.h"

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
        result.push_back(rule.keeps(label_of(data, i), seen.components, seen.holes));
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

} // namespace sprig::lab
