#include "data/address.h"

#include <set>

#include "support.h"

namespace sprig {
namespace {

using namespace testing_support;
using data_detail::Address;
using data_detail::Selection;

[[nodiscard]] Address parse(std::string_view text, const std::set<std::string>& existing = {}) {
    return data_detail::parse_address(text, [&](const fs::path& p) { return existing.contains(p.string()); });
}

void expect_usage(std::string_view text, const std::vector<std::string>& words) {
    expect_error(ErrorKind::usage, words, [&] { static_cast<void>(parse(text)); });
}

TEST(Address, NamesAPartOfAKnownSet) {
    const Address address = parse("fashion-mnist:t10k");
    EXPECT_EQ(address.kind, Address::Kind::known_set);
    EXPECT_EQ(address.set, "fashion-mnist");
    EXPECT_EQ(address.part, "t10k");
    EXPECT_EQ(address.base, "fashion-mnist:t10k");
    EXPECT_FALSE(address.selection);
}

TEST(Address, SelectsOneImageOrSeveral) {
    EXPECT_EQ(parse("mnist:train:17").selection, (Selection{17, 17}));
    EXPECT_EQ(parse("mnist:all:0-9").selection, (Selection{0, 9}));
    EXPECT_EQ(parse("mnist:all:5-5").selection, (Selection{5, 5}));
    EXPECT_EQ(parse("dir:shapes:3").path, "shapes");
    EXPECT_EQ(parse("dir:shapes:3").base, "dir:shapes");
    EXPECT_EQ(parse("idx:a,b:3-4").labels, "b");
    EXPECT_EQ(parse("idx:a,b:3-4").selection, (Selection{3, 4}));
    EXPECT_EQ(parse("idx:a,b:3-4").base, "idx:a,b");
}

TEST(Address, AllowsColonsInPaths) {
    EXPECT_EQ(parse("dir:c:/x:y").path, "c:/x:y");
    EXPECT_EQ(parse("dir:c:/x:y:7").path, "c:/x:y");
    EXPECT_EQ(parse("dir:a:7", {"a:7"}).path, "a:7");
    EXPECT_FALSE(parse("dir:a:7", {"a:7"}).selection);
    EXPECT_EQ(parse("dir:a:7:8", {"a:7"}).path, "a:7");
    EXPECT_EQ(parse("idx:a,b:7", {"a", "b:7"}).labels, "b:7");
    EXPECT_EQ(parse("idx:a,b:7", {"a", "b"}).labels, "b");
    EXPECT_EQ(parse("idx:a:1,b:c").path, "a:1");
}

TEST(Address, AllowsCommasInPaths) {
    const Address address = parse("idx:a,1,b,2", {"a,1", "b,2"});
    EXPECT_EQ(address.path, "a,1");
    EXPECT_EQ(address.labels, "b,2");
    EXPECT_EQ(parse("idx:a,1,b,2:5", {"a,1", "b,2"}).labels, "b,2");
}

TEST(Address, IsAFileOfDrawings) {
    const Address address = parse("strokes:a/b.jsonl");
    EXPECT_EQ(address.kind, Address::Kind::strokes);
    EXPECT_EQ(address.path, "a/b.jsonl");
    EXPECT_EQ(address.base, "strokes:a/b.jsonl");
    EXPECT_FALSE(address.selection);
    EXPECT_EQ(parse("strokes:b.jsonl:3").selection, (Selection{3, 3}));
    EXPECT_EQ(parse("strokes:b.jsonl:3-5").path, "b.jsonl");
    EXPECT_EQ(parse("strokes:odd:3", {"odd:3"}).path, "odd:3");
}

TEST(Address, IsThePathOfOneImage) {
    EXPECT_EQ(parse("photo.png").kind, Address::Kind::picture);
    EXPECT_EQ(parse("some/where").path, "some/where");
    EXPECT_EQ(parse("plain", {"plain"}).path, "plain");
    EXPECT_EQ(parse("odd:name", {"odd:name"}).path, "odd:name");
}

TEST(Address, RejectsInvalidSelections) {
    expect_usage("mnist:train:x", {"'x' is not a valid selection", ":M-N"});
    expect_usage("mnist:train:", {"'' is not a valid selection"});
    expect_usage("mnist:train:-5", {"'-5' is not a valid selection"});
    expect_usage("mnist:train:5-", {"'5-' is not a valid selection"});
    expect_usage("mnist:train:1-2-3", {"'1-2-3' is not a valid selection"});
    expect_usage("mnist:train:1:2", {"'1:2' is not a valid selection"});
    expect_usage("mnist:train:9-3", {"9 comes after 3", "did you mean :3-9?"});
    expect_usage("dir:x:9-3", {"9 comes after 3"});
    expect_usage("mnist:train:99999999999999999999", {"is too large"});
    expect_usage("dir:x:0-99999999999999999999", {"is too large"});
}

TEST(Address, ReportsTheNumberOfImages) {
    const Address address = parse("mnist:train:60000");
    expect_error(ErrorKind::usage, {"mnist:train has 60000 images, 0 to 59999", "no image 60000"},
                 [&] { static_cast<void>(selected(address, 60000)); });
    EXPECT_EQ(selected(parse("mnist:train:59999"), 60000), (Selection{59999, 59999}));
    EXPECT_EQ(selected(parse("mnist:train"), 60000), (Selection{0, 59999}));
    expect_error(ErrorKind::usage, {"no image 60001"},
                 [&] { static_cast<void>(selected(parse("mnist:train:0-60001"), 60000)); });
}

TEST(Address, ListsTheParts) {
    expect_usage("mnist", {"several parts", "mnist:train, mnist:t10k or mnist:all"});
    expect_usage("mnist:", {"no part ''", "mnist:train, mnist:t10k or mnist:all"});
    expect_usage("mnist:test", {"no part 'test'", "mnist:t10k"});
    expect_usage("fashion-mnist:5", {"no part '5'", "fashion-mnist:train"});
}

TEST(Address, ListsDataSetsAndSuggestsOne) {
    expect_usage("cifar", {"'cifar' is neither a file nor a data set", "mnist, fashion-mnist", "dir:PATH"});
    expect_usage("mnsit:train", {"did you mean mnist:train?"});
    expect_usage("fashion_mnist:all:3", {"did you mean fashion-mnist:all:3?"});
    expect_usage("dri:shapes", {"did you mean dir:shapes?"});
    expect_usage("stroke:x.jsonl", {"strokes:FILE.jsonl", "did you mean strokes:x.jsonl?"});
    try {
        static_cast<void>(parse("cifar"));
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), ::testing::Not(::testing::HasSubstr("did you mean")));
    }
}

TEST(Address, RejectsIncompleteAddresses) {
    expect_usage("", {"the address is empty"});
    expect_usage("dir:", {"dir:PATH"});
    expect_usage("dir::5", {"dir:PATH"});
    expect_usage("strokes:", {"strokes:FILE.jsonl"});
    expect_usage("strokes::5", {"strokes:FILE.jsonl"});
    expect_usage("idx:", {"idx:IMAGES,LABELS"});
    expect_usage("idx:a", {"idx:IMAGES,LABELS"});
    expect_usage("idx:a,", {"idx:IMAGES,LABELS"});
    expect_usage("idx:,b", {"idx:IMAGES,LABELS"});
    expect_usage(std::string_view("a.png\0b", 7), {"NUL byte"});
}

} // namespace
} // namespace sprig
