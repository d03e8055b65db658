#include "cli/sprig_program.h"

#include "cli/verbs.h"

namespace sprig::cli {
namespace {

constexpr const char* description = "Sprig learns to recognise shapes continually: one image at a time, "
                                    "without storing images.\n"
                                    "Its models can be inspected, explained and drawn.";

// Each heading also becomes a section of the manual page (cli/shell_support.h).
constexpr const char* footer = R"(
Addresses:
  mnist:train  mnist:t10k  mnist:all  MNIST, after 'sprig data get mnist'
  fashion-mnist:train ...             Fashion-MNIST, after 'sprig data get fashion-mnist'
  idx:IMAGES,LABELS                   two IDX files, raw or .gz
  dir:PATH                            a folder with CLASS/NAME.png (or .jpg, .bmp, .pgm, .ppm)
  strokes:FILE.jsonl                  pen strokes, one drawing per line, such as
                                      {"label": "arrow", "strokes": [[[x, y], ...], ...]}
  FILE.png                            one image
  mnist:train:17  mnist:train:0-24    one image, or a range of images, of a data set

Exit codes:
  0    success
  1    failure, such as a full disk or a failed download
  2    wrong usage: an invalid option, address or value
  3    bad input: a missing, truncated, damaged or too large file; also if images were skipped
  130  stopped by Ctrl-C or SIGTERM ('sprig serve' exits with 0 then)

Files:
  $XDG_CACHE_HOME/sprig  data sets (default: ~/.cache/sprig)

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
    add_serve_verb(app);
    add_data_verb(app);
    add_show_verb(app);
    add_shell_verbs(app);
    add_moved_verbs(app);
}

} // namespace

Program sprig_program() {
    return {"sprig", description, footer, add_verbs};
}

} // namespace sprig::cli
