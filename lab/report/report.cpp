#include "lab/report/report.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "sprig/error.h"
#include "sprig/version.h"

namespace sprig::lab {

namespace {

constexpr std::string_view style = R"(
body { font: 15px/1.5 system-ui, sans-serif; color: #222; margin: 0 auto; max-width: 96rem; padding: 1rem 2rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 3rem; border-bottom: 1px solid #ccc; } h3 { margin-bottom: .3rem; }
nav ul { columns: 2; padding-left: 1.2rem; }
code { background: #f2f2f2; padding: .1rem .3rem; border-radius: 3px; }
.table { overflow-x: auto; }
.words td { white-space: normal; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .3rem 0 1rem; }
th, td { padding: .15rem .6rem; border-bottom: 1px solid #e4e4e4; text-align: right; white-space: nowrap; }
th { border-bottom: 2px solid #888; } th:first-child, td:first-child { text-align: left; }
tbody tr:hover { background: #f6f6f6; }
.paper { color: #666; } .yes { color: #117733; font-weight: bold; } .no { color: #882255; font-weight: bold; }
figure { margin: 1rem 0 2rem; } figure img { max-width: 100%; } figcaption { color: #444; max-width: 60rem; }
.note { max-width: 60rem; margin: .2rem 0; } .soft { color: #666; }
)";

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '&') {
            result += "&amp;";
        } else if (c == '<') {
            result += "&lt;";
        } else if (c == '>') {
            result += "&gt;";
        } else if (c == '"') {
            result += "&quot;";
        } else {
            result += c;
        }
    }
    return result;
}

/// An image embedded in the page as a separate document, so that ids in different images cannot clash.
std::string data_address(std::string_view svg) {
    std::string result = "data:image/svg+xml,";
    for (const char c : svg) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || std::string_view("-_.~ /=:,;()'").find(c) != std::string_view::npos) {
            result += c;
        } else {
            result += fmt::format("%{:02X}", byte);
        }
    }
    return result;
}

std::string_view class_of(std::string_view column, const Cell& cell) {
    if (cell.is_tick()) return "yes";
    if (cell.is_cross()) return "no";
    return column == "paper" ? "paper" : "";
}

void add_cell(std::string& html, std::string_view tag, std::string_view css, std::string_view text) {
    const std::string attribute = css.empty() ? "" : fmt::format(" class=\"{}\"", css);
    html += fmt::format("<{}{}>{}</{}>", tag, attribute, escaped(text), tag);
}

/// A reason, and all disagreements that it explains.
struct Explanation {
    std::vector<std::string> places;
    std::string why;
};

std::vector<Explanation> explanations_of(const StoredStudy& study, const StudyTable& table) {
    std::vector<Explanation> all;
    for (const Disagreement& disagreement : disagreements_in(table)) {
        const Reason* reason = reason_for(study, table, disagreement);
        const std::string why = reason != nullptr ? reason->why : "The reason is not known.";
        const std::string place = fmt::format("{} ({})", disagreement.row, disagreement.column);
        const auto known = std::ranges::find(all, why, &Explanation::why);
        if (known == all.end()) {
            all.push_back({{place}, why});
        } else {
            known->places.push_back(place);
        }
    }
    return all;
}

std::string html_of_disagreements(const StoredStudy& study, const StudyTable& table) {
    std::string html;
    for (const Explanation& explanation : explanations_of(study, table)) {
        html += fmt::format("<p class=\"note\"><span class=\"no\">✗</span> {}: {}</p>\n",
                            escaped(fmt::format("{}", fmt::join(explanation.places, "; "))),
                            escaped(explanation.why));
    }
    return html;
}

std::string html_of(const StudyTable& table) {
    std::string html =
        fmt::format("<h3>{}</h3>\n<div class=\"table\"><table>\n<thead><tr>", escaped(table.title));
    for (const std::string& name : table.header) add_cell(html, "th", class_of(name, {}), name);
    html += "</tr></thead>\n<tbody>\n";
    for (const std::vector<Cell>& row : table.rows) {
        html += "<tr>";
        for (std::size_t c = 0; c < row.size(); ++c)
            add_cell(html, "td", class_of(c < table.header.size() ? table.header[c] : "", row[c]),
                     row[c].text);
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

std::string command_of(const StoredStudy& study) {
    return "sprig-lab run " + study.name;
}

std::string html_of(const StoredStudy& study) {
    std::string html =
        fmt::format("<h2 id=\"{0}\">{0}</h2>\n<p>{1}</p>\n", escaped(study.name), escaped(study.question));
    html +=
        fmt::format("<p class=\"soft\"><code>{}</code> · {}{} seed{} · sprig {}</p>\n",
                    escaped(command_of(study)), escaped(study.learner.empty() ? "" : study.learner + " · "),
                    study.seeds, study.seeds == 1 ? "" : "s", escaped(study.version));
    for (const StudyTable& table : study.tables) html += html_of(table) + html_of_disagreements(study, table);
    for (const std::string& note : study.notes)
        html += fmt::format("<p class=\"note\">{}</p>\n", escaped(note));
    for (const StoredFigure& figure : study.figures) {
        if (figure.svg.empty()) {
            html += fmt::format("<p class=\"soft\">{} was not drawn: gnuplot was not installed when the "
                                "study was run. {}</p>\n",
                                escaped(figure.file), escaped(figure.caption));
            continue;
        }
        html += fmt::format("<figure><img alt=\"{}\" src=\"{}\"><figcaption>{}</figcaption></figure>\n",
                            escaped(figure.caption), data_address(figure.svg), escaped(figure.caption));
    }
    return html;
}

std::string contents_of(const std::vector<StoredStudy>& studies, const std::vector<std::string>& not_run) {
    std::string html = "<nav><ul>\n<li><a href=\"#claims\">The paper's claims</a></li>\n";
    for (const StoredStudy& study : studies) {
        html += fmt::format("<li><a href=\"#{0}\">{0}</a>: {1}</li>\n", escaped(study.name),
                            escaped(study.question));
    }
    html += "</ul></nav>\n";
    if (!not_run.empty())
        html += fmt::format("<p class=\"soft\">Not run yet: {}.</p>\n",
                            escaped(fmt::format("{}", fmt::join(not_run, ", "))));
    return html;
}

void add_markdown(std::string& row, std::string_view cell) {
    row += ' ';
    for (const char c : cell) row += c == '|' ? std::string("\\|") : std::string(1, c);
    row += " |";
}

std::string markdown_table(const StudyTable& table) {
    std::string text = fmt::format("*{}*\n\n|", table.title);
    for (const std::string& name : table.header) add_markdown(text, name);
    text += "\n|";
    for (std::size_t c = 0; c < table.header.size(); ++c) text += c == 0 ? "---|" : "--:|";
    for (const std::vector<Cell>& row : table.rows) {
        text += "\n|";
        for (const Cell& cell : row) add_markdown(text, cell.text);
    }
    return text + "\n";
}

std::string table_by_name(const std::string& name, const std::vector<StoredStudy>& studies) {
    if (name == "claims") return markdown_table(claims_table(studies));
    const std::size_t slash = name.find('/');
    const auto study = std::ranges::find(studies, name.substr(0, slash), &StoredStudy::name);
    const StudyTable* table =
        study == studies.end() || slash == std::string::npos ? nullptr : study->table(name.substr(slash + 1));
    if (table == nullptr)
        throw bad_input(fmt::format("the document names the table {}, which is not among the results", name));
    return markdown_of(*study, *table);
}

} // namespace

std::string html_report(const std::vector<StoredStudy>& studies, const std::vector<std::string>& not_run) {
    std::string html =
        fmt::format("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<title>Sprig: results</title>\n<style>{}</style></head><body>\n",
                    style);
    html +=
        fmt::format("<h1>Sprig: results</h1>\n<p class=\"soft\">sprig {}. Each study names the command that "
                    "makes it. The paper's values are grey. <span class=\"yes\">✓</span>: our mean lies "
                    "within the spread that the paper reports or, if it reports none, within ours; <span "
                    "class=\"no\">✗</span>: it does not.</p>\n",
                    SPRIG_VERSION);
    html += contents_of(studies, not_run);
    html += fmt::format("<h2 id=\"claims\">The paper's claims</h2>\n<div class=\"words\">{}</div>\n",
                        html_of(claims_table(studies)));
    for (const StoredStudy& study : studies) html += html_of(study);
    return html + "</body></html>\n";
}

std::string markdown_of(const StoredStudy& study, const StudyTable& table) {
    std::string text = markdown_table(table);
    for (const Explanation& explanation : explanations_of(study, table))
        text += fmt::format("\n✗ {}: {}\n", fmt::join(explanation.places, "; "), explanation.why);
    return text;
}

std::string with_results(const std::string& document, const std::vector<StoredStudy>& studies) {
    constexpr std::string_view begin = "<!-- results ";
    constexpr std::string_view end = "<!-- end -->";
    std::string result;
    std::size_t at = 0;
    for (std::size_t mark = 0; (mark = document.find(begin, at)) != std::string::npos;) {
        const std::size_t close = document.find(" -->", mark);
        const std::size_t stop = document.find(end, mark);
        if (close == std::string::npos || stop == std::string::npos || stop < close)
            throw bad_input(
                fmt::format("a mark in the document has no <!-- end -->: {}", document.substr(mark, 60)));
        const std::string name = document.substr(mark + begin.size(), close - mark - begin.size());
        result += document.substr(at, close + 4 - at) + "\n\n" + table_by_name(name, studies) + "\n";
        at = stop;
    }
    return result + document.substr(at);
}

} // namespace sprig::lab
