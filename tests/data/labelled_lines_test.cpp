#include <sstream>
#include <streambuf>

#include "sprig/data.h"
#include "support.h"

namespace sprig::testing_support {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> labels_and_paths(const std::string& text) {
    std::istringstream stream(text);
    LabelledLines lines(stream);
    std::vector<std::string> all;
    while (const auto line = lines.next()) all.push_back(line->label + "|" + line->path.string());
    return all;
}

void expect_refused(const std::string& text, const std::vector<std::string>& words) {
    expect_error(ErrorKind::bad_input, words, [&] { (void)labels_and_paths(text); });
}

TEST(LabelledLines, ContainALabelATabAndAPath) {
    EXPECT_THAT(labels_and_paths("7\ta.png\nankle boot\t/b/c d.png\n"),
                ElementsAre("7|a.png", "ankle boot|/b/c d.png"));
    EXPECT_THAT(labels_and_paths("7\twith\ttab.png\n"), ElementsAre("7|with\ttab.png"));
    EXPECT_THAT(labels_and_paths(""), ElementsAre());
}

TEST(LabelledLines, AcceptAnyLineEndAndSkipEmptyLines) {
    EXPECT_THAT(labels_and_paths("\n1\ta\r\n\r\n   \n2\tb\n\n3\tc"), ElementsAre("1|a", "2|b", "3|c"));
    EXPECT_THAT(labels_and_paths("\n\n"), ElementsAre());
    EXPECT_THAT(labels_and_paths("\xef\xbb\xbf"
                                 "1\ta\n"),
                ElementsAre("1|a"))
        << "with a byte order mark";
}

TEST(LabelledLines, KnowTheirLineNumber) {
    std::istringstream stream("1\ta\n\n2\tb\n");
    LabelledLines lines(stream, "list.tsv");
    EXPECT_EQ(lines.next()->where, "list.tsv, line 1");
    EXPECT_EQ(lines.next()->where, "list.tsv, line 3");
    EXPECT_EQ(lines.next(), std::nullopt);
    EXPECT_EQ(lines.next(), std::nullopt);
}

TEST(LabelledLines, AreRejectedWithTheirNumber) {
    expect_refused("1\ta\n\n7 b.png\n", {"standard input, line 3", "no tab"});
    expect_refused("\ta.png\n", {"line 1", "no label"});
    expect_refused("7\t\n", {"line 1", "no path"});
    expect_refused("7\t\r\n", {"line 1", "no path"});
    expect_refused("\t\n", {"line 1", "no label"});
    expect_refused(std::string("7\ta\0b\n", 6), {"line 1", "NUL"});
    expect_refused(std::string("\0\n", 2), {"line 1", "NUL"});
}

TEST(LabelledLines, AreRejectedIfTooLong) {
    const std::string longest = "7\t" + std::string(LabelledLines::max_line_length - 2, 'a');
    EXPECT_THAT(labels_and_paths(longest + "\n"), testing::SizeIs(1));
    expect_refused(longest + "a\n", {"line 1", "longer than 16384 bytes"});
    std::istringstream endless(std::string(100'000, 'a') + "\n1\ta\n");
    LabelledLines lines(endless);
    EXPECT_THROW((void)lines.next(), Error);
    EXPECT_EQ(lines.next(), std::nullopt) << "the rest of a line is not a line";
}

TEST(LabelledLines, CanBeReadAfterARejectedLine) {
    std::istringstream stream("nonsense\n1\ta\n");
    LabelledLines lines(stream);
    EXPECT_THROW((void)lines.next(), Error);
    EXPECT_EQ(lines.next()->where, "standard input, line 2");
}

/// A pipe that is written to while it is read. Reading beyond the data written so far would block for ever.
class Pipe : public std::streambuf {
  public:
    void write(const std::string& text) { written_ += text; }
    [[nodiscard]] std::size_t left() const { return written_.size() - at_; }

  protected:
    int_type underflow() override {
        if (at_ == written_.size()) throw std::logic_error("blocks for ever");
        return traits_type::to_int_type(written_[at_]);
    }
    int_type uflow() override {
        const int_type c = underflow();
        ++at_;
        return c;
    }

  private:
    std::string written_;
    std::size_t at_ = 0;
};

TEST(LabelledLines, AreReturnedAsSoonAsTheyArrive) {
    Pipe pipe;
    std::istream stream(&pipe);
    LabelledLines lines(stream);
    pipe.write("1\ta\n");
    EXPECT_EQ(lines.next()->label, "1");
    pipe.write("\n2\tb\n3\tc\n");
    EXPECT_EQ(lines.next()->label, "2");
    EXPECT_EQ(pipe.left(), 4U) << "nothing is read beyond the returned line";
    EXPECT_EQ(lines.next()->label, "3");
}

TEST(LabelledLines, ReportAReadError) {
    Pipe pipe; // its exception sets the badbit of the stream
    std::istream stream(&pipe);
    LabelledLines lines(stream);
    pipe.write("1\ta\n2");
    EXPECT_EQ(lines.next()->label, "1");
    expect_error(ErrorKind::failed, {"standard input", "after line 1"}, [&] { (void)lines.next(); });
}

TEST(LabelledLines, HavePicturesThatAreReadOrRejected) {
    const TempFolder folder;
    const std::string path = folder.path().string();
    write(folder.path() / "a.pgm", "P2 2 1 255 0 200\n");
    write(folder.path() / "bad.png", "not a picture\n");
    std::istringstream text("7\t" + path + "/a.pgm\nno tab\n\n8\t" + path + "/bad.png\n9\t" + path +
                            "/missing.png\n7\t" + path + "/a.pgm\n");
    LoadOptions inverted;
    inverted.prepare = [](const Picture& picture) { return to_grey(picture, true); };
    ImageStream stream(LabelledLines(text), inverted);
    EXPECT_FALSE(stream.size());
    const std::optional<StreamedImage> first = stream.next();
    EXPECT_EQ(first->name, "standard input, line 1");
    EXPECT_EQ(first->label, "7");
    EXPECT_EQ(first->image.at(1, 0), 55);
    const auto next = [&] { (void)stream.next(); };
    expect_error(ErrorKind::bad_input, {"standard input, line 2 has no tab"}, next);
    expect_error(ErrorKind::bad_input, {"standard input, line 4: ", "bad.png"}, next);
    expect_error(ErrorKind::bad_input, {"standard input, line 5: ", "missing.png"}, next);
    EXPECT_EQ(stream.next()->name, "standard input, line 6");
    EXPECT_FALSE(stream.next());
    expect_error(ErrorKind::usage, {"each image once"}, [&] { stream.reorder({}); });
}

} // namespace
} // namespace sprig::testing_support
