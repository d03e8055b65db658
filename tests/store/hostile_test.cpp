#include <cstring>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "learner/packing.h"
#include "store/bytes_form.h"
#include "store/support.h"
#include "support/allocations.h"

namespace sprig::store_test {

namespace {

using learner::Packer;
using store::ModelState;
using store::Storage;

/// The bound on a reader's memory: a multiple of the input size plus a constant.
constexpr long max_factor = 50;
constexpr long base_bytes = 1 << 20;

/// Bytes that are built to be expensive: `classes` with `units` each, of `nodes` and `edges` each, all
/// numbers in their shortest encoding.
std::string hostile(const Learner& learner, std::uint64_t classes, std::uint64_t units, std::uint64_t nodes,
                    std::uint64_t edges) {
    ModelState state(learner, "");
    std::string bytes = to_bytes(state);
    bytes.resize(bytes.size() - 16); // the number of classes, and the checksum
    Packer packer(bytes);
    packer.number(classes);
    const Storage::Columns& columns = state.storage->columns();
    const auto row = [&](const std::vector<Storage::Column>& of) {
        for (const Storage::Column& column : of) column.is_real ? packer.number(0.0) : packer.varint(1);
    };
    const bool in_order = !learner_kind(learner.name())->classes_are_independent;
    Lineage next = 1;
    for (std::uint64_t i = 0; i < classes; ++i) {
        if (in_order) packer.number(i);
        packer.text(fmt::format("{:05}", i));
        for (const Storage::Column& column : columns.of_class)
            column.is_real ? packer.number(0.0) : packer.number(units);
        packer.number(units);
        for (std::uint64_t unit = 0; unit < units; ++unit) {
            packer.number(next++);
            row(columns.of_unit);
            packer.varint(nodes);
            for (std::uint64_t node = 0; node < nodes; ++node) row(columns.of_node);
            packer.varint(columns.of_edge.empty() ? 0 : edges);
            for (std::uint64_t edge = 0; edge < edges && !columns.of_edge.empty(); ++edge)
                row(columns.of_edge);
        }
    }
    learner::append_checksum(bytes);
    return bytes;
}

template <typename Read>
void expect_bounded(const std::string& what, std::size_t size, const Read& read) {
    test::start_peak();
    try {
        read();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input) << error.what();
    }
    const long peak = test::peak_bytes();
    testing::Test::RecordProperty(what, std::to_string(peak / static_cast<long>(size)));
    EXPECT_LT(peak, base_bytes + (max_factor * static_cast<long>(size)))
        << what << ": " << peak << " bytes for " << size;
}

class Hostile : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Learners, Hostile, testing::Values("constellation", "modeller"),
                         [](const auto& one) { return one.param; });

struct Shape {
    const char* name;
    std::uint64_t classes;
    std::uint64_t units;
    std::uint64_t nodes;
    std::uint64_t edges;
};
constexpr Shape shapes[] = {{"classes", 20'000, 0, 0, 0},
                            {"units", 10, 3000, 0, 0},
                            {"small units", 10, 2000, 1, 1},
                            {"nodes", 1, 1, 60'000, 0},
                            {"edges", 1, 1, 10, 30'000}};

TEST_P(Hostile, BytesTakeASmallMultipleOfTheirSize) {
    const auto learner = make_learner(GetParam());
    for (const Shape& shape : shapes) {
        const std::string bytes = hostile(*learner, shape.classes, shape.units, shape.nodes, shape.edges);
        expect_bounded(shape.name, bytes.size(), [&] { (void)store::from_bytes(bytes); });
    }
}

TEST_P(Hostile, AFalseCountAllocatesNoMemory) {
    const auto learner = make_learner(GetParam());
    for (const std::uint64_t lie : {std::uint64_t{1} << 20, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
        std::string bytes = hostile(*learner, 1, 1, 0, 0);
        for (std::size_t at = 8; at + 16 <= bytes.size(); ++at) {
            std::string forged = bytes.substr(0, bytes.size() - 8);
            std::memcpy(forged.data() + at, &lie, sizeof lie);
            learner::append_checksum(forged);
            expect_bounded("a number", forged.size(), [&] { (void)store::from_bytes(forged); });
        }
    }
}

/// The same for a file: SQLite stores the integers 0 and 1 in no bytes at all.
TEST_P(Hostile, AFileTakesASmallMultipleOfItsSize) {
    const auto learner = make_learner(GetParam());
    const ModelState state(*learner, "");
    const Storage::Columns& columns = state.storage->columns();
    const auto zeros = [](const std::vector<Storage::Column>& of) {
        std::string text;
        for (const Storage::Column& column : of) text += column.is_real ? ", 0.0" : ", 1";
        return text;
    };
    const auto count = [](const char* what, int number) {
        return fmt::format(
            "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < {}) INSERT "
            "INTO {} ",
            number, what);
    };
    const std::string nodes = zeros(columns.of_node);
    const std::vector<std::pair<const char*, std::string>> attacks = {
        {"classes", count("class", 20'000) + "SELECT i, 'c' || i" + zeros(columns.of_class) + " FROM c"},
        {"units", "INSERT INTO class SELECT 1, 'a'" + zeros(columns.of_class) + "; " + count("unit", 20'000) +
                      "SELECT i, 1" + zeros(columns.of_unit) + " FROM c"},
        {"nodes", "INSERT INTO class SELECT 1, 'a'" + zeros(columns.of_class) +
                      "; INSERT INTO unit SELECT 1, 1" + zeros(columns.of_unit) + "; " +
                      count("node", 60'000) + "SELECT 1, i - 1" + nodes + " FROM c"},
        {"events", count("event", 60'000) + "SELECT i, 1, 'created', 1, NULL FROM c"},
    };
    for (const auto& [what, sql] : attacks) {
        const TempFolder folder;
        save_model(*learner, folder / "a.sprig");
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open((folder / "a.sprig").c_str(), &database), SQLITE_OK);
        ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(database) << sql;
        sqlite3_close(database);
        expect_bounded(what, fs::file_size(folder / "a.sprig"),
                       [&] { (void)load_model(folder / "a.sprig"); });
    }
}

} // namespace

} // namespace sprig::store_test
