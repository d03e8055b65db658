#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "cli/models.h"
#include "cli/shell_support.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "core/system.h"
#include "host/host.h"
#include "serve/server.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct ServeOptions {
    std::string model;
    ModelOptions model_options;
    serve::ServerOptions server{.port = 8642};
    std::string token_file;
    bool open = false;
};

/// The first line of a file.
std::string token_in(const std::string& path) {
    std::ifstream stream(path);
    std::string token;
    if (!std::getline(stream, token) || token.empty())
        throw bad_input(fmt::format("cannot read a token from '{}'; its first line must be the token", path));
    if (token.back() == '\r') token.pop_back();
    return token;
}

/// The token is not an option of its own, because everyone on the machine can read the options of a program.
std::string token_of(const ServeOptions& options) {
    return options.token_file.empty() ? os::environment("SPRIG_TOKEN") : token_in(options.token_file);
}

void open_browser(const std::string& url) {
    std::error_code problem;
    host::start_process({"xdg-open", url}, problem);
    if (problem)
        print_message(
            fmt::format("sprig: cannot start a browser with xdg-open ({}); open the address yourself",
                        problem.message()));
}

void print_start(const ServeOptions& options, const serve::Server& server) {
    const ModelFacts facts = server.facts();
    print(fmt::format("{}: {}; {}\n", options.model, learner_and_preset(facts),
                      counted(facts.lessons, "lesson")));
    print(fmt::format("serving {}\n", server.url()));
    flush_results(); // for a program that waits for the address
    if (!serve::serves_page())
        print_message(
            "sprig: this program was built without the page, so it serves the interface only; 'make "
            "page' and then 'make build' add the page");
    print_message("sprig: press Ctrl-C to stop");
}

void serve_model(ServeOptions& options) {
    options.server.token = token_of(options);
    if (options.open && !options.server.token.empty())
        throw usage_error(
            "--open cannot pass a token on, because everyone on this machine could read it; start "
            "without --open, and open the page as http://ADDRESS/#token=TOKEN");
    serve::Server server(options.model, options.model_options, options.server);
    print_start(options, server);
    if (options.open) open_browser(server.url());
    server.run(host::stop_was_requested);
    print(fmt::format("stopped; {} has {}\n", options.model, counted(server.facts().lessons, "lesson")));
}

void add_new_model_options(CLI::App& verb, ServeOptions& options) {
    const char* group = "Options for a new model";
    CLI::Option* preset = verb.add_option("--preset", options.model_options.preset,
                                          "Preset of parameters of constellation: default, fast or "
                                          "paper-vocabulary (default: default)")
                              ->group(group);
    set_completions(*preset, preset_names());
    verb.add_flag("--free-pose", options.model_options.free_pose,
                  "Recognise shapes that are turned, mirrored or upside down")
        ->group(group);
}

void add_network_options(CLI::App& verb, ServeOptions& options) {
    const char* group = "Network";
    verb.add_option("--port", options.server.port, "Port; 0 for any free one")
        ->capture_default_str()
        ->group(group);
    verb.add_option("--listen", options.server.listen,
                    "IP address to listen on; one that other machines can reach needs a token (default: this "
                    "machine only)")
        ->type_name("ADDRESS")
        ->group(group);
    CLI::Option* host = verb.add_option("--host", options.server.hosts,
                                        "Further name of this machine in web addresses (repeatable)")
                            ->type_name("NAME")
                            ->allow_extra_args(false)
                            ->group(group);
    set_completions(*host, {});
    verb.add_option("--token-file", options.token_file,
                    "File with the token that requests need (default: the variable SPRIG_TOKEN, or none)")
        ->type_name("FILE")
        ->group(group);
}

} // namespace

void add_serve_verb(CLI::App& app) {
    CLI::App* verb =
        app.add_subcommand("serve", "Serve a model over HTTP: the page, and an interface in JSON");
    verb->group(model_verbs);
    auto options = std::make_shared<ServeOptions>();
    add_model_option(*verb, options->model, "Model file; created if it does not exist");
    verb->add_flag("--open", options->open, "Open the page in a browser");
    verb->add_option("--threads", options->server.threads,
                     "Threads that answer requests (default: one per core)")
        ->check(CLI::Range(1, 1024));
    add_network_options(*verb, *options);
    add_new_model_options(*verb, *options);
    verb->footer(
        "\nA lesson is on the disk before it is answered. Ctrl-C or SIGTERM finishes the requests that are\n"
        "being answered, closes the file and exits with 0. docs/server.md describes the interface.\n\n"
        "Examples:\n"
        "  sprig serve shapes.sprig --open\n"
        "  SPRIG_TOKEN=$(openssl rand -hex 16) sprig serve shapes.sprig --listen 0.0.0.0\n"
        "  curl -d '{\"strokes\": [[[0, 0], [9, 9]]]}' -H 'Content-Type: application/json' \\\n"
        "      http://localhost:8642/api/predict");
    verb->callback([options] { serve_model(*options); });
}

} // namespace sprig::cli
