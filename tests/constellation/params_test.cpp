#include <array>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "sprig/constellation.h"
#include "sprig/error.h"
#include "support/parameters.h"

namespace sprig {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr std::array presets = {"default", "fast", "paper-vocabulary"};

std::string refusal(const std::string& name, const std::string& value) {
    return test::refusal<ConstellationParams>(name, value);
}

TEST(Params, EveryPresetRoundTripsThroughText) {
    for (const char* name : presets) {
        const ConstellationPreset preset = constellation_preset(name);
        EXPECT_NO_THROW(preset.params.check());
        EXPECT_EQ(test::read_back<ConstellationParams>(to_json(preset.params)), preset.params) << name;
        const Constellation model(preset);
        EXPECT_EQ(model.params(), preset.params);
        EXPECT_EQ(model.front_end(), preset.front_end);
        EXPECT_EQ(model.parameters(), to_json(preset.params));
        EXPECT_EQ(model.name(), "constellation");
        EXPECT_NO_THROW(FrontEnd{preset.front_end}) << "a valid front end";
        EXPECT_FALSE(preset.front_end.relations) << "this learner uses only nodes";
    }
    EXPECT_EQ(constellation_preset("fast").params, ConstellationParams{});
}

TEST(Params, PresetsDiffer) {
    for (const char* one : presets) {
        for (const char* other : presets) {
            if (one == other) continue;
            const ConstellationPreset a = constellation_preset(one);
            const ConstellationPreset b = constellation_preset(other);
            EXPECT_FALSE(a.params == b.params && a.front_end == b.front_end) << one << " " << other;
        }
    }
}

TEST(Params, PaperVocabularyUsesThePapersFrontEnd) {
    const ConstellationPreset preset = constellation_preset("paper-vocabulary");
    EXPECT_EQ(preset.front_end.directions, 2);
    EXPECT_EQ(preset.front_end.scale, 1);
    EXPECT_FALSE(preset.front_end.deskew);
    EXPECT_EQ(preset.front_end.frame, FrontEndParams::Frame::image);
}

/// Other valid values of a parameter.
std::vector<std::string> others(const nlohmann::json& value, const std::string& name) {
    if (name == "assignment") return {"greedy", "optimal"};
    if (name == "poses") return {"flips", "fixed"};
    if (name == "join_threshold") return {"0.25", "-3.5", "-inf"};
    if (name == "prior_weight" || name == "clutter_area") return {"1.5", "64.25"};
    if (name.ends_with("_weight")) return {"0.25", "0.75"};
    if (value.is_boolean()) return {"true", "false"};
    if (value.is_number_integer()) return {"1", "17", "1000"};
    if (value.is_number()) return {"0.25", "0.125", "0.4375"};
    return {};
}

TEST(Params, EveryParameterCanBeSetAndReadBack) {
    test::expect_every_name_can_be_set<ConstellationParams>(23, others);
}

TEST(Params, JoinThresholdMayBeMinusInfinity) {
    ConstellationParams params;
    set_parameter(params, "join_threshold", "-inf");
    EXPECT_EQ(params.join_threshold, -std::numeric_limits<double>::infinity());
    EXPECT_EQ(constellation_preset("paper-vocabulary").params.join_threshold, params.join_threshold);
}

TEST(Params, InvalidValuesAreRefusedInOneSentence) {
    EXPECT_THAT(refusal("colour", "red"), HasSubstr("no parameter colour: there are position_weight, "));
    EXPECT_THAT(refusal("", ""), HasSubstr("no parameter"));
    EXPECT_EQ(refusal("strict", "yes"), "strict=yes is invalid: strict must be true or false");
    EXPECT_EQ(refusal("assignment", "best"),
              "assignment=best is invalid: assignment must be one of greedy, optimal");
    EXPECT_EQ(refusal("patience", "much"),
              "patience=much is invalid: patience must be a whole number in its range");
    for (const char* value : {"", " 1", "1 ", "1x", "0x10", "--1"})
        EXPECT_THAT(refusal("temperature", value), HasSubstr("must be a number")) << value;
}

TEST(Params, ValuesOutOfRangeAreRefusedInOneSentence) {
    const std::vector<std::pair<std::string, std::string>> out_of_range = {
        {"position_weight", "0.3"},
        {"neighbour_weight", "-0.25"},
        {"survivor_weight", "1.25"},
        {"persistence_weight", "nan"},
        {"sharpness_weight", "none"},
        {"position_spread", "0"},
        {"displacement_spread", "-2"},
        {"persistence_spread", "nan"},
        {"sharpness_spread", "none"},
        {"position_spread", "1001"},
        {"prior_weight", "0.5"},
        {"prior_weight", "nan"},
        {"prior_weight", "2e6"},
        {"clutter_rate", "0"},
        {"clutter_rate", "1.5"},
        {"clutter_rate", "nan"},
        {"clutter_area", "0.5"},
        {"clutter_area", "none"},
        {"join_threshold", "nan"},
        {"join_threshold", "none"},
        {"join_threshold", "inf"},
        {"late_doubt", "-1"},
        {"late_doubt", "1000001"},
        {"fading_rate", "-0.1"},
        {"fading_rate", "1.1"},
        {"fading_rate", "nan"},
        {"fading_age", "-1"},
        {"fading_age", "1.5"},
        {"patience", "0"},
        {"max_units", "0"},
        {"max_units", "99999999999999999999"},
        {"temperature", "0"},
        {"temperature", "-1"},
        {"temperature", "none"},
        {"temperature", "nan"}};
    for (const auto& [name, value] : out_of_range) {
        const std::string sentence = refusal(name, value);
        EXPECT_THAT(sentence, Not(HasSubstr("\n")));
        EXPECT_THAT(sentence, Not(EndsWith("."))) << "as in all messages of this library";
        EXPECT_THAT(sentence, testing::AnyOf(HasSubstr(name), HasSubstr("weights"), HasSubstr("spreads")));
    }
}

TEST(Params, WeightsMustNotAllBeZero) {
    ConstellationParams params;
    for (const char* name : {"neighbour_weight", "persistence_weight", "sharpness_weight"})
        set_parameter(params, name, "0");
    EXPECT_THROW(set_parameter(params, "position_weight", "0"), Error);
    EXPECT_EQ(params.position_weight, 1);
    set_parameter(params, "survivor_weight", "0.25");
    EXPECT_NO_THROW(set_parameter(params, "position_weight", "0"));
}

TEST(Params, UnknownPresetsAreRefused) {
    for (const char* name : {"Default", "best", ""}) {
        try {
            (void)constellation_preset(name);
            ADD_FAILURE() << "accepted: " << name;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage);
            EXPECT_EQ(error.what(), std::string("constellation has no preset ") + name +
                                        ": there are default, fast and paper-vocabulary");
        }
    }
}

TEST(Params, RemovedPresetsAreRefusedWithAdvice) {
    for (const char* name : {"accurate", "long", "general"}) {
        try {
            (void)constellation_preset(name);
            ADD_FAILURE() << "accepted: " << name;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage);
            EXPECT_THAT(error.what(), EndsWith("; default has taken its place"));
        }
    }
}

TEST(Params, ConstellationRefusesInvalidParameters) {
    ConstellationParams params;
    params.temperature = 0;
    EXPECT_THROW((Constellation{params, {}}), Error);
    params = {};
    params.position_weight = 0.1;
    EXPECT_THROW((Constellation{params, {}}), Error);
    FrontEndParams front_end;
    front_end.directions = 0;
    EXPECT_THROW((Constellation{ConstellationParams{}, front_end}), Error);
    front_end.directions = std::numeric_limits<int>::max(); // must be rejected before anything is allocated
    EXPECT_THROW((Constellation{ConstellationParams{}, front_end}), Error);
}

} // namespace
} // namespace sprig
