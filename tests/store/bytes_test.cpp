#include <fstream>

#include <gmock/gmock.h>

#include "learner/packing.h"
#include "store/bytes_form.h"
#include "store/support.h"

namespace sprig::store_test {

namespace {

using store::ModelState;
using testing::HasSubstr;

class BytesForm : public testing::TestWithParam<std::string> {
  protected:
    static ModelState learned(const std::string& name, std::size_t lessons) {
        ModelState state(make_learner(name), "");
        for (const Lesson& lesson : lessons_for(*state.learner, lessons))
            (void)state.learn(lesson.network, lesson.label);
        return state;
    }
};
INSTANTIATE_TEST_SUITE_P(Learners, BytesForm, testing::Values("constellation", "modeller"),
                         [](const auto& one) { return one.param; });

TEST_P(BytesForm, ContinuesLikeTheOriginalModel) {
    ModelState state = learned(GetParam(), 120);
    const std::string bytes = to_bytes(state);
    ModelState back = store::from_bytes(bytes);
    EXPECT_EQ(back.learner->digest(), state.learner->digest());
    EXPECT_TRUE(to_bytes(back) == bytes);
    for (const Lesson& lesson : lessons_for(*state.learner, 60, 120)) {
        (void)state.learn(lesson.network, lesson.label);
        (void)back.learn(lesson.network, lesson.label);
        ASSERT_EQ(back.learner->digest(), state.learner->digest());
    }
    EXPECT_TRUE(to_bytes(back) == to_bytes(state));
}

TEST(Bytes, AreEqualForEqualContent) {
    ModelState one(make_learner("constellation"), "default");
    std::vector<Lesson> lessons = lessons_for(*one.learner, 60);
    for (const Lesson& lesson : lessons) (void)one.learn(lesson.network, lesson.label);
    // The same classes in another order; the order within each class is the same.
    ModelState other(make_learner("constellation"), "default");
    std::stable_sort(lessons.begin(), lessons.end(),
                     [](const Lesson& a, const Lesson& b) { return a.label > b.label; });
    for (const Lesson& lesson : lessons) (void)other.learn(lesson.network, lesson.label);
    store::Delta undone = other.learn(lessons[0].network, "extra").inverse;
    (void)other.change(std::move(undone));
    ASSERT_NE(one.learner->classes(), other.learner->classes());
    EXPECT_TRUE(to_bytes(one) == to_bytes(other));
}

TEST_P(BytesForm, AFileInTheBytesFormCanBeLoaded) {
    const TempFolder folder;
    const ModelState state = learned(GetParam(), 20);
    write_file_atomically(folder / "a.bytes", to_bytes(state));
    EXPECT_NO_THROW(verify_model(folder / "a.bytes"));
    const StoredModel stored = load_model(folder / "a.bytes");
    EXPECT_EQ(stored.learner->digest(), state.learner->digest());
    EXPECT_EQ(stored.facts.lessons, 20U);
    EXPECT_EQ(stored.samples, store::samples_of(store::from_bytes(to_bytes(state))));
    try {
        ModelFile file(folder / "a.bytes");
        FAIL() << "it was opened for learning";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_THAT(error.what(), HasSubstr("--to file"));
    }
}

TEST_P(BytesForm, EveryFlippedByteAndEveryLengthIsRejected) {
    const std::string bytes = to_bytes(learned(GetParam(), GetParam() == "modeller" ? 1 : 3));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ (at % 3 == 0 ? 0xff : 1 << (at % 8)));
        EXPECT_THROW((void)store::from_bytes(damaged), Error) << at;
        EXPECT_THROW((void)store::from_bytes(bytes.substr(0, at)), Error) << at;
    }
    EXPECT_THROW((void)store::from_bytes(bytes + "x"), Error);
}

/// With a valid checksum, changed bytes are rejected or are a valid model.
TEST_P(BytesForm, ForgedBytesAreRejectedOrAreAModel) {
    const std::string bytes = to_bytes(learned(GetParam(), GetParam() == "modeller" ? 1 : 3));
    std::size_t refused = 0;
    for (std::size_t at = 0; at + 8 < bytes.size(); ++at) {
        std::string changed = bytes.substr(0, bytes.size() - 8);
        changed[at] = static_cast<char>(changed[at] ^ (at % 3 == 0 ? 0xff : 1 << (at % 8)));
        learner::append_checksum(changed);
        try {
            store::from_bytes(changed).learner->check();
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::bad_input) << error.what();
            ++refused;
        }
    }
    EXPECT_GT(refused, bytes.size() / 50);
}

TEST_P(BytesForm, ANewerVersionIsRejectedWithAdvice) {
    std::string bytes = to_bytes(learned(GetParam(), 1));
    bytes.resize(bytes.size() - 8);
    bytes[8] = 2; // the version follows the eight magic bytes
    learner::append_checksum(bytes);
    try {
        (void)store::from_bytes(bytes);
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("get a newer sprig"));
    }
    EXPECT_THROW((void)store::from_bytes("something else"), Error);
}

} // namespace

} // namespace sprig::store_test
