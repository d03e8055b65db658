#include "cli/program.h"

#include <exception>
#include <new>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "sprig/error.h"
#include "sprig/version.h"

namespace sprig::cli {
namespace {

int exit_code(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::failed:
        return work_failed;
    case ErrorKind::usage:
        return wrong_usage;
    case ErrorKind::bad_input:
        return wrong_input;
    }
    return work_failed;
}

void set_up(CLI::App& app, const Program& program) {
    app.set_version_flag("--version", program.name + " " SPRIG_VERSION, "Print the version and exit");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.get_formatter()->column_width(34);
    app.footer(program.footer);
    app.require_subcommand(1);
    program.add_verbs(app);
}

/// Describes a wrong command line. The verbs that were recognised say whose help applies.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
    std::string command = app.get_name();
    const CLI::App* last = &app;
    while (!last->get_subcommands().empty()) {
        last = last->get_subcommands().front();
        command += " " + last->get_name();
    }
    const std::vector<std::string> unexpected = app.remaining(true);
    std::string reason = error.what();
    const bool needs_verb = last->get_require_subcommand_min() > 0;
    if (unexpected.empty()) {
        if (needs_verb) reason = "a verb is missing";
    } else if (unexpected.front().starts_with('-')) {
        reason = fmt::format("there is no option '{}'", unexpected.front());
    } else {
        reason = fmt::format("{} '{}'", needs_verb ? "there is no verb" : "unexpected argument",
                             unexpected.front());
    }
    return fmt::format("{}: {}; see '{} --help'", app.get_name(), reason, command);
}

Outcome parse_and_run(const Program& program, int argc, char** argv) {
    CLI::App app(program.description, program.name);
    set_up(app, program);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        if (program.prints_help) app.exit(success); // prints --help or --version
    } catch (const CLI::ParseError& error) {
        return {wrong_usage, usage_message(app, error)};
    }
    flush_results(); // detects a full disk
    return {};
}

} // namespace

Outcome run(const Program& program, int argc, char** argv) {
    const auto message = [&](const std::string& text) { return program.name + ": " + text; };
    catch_interrupts();
    try {
        return parse_and_run(program, argc, argv);
    } catch (const Interrupted&) {
        return {interrupted, message("stopped")};
    } catch (const ExitRequest& request) {
        return {request.code, {}};
    } catch (const Error& error) {
        return {exit_code(error.kind()), message(error.what())};
    } catch (const std::bad_alloc&) {
        return {work_failed, message("out of memory")};
    } catch (const std::exception& error) {
        return {work_failed, message(fmt::format("internal error: {}", error.what()))};
    }
}

int run_and_report(const Program& program, int argc, char** argv) {
    const Outcome outcome = run(program, argc, argv);
    if (!outcome.message.empty()) print_message(outcome.message);
    return outcome.code;
}

} // namespace sprig::cli
