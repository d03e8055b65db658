#include <sstream>

#include "data/stroke_file.h"
#include "support.h"

namespace sprig {
namespace {

using namespace testing_support;
using ::testing::ElementsAre;

const std::string bar_line = R"({"label": "bar", "strokes": [[[0, 0], [0, 9]]]})";
const std::string dash_line = R"({"strokes": [[[0, 0], [9, 0]]], "label": "dash"})";
const std::string unlabelled = R"({"strokes": [[[0, 0], [9, 9]]]})";

class StrokesFile : public ::testing::Test {
  protected:
    /// The names and labels of all drawings; the message for a drawing that cannot be read.
    [[nodiscard]] static std::vector<std::string> all_of(ImageStream& stream) {
        std::vector<std::string> all;
        while (true) {
            try {
                const std::optional<StreamedImage> image = stream.next();
                if (!image) return all;
                all.push_back(image->name + "=" + image->label);
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::bad_input);
                all.emplace_back(error.what());
            }
        }
    }
    void expect_fails(ErrorKind kind, const std::string& of, const std::vector<std::string>& words) const {
        expect_error(kind, words, [&] { ImageStream stream(of); });
        expect_error(kind, words, [&] { (void)load_dataset(of); });
    }

    TempFolder folder;
    std::string path = (folder / "a.jsonl").string();
    std::string address = "strokes:" + path;
};

TEST_F(StrokesFile, IsADataSet) {
    write(path, dash_line + "\n" + bar_line + "\n" + unlabelled + "\n" + dash_line + "\n");
    const Dataset dataset = load_dataset(address);
    ASSERT_EQ(dataset.size(), 4U);
    EXPECT_THAT(dataset.classes(), ElementsAre("dash", "bar")) << "in the order in which they appear";
    EXPECT_EQ(dataset.label(1), 1);
    EXPECT_EQ(dataset.label(2), -1);
    EXPECT_EQ(dataset.label_name(3), "dash");
    EXPECT_EQ(dataset.name(3), address + ":3");
    EXPECT_EQ(Image(dataset.image(1)), render({{{0, 0}, {0, 9}}}));
    EXPECT_EQ(load_dataset(dataset.name(1)).label_name(0), "bar") << "a name is an address";
    EXPECT_THAT(load_dataset(address + ":1-2").classes(), ElementsAre("bar"));
    expect_fails(ErrorKind::usage, address + ":4", {"has 4 images, 0 to 3"});
}

TEST_F(StrokesFile, IsStreamed) {
    write(path, bar_line + "\n" + dash_line + "\n" + unlabelled);
    ImageStream stream(address);
    EXPECT_EQ(stream.size(), 3U);
    EXPECT_THAT(all_of(stream), ElementsAre(address + ":0=bar", address + ":1=dash", address + ":2="));
    ImageStream part(address + ":1-2");
    part.reorder({1, 0});
    EXPECT_THAT(all_of(part), ElementsAre(address + ":2=", address + ":1=dash"));
}

TEST_F(StrokesFile, MayHaveBlankLinesAndOtherLineEnds) {
    write(path, "\xef\xbb\xbf" + bar_line + "\r\n\r\n \t\n" + dash_line + "\r\n\n");
    ImageStream stream(address);
    EXPECT_THAT(all_of(stream), ElementsAre(address + ":0=bar", address + ":1=dash"));
}

TEST_F(StrokesFile, ReportsTheLineOfABadDrawing) {
    const std::string endless = R"({"label": ")" + std::string(StrokeLines::max_line_length, 'x');
    write(path, "\n" + bar_line + "\nnonsense\n" + R"({"strokes": []})" + "\n" + endless + "\n" + dash_line);
    ImageStream stream(address);
    EXPECT_EQ(stream.size(), 5U);
    const std::vector<std::string> all = all_of(stream);
    ASSERT_EQ(all.size(), 5U);
    EXPECT_EQ(all[0], address + ":0=bar");
    EXPECT_THAT(all[1], testing::StartsWith("'" + path + "', line 3: it is not valid JSON at byte"));
    EXPECT_EQ(all[2], "'" + path + "', line 4: the drawing has no points; give it at least one");
    EXPECT_THAT(all[3], testing::StartsWith("'" + path + "', line 5 is longer than 1048576 bytes"));
    EXPECT_EQ(all[4], address + ":4=dash");
    expect_error(ErrorKind::bad_input, {"line 3"}, [&] { (void)load_dataset(address); });
}

TEST_F(StrokesFile, HasLinesAcrossTheChunksInWhichItIsRead) {
    const std::string padding(300'001, ' ');
    std::string text;
    for (int i = 0; i < 12; ++i) text += padding + bar_line + "\n";
    write(path, text);
    ImageStream stream(address);
    EXPECT_EQ(stream.size(), 12U);
    EXPECT_EQ(all_of(stream).back(), address + ":11=bar");
}

TEST_F(StrokesFile, MustExistAndHaveDrawings) {
    expect_fails(ErrorKind::bad_input, "strokes:" + (folder / "none").string(), {"there is no such file"});
    expect_fails(ErrorKind::bad_input, "strokes:" + folder.path().string(), {"it is a folder"});
    write(path, "\n \n");
    expect_fails(ErrorKind::bad_input, address, {path, "contains no drawings"});
    write(path, "");
    expect_fails(ErrorKind::bad_input, address, {"contains no drawings"});
    write(path, bar_line);
    expect_fails(ErrorKind::usage, path, {"is not a picture", "write strokes:" + path});
}

TEST_F(StrokesFile, ThatChangesIsReported) {
    write(path, bar_line + "\n" + dash_line + "\n");
    ImageStream stream(address);
    write(path, bar_line + "\n");
    const std::vector<std::string> all = all_of(stream);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0], address + ":0=bar");
    EXPECT_THAT(all[1], testing::HasSubstr("cannot read"));
}

TEST(StrokeLines, AreAStream) {
    std::istringstream text("\xef\xbb\xbf" + bar_line + "\r\n\n" + unlabelled + "\nnonsense\n" + dash_line);
    ImageStream stream{StrokeLines(text)};
    EXPECT_EQ(stream.size(), std::nullopt);
    expect_error(ErrorKind::usage, {"order"}, [&] { stream.reorder({}); });
    EXPECT_EQ(stream.next()->label, "bar");
    const std::optional<StreamedImage> second = stream.next();
    EXPECT_EQ(second->name, "standard input, line 3");
    EXPECT_EQ(second->label, "");
    EXPECT_EQ(second->image, render({{{0, 0}, {9, 9}}}));
    expect_error(ErrorKind::bad_input, {"standard input, line 4: it is not valid JSON"},
                 [&] { (void)stream.next(); });
    EXPECT_EQ(stream.next()->label, "dash");
    EXPECT_FALSE(stream.next());
    EXPECT_FALSE(stream.next());
}

TEST(StrokeLines, AreRejectedIfTooLong) {
    std::string longest = bar_line;
    longest.insert(0, StrokeLines::max_line_length - longest.size(), ' ');
    std::istringstream text(longest + "\n " + longest + "\n" + bar_line + "\n");
    StrokeLines lines(text, "list.jsonl");
    EXPECT_EQ(lines.next()->json, longest);
    expect_error(ErrorKind::bad_input, {"list.jsonl, line 2 is longer than 1048576 bytes"},
                 [&] { (void)lines.next(); });
    EXPECT_FALSE(lines.next()) << "the rest of a line is not a line";
}

} // namespace
} // namespace sprig
