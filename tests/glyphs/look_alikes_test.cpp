#include "lab/glyphs/look_alikes.h"

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "support/shapes.h"

namespace sprig::glyphs {
namespace {

using testing::ElementsAre;

Shape shape(const std::vector<std::string>& art) {
    return Shape(test::from_art(art).view());
}

Shape ring() {
    return shape(
        {"........", ".######.", ".######.", ".##..##.", ".##..##.", ".######.", ".######.", "........"});
}

Shape ring_to_the_left() {
    return shape(
        {"........", "######..", "######..", "##..##..", "##..##..", "######..", "######..", "........"});
}

Shape ring_with_a_tail() {
    return shape({"........", ".######.", ".######.", ".##..##.", ".##..##.", ".######.", ".######.",
                  "......##", ".......##", "........##"});
}

Shape disc() {
    return shape(
        {"........", ".######.", ".######.", ".######.", ".######.", ".######.", ".######.", "........"});
}

TEST(LookAlikes, AShiftByAPixelDoesNotMatter) {
    EXPECT_EQ(ring().overlap(ring()), 1);
    EXPECT_EQ(ring().overlap(ring_to_the_left()), 1);
    EXPECT_EQ(ring_to_the_left().overlap(ring()), 1);
}

TEST(LookAlikes, ATailDistinguishesThem) {
    EXPECT_EQ(ring().overlap(ring_with_a_tail()), 0);
    EXPECT_EQ(ring_with_a_tail().overlap(ring()), 0);
}

TEST(LookAlikes, AHoleDistinguishesThem) {
    EXPECT_EQ(ring().overlap(disc()), 0);
}

TEST(LookAlikes, OverlapIsIntersectionOverUnion) {
    const Shape bar = shape({".....", ".###.", ".###.", ".###.", "....."});
    const Shape wider = shape({".....", ".####", ".####", ".####", "....."});
    EXPECT_DOUBLE_EQ(bar.overlap(wider), 9.0 / 12);
}

TEST(LookAlikes, OnePairOfFacesSufficesAndChainsAreJoined) {
    const std::vector<std::vector<Shape>> faces = {
        {ring(), disc(), ring_to_the_left(), ring_with_a_tail()},
        {ring_with_a_tail(), disc(), disc(), ring()},
    };
    EXPECT_THAT(group_look_alikes(faces), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(group_look_alikes(std::span(faces).first(1)), ElementsAre(0, 1, 0, 2));
    EXPECT_THAT(group_look_alikes(std::span(faces).last(1)), ElementsAre(0, 1, 1, 2));
    EXPECT_TRUE(group_look_alikes({}).empty());
}

TEST(LookAlikes, AnImageThatIsTooLargeIsRejected) {
    EXPECT_THROW(Shape(Image(29, 28, 255).view()), Error);
}

} // namespace
} // namespace sprig::glyphs
