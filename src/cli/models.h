#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/front_end_options.h"
#include "cli/json.h"
#include "sprig/data.h"
#include "sprig/learner.h"
#include "sprig/model.h"

namespace sprig::cli {

// What the verbs on a model file have in common.

/// The heading under which the help has them.
inline constexpr const char* model_verbs = "Models";

/// The word MODEL, which all of them have first.
CLI::Option* add_model_option(CLI::App& verb, std::string& path, const char* what = "A model file");
/// --maturity, of the verbs that draw all units of a model.
CLI::Option& add_maturity_option(CLI::App& verb, std::optional<std::uint64_t>& maturity);
/// The words for images or data sets: the beginnings of addresses are offered.
void offer_addresses(CLI::Option& option);

/// A unit's name for good, and the sum over a model, as they are shown everywhere: sixteen digits.
[[nodiscard]] std::string hexadecimal(std::uint64_t number);
/// "1 image", "2,000 images".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view what, std::string_view plural = {});
[[nodiscard]] const char* in_words(Polarity polarity);
/// "constellation, preset default".
[[nodiscard]] std::string kind_in_words(const ModelFacts& facts);

/// A model that is going to be asked. Throws as `Model::load` does, and Error(usage) if it knows no class.
[[nodiscard]] Model load_model_to_ask(const std::string& path);

/// How long ago a unit was made: in lessons of its class where classes know of no others, otherwise in lessons
/// of the whole model.
[[nodiscard]] std::uint64_t age_of(const Model& model, const UnitView& unit);

/// An image as a model sees it.
struct SeenImage {
    const std::string& name;
    const std::string& label; ///< empty: none
    const Network& network;
};
/// Which images a verb goes through, and how.
struct ImageLoop {
    std::vector<std::string> addresses;
    PictureOptions pictures;
    FrontEndParams front_end;
    const char* doing = ""; ///< what the progress is of
    /// Whether an image that cannot be read is named and skipped; not said: if there are several.
    std::optional<bool> keep_going = false;
    bool lines = false; ///< the address - stands for lines of label<TAB>path on standard input
    std::optional<std::size_t> limit = {};
    std::optional<std::uint64_t> shuffle = {};
    std::function<std::string()> note = {}; ///< shown behind the progress
};
/// Shows the images one at a time, as a model sees them. Returns how many were skipped.
std::size_t for_each_image(const ImageLoop& loop, const std::function<void(const SeenImage&)>& show);
/// --keep-going; and the end of a verb that has it, when its result is printed: what was skipped is counted,
/// and the exit code says so.
void add_keep_going_option(CLI::App& verb, bool& keep_going, const char* by_default = "");
void end_after(std::size_t skipped);

/// What is known of a model, and of one unit, for a program to read. With `patterns` a unit has its nodes and
/// edges.
enum class Patterns : bool { no, yes };
[[nodiscard]] Json json_of(const Model& model, Patterns patterns);
[[nodiscard]] Json json_of(const Model& model, const UnitView& unit, Patterns patterns);
[[nodiscard]] Json json_of(const std::vector<LoggedEvent>& events);

} // namespace sprig::cli
