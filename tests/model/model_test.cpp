#include <atomic>
#include <thread>

#include <gmock/gmock.h>

#include "sprig/sprig.h"
#include "support/histogram/histogram.h"
#include "support/temp_folder.h"

namespace sprig {

namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::TempFolder;

const Dataset& digits() {
    static const Dataset data = load_dataset("mnist:train:0-299");
    return data;
}
std::string label_of(std::size_t index) {
    return digits().classes()[static_cast<std::size_t>(digits().label(index))];
}
void teach(Model& model, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) model.learn(digits().image(i), label_of(i));
}
template <typename Act>
std::string refusal(ErrorKind kind, Act act) {
    try {
        act();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        return error.what();
    }
    return "nothing";
}
std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    return names;
}

/// Tests of `Model` for every learner.
class ModelTest : public testing::TestWithParam<std::string> {
  protected:
    static void SetUpTestSuite() { test::register_histogram(); }
    [[nodiscard]] ModelOptions options() const { return {.learner = GetParam()}; }

    TempFolder folder_;
    fs::path path_ = folder_ / "a.sprig";
};
INSTANTIATE_TEST_SUITE_P(Learners, ModelTest, testing::Values("constellation", "modeller", "histogram"),
                         [](const auto& one) { return one.param; });

TEST_P(ModelTest, LearnsAndPredicts) {
    Model model(options());
    EXPECT_EQ(model.predict(digits().image(0)).label, "");
    teach(model, 0, 200);
    std::size_t right = 0;
    for (std::size_t i = 200; i < 300; ++i) {
        const Answer answer = model.predict(digits().image(i));
        right += answer.label == label_of(i) ? 1 : 0;
        ASSERT_EQ(answer.ranking.size(), 10U);
        EXPECT_EQ(answer.ranking[0].label, answer.label);
        EXPECT_EQ(answer.ranking[0].probability, answer.probability);
        EXPECT_GE(answer.ranking[0].score, answer.ranking[1].score);
        EXPECT_EQ(answer.top(3).size(), 3U);
        EXPECT_EQ(answer.top(99).size(), 10U);
        double sum = 0;
        for (const RankedClass& one : answer.ranking) sum += one.probability;
        EXPECT_NEAR(sum, 1, 1e-9);
    }
    EXPECT_GT(right, GetParam() == "histogram" ? 35U : 75U);
}

TEST_P(ModelTest, HasASummary) {
    Model model = Model::open(path_, options());
    EXPECT_TRUE(model.summary().classes.empty());
    teach(model, 0, 60);
    model.add_class("later");
    teach(model, 60, 70);
    const ModelSummary summary = model.summary();
    EXPECT_EQ(summary.digest, model.digest());
    EXPECT_EQ(summary.bytes, model.model_size().bytes);
    EXPECT_EQ(summary.facts.lessons, 70U);
    EXPECT_EQ(summary.facts.undoable, 10U) << "since the class was added";
    ASSERT_EQ(summary.classes.size(), model.classes().size());
    const std::vector<UnitView> units = model.units();
    for (std::size_t c = 0; c < summary.classes.size(); ++c) {
        const std::string& label = summary.classes[c].label;
        EXPECT_EQ(label, model.classes()[c]);
        EXPECT_EQ(summary.classes[c].samples, model.samples()[c]);
        const auto units_of_class =
            std::ranges::count_if(units, [&](const UnitView& unit) { return unit.label == label; });
        EXPECT_EQ(summary.classes[c].units, static_cast<std::size_t>(units_of_class)) << label;
    }
}

TEST_P(ModelTest, IsTheSameInMemoryInAFileAndAsBytes) {
    Model memory(options());
    Model file = Model::open(path_, options());
    EXPECT_FALSE(fs::exists(path_)) << "created before the first lesson";
    teach(memory, 0, 120);
    teach(file, 0, 70);
    file.close();
    EXPECT_THAT(names_in(folder_.path()), ElementsAre("a.sprig"));
    file = Model::open(path_);
    teach(file, 70, 120);
    EXPECT_EQ(file.digest(), memory.digest());
    EXPECT_EQ(file.classes(), memory.classes());
    EXPECT_EQ(file.samples(), memory.samples());
    EXPECT_TRUE(file.to_bytes() == memory.to_bytes());
    EXPECT_EQ(file.facts().lessons, 120U);
    EXPECT_EQ(file.facts().event_totals, memory.facts().event_totals);
    EXPECT_EQ(Model::load(path_).digest(), memory.digest()) << "read while it is open for learning";
    file.close();
    EXPECT_EQ(file.digest(), memory.digest()) << "it can still be read";
    EXPECT_THAT(refusal(ErrorKind::usage, [&] { teach(file, 0, 1); }), HasSubstr("was closed"));
    EXPECT_NO_THROW(file.close());
    EXPECT_TRUE(Model::load(path_).to_bytes() == memory.to_bytes());
    memory.save(folder_ / "copy.sprig");
    EXPECT_EQ(Model::open(folder_ / "copy.sprig").digest(), memory.digest());
    EXPECT_THAT(refusal(ErrorKind::usage, [&] { memory.save(path_); }), HasSubstr("already exists"));
    Model back = Model::from_bytes(memory.to_bytes());
    EXPECT_EQ(back.digest(), memory.digest());
    write_file_atomically(folder_ / "a.bytes", memory.to_bytes());
    EXPECT_EQ(Model::load(folder_ / "a.bytes").digest(), memory.digest());
    teach(back, 120, 160);
    teach(memory, 120, 160);
    EXPECT_EQ(back.digest(), memory.digest());
    for (std::size_t i = 200; i < 220; ++i)
        EXPECT_EQ(back.predict(digits().image(i)).label, memory.predict(digits().image(i)).label);
}

TEST_P(ModelTest, UndoesRenamesAndForgets) {
    for (const bool in_file : {false, true}) {
        Model model = in_file ? Model::open(path_, options()) : Model(options());
        teach(model, 0, 50);
        const std::string before = model.to_bytes();
        const auto totals = model.facts().event_totals;
        const std::size_t events = model.events().size();
        teach(model, 50, 60);
        EXPECT_EQ(model.facts().undoable, 20U);
        for (int i = 0; i < 10; ++i) model.undo();
        EXPECT_TRUE(model.to_bytes() == before);
        EXPECT_EQ(model.events().size(), events);
        EXPECT_EQ(model.facts().event_totals["created"], totals.at("created"));
        model.add_class("new");
        EXPECT_EQ(model.classes().back(), "new");
        model.rename("0", "zero");
        model.forget("1");
        EXPECT_THAT(model.classes(), testing::Contains("zero"));
        EXPECT_THAT(model.classes(), testing::Not(testing::Contains("1")));
        EXPECT_THAT(refusal(ErrorKind::usage, [&] { model.undo(); }),
                    HasSubstr("no lesson that can be undone"));
        EXPECT_THAT(refusal(ErrorKind::usage, [&] { model.rename("1", "x"); }), HasSubstr("no class '1'"));
        EXPECT_THAT(refusal(ErrorKind::usage, [&] { model.rename("2", "3"); }), HasSubstr("already"));
        EXPECT_THAT(refusal(ErrorKind::usage, [&] { model.forget("x"); }), HasSubstr("no class 'x'"));
        // The model can still learn.
        teach(model, 60, 80);
        model.learner().check();
    }
}

TEST_P(ModelTest, WithoutUndoNoUndoDataIsStored) {
    ModelOptions none = options();
    none.undo = 0;
    Model memory(none);
    teach(memory, 0, 5);
    EXPECT_EQ(memory.facts().undoable, 0U);
    EXPECT_THROW(memory.undo(), Error);
    {
        Model file = Model::open(path_, options());
        teach(file, 0, 5);
    }
    EXPECT_EQ(Model::load(path_).facts().undoable, 5U);
    {
        Model file = Model::open(path_, none);
        teach(file, 5, 6);
        EXPECT_THROW(file.undo(), Error);
    }
    EXPECT_EQ(Model::load(path_).facts().undoable, 0U);
}

TEST_P(ModelTest, ExplainsAsTextSvgAndJson) {
    Model model(options());
    teach(model, 0, 100);
    const ImageExplanation why = model.explain(digits().image(150), {.versus = "3", .name = "a digit"});
    EXPECT_EQ(why.values().best->label, model.predict(digits().image(150)).label);
    EXPECT_EQ(why.values().other->label, "3");
    EXPECT_THAT(why.text(), HasSubstr(why.values().best->label));
    EXPECT_THAT(why.svg(), HasSubstr("a digit"));
    EXPECT_THAT(why.json(), HasSubstr("\"elements\""));
    why.write_svg(folder_ / "why.svg");
    EXPECT_GT(fs::file_size(folder_ / "why.svg"), 1000U);
    EXPECT_THAT(refusal(ErrorKind::usage, [&] { (void)model.explain(digits().image(0), {.versus = "x"}); }),
                HasSubstr("x"));
    EXPECT_THAT(model.draw(), HasSubstr("<svg"));
    EXPECT_EQ(model.explain_global().classes.size(), 10U);
    EXPECT_EQ(model.units().size(), model.model_size().total());
}

TEST_P(ModelTest, RejectsAFileThatDoesNotMatchTheOptions) {
    {
        Model model = Model::open(path_, options());
        teach(model, 0, 3);
    }
    const std::string other = GetParam() == "modeller" ? "constellation" : "modeller";
    EXPECT_THAT(refusal(ErrorKind::usage, [&] { (void)Model::open(path_, {.learner = other}); }),
                HasSubstr("its learner is " + GetParam()));
    EXPECT_THAT(refusal(ErrorKind::usage, [&] { (void)Model::open(path_, {.preset = "some"}); }),
                HasSubstr("its preset is"));
    EXPECT_THAT(refusal(ErrorKind::usage,
                        [&] {
                            (void)Model::open(path_, {.settings = {{"scale", "3"}}});
                        }),
                HasSubstr("its scale is 1, not 3"));
    EXPECT_THAT(refusal(ErrorKind::usage, [&] { (void)Model::open(path_, {.seed = 5}); }),
                HasSubstr(GetParam() == "modeller" ? "its seed is 0" : "uses no random numbers"));
    EXPECT_THAT(refusal(ErrorKind::usage, [] { Model({.learner = "no such"}); }),
                HasSubstr("the learners are"));
    EXPECT_EQ(Model::open(path_, options()).facts().lessons, 3U);
}

std::vector<std::optional<double>> known_of(const Model& model) {
    std::vector<std::optional<double>> known;
    for (std::size_t i = 200; i < 230; ++i) known.push_back(model.predict(digits().image(i)).known);
    return known;
}

TEST_P(ModelTest, SaysHowLikelyAnImageIsKnownIfItCan) {
    Model model = Model::open(path_, options());
    teach(model, 0, 100);
    const std::vector<std::optional<double>> known = known_of(model);
    for (const std::optional<double>& one : known) {
        EXPECT_EQ(one.has_value(), GetParam() == "constellation");
        const double value = one.value_or(0);
        EXPECT_TRUE(value >= 0 && value <= 1);
    }
    EXPECT_EQ(known_of(Model::from_bytes(model.to_bytes())), known);
    model.close();
    EXPECT_EQ(known_of(Model::load(path_)), known);
    EXPECT_EQ(known_of(Model::open(path_)), known);
}

TEST_P(ModelTest, RefusesAFreePoseIfItCannot) {
    if (GetParam() == "constellation") return;
    ModelOptions wanted = options();
    wanted.free_pose = true;
    EXPECT_THAT(refusal(ErrorKind::usage, [&] { Model made(wanted); }),
                HasSubstr("use the learner constellation"));
}

/// A drawing that is turned by a quarter and mirrored.
Image transposed(ImageView image) {
    Image result(image.height, image.width);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) result.at(y, x) = image.at(x, y);
    return result;
}

class FreePoseTest : public testing::Test {
  protected:
    /// How many images are recognised as they are, and transposed.
    static std::pair<std::size_t, std::size_t> recognised(const Model& model) {
        std::pair<std::size_t, std::size_t> right = {0, 0};
        for (std::size_t i = 200; i < 300; ++i) {
            right.first += model.decide(digits().image(i)) == label_of(i) ? 1 : 0;
            right.second += model.decide(transposed(digits().image(i)).view()) == label_of(i) ? 1 : 0;
        }
        return right;
    }

    TempFolder folder_;
    fs::path path_ = folder_ / "free.sprig";
    ModelOptions free_{.preset = "default", .free_pose = true};
};

TEST_F(FreePoseTest, RecognisesTurnedAndMirroredDrawings) {
    Model fixed({.preset = "default"});
    Model free(free_);
    EXPECT_FALSE(fixed.free_pose());
    EXPECT_TRUE(free.free_pose());
    for (Model* model : {&fixed, &free}) teach(*model, 0, 200);
    EXPECT_LT(recognised(fixed).second, 50U);
    EXPECT_GT(recognised(free).second, 75U);
    EXPECT_NEAR(static_cast<double>(recognised(free).first), static_cast<double>(recognised(free).second), 6);
}

TEST_F(FreePoseTest, IsStoredWithTheModel) {
    {
        Model model = Model::open(path_, free_);
        teach(model, 0, 30);
    }
    EXPECT_TRUE(Model::load(path_).free_pose());
    EXPECT_TRUE(Model::from_bytes(Model::load(path_).to_bytes()).free_pose());
    Model model = Model::open(path_); // not asked for again
    EXPECT_TRUE(model.free_pose());
    teach(model, 30, 60);
    Model whole(free_);
    teach(whole, 0, 60);
    EXPECT_EQ(model.to_bytes(), whole.to_bytes());
    EXPECT_EQ(recognised(model), recognised(whole));
    model.close();
    EXPECT_TRUE(Model::open(path_, free_).free_pose());
}

TEST_F(FreePoseTest, AModelWithAFixedPoseIsRefused) {
    {
        Model model = Model::open(path_, {.preset = "default"});
        teach(model, 0, 3);
    }
    EXPECT_THAT(refusal(ErrorKind::usage, [&] { (void)Model::open(path_, {.free_pose = true}); }),
                HasSubstr("its pose is fixed, not free"));
    EXPECT_THAT(refusal(ErrorKind::usage, [&] { (void)Model::load(path_, {.free_pose = true}); }),
                HasSubstr("its pose is fixed, not free"));
}

TEST_F(FreePoseTest, IsRefusedIfThePresetOrASettingDoesNotAllowIt) {
    free_.preset = "paper-vocabulary";
    EXPECT_THAT(refusal(ErrorKind::usage, [&] { Model made(free_); }),
                HasSubstr("measures positions in the image"));
    free_ = {.settings = {{"frame", "ink"}}, .free_pose = true};
    EXPECT_THAT(refusal(ErrorKind::usage, [&] { Model made(free_); }),
                HasSubstr("a free pose sets frame=axis, so frame=ink cannot be set"));
    free_.settings = {{"frame", "axis"}};
    EXPECT_TRUE(Model(free_).free_pose());
}

TEST_F(FreePoseTest, TurnsOffDeskewing) {
    for (const char* preset : {"default", "fast"}) {
        const Model model({.preset = preset, .free_pose = true});
        EXPECT_FALSE(model.learner().front_end().deskew);
        EXPECT_EQ(model.learner().front_end().frame, FrontEndParams::Frame::axis);
    }
}

/// A network of another front end has another meaning, even if its types are the same.
TEST_P(ModelTest, RejectsANetworkOfAnotherFrontEnd) {
    Model model(options());
    teach(model, 0, 3);
    FrontEndParams params = model.learner().front_end();
    model.learn(FrontEnd(params)(digits().image(3)), label_of(3));
    params.threshold += 20;
    const Network other = FrontEnd(params)(digits().image(4));
    const std::uint64_t digest = model.digest();
    EXPECT_THAT(refusal(ErrorKind::bad_input, [&] { model.learn(other, "4"); }),
                HasSubstr("not made by the model's front end"));
    EXPECT_THROW((void)model.predict(other), Error);
    EXPECT_THROW((void)model.explain(other), Error);
    EXPECT_EQ(model.digest(), digest);
    EXPECT_NO_THROW((void)model.predict(model.extract(digits().image(4))));
}

TEST_P(ModelTest, AFailedFirstLessonLeavesNoFile) {
    Model model = Model::open(path_, options());
    EXPECT_THROW(model.learn(ImageView{}, "x"), Error);
    EXPECT_THROW(model.learn(digits().image(0), ""), Error);
    EXPECT_TRUE(names_in(folder_.path()).empty());
    teach(model, 0, 1);
    EXPECT_TRUE(fs::exists(path_));
}

/// A file of an older method version continues with a notice; one of a newer version is rejected.
TEST(MethodVersion, AnOlderFileGivesANoticeAndANewerOneIsRejected) {
    test::register_histogram();
    const TempFolder folder;
    const fs::path path = folder / "a.sprig";
    {
        Model model = Model::open(path, {.learner = "histogram"});
        teach(model, 0, 5);
        EXPECT_EQ(model.notice(), std::nullopt);
    }
    test::Histogram::method = 2;
    EXPECT_EQ(Model::load(path).facts().method, 1U);
    {
        Model model = Model::open(path);
        EXPECT_THAT(model.notice().value_or(""),
                    HasSubstr("with method 1 of histogram and continues with method 2"));
        teach(model, 5, 6);
    }
    EXPECT_EQ(Model::load(path).facts().method, 2U);
    const std::string bytes = Model::load(path).to_bytes();
    test::Histogram::method = 1;
    EXPECT_THAT(refusal(ErrorKind::bad_input, [&] { (void)Model::load(path); }),
                HasSubstr("get a newer sprig"));
    EXPECT_THAT(refusal(ErrorKind::bad_input, [&] { (void)Model::from_bytes(bytes); }),
                HasSubstr("get a newer sprig"));
}

TEST(MergedModels, HaveTheClassesOfBoth) {
    const TempFolder folder;
    Model whole;
    Model even;
    Model odd = Model::open(folder / "odd.sprig");
    for (std::size_t i = 0; i < 100; ++i) {
        const std::string label = label_of(i);
        whole.learn(digits().image(i), label);
        ((label[0] - '0') % 2 == 0 ? even : odd).learn(digits().image(i), label);
    }
    odd.merge(even);
    EXPECT_EQ(odd.digest(), whole.digest());
    EXPECT_TRUE(odd.to_bytes() == whole.to_bytes());
    EXPECT_EQ(odd.facts().lessons, 100U);
    odd.close();
    EXPECT_EQ(Model::load(folder / "odd.sprig").digest(), whole.digest());
    EXPECT_THAT(refusal(ErrorKind::usage, [&] { whole.merge(even); }), HasSubstr("both models have a class"));
    Model modeller({.learner = "modeller"});
    EXPECT_THAT(refusal(ErrorKind::usage, [&] { modeller.merge(even); }), HasSubstr("of one learner"));
}

/// Each merge reads one model and changes the other, so that both could wait for each other for ever.
TEST(MergedModels, CanMergeInBothDirectionsAtOnce) {
    for (int round = 0; round < 50; ++round) {
        Model first;
        Model second;
        first.learn(digits().image(0), label_of(0));
        second.learn(digits().image(1), label_of(1));
        const auto merge = [](Model& into, const Model& other) {
            try {
                into.merge(other);
            } catch (const Error&) { // the other merge was first, so that both have all classes
            }
        };
        std::jthread one([&] { merge(first, second); });
        std::jthread other([&] { merge(second, first); });
        one.join();
        other.join();
        EXPECT_EQ(first.classes().size() + second.classes().size(), 3U);
    }
}

TEST(PictureInput, IsNormalisedUnlessRaw) {
    Picture paper{60, 60, 1, std::vector<std::uint8_t>(3600, 255)};
    for (std::size_t y = 10; y < 50; ++y) paper.pixels[(y * 60) + 30] = paper.pixels[(y * 60) + 31] = 0;
    Model model;
    model.learn(paper, "bar");
    EXPECT_EQ(model.predict(paper).label, "bar");
    const NormaliseParams params = normalise_for({}, model.learner().front_end());
    EXPECT_EQ(model.extract(paper), model.extract(normalise(paper, params).image.view()));
    const Model raw({.raw = true});
    EXPECT_EQ(raw.extract(paper), raw.extract(to_grey(paper).view()));
    const Picture blank{60, 60, 1, std::vector<std::uint8_t>(3600, 255)};
    EXPECT_THROW(model.learn(blank, "bar"), Error);
}

ModelOptions fine_options() {
    return {.preset = "default"};
}

TEST(PictureInput, IsNormalisedToTheResolutionOfTheFrontEnd) {
    Picture paper{300, 300, 1, std::vector<std::uint8_t>(90000, 255)};
    for (std::size_t y = 50; y < 250; ++y)
        for (std::size_t x = 140; x < 155; ++x) paper.pixels[(y * 300) + x] = 0;
    const Normalised fine = normalise(paper, {.box = 60, .side = 84, .even_pens = true});
    ASSERT_EQ(fine.image.width, 84);
    const Model model(fine_options());
    EXPECT_EQ(model.extract(paper), model.extract(fine.image.view()));
    ModelOptions given = fine_options();
    given.normalise = {.box = 30, .side = 50};
    const Normalised coarse = normalise(paper, {.box = 30, .side = 50, .even_pens = true});
    EXPECT_EQ(Model(given).extract(paper), model.extract(coarse.image.view()));
}

TEST(PictureInput, IsReadInTheSameWayByAStoredModel) {
    Picture paper{300, 300, 1, std::vector<std::uint8_t>(90000, 255)};
    for (std::size_t i = 50; i < 250; ++i)
        for (std::size_t w = 0; w < 12; ++w) paper.pixels[(i * 300) + i + w] = 0;
    Model model(fine_options());
    model.learn(paper, "line");
    const Model stored = Model::from_bytes(model.to_bytes());
    EXPECT_EQ(stored.extract(paper), model.extract(paper)) << "the front end is stored, and with it the size";
}

TEST(StrokesInput, AreDrawnInTheResolutionOfTheFrontEnd) {
    const Strokes check = {{{0, 6}, {3, 9}, {9, 0}}};
    const Model model(fine_options());
    EXPECT_EQ(model.extract(check), model.extract(render(check, {.box = 60, .side = 84}).view()));
}

/// Also run with the thread sanitizer, as the next one.
TEST_P(ModelTest, LearnsAndPredictsStrokes) {
    const Strokes arrow = {{{0, 5}, {9, 5}}, {{6, 2}, {9, 5}, {6, 8}}};
    const Strokes check = {{{0, 6}, {3, 9}, {9, 0}}};
    Model model(options());
    model.learn(arrow, "arrow");
    model.learn(check, "check");
    Model same(options());
    const StrokeParams params = strokes_for(normalise_for({}, same.learner().front_end()));
    same.learn(render(arrow, params).view(), "arrow");
    same.learn(render(check, params).view(), "check");
    EXPECT_EQ(model.digest(), same.digest());
    EXPECT_EQ(model.predict(arrow).label, "arrow");
    EXPECT_EQ(model.predict(check).label, "check");
    EXPECT_THAT(model.explain(check, {.versus = "arrow"}).text(), HasSubstr("class check"));
    EXPECT_EQ(model.extract(check), model.extract(render(check, params).view()));
    EXPECT_THAT(refusal(ErrorKind::bad_input, [&] { model.learn(Strokes{}, "empty"); }),
                HasSubstr("no points"));
    EXPECT_THAT(model.classes(), ElementsAre("arrow", "check"));
}

TEST(StrokesInput, AreDrawnInTheSizeOfAPicture) {
    ModelOptions options;
    options.normalise.box = 40;
    options.normalise.side = 56;
    const Strokes check = {{{0, 6}, {3, 9}, {9, 0}}};
    EXPECT_EQ(Model(options).extract(check), Model().extract(render(check, {.box = 40, .side = 56}).view()));
}

TEST_P(ModelTest, TestsWithTheSameResultInAnyNumberOfThreads) {
    Model model(options());
    teach(model, 0, 60);
    model.forget("1"); // has images of an unknown class
    Dataset data = load_dataset("mnist:train:60-159");
    const std::string alone = to_json(model.test(data));
    EXPECT_THAT(alone, HasSubstr("\"label\": \"1\""));
    for (const std::size_t threads : {0U, 1U, 2U, 5U, 1000U})
        EXPECT_EQ(to_json(model.test(data, {.threads = threads})), alone) << threads;
    EXPECT_EQ(model.test({}, {.threads = 3}).images, 0U);
    data.add(digits().image(0), -1, "unlabelled");
    data.add(digits().image(0), -1, "another");
    for (const std::size_t threads : {1U, 5U}) {
        EXPECT_THAT(refusal(ErrorKind::usage, [&] { (void)model.test(data, {.threads = threads}); }),
                    HasSubstr("'unlabelled' has no label"));
    }
}

TEST_P(ModelTest, PredictsWhileItLearns) {
    Model model = Model::open(path_, options());
    teach(model, 0, 10);
    std::atomic<bool> done = false;
    std::atomic<int> predictions = 0;
    std::vector<std::jthread> readers;
    for (int i = 0; i < 2; ++i) {
        readers.emplace_back([&] {
            for (std::size_t at = 0; !done || at < 20; ++at) {
                const Answer answer = model.predict(digits().image(200 + (at % 50)));
                EXPECT_FALSE(answer.label.empty());
                EXPECT_TRUE(at % 10 != 0 || !model.explain(digits().image(at % 100)).text().empty());
                EXPECT_TRUE(at % 15 != 0 || !model.to_bytes().empty());
                EXPECT_TRUE(at % 5 != 0 || model.facts().lessons >= 10U);
                ++predictions;
            }
        });
    }
    teach(model, 10, 60);
    model.undo();
    done = true;
    readers.clear();
    EXPECT_GE(predictions, 40);
    Model alone(options());
    teach(alone, 0, 59);
    EXPECT_EQ(model.digest(), alone.digest());
}

} // namespace

} // namespace sprig
