#include "baselines/online_method.h"

#include <algorithm>

#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::baselines {

void check_images(const Task& task, const Samples& images) {
    if (images.width() == task.width) return;
    throw usage_error(
        fmt::format("the task has images of {} px, but these have {}", task.width, images.width()));
}

void check_images(const Task& task, const Samples& images, std::size_t label) {
    check_images(task, images);
    if (label < task.classes) return;
    throw usage_error(fmt::format("the task has {} classes, and none of number {}", task.classes, label));
}

void OnlineMethod::observe(const Samples& images, std::size_t label) {
    check_images(task_, images, label);
    for (std::size_t i = 0; i < images.size(); ++i) {
        learn(images.row(i), label);
        ++seen_[label];
        prepared_ = false;
    }
}

void OnlineMethod::predict(const Samples& images, std::vector<std::size_t>& answers) {
    check_images(task_, images);
    if (!prepared_) prepare();
    prepared_ = true;
    answers.clear();
    std::vector<double> scores(task_.classes);
    for (std::size_t i = 0; i < images.size(); ++i) {
        score(images.row(i), scores);
        answers.push_back(best(scores));
    }
}

Kept OnlineMethod::kept() const {
    const auto met = static_cast<std::size_t>(std::ranges::count_if(seen_, [](auto n) { return n > 0; }));
    return {.model = shared_bytes() + (met * (bytes_per_class() + sizeof seen_.front()))};
}

std::size_t OnlineMethod::best(std::span<const double> scores) const {
    std::size_t best = 0;
    bool found = false;
    for (std::size_t label = 0; label < scores.size(); ++label) {
        if (seen_[label] == 0 || (found && scores[label] <= scores[best])) continue;
        best = label;
        found = true;
    }
    return best;
}

} // namespace sprig::baselines
