#include "lab/report/comparison.h"

#include <gmock/gmock.h>

namespace sprig::lab {

namespace {

using testing::ElementsAre;

/// A run of two classes with this number of ten images correct in each class at the last evaluation.
SeedRun run_with(std::uint64_t seed, std::size_t right, std::size_t units) {
    SeedRun run{seed, {}, {}, AccuracyMatrix(1, 2)};
    for (std::size_t block = 0; block < 2; ++block) {
        Checkpoint checkpoint{0, block, {{right, right}, {10, 10}, {}}, {}, {}};
        checkpoint.units.all.positive = units;
        run.accuracy.set(0, block, checkpoint.drawn.by_class());
        run.checkpoints.push_back(checkpoint);
    }
    run.steps = 1;
    return run;
}

ResultsByName some_results() {
    ResultsByName results;
    std::vector<SeedRun> good;
    good.push_back(run_with(0, 8, 4));
    good.push_back(run_with(1, 9, 6));
    results.emplace("good", Results(std::move(good)));
    std::vector<SeedRun> bad;
    bad.push_back(run_with(0, 1, 9));
    bad.push_back(run_with(1, 3, 9));
    results.emplace("bad", Results(std::move(bad)));
    return results;
}

std::vector<std::string> texts(const std::vector<Cell>& row) {
    std::vector<std::string> result;
    for (const Cell& cell : row) result.push_back(cell.text);
    return result;
}

TEST(Comparison, AVerdictTakesThePapersSpreadOrElseOurs) {
    const std::vector<double> ours = {.80, .90}; // mean .85, deviation .0707
    EXPECT_EQ(agreement(ours, {.87, .03}).text, "✓");
    EXPECT_EQ(agreement(ours, {.87, .01}).text, "✗");
    EXPECT_EQ(agreement(ours, {.91}).text, "✓");
    EXPECT_EQ(agreement(ours, {.93}).text, "✗");
    EXPECT_EQ(agreement(ours, {.86, .01}).text, "✓") << "just at the edge";
    EXPECT_EQ(agreement(ours, {}).text, "") << "nothing was printed";
    EXPECT_EQ(agreement(std::vector<double>{.85}, {.85}).text, "") << "one seed has no spread";
    EXPECT_EQ(agreement(std::vector<double>{.852, .853}, {.85}).text, "✓") << "rounded away";
    EXPECT_EQ(agreement(std::vector<double>{.856, .857}, {.85}).text, "✗") << "more than that";
    EXPECT_EQ(agreement({}, {.85, .01}).text, "") << "nothing was measured";
}

TEST(Comparison, MeasuresAreByNameByCycleByClassAndByCount) {
    const SeedRun run = run_with(0, 8, 4);
    EXPECT_EQ(metric("final", "accuracy_final").of(run), .8);
    EXPECT_EQ(metric("no such", "no such").of(run), std::nullopt);
    EXPECT_EQ(accuracy_after(0).of(run), .8);
    EXPECT_EQ(final_accuracy_of("1", 1).of(run), .8);
    const auto all = [](const ModelSizes& units) { return units.all.total(); };
    EXPECT_EQ(units_after("units", 0, all).of(run), 4);
    EXPECT_EQ(units_after("units", 7, all).of(run), std::nullopt) << "there is no such cycle";
}

TEST(Comparison, ARowForEachExperiment) {
    const StudyTable table = experiments_as_rows(
        "t", "T", {metric("final", "accuracy_final", 2), metric("units", "units", 0)},
        {{"Good", "good", {{.84, .05}, {}}}, {"Bad", "bad", {{.5, .05}, {}}}, {"Also bad", "bad"}},
        some_results());
    EXPECT_THAT(table.header,
                ElementsAre("experiment", "final", "sd", "paper", "sd", "off", "agree", "units", "sd"));
    ASSERT_EQ(table.rows.size(), 3U);
    EXPECT_THAT(texts(table.rows[0]),
                ElementsAre("Good", "0.85", "0.07", "0.84", "0.05", "0.01", "✓", "5", "1"));
    EXPECT_THAT(texts(table.rows[1]),
                ElementsAre("Bad", "0.20", "0.14", "0.50", "0.05", "-0.30", "✗", "9", "0"));
    EXPECT_THAT(texts(table.rows[2]), ElementsAre("Also bad", "0.20", "0.14", "", "", "", "", "9", "0"));
}

TEST(Comparison, OrARowForEachMeasure) {
    const StudyTable table =
        measures_as_rows("t", "T", {metric("final", "accuracy_final", 2), metric("units", "units", 0)},
                         {{"Good", "good", {{.84}, {5}}}, {"Bad", "bad"}}, some_results());
    EXPECT_THAT(table.header, ElementsAre("measure", "Good", "sd", "paper", "off", "agree", "Bad", "sd"));
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_THAT(texts(table.rows[0]),
                ElementsAre("final", "0.85", "0.07", "0.84", "0.01", "✓", "0.20", "0.14"));
    EXPECT_THAT(texts(table.rows[1]), ElementsAre("units", "5", "1", "5", "0", "✓", "9", "0"));
}

} // namespace

} // namespace sprig::lab
