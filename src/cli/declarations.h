#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sprig::cli {

// What a program's verbs and options are, as they were declared for the parser: what a shell offers and what
// the manual page says is made of this, so that it cannot be anything else than what the program does.

/// Words to offer where an option checks its value itself, with a better message than a list could give. They
/// are for shells only: the help does not show them.
enum class Besides { nothing, files };
void offer(CLI::Option& option, const std::vector<std::string>& words, Besides besides = Besides::nothing);

/// What may stand at the end of a command line.
struct Offers {
    struct Word {
        std::string text;
        std::string description;
    };
    std::vector<Word> words;
    bool files = false; ///< or the name of a file
};
/// `words`: what follows the program's name, the last of them being typed. They may be parted at : and = as
/// bash parts them: then what is offered is the rest of the word.
[[nodiscard]] Offers offers_at(CLI::App& app, const std::vector<std::string>& words);

/// A script by which a shell asks the program for its offers: bash, zsh or fish.
[[nodiscard]] std::string completion_script(const std::string& program, const std::string& shell);

/// The manual page, made of the help of the program and of all its verbs.
[[nodiscard]] std::string man_page(CLI::App& app);

/// Adds the verbs completion and man, and a hidden one that answers for the completion. Of any program.
void add_shell_verbs(CLI::App& app);

} // namespace sprig::cli
