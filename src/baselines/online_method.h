#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "baselines/strategy.h"

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

} // namespace sprig::baselines
