#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "cli/learners.h"
#include "sprig/store.h"

namespace sprig::cli {

/// Which learner a new model is to have, as far as a person said: for a model that is there already it is
/// what that person takes it for.
struct WantedLearner {
    std::string name; ///< empty: not said, as the next ones
    std::string preset;
    std::vector<std::pair<std::string, std::string>> settings;
    std::optional<std::uint64_t> seed;

    [[nodiscard]] bool is_said() const {
        return !name.empty() || !preset.empty() || !settings.empty() || seed.has_value();
    }
};

/// How often the model was right about an image before it learned it. The first image of a class is not asked
/// about: there is no right answer yet.
class Prequential {
  public:
    void add(bool right);
    void add_first() { ++firsts_; }

    [[nodiscard]] std::uint64_t firsts() const { return firsts_; }
    [[nodiscard]] std::uint64_t asked() const { return asked_; }
    [[nodiscard]] std::uint64_t right() const { return right_; }
    /// None if nothing was asked.
    [[nodiscard]] std::optional<double> accuracy() const;
    /// Of the latest so many answers, up to 1,000; none if there were fewer.
    [[nodiscard]] std::optional<double> of_last(std::size_t answers) const;

  private:
    std::uint64_t firsts_ = 0;
    std::uint64_t asked_ = 0;
    std::uint64_t right_ = 0;
    std::deque<bool> latest_; ///< the last one last
};

/// Learning into a model file, from the first image to the last. A file that is not there yet is made with
/// the first lesson, so that nothing is left behind if that never comes.
class Learning {
  public:
    /// Throws as `ModelFile` does, and Error(usage) if the model is another one than was wanted, or there is
    /// no such learner.
    Learning(std::filesystem::path path, const WantedLearner& wanted, const ModelFile::Options& options);

    [[nodiscard]] const Learner& learner() const { return file_ ? file_->learner() : *fresh_; }
    [[nodiscard]] bool is_new() const { return made_ || file_ == nullptr; }
    [[nodiscard]] std::uint64_t learned() const { return learned_; }
    [[nodiscard]] const Prequential& prequential() const { return prequential_; }

    /// Asks the model what it sees, then tells it.
    void learn(const Network& network, const std::string& label);
    /// All is in its place then, and there is one file. Nothing happens without a lesson in a new one.
    void close();

  private:
    void ask(const Network& network, const std::string& label);
    void make_file();
    void drop_file();

    std::filesystem::path path_;
    ModelFile::Options options_;
    std::string preset_;             ///< of a new model
    std::unique_ptr<Learner> fresh_; ///< a new model, until its file is made
    std::unique_ptr<ModelFile> file_;
    bool made_ = false;
    std::uint64_t learned_ = 0;
    Prequential prequential_;
};

} // namespace sprig::cli
