#include "cli/verbs.h"

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
  sprig show mnist:train:17 -o eight.svg)";

void add_verbs(CLI::App& app) {
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
    add_show_verb(app);
    add_shell_verbs(app);
    add_moved_verbs(app);
}

} // namespace
} // namespace sprig::cli

int main(int argc, char** argv) {
    using namespace sprig::cli;
    return run_and_report({"sprig", description, footer, add_verbs}, argc, argv);
}
