#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/json.h"
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
/// "constellation, preset default", with ", free pose" if it is free.
[[nodiscard]] std::string learner_and_preset(const ModelFacts& facts);

/// Loads a model. Throws the errors of `Model::load`, and Error(usage) if the model has no classes. `budget`:
/// see ModelOptions.
[[nodiscard]] Model load_trained_model(const std::string& path, std::size_t budget = 0);

/// Adds --budget.
void add_budget_option(CLI::App& verb, std::size_t& budget);

/// The age of a unit: in lessons of its class if the learner's classes are independent, otherwise in lessons
/// of the model.
[[nodiscard]] std::uint64_t age_of(const Model& model, const UnitView& unit);

/// A model, a unit and events as JSON; units with their nodes and edges if `patterns` is `yes`.
enum class Patterns : bool { no, yes };
[[nodiscard]] Json json_of(const Model& model, Patterns patterns);
[[nodiscard]] Json json_of(const Model& model, const UnitView& unit, Patterns patterns);
[[nodiscard]] Json json_of(const std::vector<LoggedEvent>& events);

} // namespace sprig::cli
