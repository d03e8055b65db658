#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/baselines/method.h"
#include "lab/baselines/methods.h"
#include "lab/baselines/paper_tables.h"
#include "lab/protocol/experiment_data.h"

namespace sprig::baselines {

namespace {

std::vector<TablePlan> all_tables() {
    std::vector<TablePlan> tables = {main_table(), references_table(), readings_table()};
    for (TablePlan& table : sweep_tables()) tables.push_back(std::move(table));
    return tables;
}

TEST(Tables, NamesOfMethodsAreUnique) {
    // Results are stored by name: two methods with the same name would share them.
    std::map<std::string, nlohmann::ordered_json> settings;
    std::map<std::string, std::size_t> lengths;
    for (const TablePlan& table : all_tables()) {
        for (const Row& row : table.rows) {
            const auto known = settings.emplace(row.method.name, row.method.settings);
            EXPECT_EQ(known.first->second, row.method.settings) << row.method.name;
            const auto length = lengths.emplace(row.method.name, row.method.protocol.per_block);
            EXPECT_EQ(length.first->second, row.method.protocol.per_block) << row.method.name;
        }
    }
    EXPECT_GT(settings.size(), 60);
}

TEST(Tables, HaveEveryMethodOfThePaper) {
    std::set<std::string> families;
    for (const Row& row : main_table().rows) families.insert(row.method.family);
    EXPECT_THAT(families, testing::UnorderedElementsAre("si", "mas", "lwf", "plain", "cnn", "experts", "der",
                                                        "replay", "er-ace"));
    // The rows of the paper's full comparison.
    std::size_t reported = 0;
    for (const Row& row : main_table().rows) reported += row.paper.final ? 1 : 0;
    EXPECT_EQ(reported, 20);
    EXPECT_EQ(own_rows().size(), 5);
}

TEST(Tables, NoRowNeedsMoreImagesThanThereAre) {
    const lab::ExperimentData data = lab::load_data({});
    std::size_t fewest = data.pool.size();
    for (const std::vector<std::size_t>& of_class : lab::by_class(data.dataset, data.pool))
        fewest = std::min(fewest, of_class.size());
    for (const TablePlan& table : all_tables()) {
        for (const Row& row : table.rows) {
            const lab::Protocol& protocol = row.method.protocol;
            EXPECT_LE((protocol.cycles * protocol.per_block) + protocol.held_out_per_class, fewest)
                << row.method.name;
        }
    }
}

TEST(Tables, NamesOfTablesAreUnique) {
    std::set<std::string> names;
    for (const TablePlan& table : all_tables()) EXPECT_TRUE(names.insert(table.name).second) << table.name;
}

TEST(Tables, OneStepPerSampleHasALowerRate) {
    EXPECT_EQ(one_step(false).schedule.steps, 1);
    EXPECT_EQ(one_step(false).schedule.batch, 1);
    EXPECT_EQ(one_step(false).rate, 3e-4);
    // One at a time with the same total number of steps: 5 x 4 = 20.
    EXPECT_EQ(one_at_a_time().schedule.steps * 5, Schedule{}.steps);
}

/// Records the last images.
class ImageRecorder : public Strategy {
  public:
    explicit ImageRecorder(std::vector<float>& seen) : seen_(seen) {}
    void observe(const Samples& images, std::size_t /*label*/) override {
        seen_.assign(images.values().begin(), images.values().end());
    }
    void predict(const Samples& images, std::vector<std::size_t>& answers) override {
        observe(images, 0);
        answers.assign(images.size(), 0);
    }
    [[nodiscard]] MemoryUse memory_use() const override { return {1, 2, 3, 4}; }

  private:
    std::vector<float>& seen_;
};

TEST(Binarized, PassesBinaryImages) {
    std::vector<float> seen;
    const std::unique_ptr<Strategy> learner = binarized(std::make_unique<ImageRecorder>(seen));
    Samples images(3);
    images.add(std::vector<float>{0.2F, 0.5F, 0.51F});
    images.add(std::vector<float>{1, 0, 0.9F});
    learner->observe(images, 1);
    EXPECT_THAT(seen, testing::ElementsAre(0, 0, 1, 1, 0, 1));
    seen.clear();
    std::vector<std::size_t> answers;
    learner->predict(images, answers);
    EXPECT_THAT(seen, testing::ElementsAre(0, 0, 1, 1, 0, 1));
    EXPECT_EQ(learner->memory_use().bytes(), 3);
}

} // namespace

} // namespace sprig::baselines
