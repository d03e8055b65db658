#include "lab/measures/audit.h"

#include <map>
#include <set>

#include <gmock/gmock.h>

#include "sprig/data.h"
#include "sprig/modeller.h"

namespace sprig::lab {
namespace {

using Kind = UnitEvent::Kind;

/// A network that says which one it is: by its number of nodes.
Network number(std::size_t n) {
    Network network(front_end_schema({}));
    for (std::size_t i = 0; i < n; ++i) {
        network.add_node(0, std::vector<double>{static_cast<double>(i), 0});
    }
    return network;
}

/// A model written down by a test: units, and which networks (by number) satisfy them.
struct Script {
    std::vector<UnitView> units;
    std::map<Lineage, std::set<std::size_t>> satisfied;
};

class ScriptedReader final : public Reader {
  public:
    explicit ScriptedReader(Script script) : script_(std::move(script)) {}
    [[nodiscard]] const std::vector<std::string>& classes() const override { return classes_; }
    const Prediction& predict(const Network&) override { return prediction_; }
    [[nodiscard]] Explanation explain(const Network& network) override {
        Explanation explanation;
        for (const UnitView& unit : script_.units) {
            const bool present = script_.satisfied[unit.lineage].contains(network.node_count());
            explanation.contributions.push_back({unit.lineage, 0, present, 0, {}});
        }
        return explanation;
    }
    [[nodiscard]] std::unique_ptr<Reader> clone() const override {
        return std::make_unique<ScriptedReader>(script_);
    }

  private:
    Script script_;
    std::vector<std::string> classes_ = {"a"};
    Prediction prediction_;
};

class ScriptedLearner final : public Learner {
  public:
    Script script;

    void add(Lineage lineage, std::optional<Lineage> target, std::set<std::size_t> satisfied) {
        script.units.push_back({.lineage = lineage,
                                .target = target,
                                .label = "a",
                                .depth = target ? 2U : 1U,
                                .pattern = number(0)});
        script.satisfied[lineage] = std::move(satisfied);
    }
    void add_class(std::string_view) override {}
    LearnReport learn(const Network&, std::string_view) override { return {}; }
    [[nodiscard]] std::unique_ptr<Reader> reader() const override {
        return std::make_unique<ScriptedReader>(script);
    }
    [[nodiscard]] std::vector<std::string> classes() const override { return {"a"}; }
    [[nodiscard]] std::uint64_t steps() const override { return 0; }
    [[nodiscard]] std::vector<UnitView> units() const override { return script.units; }
    [[nodiscard]] ModelSize model_size(std::uint64_t) const override { return {}; }
    void check() const override {}
    [[nodiscard]] std::uint64_t digest() const override { return 0; }
    [[nodiscard]] const FrontEndParams& front_end() const override { return front_end_; }
    [[nodiscard]] std::string_view name() const override { return "scripted"; }
    [[nodiscard]] std::string parameters() const override { return "{}"; }

  private:
    FrontEndParams front_end_;
};

constexpr Lineage top = 10;
constexpr Lineage middle = 5; // ids do not depend on the order of units
constexpr Lineage high = 7;

/// A chain of three units that observation 1 satisfies.
class ScriptedAudit : public testing::Test {
  protected:
    ScriptedAudit() {
        learner.add(top, {}, {1});
        learner.add(middle, top, {1});
        learner.add(high, middle, {1});
        audit.after(number(1), {}, learner);
    }
    void step(std::vector<UnitEvent> events) {
        LearnReport report;
        report.events = std::move(events);
        audit.after(number(++observations), report, learner);
    }
    [[nodiscard]] const BrokenCounts& top_level() const { return audit.counts().top_level; }
    [[nodiscard]] const BrokenCounts& chains() const { return audit.counts().chains; }

    ScriptedLearner learner;
    Audit audit;
    std::size_t observations = 1;
};

TEST_F(ScriptedAudit, NothingBroken) {
    step({{Kind::refined, top, {}}, {Kind::reintegrated, 99, top}});
    EXPECT_EQ(top_level().total() + chains().total(), 0U);
    EXPECT_EQ(audit.counts().checked_top_level + audit.counts().checked_chains, 3U);
    EXPECT_EQ(audit.counts().steps, 2U);
}

TEST_F(ScriptedAudit, ATopLevelUnitBrokenByRefinement) {
    learner.script.satisfied[top].clear();
    step({{Kind::refined, top, {}}});
    EXPECT_EQ(top_level(), (BrokenCounts{0, 1, 0}));
    EXPECT_EQ(chains().total(), 0U);
}

TEST_F(ScriptedAudit, ATopLevelUnitBrokenByReintegration) {
    learner.script.satisfied[top].clear();
    step({{Kind::refined, top, {}}, {Kind::reintegrated, 99, top}});
    EXPECT_EQ(top_level(), (BrokenCounts{1, 0, 0}));
}

TEST_F(ScriptedAudit, ATopLevelUnitBrokenWithoutAReason) {
    learner.script.satisfied[top].clear();
    // What happened elsewhere, also above it, is no reason.
    step({{Kind::refined, middle, top}, {Kind::reintegrated, 99, middle}, {Kind::created, 98, top}});
    EXPECT_EQ(top_level(), (BrokenCounts{0, 0, 1}));
}

TEST_F(ScriptedAudit, AChainBrokenByReintegrationBelow) {
    learner.script.satisfied[high].clear();
    step({{Kind::reintegrated, 99, top}});
    EXPECT_EQ(chains(), (BrokenCounts{1, 0, 0}));
    EXPECT_EQ(top_level().total(), 0U);
}

TEST_F(ScriptedAudit, AChainBrokenByRefinement) {
    learner.script.satisfied[high].clear();
    step({{Kind::refined, top, {}}});
    EXPECT_EQ(chains(), (BrokenCounts{0, 1, 0}));
    learner.script.satisfied[middle].clear();
    step({{Kind::refined, middle, top}});
    EXPECT_EQ(chains(), (BrokenCounts{0, 2, 0}));
}

TEST_F(ScriptedAudit, AChainBrokenByMovement) {
    learner.script.satisfied[middle].clear();
    step({{Kind::refined, high, middle}});
    EXPECT_EQ(chains(), (BrokenCounts{0, 0, 1})) << "what happens above does not move it";
}

TEST_F(ScriptedAudit, AUnitThatIsGoneIsNotBroken) {
    learner.script.units.pop_back();
    step({{Kind::removed, high, middle}});
    EXPECT_EQ(chains().total(), 0U);
    EXPECT_EQ(audit.counts().checked_top_level + audit.counts().checked_chains, 2U);
}

TEST_F(ScriptedAudit, BrokenOnceIsCountedOnce) {
    learner.script.satisfied[top].clear();
    step({});
    step({});
    EXPECT_EQ(top_level().total(), 1U);
    learner.script.satisfied[top] = {1}; // satisfied again: it re-enters
    step({});
    EXPECT_EQ(top_level().total(), 1U);
    learner.script.satisfied[top].clear();
    step({});
    EXPECT_EQ(top_level().total(), 2U);
}

TEST_F(ScriptedAudit, EveryObservationCounts) {
    learner.script.satisfied[top] = {1, 2, 3};
    step({});
    step({});
    learner.script.satisfied[top] = {2};
    step({{Kind::refined, top, {}}});
    EXPECT_EQ(top_level().by_refinement, 2U);
}

TEST_F(ScriptedAudit, AnObservationIsHeldAgainstTheModelAfterItsOwnStep) {
    // It is learned now and satisfies the unit now; what it did before does not matter.
    learner.script.satisfied[top] = {1, 2};
    step({});
    learner.script.satisfied[top] = {1};
    step({});
    EXPECT_EQ(top_level().by_movement, 1U);
}

TEST(Audit, TheReaderIsTheCallers) {
    ScriptedLearner learner;
    learner.add(top, {}, {1});
    int made = 0;
    Audit audit([&](const Learner& of) {
        ++made;
        EXPECT_EQ(&of, &learner);
        return of.reader();
    });
    audit.after(number(1), {}, learner);
    audit.after(number(2), {}, learner);
    EXPECT_EQ(made, 2);
}

TEST(Audit, OfTheModeller) {
    const Dataset data = load_dataset("mnist:train:0-149");
    ModellerParams params = modeller_preset("paper");
    params.max_error = std::numeric_limits<double>::infinity();
    ModellerParams unified = params;
    unified.chains = ModellerParams::Chains::unified;
    Modeller modeller(params);
    Audit audit;
    Audit of_unified([&](const Learner&) { return modeller.reader(unified); });
    FrontEnd front_end;
    for (std::size_t i = 0; i < data.size(); ++i) {
        const Network network = front_end(data.image(i));
        const LearnReport report =
            modeller.learn(network, data.classes()[static_cast<std::size_t>(data.label(i))]);
        audit.after(network, report, modeller);
        of_unified.after(network, report, modeller);
    }
    for (const Audit* one : {&audit, &of_unified}) {
        EXPECT_EQ(one->counts().steps, data.size());
        EXPECT_GT(one->counts().checked_top_level, 10'000U);
        EXPECT_EQ(one->counts().top_level.by_refinement, 0U);
        EXPECT_EQ(one->counts().top_level.by_movement, 0U);
    }
    // A chain that is matched as a whole does not care where its parts usually lie.
    EXPECT_EQ(of_unified.counts().chains.by_refinement, 0U);
    EXPECT_EQ(of_unified.counts().chains.by_movement, 0U);
}

} // namespace
} // namespace sprig::lab
