#include <cmath>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "sprig/error.h"
#include "sprig/modeller.h"
#include "support/parameters.h"

namespace sprig {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

std::string refusal(const std::string& name, const std::string& value) {
    return test::refusal<ModellerParams>(name, value);
}

TEST(Params, EveryPresetSurvivesJson) {
    for (const char* name : {"best", "paper", "paper-literal"}) {
        const ModellerParams params = modeller_preset(name);
        EXPECT_NO_THROW(params.check());
        EXPECT_EQ(test::read_back<ModellerParams>(to_json(params)), params) << name;
    }
    EXPECT_EQ(modeller_preset("best"), ModellerParams{});
    EXPECT_NE(modeller_preset("paper"), modeller_preset("paper-literal"));
    EXPECT_NE(modeller_preset("paper"), modeller_preset("best"));
}

/// Valid values of the same kind.
std::vector<std::string> others(const nlohmann::json& value, const std::string& name) {
    if (name == "reintegration_threshold") return {"0.75", "0.8", "0.95"};
    if (value.is_boolean()) return {"true", "false"};
    if (value.is_number_integer()) return {"1", "17", "1000"};
    if (value.is_number() || value.is_null()) return {"0.25", "0.125", "0.4375"};
    if (name == "growth") return {"greedy", "population"};
    if (name == "residuals") return {"dropped", "while_unreliable", "always"};
    if (name == "position_gate") return {"none", "match", "suppressors", "nodes"};
    if (name == "depth_scaling") return {"none", "half_linear", "logarithmic"};
    if (name == "read_out") return {"geometric", "student", "presence", "graded", "precedence"};
    if (name == "chains") return {"anchored", "unified"};
    return {};
}

TEST(Params, EveryNameCanBeSetAndRead) {
    test::expect_every_name_can_be_set<ModellerParams>(31, others);
}

TEST(Params, NoneMeansNoLimit) {
    ModellerParams params;
    set_parameter(params, "max_error", "8");
    EXPECT_EQ(params.max_error, 8);
    set_parameter(params, "max_error", "none");
    EXPECT_TRUE(std::isinf(params.max_error));
    EXPECT_TRUE(nlohmann::json::parse(to_json(params))["max_error"].is_null());
}

TEST(Params, InvalidValuesAreRejectedWithOneSentence) {
    EXPECT_THAT(refusal("colour", "red"), HasSubstr("no parameter colour: its parameters are max_error, "));
    EXPECT_THAT(refusal("", ""), HasSubstr("no parameter"));
    EXPECT_EQ(refusal("suppressors", "yes"), "suppressors=yes is invalid: suppressors must be true or false");
    EXPECT_EQ(refusal("chains", "loose"), "chains=loose is invalid: chains must be one of anchored, unified");
    EXPECT_EQ(refusal("seeds", "many"), "seeds=many is invalid: seeds must be a whole number in its range");
    for (const char* value : {"", " 1", "1 ", "1x", "0x10", "--1"}) {
        EXPECT_THAT(refusal("significance", value), HasSubstr("must be a number")) << value;
    }
    const std::vector<std::pair<std::string, std::string>> out_of_range = {{"max_error", "0"},
                                                                           {"max_error", "-1"},
                                                                           {"max_error", "nan"},
                                                                           {"search_budget", "0"},
                                                                           {"search_budget", "-1"},
                                                                           {"seeds", "0"},
                                                                           {"seeds", "1001"},
                                                                           {"seeds", "99999999999"},
                                                                           {"match_threshold", "0"},
                                                                           {"match_threshold", "1.01"},
                                                                           {"match_threshold", "nan"},
                                                                           {"spawn_reliability", "2"},
                                                                           {"refine_reliability", "-1"},
                                                                           {"significance", "0"},
                                                                           {"significance", "0.5"},
                                                                           {"reintegration_threshold", "0.5"},
                                                                           {"reintegration_threshold", "1"},
                                                                           {"removal_rate", "1.5"},
                                                                           {"reintegration_rate", "-0.1"},
                                                                           {"stale_removal", "nan"},
                                                                           {"stale_reintegration", "2"},
                                                                           {"position_weight", "-1"},
                                                                           {"position_weight", "inf"},
                                                                           {"orientation_weight", "nan"},
                                                                           {"concentration", "none"},
                                                                           {"spread_floor", "0"},
                                                                           {"smoothing", "0"},
                                                                           {"prior_weight", "0"},
                                                                           {"maturity", "-1"},
                                                                           {"maturity", "1.5"}};
    for (const auto& [name, value] : out_of_range) {
        const std::string message = refusal(name, value);
        EXPECT_THAT(message, Not(HasSubstr("\n")));
        EXPECT_THAT(message, Not(EndsWith("."))) << "as all messages of this library";
        EXPECT_THAT(message,
                    testing::AnyOf(HasSubstr(name.substr(name.find('_') + 1)), HasSubstr("reliabilit"),
                                   HasSubstr("rates"), HasSubstr("factors"), HasSubstr("weights")));
    }
}

TEST(Params, UnknownPresetsAreRejected) {
    try {
        (void)modeller_preset("Paper");
        ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_STREQ(error.what(),
                     "the modeller has no preset Paper: its presets are best, paper and paper-literal");
    }
}

TEST(Params, AModellerRejectsInvalidParameters) {
    ModellerParams params;
    params.significance = 0.7;
    EXPECT_THROW(Modeller{params}, Error);
    params = {};
    params.seeds = -3;
    EXPECT_THROW(Modeller{params}, Error);
    const Modeller modeller;
    EXPECT_THROW((void)modeller.reader(params), Error);
    EXPECT_EQ(modeller.parameters(), to_json(ModellerParams{}));
}

} // namespace
} // namespace sprig
