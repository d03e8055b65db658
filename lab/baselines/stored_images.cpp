#include "lab/baselines/stored_images.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <numeric>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <libsvm/svm.h>

#include "lab/baselines/online_methods.h"
#include "sprig/error.h"

namespace sprig::baselines {

namespace {

using Histogram = std::array<float, hog_bins>;
using Block = std::array<float, hog_block_cells * hog_block_cells * hog_bins>;

/// Linear interpolation between two neighbouring bins or cells.
struct Interpolation {
    std::array<int, 2> to; ///< the second is the next one; either may be out of range
    std::array<float, 2> share;
};

Interpolation interpolate(float position) {
    const float below = std::floor(position);
    return {{static_cast<int>(below), static_cast<int>(below) + 1},
            {1 - (position - below), position - below}};
}

struct Gradient {
    float strength;
    Interpolation bins;
};

Gradient gradient(float dx, float dy) {
    const float half_turns = std::atan2(dy, dx) / std::numbers::pi_v<float>; // from -1 to 1
    return {std::hypot(dx, dy), interpolate((half_turns * hog_bins) - 0.5F)};
}

void vote(const Gradient& gradient, float share, Histogram& histogram) {
    constexpr int bins = hog_bins;
    for (std::size_t i = 0; i < 2; ++i) {
        // Bins repeat after half a turn. The first may be as low as -10.
        const int bin = (gradient.bins.to[i] + (2 * bins)) % bins;
        histogram[static_cast<std::size_t>(bin)] += gradient.strength * gradient.bins.share[i] * share;
    }
}

/// Each pixel votes for the four nearest cells, by bilinear interpolation.
class Cells {
  public:
    explicit Cells(std::size_t across) : across_(static_cast<int>(across)), cells_(across * across) {}

    void vote(std::size_t x, std::size_t y, const Gradient& gradient) {
        const Interpolation columns = cells_around(x);
        const Interpolation rows = cells_around(y);
        for (std::size_t v = 0; v < 2; ++v) {
            for (std::size_t u = 0; u < 2; ++u) {
                if (!is_within(columns.to[u]) || !is_within(rows.to[v])) continue;
                const int cell = (rows.to[v] * across_) + columns.to[u];
                baselines::vote(gradient, rows.share[v] * columns.share[u],
                                cells_[static_cast<std::size_t>(cell)]);
            }
        }
    }

    [[nodiscard]] const Histogram& at(std::size_t column, std::size_t row) const {
        return cells_[(row * static_cast<std::size_t>(across_)) + column];
    }

  private:
    static Interpolation cells_around(std::size_t pixel) {
        return interpolate(((static_cast<float>(pixel) + 0.5F) / hog_cell) - 0.5F);
    }
    [[nodiscard]] bool is_within(int place) const { return place >= 0 && place < across_; }

    int across_;
    std::vector<Histogram> cells_;
};

/// The votes of all pixels. The border pixels are repeated outside of the image.
Cells cells_of(std::span<const float> image, std::size_t side) {
    Cells cells(side / hog_cell);
    const auto at = [&](std::size_t x, std::size_t y) { return image[(y * side) + x]; };
    const auto before = [](std::size_t place) { return place == 0 ? 0 : place - 1; };
    const auto after = [&](std::size_t place) { return std::min(place + 1, side - 1); };
    for (std::size_t y = 0; y < side; ++y) {
        for (std::size_t x = 0; x < side; ++x) {
            const float dx = at(after(x), y) - at(before(x), y);
            const float dy = at(x, after(y)) - at(x, before(y));
            if (dx != 0 || dy != 0) cells.vote(x, y, gradient(dx, dy));
        }
    }
    return cells;
}

void to_unit_length(Block& block) {
    const float squares = std::inner_product(block.begin(), block.end(), block.begin(), 0.0F);
    if (squares == 0) return;
    for (float& value : block) value /= std::sqrt(squares);
}

/// Normalises, clips to 0.2 and normalises again, so that one strong edge does not dominate.
void normalise(Block& block) {
    constexpr float limit = 0.2F;
    to_unit_length(block);
    for (float& value : block) value = std::min(value, limit);
    to_unit_length(block);
}

Block block_at(std::size_t column, std::size_t row, const Cells& cells) {
    Block block = {};
    auto out = block.begin();
    for (std::size_t v = row; v < row + hog_block_cells; ++v) {
        for (std::size_t u = column; u < column + hog_block_cells; ++u)
            out = std::ranges::copy(cells.at(u, v), out).out;
    }
    normalise(block);
    return block;
}

/// The number of blocks in a row.
std::size_t blocks_across(std::size_t side) {
    const std::size_t across = side / hog_cell;
    if (side % hog_cell == 0 && across >= hog_block_cells) return across - hog_block_cells + 1;
    throw usage_error(fmt::format("histograms of gradients need a side length that is a multiple of {} px "
                                  "and at least {} times that, not {}",
                                  hog_cell, hog_block_cells, side));
}

} // namespace

std::size_t hog_size(std::size_t side) {
    return blocks_across(side) * blocks_across(side) * std::tuple_size_v<Block>;
}

std::vector<float> hog(std::span<const float> image, std::size_t side) {
    std::vector<float> features;
    features.reserve(hog_size(side));
    const Cells cells = cells_of(image, side);
    for (std::size_t row = 0; row < blocks_across(side); ++row) {
        for (std::size_t column = 0; column < blocks_across(side); ++column) {
            const Block block = block_at(column, row, cells);
            features.insert(features.end(), block.begin(), block.end());
        }
    }
    return features;
}

namespace {

constexpr std::size_t max_classes = std::size_t{std::numeric_limits<std::uint8_t>::max()} + 1;

} // namespace

StoredImages::StoredImages(const Task& task) : width_(task.width) {
    if (task.classes <= max_classes) return;
    throw usage_error(
        fmt::format("stored images have labels of one byte: {} classes are too many, the maximum is {}",
                    task.classes, max_classes));
}

void StoredImages::add(const Samples& images, std::size_t label) {
    pixels_.resize(pixels_.size() + images.values().size());
    to_grey(images.values(), std::span(pixels_).last(images.values().size()));
    labels_.insert(labels_.end(), images.size(), static_cast<std::uint8_t>(label));
}

MemoryUse StoredImages::memory_use() const {
    return {.data = pixels_.size() + labels_.size(), .images = labels_.size()};
}

void to_grey(std::span<const float> pixels, std::span<std::uint8_t> grey) {
    std::ranges::transform(pixels, grey.begin(), [](float pixel) {
        return static_cast<std::uint8_t>(std::lround(std::clamp(pixel, 0.0F, 1.0F) * 255));
    });
}

std::uint32_t distance(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const int difference = int{a[i]} - int{b[i]};
        sum += static_cast<std::uint32_t>(difference * difference);
    }
    return sum;
}

namespace {

struct Neighbour {
    std::uint32_t distance;
    std::size_t
        image; ///< its index in the stream: of two at the same distance the earlier one counts as nearer

    bool operator<(const Neighbour& other) const {
        return std::tie(distance, image) < std::tie(other.distance, other.image);
    }
};

class NearestNeighbours final : public Strategy {
  public:
    NearestNeighbours(const Task& task, std::size_t k) : task_(task), k_(k), stored_(task) {
        if (k == 0) throw usage_error("the number of neighbours must be at least 1");
    }

    void observe(const Samples& images, std::size_t label) override {
        check_images(task_, images, label);
        stored_.add(images, label);
    }

    void predict(const Samples& images, std::vector<std::size_t>& answers) override {
        check_images(task_, images);
        answers.clear();
        std::vector<std::uint8_t> grey(task_.width);
        for (std::size_t i = 0; i < images.size(); ++i) {
            to_grey(images.row(i), grey);
            find_nearest(grey);
            answers.push_back(vote());
        }
    }

    [[nodiscard]] MemoryUse memory_use() const override { return stored_.memory_use(); }

  private:
    /// Fills `nearest_`, in ascending order of distance.
    void find_nearest(std::span<const std::uint8_t> grey) {
        nearest_.clear();
        for (std::size_t i = 0; i < stored_.size(); ++i) {
            const Neighbour candidate = {distance(grey, stored_.pixels(i)), i};
            if (nearest_.size() == k_ && nearest_.back() < candidate) continue;
            if (nearest_.size() == k_) nearest_.pop_back();
            nearest_.insert(std::upper_bound(nearest_.begin(), nearest_.end(), candidate), candidate);
        }
    }

    /// The majority class of the nearest images; of equals the one with the nearest image.
    [[nodiscard]] std::size_t vote() const {
        std::size_t winner = 0;
        std::ptrdiff_t most = 0;
        for (const Neighbour& neighbour : nearest_) {
            const std::size_t label = stored_.label(neighbour.image);
            const auto votes = std::ranges::count_if(
                nearest_, [&](const Neighbour& n) { return stored_.label(n.image) == label; });
            if (votes > most) winner = label;
            most = std::max(most, votes);
        }
        return winner;
    }

    Task task_;
    std::size_t k_;
    StoredImages stored_;
    std::vector<Neighbour> nearest_;
};

} // namespace

std::unique_ptr<Strategy> make_nearest_neighbours(const Task& task, std::size_t k) {
    return std::make_unique<NearestNeighbours>(task, k);
}

namespace {

using Nodes = std::vector<svm_node>; ///< an image in libsvm's sparse format

struct FreeModel {
    void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};
using Model = std::unique_ptr<svm_model, FreeModel>;

/// libsvm prints its progress to the standard output by default.
void silence() {
    static const bool silent = [] {
        svm_set_print_string_function([](const char*) {});
        return true;
    }();
    (void)silent;
}

svm_parameter parameters(const SupportVectorOptions& options) {
    svm_parameter parameters = {};
    parameters.svm_type = C_SVC;
    parameters.kernel_type = options.gamma == 0 ? LINEAR : RBF;
    parameters.gamma = options.gamma;
    parameters.C = options.cost;
    parameters.cache_size = 100; // MB
    parameters.eps = 1e-3;
    parameters.shrinking = 1;
    return parameters;
}

Nodes nodes_of(std::span<const float> values) {
    Nodes nodes;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] != 0) nodes.push_back({static_cast<int>(i) + 1, double{values[i]}});
    }
    nodes.push_back({-1, 0});
    return nodes;
}

class SupportVectors final : public Strategy {
  public:
    SupportVectors(const Task& task, bool on_hog, const SupportVectorOptions& options)
        : task_(task), on_hog_(on_hog), options_(options), stored_(task) {
        if (!(options.cost > 0 && options.gamma >= 0))
            throw usage_error("a support vector machine needs a cost above 0 and a gamma of at least 0");
        silence();
    }

    void observe(const Samples& images, std::size_t label) override {
        check_images(task_, images, label);
        stored_.add(images, label);
        if (images.size() > 0) model_.reset();
    }

    void predict(const Samples& images, std::vector<std::size_t>& answers) override {
        check_images(task_, images);
        if (!has_several_classes()) {
            answers.assign(images.size(), stored_.size() == 0 ? 0 : stored_.label(0));
            return;
        }
        if (!model_) fit();
        answers.clear();
        for (std::size_t i = 0; i < images.size(); ++i) {
            const Nodes nodes = features_of(images.row(i));
            answers.push_back(static_cast<std::size_t>(svm_predict(model_.get(), nodes.data())));
        }
    }

    /// Only the images: the model can be fitted again.
    [[nodiscard]] MemoryUse memory_use() const override { return stored_.memory_use(); }

  private:
    [[nodiscard]] bool has_several_classes() const {
        for (std::size_t i = 1; i < stored_.size(); ++i) {
            if (stored_.label(i) != stored_.label(0)) return true;
        }
        return false;
    }

    [[nodiscard]] Nodes features_of(std::span<const float> image) const {
        return on_hog_ ? nodes_of(hog(image, task_.side)) : nodes_of(image);
    }

    void fit() {
        model_.reset(); // it points into images_
        images_.clear();
        std::vector<float> image(task_.width);
        std::vector<double> labels;
        for (std::size_t i = 0; i < stored_.size(); ++i) {
            std::ranges::transform(stored_.pixels(i), image.begin(), [](auto grey) { return grey / 255.0F; });
            images_.push_back(features_of(image));
            labels.push_back(static_cast<double>(stored_.label(i)));
        }
        std::vector<svm_node*> rows;
        rows.reserve(images_.size());
        for (Nodes& nodes : images_) rows.push_back(nodes.data());
        const svm_problem problem = {static_cast<int>(rows.size()), labels.data(), rows.data()};
        const svm_parameter wanted = parameters(options_);
        model_.reset(svm_train(&problem, &wanted));
    }

    Task task_;
    bool on_hog_;
    SupportVectorOptions options_;
    StoredImages stored_;
    std::vector<Nodes> images_; ///< referenced by the model
    Model model_;               ///< null if new images have come since it was fitted
};

} // namespace

std::unique_ptr<Strategy> make_pixel_support_vectors(const Task& task, const SupportVectorOptions& options) {
    return std::make_unique<SupportVectors>(task, false, options);
}

std::unique_ptr<Strategy> make_hog_support_vectors(const Task& task, const SupportVectorOptions& options) {
    if (task.side * task.side != task.width) throw usage_error("histograms of gradients need square images");
    (void)hog_size(task.side); // throws if the images cannot be divided into cells
    return std::make_unique<SupportVectors>(task, true, options);
}

} // namespace sprig::baselines
