#include <fstream>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "store/support.h"
#include "support/exhaustive.h"

namespace sprig::store_test {

namespace {

class Damage : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        const auto learner = make_learner(GetParam());
        save_model(*learner, path_);
        {
            ModelFile file(path_, {.durability = ModelFile::Durability::process, .undo = 1, .events = 100});
            // The Modeller stores all edges of its first image: one image is enough.
            const std::size_t count = GetParam() == "modeller" ? 1 : 3;
            for (const Lesson& lesson : lessons_for(*learner, count))
                file.learn(lesson.network, lesson.label);
            file.close();
        }
        shrink_pages();
        digest_ = load_model(path_).learner->digest();
        std::ifstream in(path_, std::ios::binary);
        bytes_.assign(std::istreambuf_iterator<char>(in), {});
        ASSERT_EQ(bytes_.size(), fs::file_size(path_));
    }

    /// Rewrites the file with smaller pages, so that fewer bytes are unused.
    void shrink_pages() {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, "PRAGMA page_size = 512; VACUUM", nullptr, nullptr, nullptr),
                  SQLITE_OK);
        sqlite3_close(database);
    }

    /// Whether a damaged file is rejected or still holds the same model.
    bool is_same_or_rejected() {
        try {
            return load_model(path_).learner->digest() == digest_;
        } catch (const Error&) {
            ++rejected_;
            return true;
        }
    }
    void write(std::string_view bytes) {
        std::ofstream(path_, std::ios::binary)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }

    TempFolder folder_;
    fs::path path_ = folder_ / "a.sprig";
    std::string bytes_;
    std::uint64_t digest_ = 0;
    std::size_t rejected_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Learners, Damage, testing::Values("constellation", "modeller"),
                         [](const auto& one) { return one.param; });

/// A prime, so that no structure is always hit at the same offset; the quick test takes about a second.
std::size_t stride() {
    return test::exhaustive() ? 1 : 151;
}

TEST_P(Damage, AFlippedByteIsDetectedOrHarmless) {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    const auto put = [&](std::size_t at, char byte) {
        file.seekp(static_cast<std::streamoff>(at));
        file.put(byte);
        file.flush();
    };
    std::size_t tried = 0;
    for (std::size_t at = 0; at < bytes_.size(); at += stride()) {
        // Flip all bits or a single one.
        const auto mask = static_cast<char>(at % 3 == 0 ? 0xff : 1U << (at % 8));
        put(at, static_cast<char>(bytes_[at] ^ mask));
        ASSERT_TRUE(is_same_or_rejected()) << "byte " << at;
        put(at, bytes_[at]);
        ++tried;
    }
    EXPECT_TRUE(is_same_or_rejected());
    EXPECT_GT(rejected_, tried / 50);
    EXPECT_EQ(load_model(path_).learner->digest(), digest_);
}

TEST_P(Damage, ATruncatedFileIsRejected) {
    for (std::size_t size = 0; size < bytes_.size(); size += stride()) {
        write(std::string_view(bytes_).substr(0, size));
        EXPECT_THROW((void)load_model(path_), Error) << "the first " << size << " bytes";
    }
    write(bytes_ + "x");
    EXPECT_THROW((void)load_model(path_), Error);
    write(bytes_);
    EXPECT_EQ(load_model(path_).learner->digest(), digest_);
}

} // namespace

} // namespace sprig::store_test
