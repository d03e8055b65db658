#include "vision/front_end_parameters.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "sprig/error.h"

namespace sprig {
namespace {

using testing::HasSubstr;

std::string typed(const nlohmann::ordered_json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Valid values of the same kind.
std::vector<std::string> others(const std::string& name, const nlohmann::ordered_json& value) {
    if (name == "min_part") return {"0.25", "1.0"};
    if (value.is_boolean()) return {"true", "false"};
    if (value.is_number_integer()) return {"3", "16"};
    if (value.is_number()) return {"0.25", "7.5"};
    return {"image", "centred", "ink"}; // `frame`
}

TEST(FrontEndParameters, EveryNameCanBeSetAndRead) {
    const auto defaults = nlohmann::ordered_json::parse(to_json(FrontEndParams{}));
    EXPECT_EQ(defaults.size(), 13U);
    for (const auto& [name, value] : defaults.items()) {
        for (const std::string& other : others(name, value)) {
            FrontEndParams params;
            ASSERT_TRUE(set_parameter(params, name, other)) << name;
            auto changed = nlohmann::ordered_json::parse(to_json(params));
            EXPECT_EQ(typed(changed[name]), other) << name;
            if (name == "resolution") params.frame = FrontEndParams::Frame::ink;
            EXPECT_NO_THROW(FrontEnd{params}) << name;
            changed[name] = value;
            EXPECT_EQ(changed, defaults) << "another parameter was changed by " << name;
        }
    }
}

TEST(FrontEndParameters, EveryNameSetsItsMember) {
    FrontEndParams params;
    for (const auto& [name, value] :
         std::vector<std::pair<const char*, const char*>>{{"threshold", "90"},
                                                          {"scale", "4"},
                                                          {"deskew", "true"},
                                                          {"frame", "ink"},
                                                          {"directions", "6"},
                                                          {"min_contour", "8"},
                                                          {"min_persistence", "0.5"},
                                                          {"single_scale", "true"},
                                                          {"sharpness_reach", "5"},
                                                          {"relations", "false"},
                                                          {"resolution", "84"},
                                                          {"slant_damping", "0.5"},
                                                          {"min_part", "0.04"}})
        EXPECT_TRUE(set_parameter(params, name, value)) << name;
    EXPECT_EQ(params, (FrontEndParams{.threshold = 90,
                                      .scale = 4,
                                      .resolution = 84,
                                      .deskew = true,
                                      .slant_damping = 0.5,
                                      .min_part = 0.04,
                                      .frame = FrontEndParams::Frame::ink,
                                      .directions = 6,
                                      .min_contour = 8,
                                      .min_persistence = 0.5,
                                      .finest_only = true,
                                      .relations = false,
                                      .sharpness_reach = 5}));
}

TEST(FrontEndParameters, UnknownNamesAreNotSet) {
    FrontEndParams params;
    for (const char* name : {"", "Threshold", "finest_only", "join_threshold", "thresh"})
        EXPECT_FALSE(set_parameter(params, name, "1")) << name;
    EXPECT_EQ(params, FrontEndParams{});
}

TEST(FrontEndParameters, InvalidValuesAreRejected) {
    const auto error_message = [](const char* name, const char* value) -> std::string {
        FrontEndParams params;
        try {
            (void)set_parameter(params, name, value);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage);
            EXPECT_EQ(params, FrontEndParams{}) << "an invalid value changes nothing";
            return error.what();
        }
        ADD_FAILURE() << name << "=" << value << " was accepted";
        return {};
    };
    EXPECT_EQ(error_message("frame", "picture"),
              "frame=picture is invalid: frame must be one of image, centred, ink, axis");
    EXPECT_EQ(error_message("deskew", "1"), "deskew=1 is invalid: deskew must be true or false");
    EXPECT_THAT(error_message("directions", "2.5"), HasSubstr("directions must be a whole number"));
    EXPECT_THAT(error_message("directions", "99999999999"), HasSubstr("directions must be a whole number"));
    EXPECT_THAT(error_message("scale", ""), HasSubstr("scale must be a whole number"));
    EXPECT_THAT(error_message("min_persistence", "little"), HasSubstr("min_persistence must be a number"));
}

/// The range is checked when the front end or its schema is made.
TEST(FrontEndParameters, TheFrontEndRejectsValuesOutOfRange) {
    for (const auto& [name, value] :
         std::vector<std::pair<const char*, const char*>>{{"directions", "0"},
                                                          {"directions", "2000000000"},
                                                          {"scale", "17"},
                                                          {"resolution", "-1"},
                                                          {"resolution", "1001"},
                                                          {"resolution", "84"}, // the frame is the image's
                                                          {"slant_damping", "-0.5"},
                                                          {"slant_damping", "nan"},
                                                          {"min_part", "1.5"},
                                                          {"min_part", "nan"},
                                                          {"min_persistence", "nan"}}) {
        FrontEndParams params;
        ASSERT_TRUE(set_parameter(params, name, value));
        EXPECT_THROW(FrontEnd{params}, Error) << name;
        EXPECT_THROW((void)front_end_schema(params), Error) << name;
    }
}

/// A model file stores the parameters that there were when it was written.
TEST(FrontEndParameters, OneThatIsNotNamedHasItsDefault) {
    const FrontEndParams accurate = {.threshold = 115,
                                     .scale = 4,
                                     .deskew = true,
                                     .frame = FrontEndParams::Frame::ink,
                                     .directions = 8,
                                     .min_contour = 8,
                                     .min_persistence = 0.5,
                                     .relations = false};
    EXPECT_EQ(read_front_end(R"({"threshold": 115, "scale": 4, "deskew": true, "frame": "ink",
        "directions": 8, "min_contour": 8, "min_persistence": 0.5, "single_scale": false,
        "sharpness_reach": 3, "relations": false})"),
              accurate);
    EXPECT_EQ(read_front_end(to_json(accurate)), accurate);
    EXPECT_EQ(read_front_end("{}"), FrontEndParams{});
}

TEST(FrontEndParameters, NamesAreSeparatedByCommas) {
    const auto all = nlohmann::ordered_json::parse(to_json(FrontEndParams{}));
    std::string expected;
    for (const auto& [name, value] : all.items()) expected += (expected.empty() ? "" : ", ") + name;
    EXPECT_EQ(front_end_parameter_names(), expected);
    EXPECT_THAT(expected, HasSubstr("frame, directions"));
}

} // namespace
} // namespace sprig
