#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "support.h"

namespace sprig {
namespace {

using nlohmann::json;
using test::both;
using testing::MatchesRegex;

TEST(ExplanationJson, OfALocalExplanationHasItsNumbers) {
    for (const Learner* learner : both()) {
        const LocalExplanation all = explain_local(*learner, test::network_of(*learner, 414));
        const json text = json::parse(to_json(all));
        EXPECT_EQ(text["learner"], std::string(learner->name()));
        EXPECT_EQ(text["answer"], all.best->label);
        EXPECT_EQ(text["compared_with"], all.other->label);
        EXPECT_EQ(text["margin"].get<double>(), all.prediction.margin);
        EXPECT_EQ(text["classes"].size(), 10U);
        EXPECT_EQ(text["classes"][all.best->label]["score"].get<double>(), all.best->score);
        double sum = 0;
        for (const json& unit : text["units"][all.other->label]) {
            sum += unit["value"].get<double>();
            EXPECT_THAT(unit["lineage"].get<std::string>(), MatchesRegex("[0-9a-f]{16}"));
            EXPECT_TRUE(unit.contains("present") && unit.contains("nodes") && unit.contains("polarity"));
            EXPECT_EQ(unit.contains("explained"), learner->name() == "constellation");
        }
        EXPECT_EQ(sum, all.other->score) << "numbers survive a round trip";
        ASSERT_EQ(text["elements"].size(), all.elements.size());
        EXPECT_EQ(text["elements"][0]["node"], all.elements[0].node);
        EXPECT_EQ(text["elements"][0]["for"][all.best->label].get<double>(), all.elements[0].for_best);
        EXPECT_EQ(text["decisive"].size(), all.decisive_count);
        EXPECT_EQ(text["scores_without_decisive"][all.other->label].get<double>(), all.other_score_without);
        EXPECT_EQ(text["change"]["to"], all.other->label);
        EXPECT_EQ(text["change"]["added"].size(), all.change->added.size());
        EXPECT_EQ(text["change"]["smallest"], all.change->is_proven_smallest());
        EXPECT_FALSE(text["change"]["added"].empty());
        for (const json& added : text["change"]["added"]) {
            EXPECT_EQ(added["class"], all.other->label);
            EXPECT_EQ(added.contains("nodes"), learner->name() == "constellation");
            if (!added.contains("nodes")) continue;
            ASSERT_EQ(added["ghost"].size(), added["nodes"].size() + 2) << "and both neighbours";
            for (std::size_t i = 0; i < added["nodes"].size(); ++i)
                EXPECT_EQ(added["ghost"][i + 1], added["nodes"][i]["expected_at"]);
        }
        EXPECT_EQ(network_from_json(text["network"].dump()), all.network);
        EXPECT_EQ(to_json(all), to_json(explain_local(*learner, test::network_of(*learner, 414))));
    }
}

TEST(ExplanationJson, OfAGlobalExplanationHasEveryUnit) {
    for (const Learner* learner : both()) {
        const GlobalExplanation all = explain_global(*learner);
        const json text = json::parse(to_json(all));
        EXPECT_EQ(text["steps"], all.steps);
        std::size_t units = 0;
        for (const auto& [label, summary] : text["classes"].items()) {
            units += summary["units"].size();
            EXPECT_EQ(summary["mature"].size(), all.class_summary(label).mature.size());
            EXPECT_EQ(summary["roots"].size(), all.class_summary(label).roots.size());
            for (const json& unit : summary["units"]) {
                EXPECT_TRUE(unit.contains("conditioned_by") && unit.contains("edges"));
                EXPECT_FALSE(unit["nodes"].is_null());
            }
        }
        EXPECT_EQ(units, all.units.size());
    }
}

TEST(ExplanationJson, OfAnEmptyModelIsValid) {
    Constellation model;
    const json nothing = json::parse(to_json(explain_local(model, test::digits().image(0))));
    EXPECT_TRUE(nothing["answer"].is_null());
    EXPECT_TRUE(nothing["elements"].empty());
    EXPECT_FALSE(nothing.contains("change"));
    EXPECT_TRUE(json::parse(to_json(explain_global(model)))["classes"].empty());
    model.learn(FrontEnd(model.front_end())(test::digits().image(0)), "no \xFF UTF-8");
    const std::string odd = to_json(explain_local(model, test::digits().image(0)));
    EXPECT_TRUE(json::accept(odd));
}

} // namespace
} // namespace sprig
