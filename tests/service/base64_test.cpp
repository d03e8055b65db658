#include <random>

#include "support.h"

namespace sprig::service {
namespace {

using test::refusal;
using testing::HasSubstr;

std::string encoded(std::string_view bytes) {
    return to_base64({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

TEST(Base64, IsThatOfTheStandard) { // the examples of RFC 4648
    EXPECT_EQ(encoded(""), "");
    EXPECT_EQ(encoded("f"), "Zg==");
    EXPECT_EQ(encoded("fo"), "Zm8=");
    EXPECT_EQ(encoded("foo"), "Zm9v");
    EXPECT_EQ(encoded("foob"), "Zm9vYg==");
    EXPECT_EQ(encoded("fooba"), "Zm9vYmE=");
    EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
    EXPECT_EQ(encoded("\xfb\xff"), "+/8=");
}

TEST(Base64, KeepsAllBytes) {
    std::mt19937 random(1);
    for (std::size_t size = 0; size < 300; ++size) {
        std::vector<std::uint8_t> bytes(size);
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
        EXPECT_EQ(from_base64(to_base64(bytes), "it"), bytes);
    }
}

TEST(Base64, RefusesOtherText) {
    const auto refused = [](std::string_view text) {
        return refusal(ErrorKind::bad_input, [&] { (void)from_base64(text, "the data"); });
    };
    EXPECT_THAT(refused("Zg="), HasSubstr("the data is not base64: it has 3 characters"));
    EXPECT_THAT(refused("Zm9v Zg="), HasSubstr("character 5"));
    EXPECT_THAT(refused("Zg==Zg=="), HasSubstr("character 3"));
    EXPECT_THAT(refused("===="), HasSubstr("character 1"));
    EXPECT_THAT(refused("Z==="), HasSubstr("character 2"));
    EXPECT_THAT(refused("Zh=="), HasSubstr("belong to no byte"));
    EXPECT_THAT(refused("Zm9="), HasSubstr("belong to no byte"));
    EXPECT_THAT(refused("Zm9\xff"), HasSubstr("character 4"));
    EXPECT_THAT(refused("Zm-_"), HasSubstr("character 3"));
}

} // namespace
} // namespace sprig::service
