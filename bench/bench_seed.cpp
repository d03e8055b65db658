// Time of one seed of the paper's stream, including the evaluation after every block, for the plain network,
// the Modeller and Constellation. Each runs in one thread.

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

Seconds run(const lab::ExperimentData& data, const std::function<std::unique_ptr<Learner>()>& make) {
    return of(lab::run_seed(
        data, {}, [&](std::uint64_t) { return make(); }, 0));
}

} // namespace
} // namespace sprig::bench

int main() {
    using namespace sprig;
    using namespace sprig::bench;
    const lab::ExperimentData data = lab::load_data({});
    const Seconds constellation =
        run(data, [] { return std::make_unique<Constellation>(constellation_preset("default")); });
    fmt::print("One seed, one thread: learning, total, and both relative to Constellation:\n");
    show("Constellation, default", constellation, constellation);
    show("Modeller, best", run(data, [] { return std::make_unique<Modeller>(modeller_preset("best"), 0); }),
         constellation);
    if (!baselines::has_networks()) {
        fmt::print("  no plain network: {}\n", baselines::why_no_networks());
        return 0;
    }
    show("plain network", of(baselines::run_trial(data, {}, baselines::plain().make, 0)), constellation);
    show("plain network, one step",
         of(baselines::run_trial(data, {}, baselines::plain(baselines::one_step(false)).make, 0)),
         constellation);
    return 0;
}
