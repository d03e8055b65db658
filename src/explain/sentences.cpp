#include "explain/sentences.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sprig/explain.h"

namespace sprig {

namespace explain {

std::string format_score(double score, int decimals) {
    return fmt::format("{}{:.{}f}", score < 0 ? minus_sign : "", std::abs(score), decimals);
}

std::string addition_letter(std::size_t index) {
    return fmt::format("{}", static_cast<char>('a' + (index % 26)));
}

std::string format_count(std::size_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

} // namespace explain

namespace {

using namespace explain;

std::string percent(double probability) {
    if (probability < 0.005) return "below 1 %";
    if (probability > 0.995) return "above 99 %";
    return fmt::format("{:.0f} %", 100 * probability);
}

std::string answer_sentence(const LocalExplanation& all) {
    if (!all.best) return "There is no answer: the model has no classes yet.";
    std::string text = fmt::format("The answer is class {}: score {}, probability {}.", all.best->label,
                                   format_score(all.best->score), percent(all.best->probability));
    if (!all.other) return text + " The model has no other class.";
    return text + fmt::format(" Compared with class {}: score {}, probability {}.", all.other->label,
                              format_score(all.other->score), percent(all.other->probability));
}

/// The number of other elements whose margin effect is as large as that of the last decisive one.
std::size_t equally_decisive(const LocalExplanation& all) {
    const double least = all.elements[all.decisive_count - 1].margin_effect();
    return static_cast<std::size_t>(std::count_if(
        all.elements.begin() + static_cast<std::ptrdiff_t>(all.decisive_count), all.elements.end(),
        [&](const Element& element) { return element.margin_effect() >= 0.999 * least; }));
}

/// What a node is called in sentences.
std::string_view node_name(const LocalExplanation& all) {
    return all.front_end_view ? "contour point" : "node";
}

/// "contour points 1 to 3".
std::string decisive_nodes(const LocalExplanation& all) {
    const std::size_t count = all.decisive_count;
    if (count == 1) return fmt::format("{} 1", node_name(all));
    return fmt::format("{}s 1 {} {}", node_name(all), count == 2 ? "and" : "to", count);
}

std::string decisive_sentence(const LocalExplanation& all) {
    if (all.decisive_count == 0)
        return fmt::format(
            "No {0} favours class {1} over class {2}: class {1} leads because of {0}s that are missing.",
            node_name(all), all.best->label, all.other->label);
    const double lead = all.best->score - all.other->score;
    const double left = all.best_score_without - all.other_score_without;
    std::string text =
        fmt::format("Class {} leads by {:.1f}. Without {}, ", all.best->label, lead, decisive_nodes(all));
    text += left < 0 ? fmt::format("class {} would lead by {:.1f}", all.other->label, -left)
                     : fmt::format("it would lead by only {:.1f}", left);
    const std::size_t others = equally_decisive(all);
    if (others == 0) return text + ".";
    return text + fmt::format("; {} as important as {}.",
                              others == 1 ? "1 other is" : fmt::format("{} others are", others),
                              all.decisive_count == 1 ? "it" : "the last of them");
}

std::string change_sentence(const LocalExplanation& all) {
    const Change& change = *all.change;
    if (!change.found())
        return fmt::format("No addition was found that changes the answer to class {}; it takes at least {}.",
                           all.other->label, format_count(change.size_lower_bound, "addition"));
    const std::size_t count = change.added.size();
    const bool nodes = !change.added.front().nodes.empty();
    std::string which = addition_letter(0);
    if (count > 1) which += fmt::format(" {} {}", count == 2 ? "and" : "to", addition_letter(count - 1));
    std::string text =
        fmt::format("With {} ({}), the answer would be class {}.",
                    format_count(count, nodes ? "more bend" : "more matching unit"), which, all.other->label);
    if (change.is_proven_smallest()) return text + " No smaller set of additions is enough.";
    return text + fmt::format(" None of them can be left out; any other set needs at least {}.",
                              change.size_lower_bound);
}

} // namespace

std::vector<std::string> sentences(const LocalExplanation& explanation) {
    std::vector<std::string> all = {answer_sentence(explanation)};
    if (explanation.other) all.push_back(decisive_sentence(explanation));
    if (explanation.change) all.push_back(change_sentence(explanation));
    return all;
}

std::string summary(const GlobalExplanation& explanation, std::string_view label) {
    const ClassSummary& known = explanation.class_summary(label);
    return fmt::format("Class {}: {} after {}, {} of them with at least {} observations; maximum depth {}.",
                       known.label, format_count(known.positive + known.negative, "unit"),
                       format_count(known.observations, "observation"), known.mature.size(),
                       explanation.maturity, known.by_depth.size());
}

} // namespace sprig
