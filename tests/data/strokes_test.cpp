#include "sprig/strokes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/keyed.h"
#include "support.h"

namespace sprig {
namespace {

using namespace testing_support;

/// A rectangle of pixels that are at least half covered: left, top, width and height.
std::vector<int> ink_of(const Image& image) {
    int left = image.width;
    int top = image.height;
    int right = -1;
    int bottom = -1;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            if (image.at(x, y) < 127) continue;
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = std::max(bottom, y);
        }
    }
    return {left, top, right - left + 1, bottom - top + 1};
}

/// The number of half-covered pixels in a row.
int thickness(const Image& image, int row) {
    int count = 0;
    for (int x = 0; x < image.width; ++x) count += image.at(x, row) >= 127 ? 1 : 0;
    return count;
}

Strokes scaled(Strokes strokes, double factor, double move) {
    for (Stroke& stroke : strokes) {
        for (StrokePoint& point : stroke) point = {(point.x * factor) + move, (point.y * factor) + move};
    }
    return strokes;
}

const Strokes arrow_strokes = {{{0, 5}, {9, 5}}, {{6, 2}, {9, 5}, {6, 8}}};

TEST(Render, GivesAnImageLikeMnist) {
    const Image image = render(arrow_strokes);
    EXPECT_EQ(image.width, 28);
    EXPECT_EQ(image.height, 28);
    EXPECT_EQ(*std::max_element(image.pixels.begin(), image.pixels.end()), 255);
    EXPECT_EQ(ink_of(image)[2], 20) << "the longer side";
    const double pen = StrokeParams{}.pen * 20;
    EXPECT_NEAR(ink_of(image)[3], ((20 - pen) * 6 / 9) + pen, 1) << "the ratio of width to height is kept";
    std::int64_t mass = 0;
    std::int64_t moment = 0;
    for (int y = 0; y < 28; ++y) {
        for (int x = 0; x < 28; ++x) {
            mass += image.at(x, y);
            moment += std::int64_t{x} * image.at(x, y);
        }
    }
    EXPECT_NEAR(static_cast<double>(moment) / static_cast<double>(mass), 14, 0.51);
}

TEST(Render, SaysWhereThePointsAre) {
    for (const StrokeParams& params : {StrokeParams{}, StrokeParams{.box = 90, .side = 128}}) {
        for (const Strokes& strokes :
             {arrow_strokes, scaled(arrow_strokes, 1e-7, 3), Strokes{{{-5, 40}, {-5, 900}}}}) {
            const StrokePlacement placed = placement(strokes, params);
            const auto x_of = [&](const StrokePoint& p) { return placed.left + (placed.scale * p.x); };
            const auto y_of = [&](const StrokePoint& p) { return placed.top + (placed.scale * p.y); };
            const Image image = render(strokes, params);
            double left = params.side;
            double bottom = 0;
            for (const Stroke& stroke : strokes) {
                for (const StrokePoint& point : stroke) {
                    EXPECT_GT(image.at(static_cast<int>(x_of(point)), static_cast<int>(y_of(point))), 127);
                    left = std::min(left, x_of(point));
                    bottom = std::max(bottom, y_of(point));
                }
            }
            const double radius = params.pen * params.box / 2;
            EXPECT_NEAR(left - radius, ink_of(image)[0], 0.6);
            EXPECT_NEAR(bottom + radius, ink_of(image)[1] + ink_of(image)[3], 0.6);
        }
    }
    EXPECT_EQ(placement({{{7, 7}}}).scale, 0) << "a dot";
    EXPECT_THROW((void)placement({}), Error);
}

TEST(Render, DrawsALineAsWideAsThePen) {
    const Strokes line = {{{0, 0}, {0, 100}}};
    for (const int px : {1, 2, 3, 4, 6}) {
        const Image image = render(line, {.pen = px / 20.0});
        EXPECT_EQ(ink_of(image)[3], 20);
        EXPECT_EQ(thickness(image, 14), px);
    }
    // Two pixels that are covered by half show a line between them.
    const Image image = render(line, {.pen = 0.125});
    EXPECT_EQ(thickness(image, 14), 3);
    std::vector<int> row;
    for (int x = 0; x < 28; ++x) row.push_back(image.at(x, 14));
    std::erase(row, 0);
    EXPECT_THAT(row, testing::ElementsAre(191, 255, 191));
}

TEST(Render, HasRoundEnds) {
    const Image image = render({{{0, 0}, {0, 100}}}, {.pen = 0.5});
    const int top = ink_of(image)[1];
    EXPECT_EQ(thickness(image, 14), 10);
    EXPECT_EQ(thickness(image, top), 4);
    EXPECT_EQ(image.at(ink_of(image)[0], top), 0) << "a corner";
}

TEST(Render, DoesNotDependOnUnitOrderOrDirection) {
    const Image image = render(arrow_strokes);
    for (const double factor : {0.001, 1.0 / 3, 4.0, 1e6})
        EXPECT_EQ(render(scaled(arrow_strokes, factor, 0)), image) << factor;
    EXPECT_EQ(render(scaled(arrow_strokes, 0.25, 1000)), image);
    EXPECT_EQ(render({{{6, 8}, {9, 5}, {6, 2}}, {{9, 5}, {0, 5}}}), image);
    EXPECT_EQ(render({{{0, 5, 10.5}, {9, 5, 11}}, {{6, 2, 20}, {9, 5}, {6, 8}}}), image) << "with times";
}

TEST(Render, IgnoresRepeatedPointsAndEmptyStrokes) {
    const Image image = render(arrow_strokes);
    EXPECT_EQ(render({{}, {{0, 5}, {0, 5}, {9, 5}}, {}, {{6, 2}, {9, 5}, {9, 5}, {6, 8}}, {{9, 5}}}), image);
}

TEST(Render, DrawsADot) {
    const Image disc = render({{{3, 4}}});
    EXPECT_THAT(ink_of(disc), testing::ElementsAre(5, 5, 20, 20));
    EXPECT_EQ(disc.at(14, 14), 255);
    EXPECT_EQ(disc.at(5, 5), 0) << "a disc has no corners";
    EXPECT_EQ(render({{{7, 7}, {7, 7}}, {{7, 7}}}), disc);
    // In a drawing with other strokes, a dot is as wide as the pen.
    const Image mark = render({{{0, 0}, {0, 60}}, {{0, 100}}}, {.pen = 0.2});
    const int top = ink_of(mark)[1];
    EXPECT_EQ(thickness(mark, top + 14), 0);
    EXPECT_EQ(thickness(mark, top + 18), 4);
}

TEST(Render, DrawsTheSmallestAndTheLargestDrawings) {
    const double least = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(render(scaled({{{0, 0}, {1, 1}}}, least, 0)), render({{{0, 0}, {1, 1}}}));
    EXPECT_EQ(render(scaled({{{-1, -1}, {1, 1}}}, max_stroke_coordinate, 0)), render({{{0, 0}, {1, 1}}}));
    EXPECT_EQ(render({Stroke(max_stroke_points)}), render({{{0, 0}}}));
    const Image wide = render({{{0, 0}, {1e9, 1e-9}}}, {.pen = 0.01, .box = 28});
    EXPECT_EQ(ink_of(wide)[2], 28);
}

TEST(Render, GivesOtherSizes) {
    const Image image = render(arrow_strokes, {.pen = 0.1, .box = 60, .side = 64});
    EXPECT_EQ(image.width, 64);
    EXPECT_EQ(ink_of(image)[2], 60);
    EXPECT_EQ(render(arrow_strokes, {.pen = 1, .box = 1, .side = 1}).pixels.size(), 1U);
}

TEST(Render, RejectsWhatCannotBeDrawn) {
    const auto expect_bad = [](const Strokes& strokes, const std::vector<std::string>& words) {
        expect_error(ErrorKind::bad_input, words, [&] { (void)render(strokes); });
    };
    expect_bad({}, {"no points"});
    expect_bad({{}, {}}, {"no points"});
    const double inf = std::numeric_limits<double>::infinity();
    for (const double wrong : {inf, -inf, std::nan(""), 1.1e9, -1e300}) {
        expect_bad({{{0, 0}}, {{0, 0}, {1, wrong}}}, {"point 2 of stroke 2", "1e+09", "scale"});
        expect_bad({{{wrong, 0}}}, {"point 1 of stroke 1"});
    }
    expect_bad({Stroke(max_stroke_points), {{1, 1}}}, {"more than 16384 points", "leave out"});
    const auto expect_wrong = [](const StrokeParams& params, const std::string& word) {
        expect_error(ErrorKind::usage, {word}, [&] { (void)render(arrow_strokes, params); });
    };
    for (const double pen : {0.0, -1.0, 1.01, std::nan("")}) expect_wrong({.pen = pen}, "pen");
    expect_wrong({.box = 0}, "0 px");
    expect_wrong({.box = 29}, "29 px");
    expect_wrong({.side = 1025}, "1025 px");
}

/// The digest of scribbles is the same with every compiler and on every machine.
TEST(Render, IsTheSameEverywhere) {
    std::uint64_t digest = 0;
    for (std::uint64_t number = 0; number < 50; ++number) {
        Strokes strokes(1 + (number % 3));
        for (std::size_t s = 0; s < strokes.size(); ++s) {
            for (std::uint64_t p = 0; p < 2 + number; ++p) {
                const std::uint64_t key = random::mix({number, s, p});
                strokes[s].push_back(
                    {random::uniform(random::mix(key, 0)), 3 * random::uniform(random::mix(key, 1))});
            }
        }
        for (const std::uint8_t value : render(strokes, {.pen = 0.1}).pixels)
            digest = random::mix(digest, value);
    }
    EXPECT_EQ(digest, 2691246072456149674U);
}

TEST(ParseStrokes, ReadsLabelAndPoints) {
    const LabelledStrokes drawing = parse_strokes(
        R"({"label": "arrow", "strokes": [[[0, 5], [9, -5.5e1]], [[6, 2, 120], [9, 5, 0.25]]]})");
    EXPECT_EQ(drawing.label, "arrow");
    EXPECT_EQ(drawing.strokes, (Strokes{{{0, 5}, {9, -55}}, {{6, 2, 120}, {9, 5, 0.25}}}));
    EXPECT_EQ(parse_strokes(R"({"strokes":[[[1,2]]]})").label, "");
    EXPECT_EQ(parse_strokes(R"({"strokes":[[[1,2]]],"label":null})").label, "");
    EXPECT_EQ(parse_strokes("{\"strokes\":[[[1,2]]],\"label\":\"\\u00e9t\xc3\xa9\"}").label,
              "\xc3\xa9t\xc3\xa9");
    EXPECT_EQ(parse_strokes(R"({"strokes":[[],[[1,2]]]})").strokes.size(), 2U);
    EXPECT_TRUE(parse_strokes(R"({"strokes":[]})").strokes.empty()) << "what `render` rejects";
}

TEST(ParseStrokes, IgnoresOtherKeys) {
    const LabelledStrokes drawing = parse_strokes(
        R"({"id": 7, "by": null, "ok": true, "device": {"label": "pen", "strokes": [[1]], "a": {}},
            "label": "a", "tags": [[], {"b": ["c"]}], "size": [10, 20], "strokes": [[[1, 2]]], "name": "x"})");
    EXPECT_EQ(drawing.label, "a");
    EXPECT_EQ(drawing.strokes, (Strokes{{{1, 2}}}));
}

TEST(ParseStrokes, RejectsOtherText) {
    const auto expect_bad = [](const std::string& json, const std::vector<std::string>& words) {
        expect_error(ErrorKind::bad_input, words, [&] { (void)parse_strokes(json); });
    };
    const std::string form = R"(expected {"label": "arrow", "strokes": [[)";
    expect_bad("", {"not valid JSON at byte", form});
    expect_bad("{", {"not valid JSON at byte", form});
    expect_bad(R"({"strokes": [[[1, 2]]]} {})", {"not valid JSON at byte"});
    expect_bad(R"({"strokes": [[[1, NaN]]]})", {"not valid JSON at byte"});
    expect_bad(R"({"strokes": [[[1, 1e999]]]})", {"too large", form});
    expect_bad("{\"label\": \"\xff\", \"strokes\": []}", {"not valid JSON"});
    expect_bad("7", {"it is a number, not a drawing", form});
    expect_bad("[]", {"it is a list, not a drawing"});
    expect_bad("null", {"it is null, not a drawing"});
    expect_bad("{}", {"no \"strokes\"", form});
    expect_bad(R"({"label": "a"})", {"no \"strokes\""});
    expect_bad(R"({"label": 7, "strokes": []})", {"its label is a number, not a text in quotes"});
    expect_bad(R"({"label": ["a"], "strokes": []})", {"its label is a list"});
    expect_bad(R"({"label": {}, "strokes": []})", {"its label is an object"});
    expect_bad(R"({"label": "", "strokes": []})", {"its label is empty", "leave it out"});
    expect_bad(R"({"label": "a\nb", "strokes": []})", {"control character"});
    expect_bad(R"({"label": "a\u0000b", "strokes": []})", {"control character"});
    expect_bad(R"({"label": "a", "label": "b", "strokes": []})", {"\"label\" occurs twice"});
    expect_bad(R"({"strokes": [], "strokes": []})", {"\"strokes\" occurs twice"});
    expect_bad(R"({"strokes": null})", {"\"strokes\" is null, not a list of strokes"});
    expect_bad(R"({"strokes": {}})", {"\"strokes\" is an object"});
    expect_bad(R"({"strokes": [7]})", {"a stroke is a number, not a list of points"});
    expect_bad(R"({"strokes": [[7]]})", {"a point is a number, not a list of x and y"});
    expect_bad(R"({"strokes": [[{"x": 1, "y": 2}]]})", {"a point is an object"});
    expect_bad(R"({"strokes": [[["1", 2]]]})", {"a coordinate is a text, not a number"});
    expect_bad(R"({"strokes": [[[[1, 2], [3, 4]]]]})", {"a coordinate is a list"});
    expect_bad(R"({"strokes": [[[]]]})", {"a point has 0 numbers, but needs x and y"});
    expect_bad(R"({"strokes": [[[1]]]})", {"a point has 1 number, but"});
    expect_bad(R"({"strokes": [[[1, 2, 3, 4]]]})", {"a point has more than 3 numbers"});
    std::string many;
    for (std::size_t i = 0; i < max_stroke_points; ++i) many += "[0,0],";
    EXPECT_EQ(parse_strokes(R"({"strokes": [[)" + many.substr(6) + "[0,0]]]}").strokes[0].size(),
              max_stroke_points);
    expect_bad(R"({"strokes": [[)" + many + "[0,0]]]}", {"more than 16384 points", "leave out"});
}

} // namespace
} // namespace sprig
