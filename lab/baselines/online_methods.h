#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lab/baselines/strategy.h"

namespace sprig::baselines {

/// Throws Error(usage) unless the images are as wide as the task says.
void check_images(const Task& task, const Samples& images);
/// The same, and unless the task has such a class.
void check_images(const Task& task, const Samples& images, std::size_t label);

/// A method that learns image by image and gives each class it has met a score. It sees to what is the same
/// for all of these: which classes were met, which score is the best, and when to prepare anew.
class OnlineMethod : public Strategy {
  public:
    explicit OnlineMethod(const Task& task) : task_(task), seen_(task.classes) {}

    void observe(const Samples& images, std::size_t label) final;
    void predict(const Samples& images, std::vector<std::size_t>& answers) final;
    [[nodiscard]] Kept kept() const final;

  protected:
    using Image = std::span<const float>;

    [[nodiscard]] const Task& task() const { return task_; }
    /// How many images of a class were learned; while one is being learned, without it.
    [[nodiscard]] std::uint32_t seen(std::size_t label) const { return seen_[label]; }

  private:
    virtual void learn(Image image, std::size_t label) = 0;
    /// Called before images are scored if something was learned since the last time: what follows from
    /// the statistics, for all images alike.
    virtual void prepare() {}
    /// Fills in how well an image fits each class; greater is better. Those of classes never met are not
    /// looked at.
    virtual void score(Image image, std::span<double> scores) = 0;
    /// What must be kept of each class that was met, beside the count of its images, and of all together.
    [[nodiscard]] virtual std::size_t bytes_per_class() const = 0;
    [[nodiscard]] virtual std::size_t shared_bytes() const { return 0; }

    /// The class with the best score, of equals the first.
    [[nodiscard]] std::size_t best(std::span<const double> scores) const;

    Task task_;
    std::vector<std::uint32_t> seen_;
    bool prepared_ = false;
};

// Methods that learn one image after the other and need no network. All of them answer only with classes
// that they have met, and with class 0 before they have met any. What they keep is counted in floats for the
// classes they have met; whatever can be computed anew from that is not counted.

/// The class whose mean image is nearest.
[[nodiscard]] std::unique_ptr<Strategy> make_nearest_mean(const Task& task);

/// Each pixel a normal distribution of its own, for each class. The floor is added to every variance: most
/// pixels of a class are always blank.
[[nodiscard]] std::unique_ptr<Strategy> make_naive_bayes(const Task& task, double variance_floor);

/// Linear discriminant analysis, sample by sample: the means of the classes, and one covariance for all of
/// them. It is shrunk towards a multiple of the identity as if that had been seen in `prior` images: much at
/// first, ever less later. All classes are equally likely beforehand.
[[nodiscard]] std::unique_ptr<Strategy> make_streaming_lda(const Task& task, double prior);
/// The same on random features instead of pixels: a fixed number of units, drawn by the task's seed.
[[nodiscard]] std::unique_ptr<Strategy> make_random_feature_lda(const Task& task, std::size_t features,
                                                                double prior);

/// What most of the `k` nearest of all images so far are; it stores them all.
[[nodiscard]] std::unique_ptr<Strategy> make_nearest_neighbours(const Task& task, std::size_t k);

/// A linear classifier by the passive-aggressive rule: no change if the right class leads by a margin of 1,
/// else just so much that it does, but no more than `most_aggressive` times the image.
[[nodiscard]] std::unique_ptr<Strategy> make_passive_aggressive(const Task& task, double most_aggressive);

} // namespace sprig::baselines
