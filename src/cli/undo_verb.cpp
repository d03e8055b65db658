#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/models.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct UndoOptions {
    std::string model;
    std::size_t count = 1;
};

/// All of them can be undone, or none is.
void require_undoable(const UndoOptions& options) {
    const std::uint64_t kept = ModelFile::Options().undo;
    const std::uint64_t can = std::min(load_model(options.model).facts.undoable, kept);
    if (can >= options.count) return;
    if (can == 0) {
        throw usage_error(fmt::format(
            "'{}' holds no lesson that can be undone; the last {} can be, unless a class was named, "
            "renamed or forgotten since",
            options.model, kept));
    }
    throw usage_error(fmt::format("only the last {} of '{}' can be undone, not {}; nothing was",
                                  counted(can, "lesson"), options.model, options.count));
}

void undo(const UndoOptions& options) {
    require_undoable(options);
    ModelFile file(options.model);
    for (std::size_t i = 0; i < options.count; ++i) file.undo();
    const std::uint64_t lessons = file.lessons();
    file.close();
    print(fmt::format("{}: {} undone, {} left\n", options.model, counted(options.count, "lesson"),
                      with_commas(lessons)));
}

} // namespace

void add_undo_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("undo", "Take back the last lessons of a model");
    verb->group(model_verbs);
    auto options = std::make_shared<UndoOptions>();
    add_model_option(*verb, options->model);
    verb->add_option("--count", options->count, "So many lessons")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    verb->footer("\nExamples:\n  sprig undo digits.sprig\n  sprig undo digits.sprig --count 3");
    verb->callback([options] { undo(*options); });
}

} // namespace sprig::cli
