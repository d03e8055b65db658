#include <memory>

#include "cli/completion.h"
#include "cli/man_page.h"
#include "cli/terminal.h"
#include "cli/verbs.h"

namespace sprig::cli {

namespace {

const char* const group = "For your shell";

void add_completion(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("completion", "Print what makes a shell complete verbs and options");
    verb->group(group);
    auto shell = std::make_shared<std::string>();
    verb->add_option("SHELL", *shell, "Which shell")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    verb->footer("\nExamples:\n  source <(sprig completion bash)\n"
                 "  sprig completion fish > ~/.config/fish/completions/sprig.fish");
    verb->callback([&app, shell] {
        const DeclaredVerb program = declarations_of(app);
        print(*shell == "bash"  ? bash_completion(program)
              : *shell == "zsh" ? zsh_completion(program)
                                : fish_completion(program));
    });
}

void add_man(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("man", "Print the manual page, for man to read");
    verb->group(group);
    verb->footer("\nExamples:\n  sprig man | man -l -");
    verb->callback([&app] { print(man_page(declarations_of(app))); });
}

} // namespace

void add_shell_verbs(CLI::App& app) {
    add_completion(app);
    add_man(app);
}

} // namespace sprig::cli
