#include <exception>
#include <new>

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "sprig/error.h"
#include "sprig/version.h"

namespace sprig::cli {
namespace {

constexpr const char* description = "Sprig learns to recognise shapes continually: one image at a time, "
                                    "each seen once, nothing stored,\n"
                                    "and a model that can simply be drawn.";

constexpr const char* footer = R"(
Images and data sets are addressed as
  mnist:train  mnist:t10k  mnist:all      once 'sprig data get mnist' has brought them
  fashion-mnist:train ...                 likewise
  idx:IMAGES,LABELS                       two IDX files, raw or .gz
  dir:PATH                                a folder with CLASS/NAME.png (or .jpg, .bmp, .pgm)
  FILE.png                                one image
and a part of a data set as mnist:train:17 or mnist:train:0-24.

Exit codes: 0 done, 1 the work failed, 2 wrong usage, 3 bad input, 130 stopped by Ctrl-C.

Examples:
  sprig data get mnist
  sprig show mnist:train:17 -o eight.svg
  sprig summary mnist:all --filter paper)";

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

void set_up(CLI::App& app) {
    app.set_version_flag("--version", "sprig " SPRIG_VERSION, "Print the version and stop");
    app.set_help_flag("-h,--help", "Print this help and stop");
    app.get_formatter()->column_width(34);
    app.footer(footer);
    app.require_subcommand(1);
    add_data_verb(app);
    add_lab_verb(app);
    add_run_verb(app);
    add_show_verb(app);
    add_summary_verb(app);
}

int parse_and_run(int argc, char** argv) {
    CLI::App app(description, "sprig");
    set_up(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        app.exit(success); // prints --help or --version
        flush_results();
        return done;
    } catch (const CLI::ParseError& error) {
        say(fmt::format("sprig: {}; 'sprig --help' says more", error.what()));
        return wrong_usage;
    }
    flush_results(); // a full disk shows only when the last of the output is written
    return done;
}

} // namespace

int run(int argc, char** argv) {
    catch_interrupts();
    try {
        return parse_and_run(argc, argv);
    } catch (const Interrupted&) {
        say("sprig: stopped");
        return interrupted;
    } catch (const Error& error) {
        say(fmt::format("sprig: {}", error.what()));
        return exit_code(error.kind());
    } catch (const std::bad_alloc&) {
        say("sprig: there is not enough memory for this");
        return work_failed;
    } catch (const std::exception& error) {
        say(fmt::format("sprig: something went wrong that should not: {}", error.what()));
        return work_failed;
    }
}

} // namespace sprig::cli

int main(int argc, char** argv) {
    return sprig::cli::run(argc, argv);
}
