#include "cli/declarations.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sprig::cli {

namespace {

// CLI11 has no place for what a shell should offer but the name of a check, which it shows to nobody.
constexpr std::string_view offers_mark = "offers:";
constexpr std::string_view files_mark = "offers and files:";

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
    return parts;
}

std::vector<CLI::Validator*> checks_of(CLI::Option& option) {
    std::vector<CLI::Validator*> checks;
    try {
        for (int i = 0;; ++i) checks.push_back(option.get_validator(i));
    } catch (const CLI::OptionNotFound&) { // which is how CLI11 says that there are no more
    }
    return checks;
}

/// "{a,b}", as CLI::IsMember describes itself, as a list; empty if it is something else.
std::vector<std::string> choices_in(const std::string& description) {
    if (description.size() < 2 || description.front() != '{' || description.back() != '}') return {};
    return split(description.substr(1, description.size() - 2), ',');
}

/// "INT in [1 - 9]", as CLI::Range describes itself, as "1 to 9".
std::string range_in(const std::string& description) {
    const std::size_t begin = description.find(" in [");
    const std::size_t middle = description.find(" - ");
    if (begin == std::string::npos || middle == std::string::npos || description.back() != ']') return {};
    return description.substr(begin + 5, middle - begin - 5) + " to " +
           description.substr(middle + 3, description.size() - middle - 4);
}

void take_check(DeclaredOption& declared, const CLI::Validator& check) {
    const std::string& name = check.get_name();
    for (const std::string_view mark : {offers_mark, files_mark}) {
        if (!name.starts_with(mark)) continue;
        declared.offers = split(name.substr(mark.size()), ' ');
        declared.takes_files = mark == files_mark;
    }
    const std::vector<std::string> choices = choices_in(check.get_description());
    if (!choices.empty()) declared.choices = declared.offers = choices;
    if (declared.range.empty()) declared.range = range_in(check.get_description());
}

bool is_number(const std::string& type) {
    return type.starts_with("INT") || type.starts_with("UINT") || type.starts_with("FLOAT");
}

/// What a value is called: what its declaration says, or what CLI11 calls its type.
std::string value_of(const CLI::Option& option) {
    if (!option.nonpositional()) return option.get_name(true);
    if (option.get_items_expected_max() == 0) return {};
    const std::string type = option.get_type_name(); // with all checks behind it
    return is_number(type) ? "NUMBER" : type.substr(0, type.find(':'));
}

DeclaredOption declared(CLI::Option& option) {
    DeclaredOption result;
    for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
    result.value = value_of(option);
    result.description = option.get_description();
    result.required = option.get_required();
    result.group = option.get_group();
    if (result.is_switch()) return result;
    result.usual = option.get_default_str();
    result.many = option.get_expected_max() == CLI::detail::expected_max_vector_size;
    for (const CLI::Option* needed : option.get_needs()) result.needs.push_back(needed->get_name());
    result.takes_files = !is_number(option.get_type_name());
    for (const CLI::Validator* check : checks_of(option)) take_check(result, *check);
    if (!result.choices.empty()) result.takes_files = false;
    return result;
}

DeclaredVerb declared(CLI::App& app, std::vector<std::string> path) {
    DeclaredVerb verb;
    verb.path = std::move(path);
    verb.description = app.get_description();
    // CLI11 hands the program's footer down to verbs without one.
    if (app.get_parent() == nullptr || app.get_footer() != app.get_parent()->get_footer())
        verb.footer = app.get_footer();
    verb.group = app.get_group();
    for (CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) continue;
        (option->nonpositional() ? verb.options : verb.places).push_back(declared(*option));
    }
    for (CLI::App* below : app.get_subcommands({})) {
        if (below->get_group().empty()) continue;
        std::vector<std::string> longer = verb.path;
        longer.push_back(below->get_name());
        verb.verbs.push_back(declared(*below, std::move(longer)));
    }
    return verb;
}

void add_all(const DeclaredVerb& verb, std::vector<const DeclaredVerb*>& all) {
    all.push_back(&verb);
    for (const DeclaredVerb& below : verb.verbs) add_all(below, all);
}

} // namespace

DeclaredVerb declarations_of(CLI::App& app) {
    return declared(app, {});
}

std::vector<const DeclaredVerb*> all_verbs(const DeclaredVerb& verb) {
    std::vector<const DeclaredVerb*> all;
    add_all(verb, all);
    return all;
}

void offer(CLI::Option& option, const std::vector<std::string>& words, Besides besides) {
    const std::string_view mark = besides == Besides::files ? files_mark : offers_mark;
    option.check(CLI::Validator([](std::string&) { return std::string(); }, "",
                                fmt::format("{}{}", mark, fmt::join(words, " "))));
}

std::vector<FooterPart> footer_parts(const std::string& footer) {
    std::vector<FooterPart> parts;
    bool begins = true;
    for (const std::string& line : split(footer, '\n')) {
        if (line.empty()) {
            begins = true;
        } else if (begins) {
            const bool is_heading = line.back() == ':';
            parts.push_back(is_heading ? FooterPart{line.substr(0, line.size() - 1), {}}
                                       : FooterPart{"", {line}});
            begins = false;
        } else {
            parts.back().lines.push_back(line);
        }
    }
    return parts;
}

} // namespace sprig::cli
