#include "support.h"

namespace sprig::service {
namespace {

using test::refusal;
using testing::HasSubstr;

Sample parsed(const std::string& text) {
    return parse_sample(parse_request(text));
}
std::string refused(const std::string& text) {
    return refusal(ErrorKind::bad_input, [&] { (void)parsed(text); });
}

TEST(Samples, CanBeStrokes) {
    const Sample sample = parsed(R"({"strokes": [[[0, 1.5], [2, 3, 40]], [[-1, 1e3]]]})");
    const Strokes expected = {{{0, 1.5}, {2, 3, 40.0}}, {{-1, 1000}}};
    EXPECT_EQ(std::get<Strokes>(sample), expected);
    EXPECT_EQ(std::get<Strokes>(parse_sample(test::request_of(test::arrow()))), test::arrow());
}

TEST(Samples, CanBePixels) {
    const Sample colour =
        parsed(R"({"pixels": {"width": 2, "height": 1, "channels": 3, "data": "AAECAwQF"}, "label": "x"})");
    EXPECT_EQ(std::get<Picture>(colour), (Picture{2, 1, 3, {0, 1, 2, 3, 4, 5}}));
    const Sample grey = parsed(R"({"pixels": {"width": 1, "height": 3, "data": "AAEC"}, "raw": false})");
    EXPECT_EQ(std::get<Picture>(grey), (Picture{1, 3, 1, {0, 1, 2}}));
    const Sample raw = parsed(R"({"pixels": {"width": 1, "height": 3, "data": "AAEC"}, "raw": true})");
    Image image(1, 3);
    image.pixels = {0, 1, 2};
    EXPECT_EQ(std::get<Image>(raw), image);
}

TEST(Samples, CanBeAPictureFile) {
    const std::string file = "P2 2 1 255 0 255\n";
    const std::string text = to_base64({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
    const Sample sample = parsed(R"({"picture": ")" + text + R"("})");
    EXPECT_EQ(std::get<Picture>(sample), (Picture{2, 1, 1, {0, 255}}));
}

TEST(Samples, OfPixelsAreRefusedUnlessTheyFit) {
    EXPECT_THAT(refused(R"({"pixels": 5})"), HasSubstr("\"pixels\" is number, not an object"));
    EXPECT_THAT(refused(R"({"pixels": {"height": 1, "data": ""}})"), HasSubstr("has no \"width\""));
    EXPECT_THAT(refused(R"({"pixels": {"width": 0, "height": 1, "data": ""}})"),
                HasSubstr("\"width\" of \"pixels\" must be a whole number from 1 to 16384"));
    EXPECT_THAT(refused(R"({"pixels": {"width": 1, "height": 16385, "data": ""}})"), HasSubstr("\"height\""));
    EXPECT_THAT(refused(R"({"pixels": {"width": 1.5, "height": 1, "data": ""}})"), HasSubstr("\"width\""));
    EXPECT_THAT(refused(R"({"pixels": {"width": -1, "height": 1, "data": ""}})"), HasSubstr("\"width\""));
    EXPECT_THAT(refused(R"({"pixels": {"width": "1", "height": 1, "data": ""}})"),
                HasSubstr("\"width\" of \"pixels\" is string, not a number"));
    EXPECT_THAT(refused(R"({"pixels": {"width": 16384, "height": 16384, "data": ""}})"),
                HasSubstr("16384 x 16384 px is too large: the limit is 64 million pixels"));
    EXPECT_THAT(refused(R"({"pixels": {"width": 1, "height": 1, "channels": 2, "data": "AAA="}})"),
                HasSubstr("\"channels\" of \"pixels\" is 2, but must be"));
    EXPECT_THAT(refused(R"({"pixels": {"width": 1, "height": 1}})"), HasSubstr("no \"data\""));
    EXPECT_THAT(refused(R"({"pixels": {"width": 1, "height": 1, "data": [0]}})"), HasSubstr("not a text"));
    EXPECT_THAT(refused(R"({"pixels": {"width": 1, "height": 1, "data": "*AA="}})"),
                HasSubstr("\"data\" of \"pixels\" is not base64"));
    EXPECT_THAT(refused(R"({"pixels": {"width": 2, "height": 2, "channels": 3, "data": "AAEC"}})"),
                HasSubstr("has 3 bytes, but 2 x 2 px with 3 channels are 12 bytes"));
    EXPECT_THAT(
        refused(R"({"raw": true, "pixels": {"width": 1, "height": 1, "channels": 3, "data": "AAEC"}})"),
        HasSubstr("\"raw\" needs one channel, and the image has 3"));
    EXPECT_THAT(refused(R"({"raw": 1, "pixels": {"width": 1, "height": 1, "data": "AA=="}})"),
                HasSubstr("\"raw\" is number, but must be true or false"));
}

TEST(Samples, OfOtherFormsAreRefused) {
    EXPECT_THAT(refused("{}"), HasSubstr("the request has no image; give \"strokes\", \"picture\""));
    EXPECT_THAT(refused(R"({"strokes": null})"), HasSubstr("no image"));
    EXPECT_THAT(refused(R"({"strokes": [], "picture": ""})"), HasSubstr("more than one image"));
    EXPECT_THAT(refused(R"({"strokes": [], "raw": true})"), HasSubstr("\"raw\" is for \"pixels\" only"));
    EXPECT_THAT(refused(R"({"strokes": [5]})"), HasSubstr("a stroke is a number, not a list of points"));
    EXPECT_THAT(refused(R"({"strokes": [[[1]]]})"), HasSubstr("a point has 1 number"));
    EXPECT_THAT(refused(R"({"strokes": {}})"), HasSubstr("\"strokes\" is an object"));
    EXPECT_THAT(refused(R"({"picture": 5})"), HasSubstr("\"picture\" is number, not a text"));
    EXPECT_THAT(refused(R"({"picture": "AAAA"})"), HasSubstr("'the picture' is not a supported picture"));
    EXPECT_THAT(refused(R"({"picture": ""})"), HasSubstr("'the picture' is empty"));
    EXPECT_THAT(refusal(ErrorKind::bad_input, [] { (void)parse_sample(Json(5)); }),
                HasSubstr("an image is number, not an object"));
    std::string many = R"({"strokes": [[[0, 0])";
    for (std::size_t i = 0; i < max_stroke_points; ++i) many += ",[1,1]";
    EXPECT_THAT(refused(many + "]]}"), HasSubstr("more than 16384 points"));
}

TEST(Requests, MustBeJsonObjects) {
    EXPECT_THAT(refused(""), HasSubstr("the request is not valid JSON"));
    EXPECT_THAT(refused("{\"strokes\": [[[1e999, 0]]]}"), HasSubstr("not valid JSON"));
    EXPECT_THAT(refused("[]"), HasSubstr("the request is array, not a JSON object"));
    EXPECT_THAT(refused(std::string(100000, '[')), HasSubstr("not valid JSON"));
    EXPECT_THAT(refused(R"({"a": )" + std::string(100000, '[') + std::string(100000, ']') + "}"),
                HasSubstr("no image"));
}

TEST(Requests, HaveTextsAndFlags) {
    const Json request = parse_request(R"({"a": "text", "b": null, "c": 5, "d": "", "e": true})");
    EXPECT_EQ(required_text(request, "a"), "text");
    EXPECT_EQ(optional_text(request, "b"), std::nullopt);
    EXPECT_EQ(optional_text(request, "x"), std::nullopt);
    EXPECT_FALSE(flag(request, "b"));
    EXPECT_FALSE(flag(request, "x"));
    EXPECT_TRUE(flag(request, "e"));
    const auto message = [&](const char* key) {
        return refusal(ErrorKind::bad_input, [&] { (void)required_text(request, key); });
    };
    EXPECT_EQ(message("b"), "the request has no \"b\"");
    EXPECT_EQ(message("c"), "\"c\" is number, not a text in quotes");
    EXPECT_EQ(message("d"), "\"d\" is empty");
}

} // namespace
} // namespace sprig::service
