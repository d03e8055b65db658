#include "draw/explanation_words.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "draw/layout.h"
#include "draw/svg.h"
#include "sprig/front_end.h"

namespace sprig::draw {
namespace {

/// Which way a mark points, by eighths of a turn from the right downwards.
constexpr std::array<std::string_view, 8> ways = {"right", "down-right", "down", "down-left",
                                                  "left",  "up-left",    "up",   "up-right"};

std::string percent(double probability) {
    if (probability < 0.005) return "below 1 %";
    if (probability > 0.995) return "above 99 %";
    return fmt::format("{:.0f} %", 100 * probability);
}

std::string answer_sentence(const LocalExplanation& all) {
    if (!all.best) return "The model knows no class, so there is no answer.";
    std::string words = fmt::format("It is taken for class {}: score {}, probability {}", all.best->label,
                                    score_words(all.best->score), percent(all.best->probability));
    if (!all.other) return words + ". The model knows no other class.";
    return words + fmt::format("; class {} has {}, {}.", all.other->label, score_words(all.other->score),
                               percent(all.other->probability));
}

/// How many elements that are not called decisive would take as much with them as the last one that is.
std::size_t as_decisive(const LocalExplanation& all) {
    const double least = all.elements[all.decisive - 1].decides();
    return static_cast<std::size_t>(
        std::count_if(all.elements.begin() + static_cast<std::ptrdiff_t>(all.decisive), all.elements.end(),
                      [&](const Element& element) { return element.decides() >= 0.999 * least; }));
}

std::string numbered(std::size_t count) {
    if (count == 1) return "element 1";
    return fmt::format("elements 1 {} {}", count == 2 ? "and" : "to", count);
}

std::string decisive_sentence(const LocalExplanation& all) {
    if (all.decisive == 0)
        return fmt::format(
            "No element that is there speaks for class {} and against class {}: what is missing decides.",
            all.best->label, all.other->label);
    const double lead = all.best->score - all.other->score;
    const double left = all.best_without - all.other_without;
    std::string words = fmt::format("What decides: class {} leads by {:.1f}; without {}, ", all.best->label,
                                    lead, numbered(all.decisive));
    words += left < 0 ? fmt::format("class {} would lead by {:.1f}", all.other->label, -left)
                      : fmt::format("it would lead by {:.1f} only", left);
    const std::size_t others = as_decisive(all);
    if (others == 0) return words + ".";
    return words + fmt::format("; {} as much as {}.",
                               others == 1 ? "1 other weighs" : fmt::format("{} others weigh", others),
                               all.decisive == 1 ? "it" : "the last of them");
}

std::string change_sentence(const LocalExplanation& all) {
    const Change& change = *all.change;
    if (!change.found())
        return fmt::format(
            "What would change it: nothing was found that could be added to make it class {}; fewer "
            "than {} cannot.",
            all.other->label, counted(change.at_least, "addition"));
    const std::size_t count = change.added.size();
    const bool nodes = change.added.front().node.has_value();
    std::string which = letter(0);
    if (count > 1) which += fmt::format(" {} {}", count == 2 ? "and" : "to", letter(count - 1));
    std::string words =
        fmt::format("What would change it: with {} ({}) there as well it would have been taken for class {}.",
                    counted(count, nodes ? "more element" : "more unit"), which, all.other->label);
    if (change.is_smallest()) return words + " Nothing smaller does it.";
    return words + fmt::format(" None of them can be left out; no other set can be smaller than {}.",
                               change.at_least);
}

} // namespace

std::string signed_number(double value) {
    const std::string digits = fmt::format("{:.1f}", std::abs(value));
    if (digits == "0.0") return "0.0";
    return fmt::format("{}{}", value < 0 ? minus : "+", digits);
}

std::string score_words(double score, int decimals) {
    return fmt::format("{}{:.{}f}", score < 0 ? minus : "", std::abs(score), decimals);
}

std::string letter(std::size_t index) {
    return fmt::format("{}", static_cast<char>('a' + (index % 26)));
}

std::string type_words(std::uint32_t type, const Schema& schema, const Reading& reading) {
    if (!reading.change_points) return schema.node_types[type];
    const ChangeKind kind = ChangeKind::from_index(type);
    const double eighths = (8.0 * kind.direction / (2.0 * reading.directions)) + (kind.maximum ? 0 : 4);
    const auto way = static_cast<std::size_t>(std::lround(eighths)) % ways.size();
    return fmt::format("{} {}", kind.convex ? "bulge" : "dent", ways[way]);
}

std::string place_words(const Window& window, double x, double y) {
    const auto third = [&](double at, double from) {
        return std::clamp((at - from) / window.side, 0.0, 0.999) * 3;
    };
    constexpr std::array<std::string_view, 3> rows = {"top", "middle", "bottom"};
    constexpr std::array<std::string_view, 3> columns = {" left", "", " right"};
    const auto row = static_cast<std::size_t>(third(y, window.top));
    const auto column = static_cast<std::size_t>(third(x, window.left));
    return fmt::format("{}{}", rows[row], columns[column]);
}

std::vector<std::string> sentences_of(const LocalExplanation& explanation) {
    std::vector<std::string> sentences = {answer_sentence(explanation)};
    if (explanation.other) sentences.push_back(decisive_sentence(explanation));
    if (explanation.change) sentences.push_back(change_sentence(explanation));
    return sentences;
}

std::vector<std::string> wrapped(std::string_view text, double font_size, double width) {
    std::vector<std::string> lines;
    std::string line;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        const std::string longer = line.empty() ? std::string(word) : fmt::format("{} {}", line, word);
        if (!line.empty() && text_width(longer, font_size) > width) {
            lines.push_back(line);
            line = word;
        } else {
            line = longer;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!line.empty()) lines.push_back(line);
    return lines;
}

} // namespace sprig::draw
