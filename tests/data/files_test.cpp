#include "data/files.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <thread>
#include <vector>

#include "support.h"

namespace sprig {
namespace {

using namespace testing_support;
using ::testing::IsEmpty;

[[nodiscard]] std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

TEST(WriteFileAtomically, WritesAndOverwrites) {
    const TempFolder folder;
    write_file_atomically(folder / "a", "first");
    EXPECT_EQ(slurp_text(folder / "a"), "first");
    write_file_atomically(folder / "a", std::string(100000, 'x'));
    EXPECT_EQ(slurp_text(folder / "a"), std::string(100000, 'x'));
    write_file_atomically(folder / "a", "");
    EXPECT_EQ(slurp_text(folder / "a"), "");
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"a"});
}

TEST(WriteFileAtomically, AcceptsARelativePath) {
    const TempFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    write_file_atomically("plain", "x");
    fs::current_path(before);
    EXPECT_EQ(slurp_text(folder / "plain"), "x");
}

TEST(WriteFileAtomically, LeavesPermissionsToTheUmask) {
    const TempFolder folder;
    const mode_t before = umask(027);
    write_file_atomically(folder / "a", "x");
    umask(before);
    EXPECT_EQ(fs::status(folder / "a").permissions(), static_cast<fs::perms>(0640));
}

TEST(WriteFileAtomically, FollowsASymbolicLink) {
    const TempFolder folder;
    write(folder / "real", "old");
    fs::create_symlink(folder / "real", folder / "link");
    write_file_atomically(folder / "link", "new");
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(slurp_text(folder / "real"), "new");
}

TEST(WriteFileAtomically, NamesAMissingFolder) {
    const TempFolder folder;
    expect_error(ErrorKind::failed, {"no folder", (folder / "none").string(), "create it first"},
                 [&] { write_file_atomically(folder / "none/a", "x"); });
}

TEST(WriteFileAtomically, RejectsAFolder) {
    const TempFolder folder;
    expect_error(ErrorKind::failed, {"it is a folder"}, [&] { write_file_atomically(folder.path(), "x"); });
}

TEST(WriteFileAtomically, AFailingWriteLeavesTheOldFile) {
    const TempFolder folder;
    write(folder / "a", "old");
    // A limit on file sizes simulates a full disk: write(2) fails half-way.
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{4096, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    expect_error(ErrorKind::failed, {(folder / "a").string(), "File too large", "unchanged"},
                 [&] { write_file_atomically(folder / "a", std::string(100000, 'x')); });
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, old_handler);
    EXPECT_EQ(slurp_text(folder / "a"), "old");
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"a"});
}

TEST(WriteFileAtomically, ReportsTheSystemError) {
    const TempFolder folder;
    expect_error(ErrorKind::failed, {"File name too long"},
                 [&] { write_file_atomically(folder / std::string(300, 'n'), "x"); });
    EXPECT_THAT(names_in(folder.path()), IsEmpty());
}

TEST(TemporaryFolder, IsRemovedWithItsContent) {
    const TempFolder folder;
    fs::path path;
    {
        const data_detail::TemporaryFolder temporary(folder / "made/too", ".x-");
        path = temporary.path();
        write(path / "deep/file", "x");
        EXPECT_TRUE(fs::exists(path));
    }
    EXPECT_FALSE(fs::exists(path));
    EXPECT_TRUE(fs::exists(folder / "made/too"));
}

TEST(TemporaryFolder, ReportsWhyItCannotBeCreated) {
    const TempFolder folder;
    write(folder / "file", "x");
    expect_error(ErrorKind::failed, {"cannot create the folder", "file"},
                 [&] { const data_detail::TemporaryFolder temporary(folder / "file", ".x-"); });
}

/// Another process that looks for abandoned folders must not remove one that is just being made: such a
/// process made the writing of several model files into one folder fail.
TEST(TemporaryFolder, IsNotRemovedByOthersWhileItIsMade) {
    const TempFolder folder;
    std::atomic<bool> done = false;
    std::vector<std::jthread> removing;
    for (int i = 0; i < 3; ++i) {
        removing.emplace_back([&] {
            while (!done) data_detail::remove_abandoned(folder.path(), ".x-");
        });
    }
    int lost = 0;
    for (int i = 0; i < 1000; ++i) {
        const data_detail::TemporaryFolder temporary(folder.path(), ".x-");
        if (!fs::exists(temporary.path())) ++lost;
    }
    done = true;
    EXPECT_EQ(lost, 0);
}

TEST(TopologyRule, KeepsImagesThatMatchTheirLabel) {
    const TopologyRule rule;
    EXPECT_TRUE(rule.keeps("0", 1, 1));
    EXPECT_FALSE(rule.keeps("0", 1, 0));
    EXPECT_FALSE(rule.keeps("0", 2, 1));
    EXPECT_TRUE(rule.keeps("8", 1, 2));
    EXPECT_FALSE(rule.keeps("8", 1, 1));
    EXPECT_TRUE(rule.keeps("6", 1, 1));
    EXPECT_TRUE(rule.keeps("9", 1, 1));
    EXPECT_FALSE(rule.keeps("9", 1, 2));
}

TEST(TopologyRule, AllowsAnyHolesForUnlistedLabels) {
    const TopologyRule rule;
    EXPECT_TRUE(rule.keeps("4", 1, 0));
    EXPECT_TRUE(rule.keeps("4", 1, 1));
    EXPECT_FALSE(rule.keeps("4", 0, 0));
}

TEST(TopologyRule, CanBeCustomised) {
    const TopologyRule rule{2, {{"i", 0}}};
    EXPECT_TRUE(rule.keeps("i", 2, 0));
    EXPECT_FALSE(rule.keeps("i", 1, 0));
    EXPECT_FALSE(rule.keeps("i", 2, 1));
}

} // namespace
} // namespace sprig
