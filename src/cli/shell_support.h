#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sprig::cli {

// Shell completion and the manual page, generated from the verbs and options declared for the parser.

/// Sets the words that a shell completes for an option, in addition to file names if allowed. They are not
/// shown in the help and not used to check the value.
enum class FileNames { excluded, allowed };
void set_completions(CLI::Option& option, const std::vector<std::string>& words,
                     FileNames files = FileNames::excluded);

/// The possible completions of a command line.
struct Completions {
    struct Word {
        std::string text;
        std::string description;
    };
    std::vector<Word> words;
    bool files = false; ///< whether file names are possible, too
};
/// `words`: the arguments, of which the last one is incomplete. If bash has split a word at : or =, the
/// results complete its last part.
[[nodiscard]] Completions completions_for(CLI::App& app, const std::vector<std::string>& words);

/// The completion script of a shell (bash, zsh or fish). It calls the program's hidden verb `complete`.
[[nodiscard]] std::string completion_script(const std::string& program, const std::string& shell);

/// The manual page, generated from the help of the program and its verbs.
[[nodiscard]] std::string man_page(CLI::App& app);

/// Adds the verbs `completion` and `man`, and the hidden verb `complete`.
void add_shell_verbs(CLI::App& app);

} // namespace sprig::cli
