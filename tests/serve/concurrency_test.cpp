#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "serve/support.h"
#include "service/service.h"

namespace sprig::serve_test {

namespace {

/// The lessons that a server is taught, in order: three classes, each drawing a little different.
std::vector<std::pair<std::string, std::string>> lessons(int count) {
    std::vector<std::pair<std::string, std::string>> all;
    for (int i = 0; i < count; ++i) {
        const int size = 6 + i;
        if (i % 3 == 0) all.emplace_back(arrow(size), "arrow");
        if (i % 3 == 1) all.emplace_back(cross(size), "cross");
        if (i % 3 == 2) all.emplace_back(check_mark(size), "check");
    }
    return all;
}

/// The answers to one drawing after 0, 1, 2, ... lessons, as a model without a server gives them.
std::vector<std::string> expected_answers(const std::vector<std::pair<std::string, std::string>>& taught,
                                          const std::string& question) {
    Model model;
    const service::Sample sample = service::parse_sample(service::parse_request(question));
    std::vector<std::string> answers = {service::to_text(service::predict(model, sample))};
    for (const auto& [strokes, label] : taught) {
        (void)service::learn(model, service::parse_sample(service::parse_request(drawing(strokes))), label);
        answers.push_back(service::to_text(service::predict(model, sample)));
    }
    return answers;
}

TEST(Concurrency, EveryAnswerIsThatOfTheModelBetweenTwoLessons) {
    constexpr int count = 60;
    constexpr int askers = 6;
    const std::string question = drawing(cross(40));
    const auto taught = lessons(count);
    const testing_support::TempFolder folder;
    RunningServer running(folder / "a.sprig", {.threads = 4});
    std::atomic<bool> done = false;
    std::vector<std::vector<std::string>> seen(askers);
    std::vector<std::thread> threads;
    threads.reserve(askers);
    for (int i = 0; i < askers; ++i) {
        threads.emplace_back([&, i] {
            Client client(running.port());
            while (!done) {
                if (!client.send(request_text("POST", "/api/predict", question))) break;
                const HttpReply reply = client.reply();
                std::vector<std::string>& own = seen[static_cast<std::size_t>(i)];
                if (own.empty() || own.back() != reply.body) own.push_back(reply.body);
                if (reply.status != 200) break;
            }
        });
    }
    Client teacher(running.port());
    for (const auto& [strokes, label] : taught) {
        EXPECT_TRUE(teacher.send(request_text("POST", "/api/learn", lesson(strokes, label))));
        EXPECT_EQ(teacher.reply().status, 200);
    }
    EXPECT_EQ(ask(running.port(), "POST", "/api/predict", question).body,
              expected_answers(taught, question).back());
    done = true;
    for (std::thread& thread : threads) thread.join();
    const std::vector<std::string> expected = expected_answers(taught, question);
    std::size_t distinct = 0;
    for (const std::vector<std::string>& own : seen) {
        // In the order of the lessons: a client never sees an older state after a newer one.
        std::size_t at = 0;
        for (const std::string& answer : own) {
            const auto found =
                std::find(expected.begin() + static_cast<std::ptrdiff_t>(at), expected.end(), answer);
            ASSERT_NE(found, expected.end()) << answer;
            at = static_cast<std::size_t>(found - expected.begin());
        }
        distinct = std::max(distinct, own.size());
    }
    EXPECT_GT(distinct, 1U) << "nobody asked during the lessons";
}

TEST(Concurrency, LessonsOfSeveralTeachersAreOneAfterTheOther) {
    const testing_support::TempFolder folder;
    constexpr int teachers = 4;
    constexpr int each = 10;
    {
        RunningServer running(folder / "a.sprig", {.threads = 4});
        std::vector<std::thread> threads;
        threads.reserve(teachers);
        for (int t = 0; t < teachers; ++t) {
            threads.emplace_back([&, t] {
                for (int i = 0; i < each; ++i) {
                    const std::string body = lesson(cross(6 + i), fmt::format("class {}", t));
                    EXPECT_EQ(ask(running.port(), "POST", "/api/learn", body).status, 200);
                    EXPECT_EQ(ask(running.port(), "POST", "/api/explain", drawing(arrow())).status, 200);
                    EXPECT_EQ(ask(running.port(), "GET", "/api/model").status, 200);
                }
            });
        }
        for (std::thread& thread : threads) thread.join();
    }
    const Model model = Model::load(folder / "a.sprig");
    EXPECT_EQ(model.facts().lessons, static_cast<std::uint64_t>(teachers * each));
    EXPECT_EQ(model.samples(), std::vector<std::uint64_t>(teachers, each));
}

} // namespace

} // namespace sprig::serve_test
