#include "baselines/contest.h"

#include <algorithm>

#include <fmt/format.h>

#include "sprig/version.h"

namespace sprig::baselines {

namespace {

using Json = nlohmann::ordered_json;

/// A shorter stream if the context asks for fewer images.
lab::Protocol limited(lab::Protocol protocol, const lab::StudyContext& context) {
    const std::size_t per_class = context.limited(protocol.cycles * protocol.per_block);
    protocol.per_block = std::min(protocol.per_block, per_class);
    protocol.cycles = std::max<std::size_t>(1, per_class / protocol.per_block);
    return protocol;
}

Json json_of(const lab::Protocol& protocol, const lab::Material& material) {
    return {{"images", material.pool.size()},
            {"cycles", protocol.cycles},
            {"per_block", protocol.per_block},
            {"held_out_per_class", protocol.held_out_per_class},
            {"evaluate", name_of(protocol.evaluate)}};
}

/// One seed of one contestant that is not there yet, or is.
struct Piece {
    std::size_t contestant;
    std::uint64_t seed;
};

/// Ticks of a piece in proportion to the time it takes: every `expected` of its own are `worth` of all.
class Proportion {
  public:
    Proportion(std::size_t expected, std::size_t worth, const lab::Tick& all)
        : expected_(expected), worth_(worth), all_(all) {}

    void tick() {
        ++done_;
        for (const std::size_t due = std::min(worth_, done_ * worth_ / expected_); told_ < due; ++told_)
            all_();
    }

  private:
    std::size_t expected_;
    std::size_t worth_;
    const lab::Tick& all_;
    std::size_t done_ = 0;
    std::size_t told_ = 0;
};

std::size_t worth(const Contestant& contestant) {
    return 1 + static_cast<std::size_t>(contestant.seconds * 20);
}

} // namespace

Contestant contestant(const Method& method, const lab::Material& material, const lab::StudyContext& context) {
    const lab::Protocol protocol = limited(method.protocol, context);
    Json what = {{"method", method.family}, {"version", methods_version}, {"settings", method.settings}};
    what["protocol"] = json_of(protocol, material);
    return {{method.name, what},
            method.seconds,
            protocol.cycles * material.data.classes().size(),
            [&material, protocol, make = method.make](std::uint64_t seed, const lab::Tick& tick) {
                return run_trial(material, protocol, make, seed, tick);
            }};
}

Contestant contestant(const lab::LearnerSetting& setting, const lab::Material& material,
                      const lab::StudyContext& context) {
    const lab::Protocol protocol = limited({}, context);
    const std::unique_ptr<Learner> learner = context.make(setting, 0);
    Json what = {{"learner", setting.learner}, {"sprig", SPRIG_VERSION}};
    what["parameters"] = Json::parse(learner->parameters());
    what["protocol"] = json_of(protocol, material);
    return {{setting.learner + "-" + setting.preset, what},
            setting.learner == "modeller" ? 6.0 : 1.0,
            protocol.ticks(material),
            [&material, &context, protocol, setting](std::uint64_t seed, const lab::Tick& tick) {
                const auto make = [&](std::uint64_t of) { return context.make(setting, of); };
                const lab::Material own{material.data, material.pool, make(seed)->front_end()};
                return lab::run_seed(own, protocol, make, seed, tick);
            }};
}

std::map<std::string, lab::Results> run_contest(const lab::StudyContext& context,
                                                const std::vector<Contestant>& contestants) {
    const lab::KeptRuns kept(context.keep);
    std::vector<Piece> pieces;
    std::size_t ticks = 0;
    for (std::size_t c = 0; c < contestants.size(); ++c) {
        for (const std::uint64_t seed : context.seeds) {
            pieces.push_back({c, seed});
            if (!kept.has(contestants[c].work, seed)) ticks += worth(contestants[c]);
        }
    }
    std::vector<std::optional<lab::SeedRun>> runs(pieces.size());
    lab::in_parallel(
        pieces.size(), context.threads, ticks,
        [&](std::size_t piece, const lab::Tick& tick) {
            const Contestant& who = contestants[pieces[piece].contestant];
            const std::uint64_t seed = pieces[piece].seed;
            runs[piece] = kept.get(who.work, seed, [&] {
                Proportion proportion(who.ticks, worth(who), tick);
                return who.run(seed, [&] { proportion.tick(); });
            });
        },
        context.begin(fmt::format("{} learners, {} seeds", contestants.size(), context.seeds.size())));
    std::map<std::string, lab::Results> results;
    for (std::size_t c = 0; c < contestants.size(); ++c) {
        std::vector<lab::SeedRun> own;
        own.reserve(context.seeds.size());
        for (std::size_t s = 0; s < context.seeds.size(); ++s)
            own.push_back(std::move(runs[(c * context.seeds.size()) + s].value()));
        results.emplace(contestants[c].work.name, lab::Results(std::move(own)));
    }
    return results;
}

} // namespace sprig::baselines
