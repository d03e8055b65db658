#include "explain/sentences.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sprig/explain.h"

namespace sprig {

namespace explain_detail {

std::string score_words(double score, int decimals) {
    return fmt::format("{}{:.{}f}", score < 0 ? minus : "", std::abs(score), decimals);
}

std::string letter(std::size_t index) {
    return fmt::format("{}", static_cast<char>('a' + (index % 26)));
}

std::string counted(std::size_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

} // namespace explain_detail

namespace {

using namespace explain_detail;

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

std::vector<std::string> sentences(const LocalExplanation& explanation) {
    std::vector<std::string> all = {answer_sentence(explanation)};
    if (explanation.other) all.push_back(decisive_sentence(explanation));
    if (explanation.change) all.push_back(change_sentence(explanation));
    return all;
}

std::string summary(const GlobalExplanation& explanation, std::string_view label) {
    const ClassSummary& known = explanation.of(label);
    return fmt::format("{}: {} after {}, {} of them with {} or more observations; {} deep at most.",
                       known.label, counted(known.positive + known.negative, "unit"),
                       counted(known.observations, "observation"), known.mature.size(), explanation.maturity,
                       counted(known.by_depth.size(), "unit"));
}

} // namespace sprig
