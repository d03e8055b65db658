#include "lab/baselines/net.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>

#include <dlfcn.h>
#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::baselines {

namespace {

using MakeNet = Net* (*)(const Shape&, double, std::uint64_t);
constexpr const char* module = "libsprig-torch.so";

/// Where the module may be, relative to the program: in the build tree, or installed in lib.
constexpr std::array<const char*, 4> folders = {".", "..", "../..", "../lib/sprig"};

struct Loaded {
    MakeNet make = nullptr;
    std::string why_not;
};

Loaded load() {
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    for (const char* folder : folders) {
        const std::filesystem::path file = program.parent_path() / folder / module;
        if (!std::filesystem::exists(file, error)) continue;
        void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr)
            return {nullptr, fmt::format("{} cannot be loaded: {}", file.string(), dlerror())};
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): dlsym returns void*
        const auto make = reinterpret_cast<MakeNet>(dlsym(library, "sprig_make_net"));
        if (make == nullptr)
            return {nullptr, fmt::format("{} does not export sprig_make_net: {}", file.string(), dlerror())};
        return {make, {}};
    }
    return {nullptr, fmt::format("networks need LibTorch, and {} was not built: install libtorch-dev and "
                                 "libopenblas-dev, and build again",
                                 module)};
}

const Loaded& loaded() {
    static const Loaded once = load();
    return once;
}

} // namespace

bool has_networks() {
    return loaded().make != nullptr;
}

const std::string& why_no_networks() {
    return loaded().why_not;
}

std::unique_ptr<Net> make_net(const Shape& shape, double rate, std::uint64_t key) {
    if (!has_networks()) throw failed(why_no_networks());
    return std::unique_ptr<Net>(loaded().make(shape, rate, key));
}

namespace {

/// The softmax of a row at a temperature over the counted classes; 0 for the others.
void softmax(std::span<const float> row, float temperature, const std::vector<bool>& counted,
             std::vector<float>& shares) {
    const auto counts = [&](std::size_t i) { return counted.empty() || counted[i]; };
    float most = -INFINITY;
    for (std::size_t i = 0; i < row.size(); ++i)
        if (counts(i)) most = std::max(most, row[i]);
    shares.assign(row.size(), 0);
    float sum = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (!counts(i)) continue;
        shares[i] = std::exp((row[i] - most) / temperature);
        sum += shares[i];
    }
    for (float& share : shares) share /= sum;
}

} // namespace

void add_cross_entropy(std::span<const float> logits, std::span<const std::size_t> labels, float weight,
                       std::span<float> by_output, const std::vector<bool>& counted) {
    const std::size_t classes = logits.size() / labels.size();
    const float each = weight / static_cast<float>(labels.size());
    std::vector<float> shares;
    for (std::size_t r = 0; r < labels.size(); ++r) {
        softmax(logits.subspan(r * classes, classes), 1, counted, shares);
        shares[labels[r]] -= 1;
        for (std::size_t c = 0; c < classes; ++c) by_output[(r * classes) + c] += each * shares[c];
    }
}

void add_squared_distance(std::span<const float> outputs, std::span<const float> wanted, float weight,
                          std::span<float> by_output) {
    const float each = 2 * weight / static_cast<float>(outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) by_output[i] += each * (outputs[i] - wanted[i]);
}

void add_distillation(std::span<const float> logits, std::span<const float> wanted, std::size_t classes,
                      float temperature, float weight, std::span<float> by_output) {
    const std::size_t rows = logits.size() / classes;
    const float each = weight * temperature / static_cast<float>(rows);
    std::vector<float> current, target;
    for (std::size_t r = 0; r < rows; ++r) {
        softmax(logits.subspan(r * classes, classes), temperature, {}, current);
        softmax(wanted.subspan(r * classes, classes), temperature, {}, target);
        for (std::size_t c = 0; c < classes; ++c)
            by_output[(r * classes) + c] += each * (current[c] - target[c]);
    }
}

void argmax(std::span<const float> outputs, std::size_t width, std::vector<std::size_t>& answers) {
    answers.clear();
    for (std::size_t at = 0; at < outputs.size(); at += width) {
        const std::span<const float> row = outputs.subspan(at, width);
        answers.push_back(static_cast<std::size_t>(std::ranges::max_element(row) - row.begin()));
    }
}

} // namespace sprig::baselines
