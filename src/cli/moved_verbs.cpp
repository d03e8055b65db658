#include <fmt/format.h>

#include "cli/verbs.h"
#include "sprig/error.h"

namespace sprig::cli {

void add_moved_verb(CLI::App& app, const std::string& name, const std::string& now) {
    CLI::App* verb = app.add_subcommand(name);
    verb->group("");       // not in the help
    verb->set_help_flag(); // --help gives the same answer
    verb->prefix_command();
    verb->parse_complete_callback(
        [path = app.get_parent() == nullptr ? name : app.get_name() + " " + name, now] {
            throw usage_error(fmt::format("'sprig {}' has moved to another program: use '{}'", path, now));
        });
}

void add_moved_verbs(CLI::App& app) {
    add_moved_verb(app, "lab", "sprig-lab");
    add_moved_verb(app, "run", "sprig-lab run headline");
    add_moved_verb(app, "summary", "sprig-lab summary");
}

} // namespace sprig::cli
