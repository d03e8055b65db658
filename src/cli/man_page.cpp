#include "cli/man_page.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sprig/version.h"

namespace sprig::cli {

namespace {

/// As text: none of it is an instruction to the formatter, and all can be copied from the page to a command
/// line.
std::string plain(const std::string& text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '\\':
            result += "\\e";
            break;
        case '-':
            result += "\\-";
            break;
        case '\'':
            result += "\\(aq";
            break;
        case '`':
            result += "\\(ga";
            break;
        case '^':
            result += "\\(ha";
            break;
        case '~':
            result += "\\(ti";
            break;
        case '"':
            result += "\\(dq";
            break;
        case '\n':
            result += ' ';
            break;
        default:
            result += c;
        }
    }
    return result;
}

/// A line of text; one that begins with a dot would be taken for an instruction.
std::string line(const std::string& roff) {
    return (roff.starts_with('.') ? "\\&" : "") + roff + "\n";
}

std::string bold(const std::string& text) {
    return "\\fB" + plain(text) + "\\fR";
}

std::string italic(const std::string& text) {
    return "\\fI" + plain(text) + "\\fR";
}

std::string heading(const char* macro, const std::string& text) {
    return fmt::format("{} \"{}\"\n", macro, plain(text));
}

std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string spoken(const DeclaredVerb& verb) {
    return fmt::format("sprig{}{}", verb.path.empty() ? "" : " ", fmt::join(verb.path, " "));
}

std::string usage(const DeclaredVerb& verb) {
    std::string text = bold(spoken(verb)) + " [" + italic("OPTIONS") + "]";
    for (const DeclaredOption& place : verb.places)
        text += " " + italic(place.value) + (place.many ? "..." : "");
    if (!verb.verbs.empty()) text += " " + italic("VERB");
    return text;
}

/// How an option is typed.
std::string tag(const DeclaredOption& option) {
    std::string text;
    for (const std::string& name : option.names) text += (text.empty() ? "" : ", ") + bold(name);
    if (option.is_switch()) return text;
    if (!text.empty()) text += ' ';
    if (option.names.empty() || option.choices.empty())
        return text + italic(option.value) + (option.many ? "..." : "");
    return text + plain(fmt::format("{}", fmt::join(option.choices, "|")));
}

std::string described(const DeclaredOption& option) {
    std::string text = plain(option.description) + ".";
    if (option.names.empty() && !option.choices.empty())
        text += plain(fmt::format(" One of {}.", fmt::join(option.choices, ", ")));
    if (!option.range.empty()) text += plain(fmt::format(" From {}.", option.range));
    if (!option.usual.empty()) text += plain(fmt::format(" Default: {}.", option.usual));
    if (!option.needs.empty()) text += plain(fmt::format(" Needs {}.", fmt::join(option.needs, ", ")));
    return text;
}

std::string item(const std::string& what, const std::string& meaning) {
    return ".TP\n" + line(what) + line(meaning);
}

/// The help's headings over options, each once, in the order of their first option.
std::vector<std::string> groups_of(const DeclaredVerb& verb) {
    std::vector<std::string> groups;
    for (const DeclaredOption& option : verb.options)
        if (std::ranges::count(groups, option.group) == 0) groups.push_back(option.group);
    return groups;
}

/// --help is told once for all, with the program's own options.
bool is_told(const DeclaredVerb& verb, const DeclaredOption& option) {
    return verb.path.empty() || std::ranges::count(option.names, "--help") == 0;
}

std::string options_of(const DeclaredVerb& verb) {
    std::string text;
    for (const DeclaredOption& place : verb.places) text += item(tag(place), described(place));
    for (const std::string& group : groups_of(verb)) {
        if (group != "Options") text += ".PP\n" + line(plain(group) + ":");
        for (const DeclaredOption& option : verb.options)
            if (option.group == group && is_told(verb, option)) text += item(tag(option), described(option));
    }
    return text;
}

/// Where the last column of a line begins: after two blanks or more; 0 if there is but one column.
std::size_t last_column(const std::string& text) {
    const std::size_t gap = text.rfind("  ");
    return gap == std::string::npos || text.find_first_not_of(' ') > gap ? 0 : gap + 2;
}

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// Lines of two columns are a list, others stand as they are.
std::string lines_of(const FooterPart& part) {
    std::string text;
    const bool is_list =
        std::ranges::all_of(part.lines, [](const std::string& l) { return last_column(l) > 0; });
    for (const std::string& l : part.lines) {
        text += is_list ? item(bold(trimmed(l.substr(0, last_column(l)))),
                               plain(trimmed(l.substr(last_column(l)))))
                        : line(plain(trimmed(l)));
    }
    return is_list ? text : ".PP\n.RS 4\n.EX\n" + text + ".EE\n.RE\n";
}

std::string footer_of(const DeclaredVerb& verb) {
    std::string text;
    for (const FooterPart& part : footer_parts(verb.footer)) {
        if (part.heading.empty()) {
            text += ".PP\n" + line(plain(fmt::format("{}", fmt::join(part.lines, " "))));
        } else if (verb.path.empty()) {
            text += heading(".SH", upper(part.heading)) + lines_of(part);
        } else {
            text += ".PP\n" + line(plain(part.heading) + ":") + lines_of(part);
        }
    }
    return text;
}

std::string section_of(const DeclaredVerb& verb) {
    return heading(".SS", spoken(verb)) + line(usage(verb)) + ".PP\n" + line(plain(verb.description) + ".") +
           options_of(verb) + footer_of(verb);
}

/// The first sentence's subject is the name of the page.
std::string name_section() {
    return heading(".SH", "NAME") + line(bold("sprig") + " \\- learns to recognise shapes continually");
}

} // namespace

std::string man_page(const DeclaredVerb& program) {
    std::string text = ".\\\" Written by 'sprig man'.\n";
    text += fmt::format(".TH \"SPRIG\" \"1\" \"\" \"sprig {}\" \"User Commands\"\n", SPRIG_VERSION);
    text += ".nr HY 0\n.ad l\n"; // what is typed must not be hyphenated, nor stretched
    text += name_section();
    text += heading(".SH", "SYNOPSIS") + line(usage(program));
    text += heading(".SH", "DESCRIPTION") + line(plain(program.description));
    text += heading(".SH", "OPTIONS") + options_of(program);
    text += heading(".SH", "VERBS");
    for (const DeclaredVerb* verb : all_verbs(program))
        if (verb != &program) text += section_of(*verb);
    return text + footer_of(program);
}

} // namespace sprig::cli
