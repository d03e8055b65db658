#include <numeric>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lab/protocol/protocol.h"
#include "sprig/learners.h"

namespace sprig::lab {
namespace {

/// The digest of a learner after one stream, and the version of its method.
struct Golden {
    const char* learner;
    const char* preset;
    int version;
    const char* digest;
};

void PrintTo(const Golden& golden, std::ostream* out) {
    *out << golden.learner << ' ' << golden.preset;
}

class GoldenDigest : public testing::TestWithParam<Golden> {};

/// Three cycles of five images of each class, drawn from the first training images.
SeedRun short_run(const LearnerChoice& setting) {
    ExperimentData data{load_dataset("mnist:train:0-1999"), {}};
    data.pool.resize(data.dataset.size());
    std::iota(data.pool.begin(), data.pool.end(), std::size_t{0});
    Protocol protocol;
    protocol.cycles = 3;
    protocol.evaluate = EvaluateAt::end;
    return run_seed(
        data, protocol, [&](std::uint64_t seed) { return make_learner(setting, seed); }, 0);
}

TEST_P(GoldenDigest, BelongsToAVersion) {
    const Golden& golden = GetParam();
    const LearnerChoice setting = {golden.learner, golden.preset};
    EXPECT_EQ(make_learner(setting, 0)->version(), golden.version)
        << "the version was raised: update it here, with the new digest";
    EXPECT_EQ(fmt::format("{:016x}", short_run(setting).digest), golden.digest)
        << "the method has changed: if that is intended, raise its version() and update both here";
}

INSTANTIATE_TEST_SUITE_P(All, GoldenDigest,
                         testing::Values(Golden{"modeller", "paper-literal", 1, "3e3ef00db1789019"},
                                         Golden{"modeller", "paper", 1, "47f21710f8066994"},
                                         Golden{"modeller", "best", 1, "0c830ef25e1151d7"},
                                         Golden{"constellation", "default", 1, "1096d2bfc81ba4e4"},
                                         Golden{"constellation", "fast", 1, "bc54250b7201b983"},
                                         Golden{"constellation", "paper-vocabulary", 1, "e6937d1911c15e0c"}));

} // namespace
} // namespace sprig::lab
