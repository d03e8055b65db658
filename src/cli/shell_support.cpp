#include "cli/shell_support.h"

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/terminal.h"
#include "cli/verbs.h"
#include "sprig/version.h"

namespace sprig::cli {

namespace {

// The completions of an option are stored in the name of a CLI11 validator, which is not shown in the help.
constexpr std::string_view words_mark = "words:";
constexpr std::string_view files_mark = "words and files:";

// PROGRAM is replaced by the program's name. The program prints "files" if file names are possible, or
// "words", then a line for each word, with its description after a tab.
constexpr std::string_view bash_script =
    R"(# Completion of PROGRAM for bash: source this file, or install it as
# ~/.local/share/bash-completion/completions/PROGRAM
_PROGRAM() {
    local files names=()
    { read -r files && mapfile -t COMPREPLY; } \
        < <("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
    if [[ $files != files ]]; then
        compopt +o default +o bashdefault 2>/dev/null || : # no file names
    elif ((${#COMPREPLY[@]})); then
        # The option filenames makes bash escape special characters, also in words: set it only for real files.
        mapfile -t names < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
        ((${#names[@]} == 0)) || compopt -o filenames 2>/dev/null || :
        COMPREPLY+=("${names[@]}")
    fi # without words, bash itself completes file names
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *: ]] || compopt -o nospace 2>/dev/null || :
}
complete -o bashdefault -o default -F _PROGRAM PROGRAM
)";
constexpr std::string_view zsh_script = R"(#compdef PROGRAM
# Completion of PROGRAM for zsh: install this file as _PROGRAM in a folder of $fpath
_PROGRAM() {
    local -a matches=("${(@f)$("$words[1]" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    local files=$matches[1]
    shift matches
    matches=("${(@)${(@)matches//:/\\:}//$'\t'/:}")
    (($#matches == 0)) || _describe -o PROGRAM matches
    [[ $files != files ]] || _files
}
# Loaded from $fpath, this file is the body of the function; sourced, it only defines it.
if [[ $funcstack[1] == _PROGRAM ]]; then _PROGRAM "$@"; else compdef _PROGRAM PROGRAM; fi
)";
constexpr std::string_view fish_script = R"(# Completion of PROGRAM for fish: install this file as
# ~/.config/fish/completions/PROGRAM.fish
function __PROGRAM_completions
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l matches ($words[1] complete -- $words[2..] "$current" 2>/dev/null)
    printf '%s\n' $matches[2..]
    test "$matches[1]" = files; and __fish_complete_path "$current"
end
complete -c PROGRAM -f -a '(__PROGRAM_completions)'
)";

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
    return parts;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

/// The verbs that are not hidden.
std::vector<CLI::App*> verbs_of(CLI::App& app) {
    return app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

std::vector<CLI::Option*> options_of(CLI::App& app, bool positional) {
    return app.get_options([&](const CLI::Option* option) {
        return !option->get_group().empty() && option->nonpositional() != positional;
    });
}

/// The option with this name if it takes a value, or nullptr.
CLI::Option* valued_option(CLI::App& app, const std::string& name) {
    CLI::Option* option = app.get_option_no_throw(name);
    return option != nullptr && option->get_items_expected_max() > 0 ? option : nullptr;
}

/// Possible values of an option: the words set for completion, or the choices of CLI::IsMember, whose
/// description is "{a,b}".
Completions values_of(CLI::Option& option) {
    const std::string type = option.get_type_name();
    const auto is_a = [&](const char* name) { return type.starts_with(name); };
    Completions completions{{}, !is_a("INT") && !is_a("UINT") && !is_a("FLOAT")};
    const auto set = [&](const std::vector<std::string>& words, bool files) {
        completions.files = files;
        for (const std::string& word : words) completions.words.push_back({word, ""});
    };
    try {
        for (int i = 0;; ++i) {
            const CLI::Validator& check = *option.get_validator(i);
            const std::string& name = check.get_name();
            const std::string choices = check.get_description();
            if (name.starts_with(words_mark)) set(split(name.substr(words_mark.size()), ' '), false);
            if (name.starts_with(files_mark)) set(split(name.substr(files_mark.size()), ' '), true);
            if (choices.starts_with('{') && choices.ends_with('}'))
                set(split(choices.substr(1, choices.size() - 2), ','), false);
        }
    } catch (const CLI::OptionNotFound&) { // thrown when there are no more validators
    }
    return completions;
}

/// The parser's state after some words.
struct Position {
    CLI::App* verb;
    std::size_t words = 0;         ///< number of positional arguments so far
    CLI::Option* option = nullptr; ///< that expects its value
};

Position position_after(CLI::App& app, const std::vector<std::string>& words) {
    Position at{&app};
    for (const std::string& word : words) {
        const auto verbs = at.verb->get_subcommands([&](const CLI::App* v) { return v->check_name(word); });
        if (at.option != nullptr) {
            at.option = nullptr;
        } else if (word.starts_with('-')) {
            at.option = valued_option(*at.verb, word);
        } else if (!verbs.empty()) {
            at.verb = verbs.front();
        } else {
            ++at.words;
        }
    }
    return at;
}

/// All completions at a position; options only if `typed` starts with a dash.
Completions completions_at(const Position& at, const std::string& typed) {
    if (at.option != nullptr) return values_of(*at.option);
    Completions completions;
    if (typed.starts_with('-')) {
        for (const CLI::Option* option : options_of(*at.verb, false)) {
            for (const std::string& name : option->get_snames())
                completions.words.push_back({"-" + name, option->get_description()});
            for (const std::string& name : option->get_lnames())
                completions.words.push_back({"--" + name, option->get_description()});
        }
        return completions;
    }
    for (const CLI::App* verb : verbs_of(*at.verb))
        completions.words.push_back({verb->get_name(), verb->get_description()});
    if (!completions.words.empty()) return completions;
    const std::vector<CLI::Option*> positionals = options_of(*at.verb, true);
    if (at.words < positionals.size()) return values_of(*positionals[at.words]);
    const bool repeats = !positionals.empty() && positionals.back()->get_expected_max() > 1;
    return repeats ? values_of(*positionals.back()) : completions;
}

/// Escapes a line for roff, so that it is shown as it is and can be copied to a command line.
std::string roff_line(std::string_view text) {
    constexpr std::string_view special = "\\-'`^~\"";
    constexpr std::array roff = {"\\e", "\\-", "\\(aq", "\\(ga", "\\(ha", "\\(ti", "\\(dq"};
    std::string line = text.starts_with('.') ? "\\&" : "";
    for (const char c : text) {
        const std::size_t at = special.find(c);
        at == std::string_view::npos ? line += c : line += roff[at];
    }
    return line + "\n";
}

/// Converts a help text to roff. A line that ends in a colon is a heading. Lines of two columns are a list;
/// the second column may be on the next line.
std::string roff_of(const std::string& help, const char* heading) {
    std::string text;
    const std::vector<std::string> lines = split(help, '\n');
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::size_t begin = lines[i].find_first_not_of(' ');
        if (begin == std::string::npos) continue;
        const std::string_view line = std::string_view(lines[i]).substr(begin);
        const std::size_t column = line.rfind("  ") + 2; // 1 if there is none
        if (begin == 0 && line.ends_with(':')) {
            text += heading + roff_line(line.substr(0, line.size() - 1));
        } else if (begin == 0) {
            const bool begins = i == 0 || lines[i - 1].empty() || line.starts_with("Usage: ");
            text += (begins ? ".PP\n" : "") + roff_line(line);
        } else if (begin > 2) {
            text += roff_line(line);
        } else if (column > 1) {
            text += ".TP\n" + roff_line(line.substr(0, line.find_last_not_of(' ', column - 1) + 1)) +
                    roff_line(line.substr(column));
        } else {
            const bool continues = i + 1 < lines.size() && lines[i + 1].starts_with("   ");
            text += (continues ? ".TP\n" : ".br\n") + roff_line(line);
        }
    }
    return text;
}

/// The help of an app and of its verbs, recursively.
std::string sections_of(CLI::App& app, const std::string& name) {
    std::string help = app.get_formatter()->make_help(&app, name, CLI::AppFormatMode::Normal);
    const CLI::App* parent = app.get_parent();
    // In CLI11, a verb without a footer inherits the program's.
    if (parent != nullptr && parent->get_footer() == app.get_footer())
        help.erase(help.rfind(app.get_footer()));
    std::string text = parent == nullptr ? roff_of(help, ".SH ") + ".SH \"VERBS\"\n"
                                         : fmt::format(".SS \"{}\"\n{}", name, roff_of(help, ".PP\n.B "));
    for (CLI::App* verb : verbs_of(app)) text += sections_of(*verb, name + " " + verb->get_name());
    return text;
}

} // namespace

void set_completions(CLI::Option& option, const std::vector<std::string>& words, FileNames files) {
    const std::string_view mark = files == FileNames::allowed ? files_mark : words_mark;
    option.check(CLI::Validator([](std::string&) { return std::string(); }, "",
                                fmt::format("{}{}", mark, fmt::join(words, " "))));
}

Completions completions_for(CLI::App& app, const std::vector<std::string>& words) {
    const auto is_separator = [](const std::string& word) {
        return !word.empty() && word.find_first_not_of(":=") == std::string::npos;
    };
    std::vector<std::string> whole;
    std::string before; // the part of the last word that the shell has split off
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool continues =
            i > 0 && (is_separator(words[i]) || (is_separator(words[i - 1]) && !words[i].starts_with('-')));
        continues ? whole.back() += words[i] : whole.emplace_back(words[i]);
        before = !continues ? "" : is_separator(words[i]) ? whole.back() : before;
    }
    std::string typed = whole.empty() ? "" : whole.back();
    if (!whole.empty()) whole.pop_back();
    Position at = position_after(app, whole);
    std::string lead; // "--option=" before a value
    if (const std::size_t equals = typed.find('='); typed.starts_with("--") && equals != std::string::npos) {
        at.option = at.option != nullptr ? at.option : valued_option(*at.verb, typed.substr(0, equals));
        lead = typed.substr(0, equals + 1);
    }
    Completions completions = completions_at(at, typed);
    for (Completions::Word& word : completions.words) word.text = lead + word.text;
    std::erase_if(completions.words,
                  [&](const Completions::Word& word) { return !word.text.starts_with(typed); });
    for (Completions::Word& word : completions.words) word.text.erase(0, before.size());
    if (!before.empty() && !completions.words.empty()) completions.files = false;
    return completions;
}

std::string completion_script(const std::string& program, const std::string& shell) {
    const std::string_view script = shell == "bash" ? bash_script : shell == "zsh" ? zsh_script : fish_script;
    return replaced(std::string(script), "PROGRAM", program);
}

std::string man_page(CLI::App& app) {
    const std::string& name = app.get_name();
    const std::string purpose = app.get_description().substr(0, app.get_description().find_first_of(":\n"));
    return fmt::format(".\\\" Written by '{0} man'.\n.TH \"{0}\" \"1\" \"\" \"{0} {1}\" \"User Commands\"\n"
                       ".nr HY 0\n.ad l\n" // no hyphenation, no justification
                       ".SH \"NAME\"\n{2} \\- {3}.SH \"DESCRIPTION\"\n{4}",
                       name, SPRIG_VERSION, replaced(name, "-", "\\-"), roff_line(purpose),
                       sections_of(app, name));
}

void add_shell_verbs(CLI::App& app) {
    const std::string& name = app.get_name();
    CLI::App* completion = app.add_subcommand("completion", "Print a shell completion script");
    auto shell = std::make_shared<std::string>();
    completion->add_option("SHELL", *shell, "Name of the shell")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    completion->footer(fmt::format("\nExamples:\n  source <({0} completion bash)\n"
                                   "  {0} completion fish > ~/.config/fish/completions/{0}.fish",
                                   name));
    completion->callback([name, shell] { print(completion_script(name, *shell)); });

    CLI::App* man = app.add_subcommand("man", "Print the manual page in roff format");
    man->footer(fmt::format("\nExamples:\n  {} man | man -l -", name));
    man->callback([&app] { print(man_page(app)); });
    for (CLI::App* verb : {completion, man}) verb->group("Shell integration");

    CLI::App* complete = app.add_subcommand("complete", "List completions")->group("");
    auto words = std::make_shared<std::vector<std::string>>();
    complete->add_option("WORD", *words);
    complete->callback([&app, words] {
        const Completions completions = completions_for(app, *words);
        print(completions.files ? "files\n" : "words\n");
        for (const Completions::Word& word : completions.words)
            print(word.text + "\t" + word.description + "\n");
    });
}

} // namespace sprig::cli
