#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "lab/protocol/experiment.h"
#include "lab/report/report.h"
#include "lab/report/study_files.h"
#include "lab/studies/paper_stream.h"
#include "lab/studies/studies.h"
#include "sprig/learners.h"

namespace sprig::lab {
namespace {

using testing::HasSubstr;

/// The documents are generated from the results in the repository; these tests check that they agree.
const std::filesystem::path root = SPRIG_SOURCE_ROOT;

std::string text_in(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::vector<StoredStudy> committed() {
    std::vector<StoredStudy> studies;
    for (const auto& entry : std::filesystem::directory_iterator(root / "results"))
        if (std::optional<StoredStudy> study = load_study(entry.path())) studies.push_back(std::move(*study));
    return studies;
}

TEST(CommittedResults, AreThoseOfTenSeeds) {
    const std::vector<StoredStudy> studies = committed();
    EXPECT_GE(studies.size(), 10U);
    for (const StoredStudy& study : studies) EXPECT_EQ(study.seeds, 10U) << study.name;
}

TEST(CommittedResults, EveryDifferenceHasItsReason) {
    for (const StoredStudy& study : committed())
        for (const StudyTable& table : study.tables)
            for (const Disagreement& cross : disagreements_in(table))
                EXPECT_NE(reason_for(study, table, cross), nullptr)
                    << study.name << "/" << table.name << ": " << cross.row << ", " << cross.column;
}

TEST(CommittedResults, EveryClaimWasMeasured) {
    for (const std::vector<Cell>& row : claims_table(committed()).rows)
        EXPECT_NE(row[2].text, "not measured") << row[0].text;
}

TEST(CommittedResults, AreWhatTheDocumentSays) {
    const std::string document = text_in(root / "docs" / "results.md");
    ASSERT_THAT(document, HasSubstr("<!-- results "));
    EXPECT_TRUE(with_results(document, committed()) == document)
        << "docs/results.md is not what results/ says: sprig-lab report --into docs/results.md";
}

/// The lines of a CSV file that begin with an experiment and a seed.
std::vector<std::string> lines_of(const std::string& csv, const std::string& begin) {
    std::vector<std::string> lines;
    std::istringstream in(csv);
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(begin)) lines.push_back(line);
    return lines;
}

TEST(CommittedResults, OneSeedComputedAgainIsTheSame) {
    StudyContext context;
    context.make = make_learner;
    context.seeds = {0};
    const ExperimentData data = load_papers_data(context);
    std::vector<Experiment> experiments;
    for (const NamedLearner& learner : all_learners())
        experiments.push_back(experiment(learner.name(), learner.setting, data, {}, context));
    const std::string again = csv_of(seed_table(run_experiments(context, experiments)));
    const std::string committed_seeds = text_in(root / "results" / "headline" / "seeds.csv");
    for (const NamedLearner& learner : all_learners()) {
        const std::string begin = learner.name() + ",0,";
        ASSERT_EQ(lines_of(committed_seeds, begin).size(), 1U) << begin;
        EXPECT_EQ(lines_of(again, begin), lines_of(committed_seeds, begin));
    }
}

} // namespace
} // namespace sprig::lab
