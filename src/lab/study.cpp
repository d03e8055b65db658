#include "lab/study.h"

#include <algorithm>

#include <fmt/format.h>

#include "lab/metrics.h"

namespace sprig::lab {

LearnerSetting LearnerSetting::with(std::span<const std::pair<std::string, std::string>> more) const {
    LearnerSetting result = *this;
    for (const std::pair<std::string, std::string>& one : more) { // not a binding: clang 14 cannot capture it
        std::erase_if(result.settings, [&](const auto& known) { return known.first == one.first; });
        result.settings.push_back(one);
    }
    return result;
}

Cell cell(std::string text) {
    return {std::move(text)};
}

Cell cell(std::size_t count) {
    return {fmt::format("{}", count), static_cast<double>(count)};
}

Cell cell(std::optional<double> number, int digits) {
    return {number ? fmt::format("{:.{}f}", *number, digits) : "-", number};
}

void add_mean(std::vector<Cell>& row, std::span<const double> over_seeds, int digits) {
    row.push_back(cell(mean(over_seeds), digits));
    row.push_back(cell(deviation(over_seeds), digits));
}

void add_census(std::vector<Cell>& row, std::span<const Census> over_seeds) {
    const auto add = [&](auto count) {
        double sum = 0;
        for (const Census& census : over_seeds) sum += static_cast<double>(count(census));
        row.push_back(cell(sum / static_cast<double>(over_seeds.size()), 1));
    };
    add([](const Census& c) { return c.total(); });
    add([](const Census& c) { return c.singletons; });
    add([](const Census& c) { return c.nodes; });
    add([](const Census& c) { return c.bytes; });
}

} // namespace sprig::lab
