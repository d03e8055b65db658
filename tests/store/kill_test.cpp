#include <csignal>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "core/keyed.h"
#include "store/support.h"
#include "support/exhaustive.h"

namespace sprig::store_test {

namespace {

int kills() {
    return test::brief() ? 30 : 100;
}

/// Starts a process that continues to learn into a file until it is killed.
pid_t start_learning(const fs::path& path, const std::vector<Lesson>& lessons) {
    const pid_t child = fork();
    if (child != 0) return child;
    try {
        ModelFile file(path);
        for (std::size_t i = file.lessons(); i < lessons.size(); ++i)
            file.learn(lessons[i].network, lessons[i].label);
        file.close();
        _exit(0);
    } catch (...) {
        _exit(1);
    }
}

void kill_while_learning(const std::string& name, std::size_t count, int times) {
    const TempFolder folder;
    const fs::path path = folder / "a.sprig";
    const auto learner = make_learner(name);
    const std::vector<Lesson> lessons = lessons_for(*learner, count);
    save_model(*learner, path);
    const std::vector<std::uint64_t> digests = digests_of(*learner, lessons);
    std::uint64_t reached = 0;
    int killed = 0;
    for (int i = 0; i < times; ++i) {
        const pid_t child = start_learning(path, lessons);
        ASSERT_GT(child, 0);
        std::this_thread::sleep_for(std::chrono::microseconds(
            random::mix(std::uint64_t{77}, static_cast<std::uint64_t>(i)) % 40'000));
        kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) != 0) << "failed without being killed";
        if (WIFSIGNALED(status)) ++killed;
        const StoredModel seen = load_model(path);
        ASSERT_GE(seen.facts.lessons, reached) << "a lesson was lost";
        reached = seen.facts.lessons;
        ASSERT_EQ(seen.learner->digest(), digests.at(reached));
        if (reached == lessons.size()) { // start again
            fs::remove(path);
            fs::remove(path.string() + "-wal");
            fs::remove(path.string() + "-shm");
            save_model(*make_learner(name), path);
            reached = 0;
        }
    }
    EXPECT_GT(killed, times / 2);
    ModelFile file(path);
    EXPECT_EQ(file.learner().digest(), digests.at(file.lessons()));
    file.close();
    EXPECT_EQ(names_in(folder.path()).size(), 1U);
}

TEST(Killed, ConstellationLosesNoLesson) {
    kill_while_learning("constellation", 1500, kills());
}

TEST(Killed, ModellerLosesNoLesson) {
    kill_while_learning("modeller", 400, kills() / 2);
}

} // namespace

} // namespace sprig::store_test
