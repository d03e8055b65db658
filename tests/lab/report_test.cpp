#include "lab/report/report.h"

#include <fstream>

#include <gmock/gmock.h>

#include "lab/report/study_files.h"
#include "sprig/constellation.h"
#include "sprig/error.h"
#include "support/temp_folder.h"

namespace sprig::lab {

namespace {

using testing::_;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A row; what looks like a number is one.
std::vector<Cell> cells(const std::vector<std::string>& texts) {
    std::vector<Cell> row;
    for (const std::string& text : texts) {
        char* end = nullptr;
        const double number = std::strtod(text.c_str(), &end);
        row.push_back(text.empty() || *end != '\0' ? cell(text) : Cell{text, number});
    }
    return row;
}

std::vector<std::string> texts(const std::vector<Cell>& row) {
    std::vector<std::string> result;
    for (const Cell& cell : row) result.push_back(cell.text);
    return result;
}

StoredStudy some_study() {
    StoredStudy study;
    study.name = "taste";
    study.question = "Is it < good & \"cheap\"?";
    study.version = "1.2.3";
    study.seeds = 10;
    study.tables = {{"t",
                     "How good",
                     {"who", "final", "sd", "paper", "agree"},
                     {cells({"a|b", "0.9", "0.1", "0.8", "✓"}), cells({"c", "0.1", "0.1", "0.8", "✗"})}}};
    study.figures = {{"f.svg", "What is seen.", "<svg><!-- 100% #1 --></svg>"},
                     {"g.svg", "What is not.", ""}};
    study.notes = {"A note."};
    return study;
}

TEST(Report, HasEverythingOnOnePage) {
    const std::string html = html_report({some_study()}, {"smell"});
    EXPECT_THAT(html, HasSubstr("Is it &lt; good &amp; &quot;cheap&quot;?"));
    EXPECT_THAT(html, HasSubstr("<td class=\"paper\">0.8</td><td class=\"yes\">✓</td>"));
    EXPECT_THAT(html, HasSubstr("<td class=\"no\">✗</td>"));
    EXPECT_THAT(html, HasSubstr("data:image/svg+xml,%3Csvg%3E%3C%21-- 100%25 %231 --%3E%3C/svg%3E"));
    EXPECT_THAT(html, HasSubstr("g.svg was not drawn"));
    EXPECT_THAT(html, HasSubstr("Not run yet: smell."));
    EXPECT_THAT(html, Not(HasSubstr("http"))) << "it needs nothing else";
}

TEST(Report, SaysWhyOursDiffers) {
    StoredStudy study = some_study();
    EXPECT_THAT(html_report({study}, {}), HasSubstr("c (final): The reason is not known."));
    study.reasons = {{"t", "a", "", "Not this."}, {"t", "", "final", "It rained."}};
    EXPECT_THAT(html_report({study}, {}), HasSubstr("c (final): It rained."));
    EXPECT_THAT(markdown_of(study, study.tables[0]), HasSubstr("\n✗ c (final): It rained.\n"));
}

TEST(Report, MarkdownHasTheSameTables) {
    const StoredStudy study = some_study();
    const std::string text = markdown_of(study, study.tables[0]);
    EXPECT_THAT(text, HasSubstr("| who | final | sd | paper | agree |\n|---|--:|--:|--:|--:|\n"));
    EXPECT_THAT(text, HasSubstr("| a\\|b | 0.9 | 0.1 | 0.8 | ✓ |\n"));
}

TEST(Report, ADocumentGetsItsTables) {
    const std::string document = "Before.\n<!-- results taste/t -->\nold\n<!-- end -->\nAfter.\n";
    const std::string text = with_results(document, {some_study()});
    EXPECT_THAT(text, StartsWith("Before.\n<!-- results taste/t -->\n\n*How good*\n"));
    EXPECT_THAT(text, EndsWith("\n<!-- end -->\nAfter.\n"));
    EXPECT_THAT(text, Not(HasSubstr("old")));
    EXPECT_EQ(with_results(text, {some_study()}), text) << "a second time changes nothing";
    EXPECT_EQ(with_results("nothing", {}), "nothing");
}

TEST(Report, ADocumentThatAsksForWhatIsNotThereIsRefused) {
    EXPECT_THROW((void)with_results("<!-- results taste/t -->\n", {some_study()}), Error);
    EXPECT_THROW((void)with_results("<!-- results taste/u --><!-- end -->", {some_study()}), Error);
    EXPECT_THROW((void)with_results("<!-- results smell/t --><!-- end -->", {some_study()}), Error);
    EXPECT_THROW((void)with_results("<!-- results taste --><!-- end -->", {some_study()}), Error);
}

TEST(Report, ClaimsAreComparedWithWhatWasMeasured) {
    StoredStudy headline;
    headline.name = "headline";
    headline.tables = {{"headline",
                        "Along",
                        {"measure", "Modeller, paper", "sd", "paper", "sd", "off", "agree", "Other", "sd"},
                        {cells({"final", "0.86", "0.04", "0.87", "0.02", "-0.01", "✓", "0.9", "0.1"}),
                         cells({"retention loss", "0.30", "0.04", "0.10", "", "0.20", "✗", "0.9", "0.1"})}}};
    const StudyTable table = claims_table({headline});
    const auto row = [&](std::string_view begins) {
        return texts(
            *std::ranges::find_if(table.rows, [&](const auto& r) { return r[0].text.starts_with(begins); }));
    };
    EXPECT_THAT(row("Ten classes"), ElementsAre(_, ".874 ± .018", "0.86 ± 0.04", "✓", "headline"));
    EXPECT_THAT(row("Little of the best"), ElementsAre(_, ".097", "0.30 ± 0.04", "✗", "headline"));
    EXPECT_THAT(row("Accuracy rises"), ElementsAre(_, _, "not measured", "", "headline"));
}

Study a_study() {
    return {.name = "taste",
            .question = "Is it good?",
            .run = [](const StudyContext&) { return StudyResult{}; },
            .test_images = TestImages::own_images,
            .compares_learners = true};
}

StudyResult a_result() {
    StudyResult result;
    result.tables = {{"t", "How good", {"who", "final"}, {{cell("a"), cell(.91234, 2)}}}};
    result.notes = {"A note."};
    result.charts = {{"line", {"Title", "x", "y", {{"line", {0, 1}, {1, 2}}}}, "What is seen."}};
    return result;
}

TEST(StoredStudies, AreReadAsTheyWereWritten) {
    const testing_support::TempFolder folder;
    StudyContext context;
    context.seeds = {0, 1, 2};
    write_study(folder.path(), a_study(), context, a_result(), 1);
    const std::optional<StoredStudy> study = load_study(folder.path());
    ASSERT_TRUE(study);
    EXPECT_EQ(study->name, "taste");
    EXPECT_EQ(study->seeds, 3U);
    ASSERT_EQ(study->tables.size(), 1U);
    ASSERT_EQ(study->tables[0].rows.size(), 1U);
    EXPECT_THAT(texts(study->tables[0].rows[0]), ElementsAre("a", "0.91")) << "as a person saw it";
    EXPECT_EQ(study->tables[0].rows[0][0].number, std::nullopt);
    EXPECT_EQ(study->tables[0].rows[0][1].number, .91234);
    ASSERT_EQ(study->figures.size(), 1U);
    EXPECT_EQ(study->figures[0].file, "line.svg");
    EXPECT_EQ(study->figures[0].svg.empty(), !has_gnuplot());
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "line.gp"));
}

TEST(StoredStudies, AreMissedOrRefusedByName) {
    const testing_support::TempFolder folder;
    EXPECT_EQ(load_study(folder.path()), std::nullopt);
    std::ofstream(folder.path() / "summary.json") << "{\"study\": \"taste\"";
    try {
        (void)load_study(folder.path());
        FAIL() << "a damaged file was read";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("summary.json"));
        EXPECT_THAT(error.what(), HasSubstr("run the study again"));
    }
}

} // namespace

} // namespace sprig::lab
