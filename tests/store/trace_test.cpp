#include <map>

#include <gtest/gtest.h>

#include "store/packed_delta.h"
#include "store/support.h"

namespace sprig::store_test {

namespace {

using store::Codec;
using store::Content;
using store::Delta;

/// A learner, and what a file would hold of it.
class Kept {
  public:
    explicit Kept(std::unique_ptr<Learner> made) : learner(std::move(made)) {
        content.head = store::head_of(*learner, "");
        codec = store::make_codec(content.head);
        codec->describe(*learner, content);
    }

    Delta learn(const Lesson& lesson) {
        const LearnReport report = learner->learn(lesson.network, lesson.label);
        Delta delta;
        delta.lesson = content.head.lessons + 1;
        delta.steps = learner->steps();
        delta.events = report.events;
        codec->describe_step(*learner, report, lesson.label, content, delta);
        return delta;
    }

    std::unique_ptr<Learner> learner;
    std::unique_ptr<Codec> codec;
    Content content;
};

class Trace : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Learners, Trace, testing::Values("constellation", "modeller"),
                         [](const auto& one) { return one.param; });

/// By name: in which order they are told does not matter, but that none is told twice.
auto by_name(const Delta& delta) {
    std::map<Lineage, std::optional<store::UnitEntry>> units(delta.units.begin(), delta.units.end());
    EXPECT_EQ(units.size(), delta.units.size());
    return units;
}

void expect_followed(Kept kept, const std::vector<Lesson>& lessons) {
    std::size_t traced = 0;
    std::size_t told = 0;
    for (const Lesson& lesson : lessons) {
        Delta delta = kept.learn(lesson);
        const Delta again =
            store::unpack_delta(pack(delta, kept.content, *kept.codec), kept.content, *kept.codec);
        ASSERT_EQ(by_name(again), by_name(delta)) << "lesson " << delta.lesson;
        EXPECT_EQ(again.classes, delta.classes);
        traced += delta.traced;
        told += delta.units.size();
        (void)apply(kept.content, std::move(delta));
    }
    // Otherwise this was about something else: what goes and what is cut down is told by values.
    EXPECT_GT(traced, told / 3);
    EXPECT_EQ(kept.codec->restore(kept.content)->digest(), kept.learner->digest());
}

TEST_P(Trace, LeadsToWhatWasLearned) {
    Kept kept(make_learner(GetParam()));
    const std::vector<Lesson> lessons = lessons_for(*kept.learner, 400);
    expect_followed(std::move(kept), lessons);
}

/// Settings that learn by other rules: nodes that go at their first absence, units that go soon, poses,
/// means that follow every match, residuals.
TEST(TraceOf, EverySettingLeadsToWhatWasLearned) {
    ConstellationPreset strict = constellation_preset("default");
    strict.params.strict = true;
    ConstellationPreset hasty = constellation_preset("accurate");
    hasty.params.patience = 1;
    std::vector<std::unique_ptr<Learner>> learners;
    learners.push_back(std::make_unique<Constellation>(strict));
    learners.push_back(std::make_unique<Constellation>(hasty));
    for (const char* preset : {"paper-vocabulary", "accurate", "long", "general"})
        learners.push_back(std::make_unique<Constellation>(constellation_preset(preset)));
    for (const char* preset : {"paper", "paper-literal"})
        learners.push_back(std::make_unique<Modeller>(modeller_preset(preset), 3));
    for (auto& learner : learners) {
        SCOPED_TRACE(learner->parameters());
        const std::vector<Lesson> lessons = lessons_for(*learner, 120);
        expect_followed(Kept(std::move(learner)), lessons);
    }
}

TEST_P(Trace, IsShorterThanWhatItLeadsTo) {
    Kept kept(make_learner(GetParam()));
    std::size_t bytes = 0;
    std::size_t values = 0;
    for (const Lesson& lesson : lessons_for(*kept.learner, 200)) {
        Delta delta = kept.learn(lesson);
        bytes += pack(delta, kept.content, *kept.codec).size();
        delta.traced = 0;
        values += pack(delta, kept.content, *kept.codec).size();
        (void)apply(kept.content, std::move(delta));
    }
    EXPECT_LT(2 * bytes, values);
}

/// The checksum guards against damage; this is about arithmetic that comes to something else elsewhere.
TEST_P(Trace, ThatLeadsElsewhereIsRefused) {
    Kept kept(make_learner(GetParam()));
    const std::vector<Lesson> lessons = lessons_for(*kept.learner, 30);
    Delta delta;
    for (const Lesson& lesson : lessons) {
        delta = kept.learn(lesson);
        if (&lesson != &lessons.back()) (void)apply(kept.content, Delta(delta));
    }
    ASSERT_GT(delta.traced, 0U);
    const std::string trace = delta.trace;
    std::size_t refused = 0;
    std::size_t elsewhere = 0;
    for (std::size_t at = 0; at < trace.size(); ++at) {
        delta.trace = trace;
        delta.trace[at] = static_cast<char>(delta.trace[at] ^ 1);
        try {
            (void)store::unpack_delta(pack(delta, kept.content, *kept.codec), kept.content, *kept.codec);
        } catch (const Error& error) {
            ASSERT_EQ(error.kind(), ErrorKind::bad_input);
            ++refused;
            if (std::string(error.what()).find("comes to something else") != std::string::npos) ++elsewhere;
        }
    }
    // The last bit of a value may be rounded away.
    EXPECT_GT(refused, trace.size() * 3 / 4);
    EXPECT_GT(elsewhere, trace.size() / 4);
    for (std::size_t size = 1; size < trace.size(); ++size) {
        delta.trace = trace.substr(0, size);
        EXPECT_THROW(
            (void)store::unpack_delta(pack(delta, kept.content, *kept.codec), kept.content, *kept.codec),
            Error);
    }
}

void expect_refused(const Kept& kept, const Delta& delta, const std::string& why) {
    try {
        (void)store::unpack_delta(pack(delta, kept.content, *kept.codec), kept.content, *kept.codec);
        FAIL() << "nothing was said, not that " << why;
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
}

/// A few bytes must not ask for a large unit any number of times.
TEST(TraceOf, AUnitToldTwiceIsRefused) {
    Kept kept(make_learner("modeller"));
    const std::vector<Lesson> lessons = lessons_for(*kept.learner, 1);
    Delta delta = kept.learn(lessons[0]);
    ASSERT_EQ(delta.traced, 1U);
    // Spots, how many units, the units, and 8 bytes of their sum.
    const std::size_t spots = lessons[0].network.node_count();
    const std::size_t count = 1 + (spots * 17);
    ASSERT_LT(spots, 128U);
    ASSERT_EQ(delta.trace.at(count), 1);
    const std::string unit = delta.trace.substr(count + 1, delta.trace.size() - count - 1 - 8);
    delta.trace[count] = 2;
    delta.trace.insert(count + 1, unit);
    expect_refused(kept, delta, "tells of a unit twice");
}

TEST_P(Trace, AClassOfNoIdIsRefused) {
    Kept kept(make_learner(GetParam()));
    Delta delta = kept.learn(lessons_for(*kept.learner, 1)[0]);
    for (const store::ClassId id : {0U, 0x80000000U, ~0U}) {
        delta.classes.at(0).first = id;
        expect_refused(kept, delta, "id out of its range");
    }
}

} // namespace

} // namespace sprig::store_test
