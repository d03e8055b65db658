#include "lab/report/study.h"

#include <fmt/format.h>

#include "lab/measures/metrics.h"

namespace sprig::lab {

namespace {

constexpr std::string_view tick_mark = "✓";
constexpr std::string_view cross = "✗";

} // namespace

bool Cell::is_tick() const {
    return text == tick_mark;
}

bool Cell::is_cross() const {
    return text == cross;
}

Cell cell(std::string text) {
    return {std::move(text)};
}

Cell agreement(bool agrees) {
    return {std::string(agrees ? tick_mark : cross)};
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

void add_model_sizes(std::vector<Cell>& row, std::span<const ModelSize> over_seeds) {
    const auto add = [&](auto count) {
        double sum = 0;
        for (const ModelSize& size : over_seeds) sum += static_cast<double>(count(size));
        row.push_back(cell(sum / static_cast<double>(over_seeds.size()), 1));
    };
    add([](const ModelSize& c) { return c.total(); });
    add([](const ModelSize& c) { return c.singletons; });
    add([](const ModelSize& c) { return c.nodes; });
    add([](const ModelSize& c) { return c.bytes; });
}

} // namespace sprig::lab
