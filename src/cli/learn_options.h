#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/front_end_options.h"
#include "cli/image_loop.h"
#include "sprig/error.h"
#include "sprig/model.h"

namespace sprig::cli {

/// A part of the classes: see `shard_of`.
struct Shard {
    std::size_t index = 0; ///< from 0
    std::size_t count = 1;
};

struct LearnOptions {
    std::string model;
    std::string data;
    std::optional<std::string> label;
    std::optional<std::size_t> limit;
    std::optional<std::uint64_t> shuffle;
    std::optional<std::size_t> threads;
    bool prequential = false;
    std::optional<std::string> shard_text;
    std::optional<Shard> shard; ///< of `shard_text`
    bool keep_going = false;
    bool json = false;
    ModelOptions model_options;
    std::vector<std::string> settings; ///< KEY=VALUE texts
    PictureOptions pictures;

    [[nodiscard]] bool is_stream() const { return data == "-" || data == drawings_on_input; }
    /// Whether the shard learns an image. Images without a label are wanted, so that they are reported.
    [[nodiscard]] bool is_wanted(const std::string& own_label) const {
        const std::string& chosen = label ? *label : own_label;
        return !shard || chosen.empty() || shard_of(chosen, shard->count) == shard->index;
    }
};

/// The error of an image without a label, if none is in the options.
[[nodiscard]] Error without_label(const std::string& name, const LearnOptions& options);

} // namespace sprig::cli
