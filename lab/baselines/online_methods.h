#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lab/baselines/strategy.h"

namespace sprig::baselines {

/// Throws Error(usage) unless the images have the width of the task.
void check_images(const Task& task, const Samples& images);
/// The same, and unless the task has the class.
void check_images(const Task& task, const Samples& images, std::size_t label);

/// A method that learns image by image and scores each class that it has seen. This base class counts the
/// images of each class, picks the best score, and decides when to prepare again.
class OnlineMethod : public Strategy {
  public:
    explicit OnlineMethod(const Task& task) : task_(task), seen_(task.classes) {}

    void observe(const Samples& images, std::size_t label) final;
    void predict(const Samples& images, std::vector<std::size_t>& answers) final;
    void rank(const Samples& images, std::size_t most, std::vector<std::vector<std::size_t>>& answers) final;
    [[nodiscard]] MemoryUse memory_use() const final;

  protected:
    using Image = std::span<const float>;

    [[nodiscard]] const Task& task() const { return task_; }
    /// The number of learned images of a class, not counting the one being learned.
    [[nodiscard]] std::uint32_t seen(std::size_t label) const { return seen_[label]; }

  private:
    virtual void learn(Image image, std::size_t label) = 0;
    /// Called before images are scored if something has been learned since the last time: computes what
    /// follows from the statistics.
    virtual void prepare() {}
    /// Fills in the score of each class; higher is better. Scores of classes never seen are ignored.
    virtual void score(Image image, std::span<double> scores) = 0;
    /// The size of the statistics of each seen class, without the count of its images, and of those shared by
    /// all classes.
    [[nodiscard]] virtual std::size_t bytes_per_class() const = 0;
    [[nodiscard]] virtual std::size_t shared_bytes() const { return 0; }

    /// The seen class with the best score; of equals the first.
    [[nodiscard]] std::size_t best(std::span<const double> scores) const;

    Task task_;
    std::vector<std::uint32_t> seen_;
    bool prepared_ = false;
};

// Methods that learn image by image without a network. They predict only classes that they have seen, and
// class 0 before they have seen any. Their memory use counts the statistics of the seen classes as floats,
// not what can be computed from them.

/// The class whose mean image is nearest.
[[nodiscard]] std::unique_ptr<Strategy> make_nearest_mean(const Task& task);

/// An independent normal distribution for each pixel and class. The floor is added to every variance, because
/// most pixels of a class are always blank.
[[nodiscard]] std::unique_ptr<Strategy> make_naive_bayes(const Task& task, double variance_floor);

/// Streaming linear discriminant analysis: the means of the classes and a shared covariance, which is shrunk
/// towards a multiple of the identity with the weight of `prior` images. Class priors are equal.
[[nodiscard]] std::unique_ptr<Strategy> make_streaming_lda(const Task& task, double prior);
/// The same on random features instead of pixels, drawn by the task's seed.
[[nodiscard]] std::unique_ptr<Strategy> make_random_feature_lda(const Task& task, std::size_t features,
                                                                double prior);

/// The majority class of the `k` nearest of all images so far, which are all stored.
[[nodiscard]] std::unique_ptr<Strategy> make_nearest_neighbours(const Task& task, std::size_t k);

/// A linear classifier with the passive-aggressive rule: no update if the right class leads by a margin of 1,
/// otherwise the smallest update that makes it so, limited to `most_aggressive` times the image.
[[nodiscard]] std::unique_ptr<Strategy> make_passive_aggressive(const Task& task, double most_aggressive);

} // namespace sprig::baselines
