#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "draw/raster.h"
#include "sprig/error.h"
#include "support.h"

namespace sprig {
namespace {

using testing::count_of;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::square_figure;

/// The content of panel `rank`, counted from 0.
std::string panel(const std::string& svg, std::size_t rank) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= rank; ++i) begin = svg.find("<g class=\"panel\">", begin + 1);
    return svg.substr(begin, svg.find("<g class=\"panel\">", begin + 1) - begin);
}

TEST(Construction, ShowsTheFivePanels) {
    const std::string svg = draw_construction(square_figure());
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_EQ(count_of(svg, "<g class=\"panel\">"), 5U);
    EXPECT_THAT(svg, HasSubstr(">square, label 4<"));
    EXPECT_THAT(svg, HasSubstr("(a) Input"));
    EXPECT_THAT(svg, HasSubstr("(e) All levels in one network"));
    EXPECT_THAT(svg, HasSubstr("1 contour, 4 change points"));
    EXPECT_THAT(svg, HasSubstr("4 nodes, 5 of 7 edges, 2 levels"));
    EXPECT_FALSE(draw::render_png(svg, 1).empty());
}

TEST(Construction, DrawsEveryNodeAndEdgeOfTheWholeNetworkOnce) {
    const ConstructionFigure figure = square_figure();
    const std::string whole = panel(draw_construction(figure, {.all_layers = true}), 4);
    for (NodeId node = 0; node < figure.network.node_count(); ++node)
        EXPECT_EQ(count_of(whole, "class=\"node\" data-node=\"" + std::to_string(node) + "\""), 1U);
    for (EdgeId edge = 0; edge < figure.network.edge_count(); ++edge)
        EXPECT_EQ(count_of(whole, "class=\"edge\" data-edge=\"" + std::to_string(edge) + "\""), 1U);
    EXPECT_EQ(count_of(whole, "class=\"edge\""), figure.network.edge_count());
}

TEST(Construction, HidesTheSpatialLayersByDefault) {
    EXPECT_THAT(draw_construction(square_figure()), Not(HasSubstr("data-layer=\"spatial")));
    const std::string one = draw_construction(square_figure(), {.layer = Layer::spatial_v});
    EXPECT_EQ(count_of(panel(one, 4), "class=\"edge\""), 1U);
    EXPECT_THAT(one, Not(HasSubstr("data-layer=\"contour")));
}

TEST(Construction, ShowsTheEdgesOfEachLevel) {
    const std::string svg = draw_construction(square_figure());
    EXPECT_EQ(count_of(panel(svg, 1), "class=\"edge\""), 0U);
    EXPECT_EQ(count_of(panel(svg, 2), "class=\"edge\""), 4U);
    EXPECT_EQ(count_of(panel(svg, 3), "class=\"edge\""), 1U);
    // On level 1 only `bottom` has no edge: `top` has a spatial one, which is not drawn.
    EXPECT_EQ(count_of(panel(svg, 3), "class=\"node\""), 3U);
    EXPECT_EQ(count_of(panel(svg, 3), "class=\"removed\""), 1U);
}

TEST(Construction, HighlightsTheRequestedLevel) {
    const std::string svg = draw_construction(square_figure(), {.level = 1});
    EXPECT_EQ(count_of(svg, "<g class=\"panel\">"), 4U);
    EXPECT_EQ(count_of(panel(svg, 2), "class=\"edge\""), 1U);
    EXPECT_EQ(count_of(panel(svg, 3), "class=\"edge\""), 1U);
    EXPECT_EQ(count_of(panel(svg, 3), "class=\"edge faded\""), 4U);
}

TEST(Construction, RejectsAnUnknownLevel) {
    try {
        (void)draw_construction(square_figure(), {.level = 2});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_STREQ(error.what(), "square has no level 2: choose 0 to 1");
    }
}

TEST(Construction, RejectsAnInvalidPanelSize) {
    EXPECT_THROW((void)draw_construction(square_figure(), {.panel = 0}), Error);
    EXPECT_THROW((void)draw_construction(square_figure(), {.panel = NAN}), Error);
}

TEST(Construction, IsDeterministic) {
    EXPECT_EQ(draw_construction(square_figure()), draw_construction(square_figure()));
}

TEST(Construction, EscapesNamesLabelsAndNotes) {
    ConstructionFigure figure = square_figure();
    figure.name = "<a&b>.png";
    figure.label = "\"\xFF";
    figure.notes = {"it's </svg>"};
    const std::string svg = draw_construction(figure);
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_THAT(svg, HasSubstr("&lt;a&amp;b&gt;.png"));
    EXPECT_FALSE(draw::render_png(svg, 1).empty());
}

TEST(Construction, CutsANameThatIsTooLong) {
    ConstructionFigure figure = square_figure();
    figure.name = std::string(1000, 'n');
    const std::string svg = draw_construction(figure);
    std::string long_part(300, 'n');
    long_part += '<';
    EXPECT_EQ(count_of(svg, long_part), 0U);
    EXPECT_THAT(svg, HasSubstr("n\xE2\x80\xA6<"));
}

TEST(Construction, ShowsTheOriginalPictureFirst) {
    ConstructionFigure figure = square_figure();
    figure.original = Picture{3, 2, 4, std::vector<std::uint8_t>(24, 100)};
    const std::string svg = draw_construction(figure);
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_EQ(count_of(svg, "<g class=\"panel\">"), 6U);
    EXPECT_THAT(panel(svg, 0), HasSubstr("data:image/png;base64,"));
    EXPECT_THAT(panel(svg, 5), HasSubstr("(f) All levels in one network"));
}

TEST(Construction, DrawsWhatTheFrontEndMakes) {
    for (const int directions : {2, 3, 6})
        for (const int scale : {1, 4}) {
            FrontEndParams params;
            params.directions = directions;
            params.scale = scale;
            ConstructionFigure figure = square_figure();
            FrontEnd front_end(params);
            figure.network = front_end(figure.input.view());
            figure.binarized = front_end.binarized();
            figure.contours = front_end.contours();
            figure.params = params;
            const std::string svg = draw_construction(figure, {.all_layers = true});
            EXPECT_EQ(testing::xml_fault(svg), "");
            EXPECT_EQ(count_of(panel(svg, 4), "class=\"node\""), figure.network.node_count());
            EXPECT_EQ(count_of(panel(svg, 4), "class=\"edge\""), figure.network.edge_count());
            EXPECT_FALSE(draw::render_png(svg, 1).empty());
        }
}

TEST(Construction, OfABlankImageHasNoContour) {
    const Image blank(28, 28);
    FrontEnd front_end;
    const ConstructionFigure figure{"blank", "", {}, blank, blank, {}, front_end(blank.view()), {}, {}};
    const std::string svg = draw_construction(figure, {.level = 0});
    EXPECT_EQ(testing::xml_fault(svg), "");
    EXPECT_THAT(svg, HasSubstr("no contour"));
    EXPECT_THAT(svg, HasSubstr("0 nodes, 0 edges"));
    EXPECT_FALSE(draw::render_png(svg, 1).empty());
}

} // namespace
} // namespace sprig
