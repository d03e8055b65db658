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
#include "sprig/store.h"

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

/// A model that is going to be asked. Throws as `load_model` does, and Error(usage) if it knows no class.
[[nodiscard]] StoredModel load_model_to_ask(const std::string& path);

/// How long ago a unit was made: in lessons of its class for Constellation, whose classes know of no others,
/// in lessons of the whole model for the Modeller.
[[nodiscard]] std::uint64_t age_of(const StoredModel& model, const UnitView& unit);

/// An image as a model sees it.
struct SeenImage {
    std::string name;
    std::string label; ///< empty: none
    const Network& network;
};
/// The network of an image. What is wrong with it is said with its name.
void see(FrontEnd& front_end, ImageView image, const std::string& name, Network& network);
/// Shows every image of the addresses, in their order; progress is shown as `doing`.
void for_each_image(const std::vector<std::string>& addresses, const PictureOptions& pictures,
                    const FrontEndParams& front_end, const char* doing,
                    const std::function<void(const SeenImage&)>& show);

/// What is known of a model, and of one unit, for a program to read. With `patterns` a unit has its nodes and
/// edges.
enum class Patterns : bool { no, yes };
[[nodiscard]] Json json_of(const StoredModel& model, Patterns patterns);
[[nodiscard]] Json json_of(const StoredModel& model, const UnitView& unit, Patterns patterns);
[[nodiscard]] Json json_of(const std::vector<LoggedEvent>& events);

} // namespace sprig::cli
