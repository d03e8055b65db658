// A whole seed of the paper's stream, learned and asked after every block: the plain network, the Modeller
// and Constellation, one after the other in one thread each.

#include <functional>

#include <fmt/format.h>

#include "lab/baselines/methods.h"
#include "lab/baselines/net.h"
#include "sprig/constellation.h"
#include "sprig/modeller.h"

namespace sprig::bench {
namespace {

struct Seconds {
    double learning = 0;
    double all = 0;
};

Seconds of(const lab::SeedRun& run) {
    return {run.times.learning, run.times.all()};
}

void show(const char* what, const Seconds& seconds, const Seconds& unit) {
    fmt::print("  {:<28} {:>8.2f} s {:>8.2f} s {:>12.2f} {:>8.2f}\n", what, seconds.learning, seconds.all,
               seconds.learning / unit.learning, seconds.all / unit.all);
}

Seconds run(const lab::Material& material, const std::function<std::unique_ptr<Learner>()>& make) {
    const lab::Material own{material.data, material.pool, make()->front_end()};
    return of(lab::run_seed(
        own, {}, [&](std::uint64_t) { return make(); }, 0));
}

} // namespace
} // namespace sprig::bench

int main() {
    using namespace sprig;
    using namespace sprig::bench;
    const lab::Material material = lab::load_material({}, {});
    const Seconds constellation =
        run(material, [] { return std::make_unique<Constellation>(constellation_preset("default")); });
    fmt::print("A whole seed, one thread; learning, all, and both as multiples of Constellation's:\n");
    show("Constellation, default", constellation, constellation);
    show("Modeller, best",
         run(material, [] { return std::make_unique<Modeller>(modeller_preset("best"), 0); }), constellation);
    if (!baselines::has_networks()) {
        fmt::print("  no plain network: {}\n", baselines::why_no_networks());
        return 0;
    }
    show("plain network", of(baselines::run_trial(material, {}, baselines::plain().make, 0)), constellation);
    show("plain network, one step",
         of(baselines::run_trial(material, {}, baselines::plain(baselines::one_step(false)).make, 0)),
         constellation);
    return 0;
}
