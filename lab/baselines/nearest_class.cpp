#include "lab/baselines/nearest_class.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "lab/baselines/online_methods.h"
#include "lab/baselines/stored_images.h"

namespace sprig::baselines {

namespace {

using Numbers = std::vector<std::uint8_t>;

class NearestClass : public Strategy {
  public:
    NearestClass(const Task& task, std::size_t numbers) : task_(task), width_(numbers) {}

    void observe(const Samples& images, std::size_t label) final {
        check_images(task_, images, label);
        for (std::size_t i = 0; i < images.size(); ++i) {
            const Numbers numbers = numbers_of(images.row(i));
            numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
            labels_.push_back(static_cast<std::uint32_t>(label));
        }
    }

    void predict(const Samples& images, std::vector<std::size_t>& answers) final {
        check_images(task_, images);
        answers.clear();
        for (std::size_t i = 0; i < images.size(); ++i) {
            const Numbers numbers = numbers_of(images.row(i));
            std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
            std::size_t best = 0;
            for (std::size_t s = 0; s < labels_.size(); ++s) {
                const std::uint32_t far = distance(numbers, sample(s));
                if (far < least) best = labels_[s];
                least = std::min(least, far);
            }
            answers.push_back(best);
        }
    }

    void rank(const Samples& images, std::size_t most, std::vector<std::vector<std::size_t>>& answers) final {
        check_images(task_, images);
        answers.clear();
        std::vector<std::int64_t> nearness(task_.classes);
        for (std::size_t i = 0; i < images.size(); ++i) {
            const Numbers numbers = numbers_of(images.row(i));
            nearness.assign(task_.classes, std::numeric_limits<std::int64_t>::min());
            for (std::size_t s = 0; s < labels_.size(); ++s) {
                std::int64_t& nearest = nearness[labels_[s]];
                nearest = std::max(nearest, -std::int64_t{distance(numbers, sample(s))});
            }
            answers.push_back(greatest(std::span<const std::int64_t>(nearness), most));
        }
    }

    [[nodiscard]] MemoryUse memory_use() const final {
        return {.data = numbers_.size() + (labels_.size() * sizeof labels_.front()),
                .images = labels_.size()};
    }

  protected:
    [[nodiscard]] const Task& task() const { return task_; }

  private:
    [[nodiscard]] virtual Numbers numbers_of(std::span<const float> image) const = 0;
    [[nodiscard]] std::span<const std::uint8_t> sample(std::size_t s) const {
        return std::span(numbers_).subspan(s * width_, width_);
    }

    Task task_;
    std::size_t width_;
    std::vector<std::uint8_t> numbers_;
    std::vector<std::uint32_t> labels_;
};

class NearestPixels final : public NearestClass {
  public:
    explicit NearestPixels(const Task& task) : NearestClass(task, task.width) {}

  private:
    [[nodiscard]] Numbers numbers_of(std::span<const float> image) const override {
        Numbers grey(image.size());
        to_grey(image, grey);
        return grey;
    }
};

class NearestHog final : public NearestClass {
  public:
    explicit NearestHog(const Task& task) : NearestClass(task, hog_size(task.side)) {}

  private:
    [[nodiscard]] Numbers numbers_of(std::span<const float> image) const override {
        const std::vector<float> features = hog(image, task().side);
        Numbers numbers(features.size());
        to_grey(features, numbers);
        return numbers;
    }
};

} // namespace

std::unique_ptr<Strategy> make_nearest_pixels(const Task& task) {
    return std::make_unique<NearestPixels>(task);
}

std::unique_ptr<Strategy> make_nearest_hog(const Task& task) {
    return std::make_unique<NearestHog>(task);
}

} // namespace sprig::baselines
