#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lab/report/study.h"
#include "sprig/front_end.h"
#include "sprig/image.h"
#include "sprig/learner.h"

namespace sprig::lab {

/// A large image of a shape, 255 is ink, with its class.
struct Drawing {
    std::string label;
    Image image;
};

/// Numbers of learned samples of each class. One is what people try first.
inline constexpr std::array<std::size_t, 2> drawn_amounts = {1, 5};
inline constexpr std::size_t most_drawn = drawn_amounts.back();

/// Drawings of one seed.
struct Drawings {
    std::array<std::vector<Drawing>, most_drawn> learned; ///< one of each class in each
    std::vector<Drawing> tested;
};

/// What is drawn.
struct DrawnSource {
    std::string name;
    std::vector<std::string> classes;
    std::function<Drawings(std::uint64_t seed)> draw;
};

/// Printed characters, of which each is learned in five typefaces of eleven and tested in one of ten others.
/// The first characters, if fewer classes are wanted than there are.
[[nodiscard]] DrawnSource printed_characters(std::size_t classes);
/// Digits of mnist:train, enlarged as a pen would have drawn them, two of each class tested.
[[nodiscard]] DrawnSource handwritten_digits(std::size_t classes);
/// Gestures by five people to learn and by four others to test, drawn with a pen of average width.
[[nodiscard]] DrawnSource drawn_gestures(std::size_t classes);
/// A gesture by a person, drawn with a pen whose width is a share of the drawing.
[[nodiscard]] Image drawn_gesture(std::size_t kind, std::uint64_t person, double pen);

/// A drawing as a clean picture: dark on light, with a margin, and its ink scaled to that longer side (px).
[[nodiscard]] Picture clean_picture(const Image& drawing, int longer_side);

/// Reads pictures as a model with the same front end does.
class PictureReader {
  public:
    explicit PictureReader(const FrontEndParams& front_end)
        : front_end_(front_end), normalise_(normalise_for({}, front_end)) {}

    [[nodiscard]] Network operator()(const Picture& picture) {
        return front_end_(normalised(picture).image.view());
    }
    [[nodiscard]] Network operator()(const Image& image) { return front_end_(image.view()); }
    [[nodiscard]] Normalised normalised(const Picture& picture) const {
        return normalise(picture, normalise_);
    }

  private:
    FrontEnd front_end_;
    NormaliseParams normalise_;
};

/// How many pictures were recognised, by the index of the amount that was learned.
struct PictureScore {
    std::array<std::size_t, drawn_amounts.size()> right{};
    std::size_t all = 0;

    [[nodiscard]] double accuracy(std::size_t amount) const {
        return static_cast<double>(right[amount]) / static_cast<double>(all);
    }
    /// The mean over the amounts.
    [[nodiscard]] double accuracy() const;
};

[[nodiscard]] double mean_of(std::span<const double> values);

/// The header of a table of losses and of the greatest that are acceptable.
[[nodiscard]] std::vector<std::string> bar_header(std::string first);
/// Adds a row to it: the loss as a mean over seeds.
void add_bar(StudyTable& table, std::string name, std::span<const double> losses, double acceptable);

/// A learner for each amount, all taught with the same pictures.
class PictureLearners {
  public:
    /// `make` makes a learner without classes.
    PictureLearners(const std::function<std::unique_ptr<Learner>()>& make,
                    const std::vector<std::string>& classes);

    [[nodiscard]] const FrontEndParams& front_end() const { return front_end_; }
    /// Teaches a network of the `index`-th sample of a class to the learners that get as many.
    void learn(std::size_t index, const Network& network, const std::string& label);
    /// After this there is nothing more to learn.
    void make_readers();
    void test(const Network& network, const std::string& label, PictureScore& score);

  private:
    FrontEndParams front_end_;
    std::vector<std::unique_ptr<Learner>> learners_;
    std::vector<std::unique_ptr<Reader>> readers_;
};

} // namespace sprig::lab
