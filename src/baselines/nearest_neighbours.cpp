#include <algorithm>
#include <tuple>
#include <vector>

#include "baselines/online_method.h"
#include "baselines/online_methods.h"
#include "baselines/stored_images.h"
#include "sprig/error.h"

namespace sprig::baselines {

namespace {

/// Squared, in whole numbers: equal distances are equal. 32 bits are enough for images of 256 px x 256 px.
std::uint32_t distance(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const int difference = int{a[i]} - int{b[i]};
        sum += static_cast<std::uint32_t>(difference * difference);
    }
    return sum;
}

struct Neighbour {
    std::uint32_t distance;
    std::size_t image; ///< its place in the stream: of two that are equally far the earlier one is nearer

    bool operator<(const Neighbour& other) const {
        return std::tie(distance, image) < std::tie(other.distance, other.image);
    }
};

class NearestNeighbours final : public Strategy {
  public:
    NearestNeighbours(const Task& task, std::size_t k) : task_(task), k_(k), stored_(task) {
        if (k == 0) throw usage_error("at least one neighbour must be asked");
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

    [[nodiscard]] Kept kept() const override { return stored_.kept(); }

  private:
    /// Leaves the nearest ones in `nearest_`, in ascending order.
    void find_nearest(std::span<const std::uint8_t> grey) {
        nearest_.clear();
        for (std::size_t i = 0; i < stored_.size(); ++i) {
            const Neighbour candidate = {distance(grey, stored_.pixels(i)), i};
            if (nearest_.size() == k_ && nearest_.back() < candidate) continue;
            if (nearest_.size() == k_) nearest_.pop_back();
            nearest_.insert(std::upper_bound(nearest_.begin(), nearest_.end(), candidate), candidate);
        }
    }

    /// The class that most of the nearest have; of equals the one with the nearest image.
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

} // namespace sprig::baselines
