// Mirrored and rotated shapes.

#include <cmath>
#include <functional>
#include <utility>

#include <gtest/gtest.h>

#include "constellation/observation_features.h"
#include "sprig/error.h"
#include "support.h"

namespace sprig {
namespace {

constexpr int side = 28;

/// The image whose pixel (x, y) is the original's pixel at `from(x, y)`.
Image moved(ImageView image, const std::function<std::pair<int, int>(int, int)>& from) {
    Image result(side, side);
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const auto [source_x, source_y] = from(x, y);
            result.at(x, y) = image.at(source_x, source_y);
        }
    }
    return result;
}
Image mirrored(ImageView image) {
    return moved(image, [](int x, int y) { return std::pair(side - 1 - x, y); });
}
Image upside_down(ImageView image) {
    return moved(image, [](int x, int y) { return std::pair(x, side - 1 - y); });
}
Image turned(ImageView image) {
    return moved(image, [](int x, int y) { return std::pair(y, side - 1 - x); });
}

using Poses = ConstellationParams::Poses;

ConstellationPreset free_pose(int directions, FrontEndParams::Frame frame, Poses poses = Poses::flips) {
    ConstellationPreset preset = constellation_preset("fast");
    preset.front_end.directions = directions;
    preset.front_end.frame = frame;
    preset.params.poses = poses;
    // If two pairs have the same extent, the order in which coarsening removes them depends on the pose.
    preset.params.persistence_weight = 0;
    return preset;
}

/// A model trained on the first digits of MNIST.
class TrainedModel {
  public:
    explicit TrainedModel(const ConstellationPreset& preset) : model_(preset), front_end_(preset.front_end) {
        const Dataset digits = load_dataset("mnist:train:0-39");
        for (std::size_t i = 0; i < digits.size(); ++i)
            model_.learn(front_end_(digits.image(i)),
                         digits.classes()[static_cast<std::size_t>(digits.label(i))]);
        model_.check();
        reader_ = model_.reader();
    }
    std::vector<double> scores(ImageView image) { return reader_->predict(front_end_(image)).scores; }
    Reader& reader() { return *reader_; }
    Network network(ImageView image) { return front_end_(image); }

  private:
    Constellation model_;
    FrontEnd front_end_;
    std::unique_ptr<Reader> reader_;
};

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double margin = 1e-6) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], margin);
}

TEST(Poses, MirroredShapesHaveEqualScores) {
    const Dataset digits = load_dataset("mnist:train:100-119");
    for (const int directions : {2, 4, 5}) {
        TrainedModel trained(free_pose(directions, FrontEndParams::Frame::ink));
        for (std::size_t i = 0; i < digits.size(); ++i) {
            const std::vector<double> expected = trained.scores(digits.image(i));
            expect_near(trained.scores(mirrored(digits.image(i)).view()), expected);
            expect_near(trained.scores(upside_down(digits.image(i)).view()), expected);
            expect_near(trained.scores(mirrored(upside_down(digits.image(i)).view()).view()), expected);
        }
    }
}

TEST(Poses, FixedPosesTellMirroredShapesApart) {
    ConstellationPreset fixed = constellation_preset("fast");
    TrainedModel trained(fixed);
    const Dataset digits = load_dataset("mnist:train:100-109");
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (digits.label(i) == 1 || digits.label(i) == 0 || digits.label(i) == 8) continue;
        EXPECT_NE(trained.scores(mirrored(digits.image(i)).view()), trained.scores(digits.image(i)));
    }
}

TEST(Poses, AQuarterTurnKeepsScoresInTheAxisFrame) {
    const Dataset digits = load_dataset("mnist:train:100-119");
    TrainedModel trained(free_pose(4, FrontEndParams::Frame::axis));
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const std::vector<double> expected = trained.scores(digits.image(i));
        const Image quarter = turned(digits.image(i));
        expect_near(trained.scores(quarter.view()), expected);
        expect_near(trained.scores(turned(quarter.view()).view()), expected);
    }
}

/// Without a principal axis: a quarter turn is a multiple of the angle between two directions.
TEST(Poses, AnyPoseHasEqualScores) {
    const Dataset digits = load_dataset("mnist:train:100-119");
    for (const int directions : {2, 4, 8}) {
        TrainedModel trained(free_pose(directions, FrontEndParams::Frame::ink, Poses::any));
        for (std::size_t i = 0; i < digits.size(); ++i) {
            const std::vector<double> expected = trained.scores(digits.image(i));
            const Image quarter = turned(digits.image(i));
            expect_near(trained.scores(quarter.view()), expected, 1e-4);
            expect_near(trained.scores(mirrored(quarter.view()).view()), expected, 1e-4);
            expect_near(trained.scores(upside_down(digits.image(i)).view()), expected, 1e-4);
        }
    }
}

/// The change between two poses leads from what is seen in one to what is seen in the other.
TEST(Poses, AnAddedNodeIsTheSameInEveryPose) {
    const Dataset digits = load_dataset("mnist:train:100-100");
    for (const int directions : {3, 4}) {
        const ConstellationPreset preset = free_pose(directions, FrontEndParams::Frame::ink, Poses::any);
        FrontEnd front_end(preset.front_end);
        const Network network = front_end(digits.image(0));
        const auto types = network.schema().node_types.size();
        auto poses = constellation::make_observation_features(preset.params, types);
        ASSERT_EQ(poses.size(), 4U * static_cast<std::size_t>(directions));
        for (constellation::ObservationFeatures& observed : poses) observed.assign(network);
        for (const constellation::ObservationFeatures& from : poses) {
            // Each of its nodes is added once more to every pose: there it is twice.
            const std::span<const double> row(from.features(0), from.set().size());
            std::uint32_t type = 0;
            while (from.begin(type + 1) == 0) ++type;
            for (const constellation::ObservationFeatures& to : poses) {
                constellation::ObservationFeatures both = to;
                both.add({type, {row.begin(), row.end()}, from.pose()});
                std::size_t equal = 0;
                for (std::size_t i = 0; i < both.size(); ++i) {
                    if (both.id(i) != from.id(0) && both.id(i) != no_node) continue;
                    std::size_t added = 0;
                    while (both.id(added) != no_node) ++added;
                    const double* a = both.features(i);
                    const double* b = both.features(added);
                    double off = 0;
                    for (std::size_t f = 0; f < row.size(); ++f) off += std::abs(a[f] - b[f]);
                    equal += off < 1e-6 ? 1U : 0U;
                }
                EXPECT_EQ(equal, 2U);
            }
        }
    }
}

TEST(Poses, DecisionsAndContributionsAgreeWithPredictions) {
    for (const Poses poses : {Poses::flips, Poses::any}) {
        const Dataset digits = load_dataset("mnist:train:100-149");
        TrainedModel trained(free_pose(4, FrontEndParams::Frame::ink, poses));
        for (std::size_t i = 0; i < digits.size(); ++i) {
            const Network network = trained.network(mirrored(digits.image(i)).view());
            const Explanation explanation = trained.reader().explain(network);
            EXPECT_EQ(trained.reader().decide(network).best, explanation.prediction.best);
            std::vector<double> sums(explanation.prediction.scores.size(), 0);
            for (const Contribution& part : explanation.contributions) sums[part.label] += part.value;
            EXPECT_EQ(sums, explanation.prediction.scores);
        }
    }
}

TEST(Poses, TheAxisNeedsANetworkWithoutRelations) {
    FrontEndParams params;
    params.frame = FrontEndParams::Frame::axis;
    EXPECT_THROW(FrontEnd{params}, Error);
    params.relations = false;
    EXPECT_NO_THROW(FrontEnd{params});
}

} // namespace
} // namespace sprig
