#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/baselines/method.h"
#include "lab/baselines/methods.h"
#include "lab/baselines/paper_tables.h"
#include "lab/protocol/material.h"

namespace sprig::baselines {

namespace {

std::vector<TablePlan> all_tables() {
    std::vector<TablePlan> tables = {main_table(), references_table(), readings_table()};
    for (TablePlan& table : sweep_tables()) tables.push_back(std::move(table));
    return tables;
}

TEST(Tables, OneNameStandsForOneMethod) {
    // Results are kept by name: two methods of one name would take each other's.
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
    // What the paper prints in its full comparison, by row.
    std::size_t reported = 0;
    for (const Row& row : main_table().rows) reported += row.paper.final ? 1 : 0;
    EXPECT_EQ(reported, 20);
    EXPECT_EQ(own_rows().size(), 5);
}

TEST(Tables, NoRowAsksForMoreImagesThanThereAre) {
    const lab::Material material = lab::load_material({}, {});
    std::size_t fewest = material.pool.size();
    for (const std::vector<std::size_t>& of_class : lab::by_class(material.data, material.pool))
        fewest = std::min(fewest, of_class.size());
    for (const TablePlan& table : all_tables()) {
        for (const Row& row : table.rows) {
            const lab::Protocol& protocol = row.method.protocol;
            EXPECT_LE((protocol.cycles * protocol.per_block) + protocol.held_out_per_class, fewest)
                << row.method.name;
        }
    }
}

TEST(Tables, NamesOfTablesAreFileNamesOfTheirOwn) {
    std::set<std::string> names;
    for (const TablePlan& table : all_tables()) EXPECT_TRUE(names.insert(table.name).second) << table.name;
}

TEST(Tables, OneStepForEachSampleIsAThirdOfTheRate) {
    EXPECT_EQ(one_step(false).schedule.steps, 1);
    EXPECT_EQ(one_step(false).schedule.batch, 1);
    EXPECT_EQ(one_step(false).rate, 3e-4);
    // One at a time with as many steps in all: 5 x 4 = 20.
    EXPECT_EQ(one_at_a_time().schedule.steps * 5, Schedule{}.steps);
}

/// Remembers the latest images.
class Looker : public Strategy {
  public:
    explicit Looker(std::vector<float>& seen) : seen_(seen) {}
    void observe(const Samples& images, std::size_t /*label*/) override {
        seen_.assign(images.values().begin(), images.values().end());
    }
    void predict(const Samples& images, std::vector<std::size_t>& answers) override {
        observe(images, 0);
        answers.assign(images.size(), 0);
    }
    [[nodiscard]] Kept kept() const override { return {1, 2, 3, 4}; }

  private:
    std::vector<float>& seen_;
};

TEST(Binarized, ShowsInkOrPaper) {
    std::vector<float> seen;
    const std::unique_ptr<Strategy> learner = binarized(std::make_unique<Looker>(seen));
    Samples images(3);
    images.add(std::vector<float>{0.2F, 0.5F, 0.51F});
    images.add(std::vector<float>{1, 0, 0.9F});
    learner->observe(images, 1);
    EXPECT_THAT(seen, testing::ElementsAre(0, 0, 1, 1, 0, 1));
    seen.clear();
    std::vector<std::size_t> answers;
    learner->predict(images, answers);
    EXPECT_THAT(seen, testing::ElementsAre(0, 0, 1, 1, 0, 1));
    EXPECT_EQ(learner->kept().bytes(), 3);
}

} // namespace

} // namespace sprig::baselines
