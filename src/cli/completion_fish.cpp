#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion.h"

namespace sprig::cli {

namespace {

std::string fish_quoted(std::string text) {
    for (std::size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at + 2))
        text.insert(at, "\\");
    return quoted(text, "\\'");
}

std::string path_of(const DeclaredVerb& verb) {
    std::string path;
    for (const std::string& name : verb.path) path += "/" + name;
    return path;
}

/// Says after which words the program is at which verb.
std::string at_verb(const std::vector<const DeclaredVerb*>& verbs) {
    std::string known;
    for (const DeclaredVerb* verb : verbs)
        if (!verb->path.empty()) known += " " + path_of(*verb);
    return fmt::format("function __sprig_at\n    set -l at ''\n    for word in (commandline -opc)[2..]\n"
                       "        contains -- $at/$word{} && set at $at/$word\n    end\n"
                       "    test \"$at\" = \"$argv[1]\"\nend\n\n",
                       known);
}

/// What a value may be: words, files, both, or neither.
std::string values(const DeclaredOption& option) {
    std::string text = option.takes_files ? " -F" : " -f";
    if (!option.offers.empty())
        text += fmt::format(" -a {}", fish_quoted(fmt::format("{}", fmt::join(option.offers, " "))));
    return text;
}

std::string lines_of(const DeclaredVerb& verb) {
    const std::string begin =
        fmt::format("complete -c sprig -n {}", fish_quoted("__sprig_at '" + path_of(verb) + "'"));
    std::string text;
    for (const DeclaredVerb& below : verb.verbs)
        text += fmt::format("{} -a {} -d {}\n", begin, below.name(), fish_quoted(below.description));
    for (const DeclaredOption& option : verb.options) {
        text += begin;
        for (const std::string& name : option.names)
            text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        if (!option.is_switch()) text += " -r" + values(option);
        text += fmt::format(" -d {}\n", fish_quoted(option.description));
    }
    for (const DeclaredOption& place : verb.places) text += fmt::format("{}{}\n", begin, values(place));
    return text;
}

} // namespace

std::string fish_completion(const DeclaredVerb& program) {
    const std::vector<const DeclaredVerb*> verbs = all_verbs(program);
    std::string text = "# Completion of sprig for fish, written by 'sprig completion fish': put it into\n"
                       "# ~/.config/fish/completions/sprig.fish\n\n" +
                       at_verb(verbs) + "complete -c sprig -f\n";
    for (const DeclaredVerb* verb : verbs) text += lines_of(*verb);
    return text;
}

} // namespace sprig::cli
