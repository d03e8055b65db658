#include <cmath>

#include "support.h"

namespace sprig::service {
namespace {

using test::arrow;
using test::refusal;
using test::square;
using test::zigzag;
using testing::HasSubstr;

struct Place {
    double x = 0;
    double y = 0;
};

Place mapped(const Json& affine, Place at) {
    const auto m = affine.get<std::vector<double>>();
    return {(m[0] * at.x) + (m[2] * at.y) + m[4], (m[1] * at.x) + (m[3] * at.y) + m[5]};
}

std::string model_with(const char* preset) {
    Model model({.preset = preset});
    model.learn(arrow(), "arrow");
    model.learn(zigzag(), "zigzag");
    return model.to_bytes();
}

TEST(ExplanationReplies, AreTheExplanationWithTextAndView) {
    const Model model = Model::from_bytes(model_with("default"));
    const ImageExplanation expected = model.explain(square());
    const Json reply = explain(model, square());
    const Json values = Json::parse(expected.json());
    for (const auto& [key, value] : values.items()) EXPECT_EQ(reply[key], value) << key;
    EXPECT_EQ(reply["text"].get<std::vector<std::string>>(), sentences(expected.values()));
    EXPECT_FALSE(reply.contains("svg"));
    EXPECT_EQ(explain(model, square(), {.svg = true})["svg"], expected.svg());
    const Image image = model.prepare(square());
    EXPECT_EQ(reply["view"]["image"]["width"], image.width);
    EXPECT_EQ(reply["view"]["image"]["height"], image.height);
    EXPECT_EQ(from_base64(reply["view"]["image"]["pixels"].get<std::string>(), "it"), image.pixels);
}

TEST(ExplanationReplies, CompareWithTheRequestedClass) {
    Model model = Model::from_bytes(model_with("default"));
    model.learn(square(), "square");
    EXPECT_EQ(explain(model, square(), {.versus = "arrow"})["compared_with"], "arrow");
    EXPECT_EQ(explain(model, square(), {.versus = "zigzag"})["compared_with"], "zigzag");
    EXPECT_THAT(refusal(ErrorKind::usage, [&] { (void)explain(model, square(), {.versus = "circle"}); }),
                HasSubstr("circle"));
}

/// Every node of the network is a point of a contour, so that on the image it lies between ink and
/// background, to about a pixel.
void expect_nodes_at_edges(const Json& reply, const Image& image) {
    ASSERT_FALSE(reply["network"]["nodes"].empty());
    for (const Json& node : reply["network"]["nodes"]) {
        const Place at =
            mapped(reply["view"]["to_image"], {node["at"][0].get<double>(), node["at"][1].get<double>()});
        int least = 255;
        int most = 0;
        for (int y = static_cast<int>(at.y - 1.5); y <= static_cast<int>(at.y + 1.5); ++y) {
            for (int x = static_cast<int>(at.x - 1.5); x <= static_cast<int>(at.x + 1.5); ++x) {
                const bool inside = x >= 0 && y >= 0 && x < image.width && y < image.height;
                const int level = inside ? image.at(x, y) : 0;
                least = std::min(least, level);
                most = std::max(most, level);
            }
        }
        EXPECT_TRUE(least <= 127 && most > 127) << at.x << ", " << at.y;
    }
}

TEST(ExplanationReplies, PlaceTheNetworkOnTheImage) {
    for (const char* preset : {"default", "fast"}) {
        const Model model = Model::from_bytes(model_with(preset));
        const Dataset digits = load_dataset("mnist:train:0-49"); // many of them slanted
        for (std::size_t i = 0; i < digits.size(); ++i) {
            const Image image(digits.image(i));
            const Json reply = explain(model, image);
            expect_nodes_at_edges(reply, image);
            EXPECT_EQ(reply["view"]["to_drawing"], Json({1, 0, 0, 1, 0, 0}));
        }
    }
}

TEST(ExplanationReplies, PlaceTheNetworkOfAnyPose) {
    Model model({.free_pose = true});
    model.learn(arrow(), "arrow");
    const Image image = model.prepare(arrow());
    expect_nodes_at_edges(explain(model, image), image);
}

TEST(ExplanationReplies, PlaceTheImageOnTheStrokes) {
    const Model model = Model::from_bytes(model_with("default"));
    for (const Strokes& strokes : {arrow(), zigzag(), square()}) {
        const Json reply = explain(model, strokes);
        const Image image = model.prepare(strokes);
        const Json& map = reply["view"]["to_drawing"];
        // Each ink pixel is near a stroke, and each point of the strokes is on ink.
        double extent = 0;
        for (const Stroke& stroke : strokes)
            for (const StrokePoint& point : stroke) extent = std::max({extent, point.x, point.y});
        const auto m = map.get<std::vector<double>>();
        for (const Stroke& stroke : strokes) {
            for (const StrokePoint& point : stroke) {
                const int x = static_cast<int>((point.x - m[4]) / m[0]);
                const int y = static_cast<int>((point.y - m[5]) / m[3]);
                ASSERT_TRUE(x >= 0 && y >= 0 && x < image.width && y < image.height);
                EXPECT_GT(image.at(x, y), 127);
            }
        }
        const Place corner = mapped(map, {0, 0});
        const Place opposite = mapped(map, {double(image.width), double(image.height)});
        EXPECT_LT(corner.x, 0.0 + extent * 0.2);
        EXPECT_GT(opposite.x, extent * 0.8);
        EXPECT_LT(corner.y, opposite.y);
    }
}

TEST(ExplanationReplies, HaveNoPlaceOnWhatCannotBeInverted) {
    const Model model = Model::from_bytes(model_with("default"));
    EXPECT_TRUE(explain(model, Strokes{{{5, 5}}})["view"]["to_drawing"].is_null()) << "a dot";
    const Image large = render(zigzag(), {.box = 100, .side = 120});
    const Picture picture{large.width, large.height, 1, large.pixels};
    EXPECT_TRUE(explain(model, picture)["view"]["to_drawing"].is_null());
}

TEST(ExplanationReplies, OfAnEmptyModelHaveAView) {
    const Model model;
    const Json reply = explain(model, arrow(), {.svg = true});
    EXPECT_TRUE(reply["answer"].is_null());
    EXPECT_EQ(reply["view"]["to_image"].size(), 6U);
    EXPECT_FALSE(reply["text"].empty());
}

} // namespace
} // namespace sprig::service
