#include <fmt/format.h>

#include "cli/completion.h"

namespace sprig::cli {

namespace {

/// With a backslash before each of the characters that mean something there.
std::string escaped(const std::string& text, std::string_view special) {
    std::string result;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result;
}

std::string function_of(const DeclaredVerb& verb) {
    std::string name = "_sprig";
    for (const std::string& part : verb.path) name += "_" + part;
    return name;
}

/// What completes a value, as _arguments has it: a list, a function, or nothing (a blank).
std::string action_of(const DeclaredOption& option) {
    if (option.offers.empty()) return option.takes_files ? "_files" : " ";
    std::string words;
    for (const std::string& word : option.offers)
        words += (words.empty() ? "" : " ") + escaped(word, "\\:() ");
    // In braces: code, which offers both.
    return option.takes_files ? fmt::format("{{_sprig_or_files {}}}", words) : fmt::format("({})", words);
}

std::string value_of(const DeclaredOption& option) {
    if (option.is_switch()) return {};
    return fmt::format(":{}:{}", escaped(option.value, "\\:"), action_of(option));
}

std::string option_spec(const DeclaredOption& option, const std::string& name) {
    // Who has one of its names has the others, too; unless it may come again.
    std::string others;
    for (const std::string& other : option.names) others += (others.empty() ? "" : " ") + other;
    const std::string before = option.many ? "*" : fmt::format("({})", others);
    const bool joins = !option.is_switch() && name.starts_with("--");
    return quoted(fmt::format("{}{}{}[{}]{}", before, name, joins ? "=" : "",
                              escaped(option.description, "\\[]:"), value_of(option)));
}

std::string specs_of(const DeclaredVerb& verb) {
    std::string text;
    for (const DeclaredOption& option : verb.options) {
        for (const std::string& name : option.names)
            text += fmt::format(" \\\n        {}", option_spec(option, name));
    }
    return text;
}

std::string leaf(const DeclaredVerb& verb) {
    std::string text = fmt::format("{}() {{\n    _arguments -s -S{}", function_of(verb), specs_of(verb));
    for (std::size_t i = 0; i < verb.places.size(); ++i) {
        const DeclaredOption& place = verb.places[i];
        text += fmt::format(" \\\n        {}",
                            quoted((place.many ? "*" : std::to_string(i + 1)) + value_of(place)));
    }
    return text + "\n}\n\n";
}

std::string with_verbs(const DeclaredVerb& verb) {
    std::string text =
        fmt::format("{}() {{\n    local curcontext=$curcontext state line\n    typeset -A opt_args\n"
                    "    _arguments -C{} \\\n        '1: :->verb' \\\n        '*:: :->rest'\n"
                    "    case $state in\n    verb)\n        local -a verbs=(\n",
                    function_of(verb), specs_of(verb));
    for (const DeclaredVerb& below : verb.verbs)
        text +=
            fmt::format("            {}\n", quoted(escaped(below.name(), "\\:") + ":" + below.description));
    text += "        )\n        _describe verb verbs\n        ;;\n    rest)\n        case $words[1] in\n";
    for (const DeclaredVerb& below : verb.verbs)
        text += fmt::format("        {}) {} ;;\n", below.name(), function_of(below));
    return text + "        esac\n        ;;\n    esac\n}\n\n";
}

} // namespace

std::string zsh_completion(const DeclaredVerb& program) {
    std::string text =
        "#compdef sprig\n"
        "# Completion of sprig for zsh, written by 'sprig completion zsh': put it into a folder of\n"
        "# $fpath, as _sprig\n\n"
        "_sprig_or_files() {\n    compadd -- \"$@\"\n    _files\n}\n\n";
    for (const DeclaredVerb* verb : all_verbs(program))
        text += verb->verbs.empty() ? leaf(*verb) : with_verbs(*verb);
    // Found in $fpath, the file is the function; sourced, it is not.
    return text + "if [[ $funcstack[1] == _sprig ]]; then _sprig \"$@\"; else compdef _sprig sprig; fi\n";
}

} // namespace sprig::cli
