#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sprig::cli {

// What the program's verbs and options are, as they were declared for the parser: what is written for a shell
// or for a page is made of this, so that it cannot say anything else than the program does.

/// An option, or a word that is known by its place.
struct DeclaredOption {
    std::vector<std::string> names; ///< as they are typed, "-o" and "--output"; none: known by its place
    std::string value;              ///< what its value is called; empty: it has none
    std::string description;
    std::string usual;                ///< its default as text; empty: none, or not worth telling
    std::string range;                ///< which numbers it takes, "1 to 1024"; empty: not said
    std::vector<std::string> choices; ///< the only values it takes; empty: others
    std::vector<std::string> offers;  ///< values to offer to somebody who types, the choices if there are any
    std::vector<std::string> needs;   ///< options that it makes no sense without
    bool takes_files = false;         ///< its value may be the name of a file
    bool required = false;
    bool many = false; ///< may be there several times
    std::string group; ///< under which heading the help has it

    [[nodiscard]] bool is_switch() const { return value.empty(); }
};

struct DeclaredVerb {
    std::vector<std::string> path; ///< the verbs that lead to it, itself last; empty: the program
    std::string description;
    std::string footer;
    std::string group;                  ///< under which heading the help of the verb above has it
    std::vector<DeclaredOption> places; ///< the words known by their place, in their order
    std::vector<DeclaredOption> options;
    std::vector<DeclaredVerb> verbs;

    [[nodiscard]] const std::string& name() const { return path.back(); }
};

/// What can be hidden from the help is not in it.
[[nodiscard]] DeclaredVerb declarations_of(CLI::App& app);

/// Every verb from this one on, each before those beneath it.
[[nodiscard]] std::vector<const DeclaredVerb*> all_verbs(const DeclaredVerb& verb);

/// Words to offer where an option checks its value itself, with a better message than a list could give. They
/// are for shells only: the help does not show them.
enum class Besides { nothing, files };
void offer(CLI::Option& option, const std::vector<std::string>& words, Besides besides = Besides::nothing);

/// A part of a footer: a line that ends in a colon and the indented lines beneath it, or a paragraph without
/// heading.
struct FooterPart {
    std::string heading; ///< without the colon; empty: none
    std::vector<std::string> lines;
};
/// The parts of a footer, which are parted by empty lines.
[[nodiscard]] std::vector<FooterPart> footer_parts(const std::string& footer);

} // namespace sprig::cli
