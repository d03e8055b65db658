#include <new>

#include "support.h"
#include "support/temp_folder.h"

namespace sprig::service {
namespace {

using test::arrow;
using test::refusal;
using test::square;
using test::zigzag;
using testing::HasSubstr;
using testing::MatchesRegex;

const Dataset& digits() {
    static const Dataset data = load_dataset("mnist:train:0-99");
    return data;
}

Model gestures() {
    Model model;
    (void)learn(model, arrow(), "arrow");
    (void)learn(model, zigzag(), "zigzag");
    return model;
}

/// The number survives being written and read.
void expect_same(const Json& reply, double number) {
    EXPECT_EQ(Json::parse(to_text(reply)).get<double>(), number);
}

TEST(Replies, ToPredictHaveTheNumbersOfTheModel) {
    Model model;
    for (std::size_t i = 0; i < 60; ++i) model.learn(digits().image(i), digits().label_name(i));
    for (std::size_t i = 60; i < 100; ++i) {
        const Answer answer = model.predict(digits().image(i));
        const Json reply = predict(model, Image(digits().image(i)));
        EXPECT_EQ(reply["label"], answer.label);
        expect_same(reply["probability"], answer.probability);
        expect_same(reply["known"], answer.known.value());
        expect_same(reply["fit"], answer.fit.value());
        expect_same(reply["margin"], answer.margin);
        ASSERT_EQ(reply["ranking"].size(), answer.ranking.size());
        for (std::size_t r = 0; r < answer.ranking.size(); ++r) {
            EXPECT_EQ(reply["ranking"][r]["label"], answer.ranking[r].label);
            expect_same(reply["ranking"][r]["probability"], answer.ranking[r].probability);
            expect_same(reply["ranking"][r]["score"], answer.ranking[r].score);
        }
    }
}

TEST(Replies, ToPredictTakeEveryKindOfSample) {
    const Model model = gestures();
    const Image drawn = model.prepare(zigzag());
    EXPECT_EQ(predict(model, zigzag()), predict(model, drawn));
    const Picture large{120, 120, 1, std::vector<std::uint8_t>([] {
                            Image image = render(test::zigzag(), {.box = 100, .side = 120});
                            return image.pixels;
                        }())};
    EXPECT_EQ(predict(model, large)["score"], predict(model, model.prepare(large))["score"]);
    EXPECT_EQ(predict(model, large)["ranking"], predict(model, model.prepare(large))["ranking"]);
    EXPECT_EQ(predict(model, large)["label"], "zigzag");
}

TEST(Replies, OfAnEmptyModelHaveNoLabel) {
    const Model model;
    const Json reply = predict(model, arrow());
    EXPECT_TRUE(reply["label"].is_null());
    EXPECT_TRUE(reply["known"].is_null());
    EXPECT_TRUE(reply["fit"].is_null());
    EXPECT_TRUE(reply["ranking"].is_array() && reply["ranking"].empty());
    EXPECT_TRUE(summary(model)["classes"].is_array());
    EXPECT_TRUE(units(model)["units"].empty());
    EXPECT_TRUE(events(model)["events"].empty());
}

TEST(Replies, ToLearnSayWhatItDid) {
    Model model;
    const Json first = learn(model, arrow(), "arrow");
    EXPECT_EQ(first["label"], "arrow");
    EXPECT_EQ(first["new_class"], true);
    ASSERT_EQ(first["events"].size(), 1U);
    EXPECT_EQ(first["events"][0]["kind"], "created");
    EXPECT_THAT(first["events"][0]["unit"].get<std::string>(), MatchesRegex("[0-9a-f]{16}"));
    const Json second = learn(model, arrow(), "arrow");
    EXPECT_EQ(second["new_class"], false);
    const Json joined = {{"kind", "refined"}, {"unit", first["events"][0]["unit"]}};
    EXPECT_EQ(second["events"], Json::array({joined}));
    EXPECT_EQ(second["model"], summary(model));
    EXPECT_EQ(second["model"]["classes"][0]["samples"], 2);
    EXPECT_EQ(refusal(ErrorKind::usage, [&] { (void)learn(model, arrow(), ""); }),
              "a class label must not be empty");
    EXPECT_EQ(second["model"], summary(model));
}

TEST(Replies, SummariseTheModel) {
    Model model = gestures();
    (void)learn(model, square(), "arrow");
    const Json reply = summary(model);
    EXPECT_EQ(reply["learner"], "constellation");
    EXPECT_EQ(reply["preset"], "default");
    EXPECT_EQ(reply["free_pose"], false);
    EXPECT_EQ(reply["lessons"], 3);
    EXPECT_EQ(reply["undoable"], 3);
    EXPECT_EQ(reply["bytes"], model.model_size().bytes);
    EXPECT_EQ(reply["digest"], fmt::format("{:016x}", model.digest()));
    EXPECT_EQ(reply["file"], false);
    ASSERT_EQ(reply["classes"].size(), 2U);
    const Json arrows = {{"label", "arrow"}, {"samples", 2}, {"units", 2}};
    const Json zigzags = {{"label", "zigzag"}, {"samples", 1}, {"units", 1}};
    EXPECT_EQ(reply["classes"][0], arrows);
    EXPECT_EQ(reply["classes"][1], zigzags);
}

TEST(Replies, SayWhetherThereIsAFile) {
    const testing_support::TempFolder folder;
    Model model = Model::open(folder / "a.sprig");
    (void)learn(model, arrow(), "arrow");
    EXPECT_EQ(summary(model)["file"], true);
    EXPECT_EQ(summary(model)["undoable"], 1);
    model.close();
    EXPECT_EQ(summary(model)["file"], false);
}

TEST(Replies, ListUnits) {
    const Model model = gestures();
    const std::vector<UnitView> views = model.units();
    const Json all = units(model);
    ASSERT_EQ(all["units"].size(), views.size());
    for (std::size_t i = 0; i < views.size(); ++i) {
        const Json& unit = all["units"][i];
        EXPECT_EQ(unit["id"], fmt::format("{:016x}", views[i].lineage));
        EXPECT_EQ(unit["label"], views[i].label);
        EXPECT_EQ(unit["samples"], views[i].observations());
        EXPECT_EQ(unit["nodes"], views[i].own_nodes);
        EXPECT_THAT(unit["svg"].get<std::string>(), testing::StartsWith("<svg "));
    }
    const Json one = units(model, "zigzag");
    ASSERT_EQ(one["units"].size(), 1U);
    EXPECT_EQ(one["units"][0], all["units"][1]);
    EXPECT_EQ(refusal(ErrorKind::usage, [&] { (void)units(model, "circle"); }),
              "the model has no class 'circle'");
}

TEST(Replies, ListUnitsOfAClassWithoutUnits) {
    Model model;
    (void)add_class(model, "later");
    EXPECT_TRUE(units(model, "later")["units"].empty());
}

TEST(Replies, ListEventsWithTheirClass) {
    Model model = gestures();
    const Json reply = events(model);
    ASSERT_EQ(reply["events"].size(), 2U);
    EXPECT_EQ(reply["events"][0]["lesson"], 1);
    EXPECT_EQ(reply["events"][0]["kind"], "created");
    EXPECT_EQ(reply["events"][0]["label"], "arrow");
    EXPECT_EQ(reply["events"][1]["unit"], units(model, "zigzag")["units"][0]["id"]);
    (void)forget(model, "arrow");
    EXPECT_TRUE(events(model)["events"][0]["label"].is_null());
}

TEST(Replies, ToChangesHaveTheNewSummary) {
    Model model = gestures();
    const Json before = summary(model);
    (void)learn(model, square(), "square");
    const Json undone = undo(model);
    EXPECT_EQ(undone["model"]["digest"], before["digest"]);
    EXPECT_EQ(undone["model"], summary(model));
    const Json added = add_class(model, "empty");
    EXPECT_EQ(added["model"]["classes"][2], (Json{{"label", "empty"}, {"samples", 0}, {"units", 0}}));
    const Json renamed = rename(model, "arrow", "pointer");
    EXPECT_EQ(renamed["model"]["classes"][0]["label"], "pointer");
    const Json gone = forget(model, "pointer");
    ASSERT_EQ(gone["model"]["classes"].size(), 2U);
    EXPECT_EQ(gone["model"]["classes"][0]["label"], "zigzag");
}

TEST(Replies, RefuseWhatTheModelRefuses) {
    Model model = gestures();
    const Json before = summary(model);
    const auto refused = [&](auto act) { return refusal(ErrorKind::usage, act); };
    EXPECT_THAT(refused([&] { (void)rename(model, "circle", "ring"); }), HasSubstr("no class 'circle'"));
    EXPECT_THAT(refused([&] { (void)rename(model, "arrow", "zigzag"); }), HasSubstr("already has a class"));
    EXPECT_THAT(refused([&] { (void)rename(model, "arrow", ""); }), HasSubstr("must not be empty"));
    EXPECT_THAT(refused([&] { (void)forget(model, "circle"); }), HasSubstr("no class 'circle'"));
    EXPECT_THAT(refused([&] { (void)add_class(model, ""); }), HasSubstr("must not be empty"));
    EXPECT_THAT(refusal(ErrorKind::bad_input, [&] { (void)learn(model, Strokes{}, "arrow"); }),
                HasSubstr("no points"));
    EXPECT_THAT(refusal(ErrorKind::bad_input,
                        [&] {
                            (void)predict(model, Picture{9, 9, 1, std::vector<std::uint8_t>(81)});
                        }),
                HasSubstr("no ink"));
    EXPECT_EQ(summary(model), before);
    Model empty;
    EXPECT_THAT(refused([&] { (void)undo(empty); }), HasSubstr("no lesson that can be undone"));
}

TEST(Replies, ToErrorsHaveKindAndMessage) {
    const Json expected = {{"error", {{"kind", "bad_input"}, {"message", "it is wrong"}}}};
    EXPECT_EQ(error_reply(bad_input("it is wrong")), expected);
    EXPECT_EQ(error_reply(usage_error("x"))["error"]["kind"], "usage");
    EXPECT_EQ(error_reply(failed("x"))["error"]["kind"], "failed");
    const auto reply_to = [](const auto& thrown) {
        try {
            throw thrown;
        } catch (const std::exception&) {
            return error_reply();
        }
    };
    EXPECT_EQ(reply_to(bad_input("it is wrong")), expected);
    EXPECT_EQ(reply_to(std::bad_alloc())["error"]["message"], "there is not enough memory");
    EXPECT_EQ(reply_to(std::logic_error("odd"))["error"]["message"], "internal error: odd");
    EXPECT_EQ(reply_to(std::logic_error("odd"))["error"]["kind"], "failed");
}

TEST(Replies, AreOneLineOfUtf8) {
    Model model;
    (void)learn(model, arrow(), "no \xff UTF-8\n");
    const std::string text = to_text(predict(model, arrow()));
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_TRUE(Json::accept(text));
    EXPECT_THAT(text, HasSubstr("no \xef\xbf\xbd UTF-8"));
    EXPECT_TRUE(Json::accept(to_text(explain(model, arrow()))));
    EXPECT_TRUE(Json::accept(to_text(units(model))));
    EXPECT_TRUE(Json::accept(to_text(events(model))));
}

} // namespace
} // namespace sprig::service
