#include "cli/program.h"

#include <exception>
#include <new>

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "lab/team.h"
#include "sprig/error.h"
#include "sprig/version.h"

namespace sprig::cli {
namespace {

constexpr const char* description = "Sprig learns to recognise shapes continually: one image at a time, "
                                    "each seen once, nothing stored,\n"
                                    "and a model that can simply be drawn.";

// What stands under a heading is a section of the manual page, too (cli/declarations.h).
constexpr const char* footer = R"(
Addresses:
  mnist:train  mnist:t10k  mnist:all  MNIST, once 'sprig data get mnist' has brought it
  fashion-mnist:train ...             Fashion-MNIST likewise
  idx:IMAGES,LABELS                   two IDX files, raw or .gz
  dir:PATH                            a folder with CLASS/NAME.png (or .jpg, .bmp, .pgm)
  FILE.png                            one image
  mnist:train:17  mnist:train:0-24    a part of a data set: one image, or some

Exit codes:
  0    done
  1    the work failed: a disk is full, a download broke off
  2    wrong usage: an option, an address or a number that makes no sense
  3    bad input: a file is missing, cut short, damaged or too large, or images were skipped for that
  130  stopped by Ctrl-C (or SIGTERM), at a safe point

Files:
  $XDG_CACHE_HOME/sprig  data sets; ~/.cache/sprig where that is not set

Examples:
  sprig data get mnist
  sprig learn digits.sprig mnist:train:0-999
  sprig predict digits.sprig mnist:t10k:0-9
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

void set_up(CLI::App& app, lab::Team* team) {
    app.set_version_flag("--version", "sprig " SPRIG_VERSION, "Print the version and stop");
    app.set_help_flag("-h,--help", "Print this help and stop");
    app.get_formatter()->column_width(34);
    app.footer(footer);
    app.require_subcommand(1);
    add_learn_verb(app);
    add_predict_verb(app);
    add_test_verb(app);
    add_explain_verb(app);
    add_inspect_verb(app);
    add_diff_verb(app);
    add_verify_verb(app);
    add_merge_verb(app);
    add_class_verb(app);
    add_undo_verb(app);
    add_export_verb(app);
    add_data_verb(app);
    add_lab_verb(app, team);
    add_run_verb(app);
    add_show_verb(app);
    add_summary_verb(app);
    add_shell_verbs(app);
}

Outcome parse_and_run(int argc, char** argv, lab::Team* team) {
    CLI::App app(description, "sprig");
    set_up(app, team);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        if (team == nullptr || team->rank() == 0) app.exit(success); // prints --help or --version
    } catch (const CLI::ParseError& error) {
        return {wrong_usage, fmt::format("sprig: {}; 'sprig --help' says more", error.what())};
    }
    flush_results(); // a full disk shows only when the last of the output is written
    return {};
}

} // namespace

Outcome run(int argc, char** argv, lab::Team* team) {
    catch_interrupts();
    try {
        return parse_and_run(argc, argv, team);
    } catch (const Interrupted&) {
        return {interrupted, "sprig: stopped"};
    } catch (const EndWith& end) {
        return {end.code, {}};
    } catch (const Error& error) {
        return {exit_code(error.kind()), fmt::format("sprig: {}", error.what())};
    } catch (const std::bad_alloc&) {
        return {work_failed, "sprig: there is not enough memory for this"};
    } catch (const std::exception& error) {
        return {work_failed, fmt::format("sprig: something went wrong that should not: {}", error.what())};
    }
}

} // namespace sprig::cli
