#include "cli/declarations.h"

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

// CLI11 has no place for what a shell should offer but the name of a check, which it shows to nobody.
constexpr std::string_view offers_mark = "offers:";
constexpr std::string_view files_mark = "offers and files:";

// In all of them, PROGRAM is the program's name. It answers with a line that says whether files may stand
// there, then a line for each word, with its description behind a tab.
constexpr std::string_view bash_script = R"(# Completion of PROGRAM for bash: source it, or put it into
# ~/.local/share/bash-completion/completions/PROGRAM
_PROGRAM() {
    local files names=()
    { read -r files && mapfile -t COMPREPLY; } \
        < <("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
    if [[ $files != files ]]; then
        compopt +o default +o bashdefault 2>/dev/null || : # no names of files
    elif ((${#COMPREPLY[@]})); then
        # Told that these are files, bash escapes what it must, a : too: so only if there are some.
        mapfile -t names < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
        ((${#names[@]} == 0)) || compopt -o filenames 2>/dev/null || :
        COMPREPLY+=("${names[@]}")
    fi # with nothing else to offer bash itself completes the name of a file
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *: ]] || compopt -o nospace 2>/dev/null || :
}
complete -o bashdefault -o default -F _PROGRAM PROGRAM
)";
constexpr std::string_view zsh_script = R"(#compdef PROGRAM
# Completion of PROGRAM for zsh: put it into a folder of $fpath, as _PROGRAM
_PROGRAM() {
    local -a offers=("${(@f)$("$words[1]" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    local files=$offers[1]
    shift offers
    offers=("${(@)${(@)offers//:/\\:}//$'\t'/:}")
    (($#offers == 0)) || _describe -o PROGRAM offers
    [[ $files != files ]] || _files
}
# Found in $fpath, the file is the function; sourced, it is not.
if [[ $funcstack[1] == _PROGRAM ]]; then _PROGRAM "$@"; else compdef _PROGRAM PROGRAM; fi
)";
constexpr std::string_view fish_script = R"(# Completion of PROGRAM for fish: put it into
# ~/.config/fish/completions/PROGRAM.fish
function __PROGRAM_offers
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l offers ($words[1] complete -- $words[2..] "$current" 2>/dev/null)
    printf '%s\n' $offers[2..]
    test "$offers[1]" = files; and __fish_complete_path "$current"
end
complete -c PROGRAM -f -a '(__PROGRAM_offers)'
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

/// What can be hidden from the help is not offered.
std::vector<CLI::App*> verbs_of(CLI::App& app) {
    return app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

std::vector<CLI::Option*> options_of(CLI::App& app, bool by_place) {
    return app.get_options([&](const CLI::Option* option) {
        return !option->get_group().empty() && option->nonpositional() != by_place;
    });
}

/// The option of this name, if it takes a value.
CLI::Option* valued_option(CLI::App& app, const std::string& name) {
    CLI::Option* option = app.get_option_no_throw(name);
    return option != nullptr && option->get_items_expected_max() > 0 ? option : nullptr;
}

/// What the value of an option may be: what was declared for a shell, or the choices of CLI::IsMember, which
/// describes itself as "{a,b}".
Offers values_of(CLI::Option& option) {
    const std::string type = option.get_type_name();
    const auto is_a = [&](const char* name) { return type.starts_with(name); };
    Offers offers{{}, !is_a("INT") && !is_a("UINT") && !is_a("FLOAT")};
    const auto take = [&](const std::vector<std::string>& words, bool files) {
        offers.files = files;
        for (const std::string& word : words) offers.words.push_back({word, ""});
    };
    try {
        for (int i = 0;; ++i) {
            const CLI::Validator& check = *option.get_validator(i);
            const std::string& name = check.get_name();
            const std::string choices = check.get_description();
            if (name.starts_with(offers_mark)) take(split(name.substr(offers_mark.size()), ' '), false);
            if (name.starts_with(files_mark)) take(split(name.substr(files_mark.size()), ' '), true);
            if (choices.starts_with('{') && choices.ends_with('}'))
                take(split(choices.substr(1, choices.size() - 2), ','), false);
        }
    } catch (const CLI::OptionNotFound&) { // which is how CLI11 says that there are no more checks
    }
    return offers;
}

/// Where somebody is who has typed some words.
struct Place {
    CLI::App* verb;
    std::size_t words = 0;         ///< how many it has that are known by their place
    CLI::Option* option = nullptr; ///< which waits for its value
};

Place place_after(CLI::App& app, const std::vector<std::string>& words) {
    Place at{&app};
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

/// All that may stand at a place; `typed` says whether an option is wanted.
Offers offers_of(const Place& at, const std::string& typed) {
    if (at.option != nullptr) return values_of(*at.option);
    Offers offers;
    if (typed.starts_with('-')) {
        for (const CLI::Option* option : options_of(*at.verb, false)) {
            for (const std::string& name : option->get_snames())
                offers.words.push_back({"-" + name, option->get_description()});
            for (const std::string& name : option->get_lnames())
                offers.words.push_back({"--" + name, option->get_description()});
        }
        return offers;
    }
    for (const CLI::App* verb : verbs_of(*at.verb))
        offers.words.push_back({verb->get_name(), verb->get_description()});
    if (!offers.words.empty()) return offers;
    const std::vector<CLI::Option*> places = options_of(*at.verb, true);
    if (at.words < places.size()) return values_of(*places[at.words]);
    // The last one may go on for ever.
    const bool goes_on = !places.empty() && places.back()->get_expected_max() > 1;
    return goes_on ? values_of(*places.back()) : offers;
}

/// As a line for man: none of it is an instruction to the formatter, and all can be copied to a command line.
std::string plain(std::string_view text) {
    constexpr std::string_view special = "\\-'`^~\"";
    constexpr std::array roff = {"\\e", "\\-", "\\(aq", "\\(ga", "\\(ha", "\\(ti", "\\(dq"};
    std::string line = text.starts_with('.') ? "\\&" : "";
    for (const char c : text) {
        const std::size_t at = special.find(c);
        at == std::string_view::npos ? line += c : line += roff[at];
    }
    return line + "\n";
}

/// A help text for man: a line that ends in a colon is a heading, lines of two columns are a list, of which
/// the second may stand in the next line, and others stand as they are.
std::string roff_of(const std::string& help, const char* heading) {
    std::string text;
    const std::vector<std::string> lines = split(help, '\n');
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::size_t begin = lines[i].find_first_not_of(' ');
        if (begin == std::string::npos) continue;
        const std::string_view line = std::string_view(lines[i]).substr(begin);
        const std::size_t column = line.rfind("  ") + 2; // 1 if there is none
        if (begin == 0 && line.ends_with(':')) {
            text += heading + plain(line.substr(0, line.size() - 1));
        } else if (begin == 0) {
            const bool begins = i == 0 || lines[i - 1].empty() || line.starts_with("Usage: ");
            text += (begins ? ".PP\n" : "") + plain(line);
        } else if (begin > 2) {
            text += plain(line);
        } else if (column > 1) {
            text += ".TP\n" + plain(line.substr(0, line.find_last_not_of(' ', column - 1) + 1)) +
                    plain(line.substr(column));
        } else {
            const bool goes_on = i + 1 < lines.size() && lines[i + 1].starts_with("   ");
            text += (goes_on ? ".TP\n" : ".br\n") + plain(line);
        }
    }
    return text;
}

/// The help of an app and of all that is beneath it.
std::string sections_of(CLI::App& app, const std::string& name) {
    std::string help = app.get_formatter()->make_help(&app, name, CLI::AppFormatMode::Normal);
    const CLI::App* above = app.get_parent();
    // CLI11 hands the program's footer down to verbs without one.
    if (above != nullptr && above->get_footer() == app.get_footer()) help.erase(help.rfind(app.get_footer()));
    std::string text = above == nullptr ? roff_of(help, ".SH ") + ".SH \"VERBS\"\n"
                                        : fmt::format(".SS \"{}\"\n{}", name, roff_of(help, ".PP\n.B "));
    for (CLI::App* verb : verbs_of(app)) text += sections_of(*verb, name + " " + verb->get_name());
    return text;
}

} // namespace

void offer(CLI::Option& option, const std::vector<std::string>& words, Besides besides) {
    const std::string_view mark = besides == Besides::files ? files_mark : offers_mark;
    option.check(CLI::Validator([](std::string&) { return std::string(); }, "",
                                fmt::format("{}{}", mark, fmt::join(words, " "))));
}

Offers offers_at(CLI::App& app, const std::vector<std::string>& words) {
    const auto parts = [](const std::string& word) {
        return !word.empty() && word.find_first_not_of(":=") == std::string::npos;
    };
    std::vector<std::string> whole;
    std::string before; // of the last word, what the shell takes for words of their own
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool goes_on =
            i > 0 && (parts(words[i]) || (parts(words[i - 1]) && !words[i].starts_with('-')));
        goes_on ? whole.back() += words[i] : whole.emplace_back(words[i]);
        before = !goes_on ? "" : parts(words[i]) ? whole.back() : before;
    }
    std::string typed = whole.empty() ? "" : whole.back();
    if (!whole.empty()) whole.pop_back();
    Place at = place_after(app, whole);
    std::string lead; // --option=, to which a value belongs
    if (const std::size_t equals = typed.find('='); typed.starts_with("--") && equals != std::string::npos) {
        at.option = at.option != nullptr ? at.option : valued_option(*at.verb, typed.substr(0, equals));
        lead = typed.substr(0, equals + 1);
    }
    Offers offers = offers_of(at, typed);
    for (Offers::Word& word : offers.words) word.text = lead + word.text;
    std::erase_if(offers.words, [&](const Offers::Word& word) { return !word.text.starts_with(typed); });
    for (Offers::Word& word : offers.words) word.text.erase(0, before.size());
    if (!before.empty() && !offers.words.empty()) offers.files = false;
    return offers;
}

std::string completion_script(const std::string& program, const std::string& shell) {
    const std::string_view script = shell == "bash" ? bash_script : shell == "zsh" ? zsh_script : fish_script;
    return replaced(std::string(script), "PROGRAM", program);
}

std::string man_page(CLI::App& app) {
    const std::string& name = app.get_name();
    const std::string purpose = app.get_description().substr(0, app.get_description().find_first_of(":\n"));
    return fmt::format(".\\\" Written by '{0} man'.\n.TH \"{0}\" \"1\" \"\" \"{0} {1}\" \"User Commands\"\n"
                       ".nr HY 0\n.ad l\n" // what is typed must not be hyphenated, nor stretched
                       ".SH \"NAME\"\n{2} \\- {3}.SH \"DESCRIPTION\"\n{4}",
                       name, SPRIG_VERSION, replaced(name, "-", "\\-"), plain(purpose),
                       sections_of(app, name));
}

void add_shell_verbs(CLI::App& app) {
    const std::string& name = app.get_name();
    CLI::App* completion =
        app.add_subcommand("completion", "Print what makes a shell complete verbs and options");
    auto shell = std::make_shared<std::string>();
    completion->add_option("SHELL", *shell, "Which shell")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    completion->footer(fmt::format("\nExamples:\n  source <({0} completion bash)\n"
                                   "  {0} completion fish > ~/.config/fish/completions/{0}.fish",
                                   name));
    completion->callback([name, shell] { print(completion_script(name, *shell)); });

    CLI::App* man = app.add_subcommand("man", "Print the manual page, for man to read");
    man->footer(fmt::format("\nExamples:\n  {} man | man -l -", name));
    man->callback([&app] { print(man_page(app)); });
    for (CLI::App* verb : {completion, man}) verb->group("For your shell");

    CLI::App* complete = app.add_subcommand("complete", "What may stand here")->group("");
    auto words = std::make_shared<std::vector<std::string>>();
    complete->add_option("WORD", *words);
    complete->callback([&app, words] {
        const Offers offers = offers_at(app, *words);
        print(offers.files ? "files\n" : "words\n");
        for (const Offers::Word& word : offers.words) print(word.text + "\t" + word.description + "\n");
    });
}

} // namespace sprig::cli
