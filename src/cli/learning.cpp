#include "cli/learning.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sprig/error.h"
#include "vision/front_end_parameters.h"

namespace sprig::cli {

namespace {

constexpr std::size_t most_answers = 1000;

using Json = nlohmann::ordered_json;

/// Constellation leaves nothing to chance; who gives it a seed expects something that will not happen.
void require_use_for_seed(const std::string& learner, const std::optional<std::uint64_t>& seed) {
    if (seed && learner == "constellation")
        throw usage_error("constellation draws nothing at random, so --seed changes nothing: leave it out");
}

Error another_model(const std::filesystem::path& path, const std::string& what, const std::string& is,
                    const std::string& wanted) {
    return usage_error(fmt::format(
        "'{}' is there already, and its {} is {}, not {}; leave that option out, or make another model",
        path.string(), what, is, wanted));
}

/// Parameters of a learner and of its front end, which have no name in common.
Json all_parameters(const std::string& of_learner, const std::string& of_front_end) {
    Json all = Json::parse(of_learner);
    all.update(Json::parse(of_front_end));
    return all;
}

/// The values that were asked for are those of a learner that is made with them.
void require_settings(const std::filesystem::path& path, const ModelFacts& facts, const LearnerChoice& choice,
                      std::uint64_t seed) {
    const std::unique_ptr<Learner> made = make_learner(choice, seed);
    const Json wanted = all_parameters(made->parameters(), sprig::to_json(made->front_end()).dump());
    const Json is = all_parameters(facts.parameters, facts.front_end);
    for (const auto& [key, value] : choice.settings) {
        if (!is.contains(key) || is[key] != wanted.at(key))
            throw another_model(path, key, is.contains(key) ? is[key].dump() : "none", wanted.at(key).dump());
    }
}

void require_same(const std::filesystem::path& path, const WantedLearner& wanted) {
    if (!wanted.is_said()) return;
    const ModelFacts facts = load_model(path).facts;
    if (!wanted.name.empty() && wanted.name != facts.learner)
        throw another_model(path, "learner", facts.learner, wanted.name);
    if (!wanted.preset.empty() && wanted.preset != facts.preset)
        throw another_model(path, "preset", facts.preset.empty() ? "not known" : facts.preset, wanted.preset);
    require_use_for_seed(facts.learner, wanted.seed);
    if (wanted.seed && *wanted.seed != facts.seed)
        throw another_model(path, "seed", std::to_string(facts.seed), std::to_string(*wanted.seed));
    if (!wanted.settings.empty())
        require_settings(path, facts, {facts.learner, facts.preset, wanted.settings}, facts.seed);
}

} // namespace

void Prequential::add(bool right) {
    ++asked_;
    right_ += right ? 1 : 0;
    latest_.push_back(right);
    if (latest_.size() > most_answers) latest_.pop_front();
}

std::optional<double> Prequential::accuracy() const {
    if (asked_ == 0) return {};
    return static_cast<double>(right_) / static_cast<double>(asked_);
}

std::optional<double> Prequential::of_last(std::size_t answers) const {
    if (latest_.size() < answers) return {};
    const auto right = std::count(latest_.end() - static_cast<std::ptrdiff_t>(answers), latest_.end(), true);
    return static_cast<double>(right) / static_cast<double>(answers);
}

Learning::Learning(std::filesystem::path path, const WantedLearner& wanted, const ModelFile::Options& options)
    : path_(std::move(path)), options_(options) {
    std::error_code unknown; // opening it says what is wrong
    if (std::filesystem::exists(path_, unknown)) {
        require_same(path_, wanted);
        file_ = std::make_unique<ModelFile>(path_, options_);
        return;
    }
    LearnerChoice choice{wanted.name.empty() ? learner_names().front() : wanted.name, wanted.preset,
                         wanted.settings};
    require_use_for_seed(choice.name, wanted.seed);
    preset_ = preset_of(choice);
    fresh_ = make_learner(choice, wanted.seed.value_or(0));
}

void Learning::make_file() {
    save_model(*fresh_, path_, preset_);
    made_ = true;
    file_ = std::make_unique<ModelFile>(path_, options_);
    fresh_.reset();
}

void Learning::ask(const Network& network, const std::string& label) {
    const std::unique_ptr<Reader> reader = learner().reader();
    if (std::ranges::find(reader->classes(), label) == reader->classes().end()) {
        prequential_.add_first();
        return;
    }
    const Decision& decision = reader->decide(network);
    prequential_.add(decision.best && reader->classes()[*decision.best] == label);
}

void Learning::learn(const Network& network, const std::string& label) {
    if (file_ == nullptr) make_file();
    ask(network, label);
    try {
        file_->learn(network, label);
    } catch (...) {
        if (made_ && learned_ == 0) drop_file();
        throw;
    }
    ++learned_;
}

/// A model that was to be made here and did not get to its first lesson.
void Learning::drop_file() {
    file_.reset();
    std::error_code stays; // what is wrong is told by whoever threw
    std::filesystem::remove(path_, stays);
}

void Learning::close() {
    if (file_ == nullptr) return;
    file_->close();
    file_.reset();
}

} // namespace sprig::cli
