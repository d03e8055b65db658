#include "draw/svg.h"

#include <array>
#include <clocale>
#include <limits>
#include <locale>

#include <gtest/gtest.h>

#include "sprig/error.h"
#include "support.h"

namespace sprig::draw {
namespace {

TEST(Number, IsCompact) {
    EXPECT_EQ(number(0), "0");
    EXPECT_EQ(number(-0.0), "0");
    EXPECT_EQ(number(-0.001), "0");
    EXPECT_EQ(number(1.5), "1.5");
    EXPECT_EQ(number(2.999), "3");
    EXPECT_EQ(number(100), "100");
    EXPECT_EQ(number(-12.345), "-12.35");
    EXPECT_EQ(number(1e300).size(), 301U);
}

TEST(Number, IsIndependentOfTheLocale) {
    struct Comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
    };
    const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
    std::setlocale(LC_NUMERIC, "de_DE.UTF-8"); // where it is installed
    EXPECT_EQ(number(1.5), "1.5");
    const std::string svg = draw_construction(testing::square_figure());
    std::setlocale(LC_NUMERIC, "C");
    std::locale::global(before);
    EXPECT_EQ(svg, draw_construction(testing::square_figure()));
}

TEST(Number, RejectsNonFiniteValues) {
    EXPECT_THROW((void)number(std::numeric_limits<double>::quiet_NaN()), Error);
    EXPECT_THROW((void)number(std::numeric_limits<double>::infinity()), Error);
}

TEST(Escape, EscapesXml) {
    EXPECT_EQ(escape("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
    EXPECT_EQ(escape("line\nbreak"), "line break");
    EXPECT_EQ(escape("\xC3\xA9t\xC3\xA9 \xE2\x80\xA6 \xF0\x9F\x8C\xB1"),
              "\xC3\xA9t\xC3\xA9 \xE2\x80\xA6 \xF0\x9F\x8C\xB1");
}

TEST(Escape, ReplacesInvalidCharacters) {
    const std::string mark = "\xEF\xBF\xBD";
    EXPECT_EQ(escape(std::string_view("a\0b", 3)), "a" + mark + "b");
    EXPECT_EQ(escape("\x1B"), mark);
    EXPECT_EQ(escape("\xFF"), mark);
    EXPECT_EQ(escape("x\xC3"), "x" + mark);                // cut off
    EXPECT_EQ(escape("\xED\xA0\x80"), mark + mark + mark); // a surrogate
    EXPECT_EQ(escape("\xC0\xAF"), mark + mark);            // overlong
    EXPECT_EQ(escape("\xEF\xBF\xBF"), mark + mark + mark); // forbidden by XML
}

TEST(FitText, CutsBetweenCharacters) {
    EXPECT_EQ(fit_text("short", 10, 100), "short");
    const std::string cut = fit_text("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 10, 30);
    EXPECT_TRUE(cut.ends_with("\xE2\x80\xA6"));
    EXPECT_EQ(escape(cut), cut);
    EXPECT_LE(text_width(cut, 10), 30);
    EXPECT_EQ(fit_text("anything", 10, 0), "\xE2\x80\xA6");
}

TEST(Svg, IsWellFormedAndAccessible) {
    Svg svg;
    {
        const auto group = svg.group(Attributes().set("class", "a\"b"));
        svg.line({0, 0}, {1, 1}, Attributes().set("stroke", "#000"));
        svg.circle({1, 2}, 3, {}, "tip <1>");
        const std::array<Point, 3> corners = {Point{0, 0}, Point{1, 0}, Point{0, -0.001}};
        svg.path(PathData().polygon(corners), {});
        svg.text({5, 6}, "R&D", 10);
    }
    const std::string text = svg.finish(100, 50, "a < b", "all of it");
    EXPECT_EQ(testing::xml_fault(text), "");
    EXPECT_NE(text.find("role=\"img\""), std::string::npos);
    EXPECT_NE(text.find("<title>a &lt; b</title>"), std::string::npos);
    EXPECT_NE(text.find("<desc>all of it</desc>"), std::string::npos);
    EXPECT_NE(text.find("d=\"M0 0L1 0L0 0Z\""), std::string::npos);
    EXPECT_EQ(text.find(" id="), std::string::npos) << "ids of two figures in one page would clash";
}

TEST(XmlFault, FindsFaults) {
    EXPECT_NE(testing::xml_fault("<a><b></a></b>\n"), "");
    EXPECT_NE(testing::xml_fault("<a>"), "");
    EXPECT_NE(testing::xml_fault("<a>x & y</a>\n"), "");
    EXPECT_EQ(testing::xml_fault("<a><b c=\"d\"/>x &amp; y</a>\n"), "");
}

} // namespace
} // namespace sprig::draw
