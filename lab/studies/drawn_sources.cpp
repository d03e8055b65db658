#include "lab/studies/drawn_sources.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/keyed.h"
#include "lab/glyphs/glyph_set.h"
#include "lab/studies/gestures.h"
#include "lab/studies/photographs.h"
#include "sprig/data.h"
#include "sprig/strokes.h"
#include "vision/area_scale.h"
#include "vision/ink.h"

namespace sprig::lab {

namespace {

/// Characters that differ in every typeface.
constexpr std::u32string_view characters = U"ABDEFGHKMNQRSTWXZ23457&?";
constexpr unsigned em = 400; ///< px

constexpr std::size_t tested_digits = 2; ///< of each class
constexpr std::size_t testers = 4;       ///< of gestures
constexpr double average_pen = 0.06;     ///< a share of the drawing

Image grey(const Picture& picture) {
    Image image(picture.width, picture.height);
    image.pixels = picture.pixels;
    return image;
}

/// By part and face: all characters.
using Prints = std::array<std::vector<std::vector<Image>>, 2>;

Prints print_all(std::u32string_view printed) {
    Prints prints;
    for (const glyphs::FaceSource& source : glyphs::all_faces()) {
        const glyphs::Face face(source);
        auto& images = prints[source.part == glyphs::Part::learn ? 0 : 1].emplace_back();
        for (const char32_t character : printed) images.push_back(grey(face.print(character, em)));
    }
    return prints;
}

} // namespace

DrawnSource printed_characters(std::size_t classes) {
    const std::u32string_view printed = characters.substr(0, classes);
    DrawnSource source{"glyphs", {}, {}};
    for (const char32_t character : printed) source.classes.push_back(glyphs::utf8(character));
    source.draw = [prints = print_all(printed), names = source.classes](std::uint64_t seed) {
        Drawings drawings;
        for (std::size_t c = 0; c < names.size(); ++c) {
            const std::uint64_t key = random::mix({random::mix("faces of pictures"), seed, c});
            const auto order = random::shuffled(prints[0].size(), key);
            for (std::size_t i = 0; i < most_drawn; ++i)
                drawings.learned[i].push_back({names[c], prints[0][order[i]][c]});
            const auto face = random::shuffled(prints[1].size(), key).front();
            drawings.tested.push_back({names[c], prints[1][face][c]});
        }
        return drawings;
    };
    return source;
}

DrawnSource handwritten_digits(std::size_t classes) {
    auto data = std::make_shared<const Dataset>(load_dataset("mnist:train"));
    DrawnSource source{"digits", data->classes(), {}};
    source.classes.resize(std::min(classes, source.classes.size()));
    source.draw = [data, names = source.classes](std::uint64_t seed) {
        const auto order =
            random::shuffled(data->size(), random::mix(random::mix("digits of pictures"), seed));
        Drawings drawings;
        std::vector<std::size_t> drawn(names.size());
        for (const std::size_t i : order) {
            const auto label = static_cast<std::size_t>(data->label(i));
            if (label >= names.size() || drawn[label] == most_drawn + tested_digits) continue;
            const std::size_t place = drawn[label]++;
            std::vector<Drawing>& to = place < most_drawn ? drawings.learned[place] : drawings.tested;
            to.push_back({names[label], photographs::as_drawn_with_a_pen(data->image(i))});
        }
        return drawings;
    };
    return source;
}

Image drawn_gesture(std::size_t kind, std::uint64_t person, double pen) {
    return render(Gesture{kind, person, 0}.strokes(), {.pen = pen, .box = 400, .side = 600});
}

DrawnSource drawn_gestures(std::size_t classes) {
    DrawnSource source{"gestures", {gesture_kinds().begin(), gesture_kinds().end()}, {}};
    source.classes.resize(std::min(classes, source.classes.size()));
    source.draw = [names = source.classes](std::uint64_t seed) {
        const auto drawing = [&](std::size_t kind, std::uint64_t person) {
            return Drawing{names[kind], drawn_gesture(kind, random::mix(seed, person), average_pen)};
        };
        Drawings drawings;
        for (std::size_t kind = 0; kind < names.size(); ++kind) {
            for (std::size_t i = 0; i < most_drawn; ++i) drawings.learned[i].push_back(drawing(kind, i));
            for (std::size_t i = 0; i < testers; ++i)
                drawings.tested.push_back(drawing(kind, most_drawn + i));
        }
        return drawings;
    };
    return source;
}

Picture clean_picture(const Image& drawing, int longer_side) {
    const Rectangle ink = bounds_of(drawing);
    const int longer = std::max(ink.width, ink.height);
    const auto scaled = [&](int length) {
        return std::max(1, ((2 * length * longer_side) + longer) / (2 * longer));
    };
    const Image shape = scale_area(drawing, ink, {scaled(ink.width), scaled(ink.height)});
    const int margin = 2 + (longer_side / 5);
    const int width = shape.width + (2 * margin);
    const int height = shape.height + (2 * margin);
    Picture picture{width, height, 1, {}};
    picture.pixels.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 255);
    for (int y = 0; y < shape.height; ++y) {
        for (int x = 0; x < shape.width; ++x) {
            const int at = ((margin + y) * width) + margin + x;
            picture.pixels[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(255 - shape.at(x, y));
        }
    }
    return picture;
}

double PictureScore::accuracy() const {
    double sum = 0;
    for (std::size_t a = 0; a < right.size(); ++a) sum += accuracy(a);
    return sum / static_cast<double>(right.size());
}

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<std::string> bar_header(std::string first) {
    return {std::move(first), "loss", "sd", "acceptable", "reached"};
}

void add_bar(StudyTable& table, std::string name, std::span<const double> losses, double acceptable) {
    std::vector<Cell>& row = table.rows.emplace_back();
    row.push_back(cell(std::move(name)));
    add_mean(row, losses, 4);
    row.push_back(cell(acceptable, 3));
    row.push_back(agreement(mean_of(losses) <= acceptable));
}

PictureLearners::PictureLearners(const std::function<std::unique_ptr<Learner>()>& make,
                                 const std::vector<std::string>& classes) {
    for (std::size_t a = 0; a < drawn_amounts.size(); ++a) {
        learners_.push_back(make());
        for (const std::string& label : classes) learners_.back()->add_class(label);
    }
    front_end_ = learners_.front()->front_end();
}

void PictureLearners::learn(std::size_t index, const Network& network, const std::string& label) {
    for (std::size_t a = 0; a < drawn_amounts.size(); ++a)
        if (index < drawn_amounts[a]) (void)learners_[a]->learn(network, label);
}

void PictureLearners::make_readers() {
    readers_.clear();
    for (const auto& learner : learners_) readers_.push_back(learner->reader());
}

void PictureLearners::test(const Network& network, const std::string& label, PictureScore& score) {
    ++score.all;
    for (std::size_t a = 0; a < drawn_amounts.size(); ++a) {
        const Decision& decision = readers_[a]->decide(network);
        if (decision.best && readers_[a]->classes()[*decision.best] == label) ++score.right[a];
    }
}

} // namespace sprig::lab
