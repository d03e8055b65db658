// Unusual input has defined results; invalid input is rejected and changes nothing.

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "support.h"
#include "support/refused.h"

namespace sprig {
namespace {

using test::expect_refused;
using test::network_of;
using test::row_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const ModellerParams& presets(std::size_t index) {
    static const std::vector<ModellerParams> all = {modeller_preset("best"), modeller_preset("paper"),
                                                    modeller_preset("paper-literal")};
    return all[index];
}

TEST(Unusual, NoClasses) {
    const Modeller modeller;
    EXPECT_THAT(modeller.classes(), IsEmpty());
    EXPECT_THAT(modeller.units(), IsEmpty());
    EXPECT_EQ(modeller.model_size().total(), 0U);
    EXPECT_NO_THROW(modeller.check());
    const std::unique_ptr<Reader> reader = modeller.reader();
    for (const Network& network : {row_of({0, 1}), network_of({}, {})}) {
        const Prediction& prediction = reader->predict(network);
        EXPECT_FALSE(prediction.best.has_value());
        EXPECT_THAT(prediction.scores, IsEmpty());
        EXPECT_THAT(prediction.probabilities, IsEmpty());
        EXPECT_EQ(prediction.margin, 0);
        EXPECT_THAT(reader->explain(network).contributions, IsEmpty());
    }
}

TEST(Unusual, OnlyOneClass) {
    for (std::size_t preset = 0; preset < 3; ++preset) {
        Modeller modeller(presets(preset));
        for (int i = 0; i < 20; ++i) modeller.learn(row_of({0, 1, 2}), "only");
        const std::unique_ptr<Reader> reader = modeller.reader();
        for (const Network& network : {row_of({0, 1, 2}), row_of({5}), network_of({}, {})}) {
            const Prediction& prediction = reader->predict(network);
            EXPECT_EQ(prediction.best, 0U);
            EXPECT_THAT(prediction.probabilities, ElementsAre(1));
            EXPECT_EQ(prediction.margin, 0);
        }
    }
}

TEST(Unusual, AClassWithoutSamples) {
    Modeller modeller;
    modeller.add_class("later");
    EXPECT_THAT(modeller.classes(), ElementsAre("later"));
    EXPECT_EQ(modeller.reader()->predict(row_of({0, 1})).best, 0U);
    for (int i = 0; i < 5; ++i) modeller.learn(row_of({0, 1, 2}), "now");
    const std::uint64_t before = modeller.digest();
    modeller.add_class("later");
    modeller.add_class("now");
    EXPECT_EQ(modeller.digest(), before);
    expect_refused(modeller, ErrorKind::usage, "label", [&] { modeller.add_class(""); });
    const std::unique_ptr<Reader> reader = modeller.reader();
    EXPECT_EQ(reader->predict(row_of({0, 1, 2})).scores[0], 0) << "it has no units";
    EXPECT_EQ(reader->predict(row_of({0, 1, 2})).best, 1U);
    EXPECT_EQ(reader->predict(row_of({5})).best, 0U) << "a shape that matches no unit may be of this class";
    modeller.learn(row_of({5, 6}), "later");
    EXPECT_EQ(modeller.units().size(), 2U);
}

TEST(Unusual, EmptyNetwork) {
    const Network nothing = network_of({}, {});
    for (std::size_t preset = 0; preset < 3; ++preset) {
        Modeller modeller(presets(preset));
        EXPECT_THAT(modeller.learn(nothing, "empty").events, IsEmpty());
        EXPECT_THAT(modeller.classes(), ElementsAre("empty"));
        EXPECT_EQ(modeller.steps(), 1U);
        EXPECT_THAT(modeller.units(), IsEmpty());
        modeller.learn(row_of({0, 1, 2}), "row");
        for (int i = 0; i < 30; ++i) {
            EXPECT_THAT(modeller.learn(nothing, "empty").events, IsEmpty());
            modeller.learn(row_of({0, 1, 2}), "row");
        }
        modeller.check();
        EXPECT_EQ(modeller.model_size().total(), 1U);
        // The absence of the unit is evidence against the other class.
        const std::unique_ptr<Reader> reader = modeller.reader();
        EXPECT_EQ(reader->classes()[reader->predict(nothing).best.value()], "empty");
        EXPECT_EQ(reader->classes()[reader->predict(row_of({0, 1, 2})).best.value()], "row");
    }
}

TEST(Unusual, NodesWithoutEdges) {
    Modeller modeller;
    for (int i = 0; i < 10; ++i) {
        modeller.learn(network_of({{3, 5, 5}}, {}), "dot");
        modeller.learn(network_of({{3, 5, 5}, {3, 9, 9}}, {}), "dots");
    }
    modeller.check();
    EXPECT_EQ(modeller.reader()->predict(network_of({{3, 5, 5}, {3, 9, 9}}, {})).best, 1U);
}

TEST(Unusual, TheSameNetworkUnderTwoLabels) {
    for (std::size_t preset = 0; preset < 3; ++preset) {
        Modeller modeller(presets(preset));
        for (int i = 0; i < 1000; ++i) {
            modeller.learn(row_of({0, 1, 2}), i % 2 == 0 ? "one" : "other");
            EXPECT_LE(modeller.model_size().total(), 2U);
        }
        modeller.check();
        const Prediction prediction = modeller.reader()->predict(row_of({0, 1, 2}));
        EXPECT_NEAR(prediction.probabilities[0], 0.5, 0.05);
    }
}

TEST(Unusual, TheSameNetworkAThousandTimes) {
    for (std::size_t preset = 0; preset < 3; ++preset) {
        Modeller modeller(presets(preset));
        for (int i = 0; i < 1000; ++i) {
            modeller.learn(row_of({0, 1, 2, 3}), "same");
            ASSERT_EQ(modeller.model_size().total(), 1U);
        }
        const std::vector<UnitView> units = modeller.units();
        EXPECT_EQ(units[0].active, 1000U);
        EXPECT_EQ(units[0].pattern, row_of({0, 1, 2, 3})) << "the means do not drift";
    }
}

TEST(Unusual, ARealNetworkAThousandTimesUnderTwoLabels) {
    for (std::size_t preset = 0; preset < 3; ++preset) {
        Modeller modeller(presets(preset));
        for (std::size_t i = 0; i < 1000; ++i) {
            modeller.learn(test::mnist_stream()[i % 2].network, i % 4 < 2 ? "one" : "other");
        }
        modeller.check();
        EXPECT_LE(modeller.model_size().total(), 8U);
    }
}

TEST(Rejected, ANetworkOfAnotherFamily) {
    Modeller modeller;
    modeller.learn(row_of({0, 1}), "row");
    const Network finer(front_end_schema({.directions = 4}));
    Network in_space(std::make_shared<const Schema>(Schema{.dimensions = 3, .node_types = {"leg"}}));
    in_space.add_node(0, std::vector<double>{1, 2, 3});
    const std::unique_ptr<Reader> reader = modeller.reader();
    for (const Network* network : {&finer, static_cast<const Network*>(&in_space)}) {
        expect_refused(modeller, ErrorKind::bad_input, "not made by the model's front end",
                       [&] { modeller.learn(*network, "row"); });
        expect_refused(modeller, ErrorKind::bad_input, "not made by the model's front end",
                       [&] { modeller.learn(*network, "a new label"); });
        expect_refused(modeller, ErrorKind::bad_input, "not made by the model's front end",
                       [&] { reader->predict(*network); });
        expect_refused(modeller, ErrorKind::bad_input, "not made by the model's front end",
                       [&] { (void)reader->explain(*network); });
    }
    EXPECT_THAT(modeller.classes(), ElementsAre("row"));
    // An equal schema at another address is the same family.
    const Network same(std::make_shared<const Schema>(*front_end_schema({})));
    EXPECT_NO_THROW(reader->predict(same));
    // The reader still works after an error.
    EXPECT_EQ(reader->predict(row_of({0, 1})).best, 0U);
}

TEST(Rejected, AnEmptyLabel) {
    Modeller modeller;
    expect_refused(modeller, ErrorKind::usage, "label", [&] { modeller.learn(row_of({0, 1}), ""); });
    EXPECT_EQ(modeller.steps(), 0U);
}

TEST(Rejected, ANetworkThatIsTooLarge) {
    const auto of_nodes = [](std::size_t count) { return row_of(std::vector<std::uint32_t>(count, 0)); };
    Modeller modeller;
    modeller.learn(row_of({0, 1}), "row");
    expect_refused(modeller, ErrorKind::bad_input, "1025 nodes",
                   [&] { modeller.learn(of_nodes(1025), "row"); });
    expect_refused(modeller, ErrorKind::bad_input, "1025 nodes",
                   [&] { modeller.learn(of_nodes(1025), "new"); });
    EXPECT_THAT(modeller.classes(), ElementsAre("row"));
    EXPECT_THROW(modeller.reader()->predict(of_nodes(1025)), Error);
    EXPECT_NO_THROW(modeller.reader()->predict(of_nodes(1024)));
}

TEST(Unusual, LargeNetworksOfSeveralWords) {
    // 70 and 300 nodes need two of the three search widths above one word.
    for (const std::uint32_t count : {70U, 300U}) {
        std::vector<std::uint32_t> types;
        for (std::uint32_t i = 0; i < count; ++i) types.push_back((i / 4) % 8);
        Modeller modeller;
        modeller.learn(row_of(types), "long");
        types.resize(types.size() - 2);
        EXPECT_EQ(modeller.learn(row_of(types), "long").count(UnitEvent::Kind::refined), 1U);
        EXPECT_EQ(modeller.units().at(0).own_nodes, count - 2);
        EXPECT_EQ(modeller.reader()->predict(row_of(types)).work.gave_up, 0U);
    }
}

TEST(Unusual, LabelsAreAnyText) {
    Modeller modeller;
    const std::vector<std::string> labels = {" ", "Ä", "a\nb", std::string("nul\0inside", 10), "'; drop"};
    for (const std::string& label : labels) modeller.learn(row_of({0, 1}), label);
    EXPECT_EQ(modeller.classes(), labels);
}

} // namespace
} // namespace sprig
