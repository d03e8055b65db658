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

// Code shared by the verbs on model files.

/// The heading of these verbs in the help.
inline constexpr const char* model_verbs = "Models";

/// Adds the positional argument MODEL.
CLI::Option* add_model_option(CLI::App& verb, std::string& path, const char* description = "Model file");
/// Adds --maturity, for verbs that draw the units of a model.
CLI::Option& add_maturity_option(CLI::App& verb, std::optional<std::uint64_t>& maturity);
/// Completes the beginnings of addresses.
void set_address_completions(CLI::Option& option);

/// Formats a unit's identifier or a model's digest with 16 digits.
[[nodiscard]] std::string hexadecimal(std::uint64_t number);
/// "1 image", "2,000 images".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view what, std::string_view plural = {});
[[nodiscard]] const char* polarity_name(Polarity polarity);
/// "constellation, preset default".
[[nodiscard]] std::string learner_and_preset(const ModelFacts& facts);

/// Loads a model. Throws the errors of `Model::load`, and Error(usage) if the model has no classes.
[[nodiscard]] Model load_trained_model(const std::string& path);

/// The age of a unit: in lessons of its class if the learner's classes are independent, otherwise in lessons
/// of the model.
[[nodiscard]] std::uint64_t age_of(const Model& model, const UnitView& unit);

/// An image as a network.
struct LabelledNetwork {
    const std::string& name;
    const std::string& label; ///< empty if unlabelled
    const Network& network;
};
/// The images of a verb and how to process them.
struct ImageLoopOptions {
    std::vector<std::string> addresses;
    PictureOptions pictures;
    FrontEndParams front_end;
    const char* progress = ""; ///< label of the progress bar
    /// Whether unreadable images are reported and skipped; nullopt: only if there are several images.
    std::optional<bool> keep_going = false;
    bool lines = false; ///< whether the address - means lines of label<TAB>path on standard input
    std::optional<std::size_t> limit = {};     ///< maximum number of images
    std::optional<std::uint64_t> shuffle = {}; ///< seed
    std::function<std::string()> note = {};    ///< shown after the progress bar
};
/// Calls `process` for each image. Returns the number of skipped images.
std::size_t for_each_image(const ImageLoopOptions& options,
                           const std::function<void(const LabelledNetwork&)>& process);
/// Adds --keep-going; `note` is appended to its help.
void add_keep_going_option(CLI::App& verb, bool& keep_going, const char* note = "");
/// Ends a verb after its result was printed: if images were skipped, reports how many and requests exit code
/// 3.
void report_skipped(std::size_t skipped);

/// A model, a unit and events as JSON; units with their nodes and edges if `patterns` is `yes`.
enum class Patterns : bool { no, yes };
[[nodiscard]] Json json_of(const Model& model, Patterns patterns);
[[nodiscard]] Json json_of(const Model& model, const UnitView& unit, Patterns patterns);
[[nodiscard]] Json json_of(const std::vector<LoggedEvent>& events);

} // namespace sprig::cli
