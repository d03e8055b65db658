#include <memory>

#include <fmt/format.h>

#include "cli/assessment_report.h"
#include "cli/models.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "model/assessment.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct TestOptions {
    std::string model;
    std::string data;
    bool keep_going = false;
    bool json = false;
    PictureOptions pictures;
};

void test(const TestOptions& options) {
    const Model model = load_model_to_ask(options.model);
    const std::unique_ptr<Reader> reader = model.learner().reader();
    Assessment assessment(reader->classes());
    const ImageLoop loop{.addresses = {options.data},
                         .pictures = options.pictures,
                         .front_end = model.learner().front_end(),
                         .doing = "testing",
                         .keep_going = options.keep_going};
    const std::size_t skipped = for_each_image(loop, [&](const SeenImage& image) {
        if (image.label.empty()) {
            throw usage_error(
                fmt::format("nothing says what '{}' shows, so no answer can be right or wrong; 'sprig "
                            "predict' gives one all the same",
                            image.name));
        }
        assessment.add(reader->predict(image.network), image.label);
    });
    const Assessed assessed = assessment.result();
    if (options.json) {
        Json json = {{"model", options.model}, {"data", options.data}, {"skipped", skipped}};
        json.update(Json::parse(to_json(assessed)));
        print(json_text(json));
    } else {
        print(fmt::format("{}, {}: {}\n\n{}", options.model, kind_in_words(model.facts()), options.data,
                          assessment_report(assessed)));
    }
    end_after(skipped);
}

} // namespace

void add_test_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("test", "Say how far a model can be relied on, by labelled images");
    verb->group(model_verbs);
    auto options = std::make_shared<TestOptions>();
    add_model_option(*verb, options->model);
    offer_addresses(*verb->add_option("DATA", options->data, "Images with labels")->required());
    add_keep_going_option(*verb, options->keep_going);
    verb->add_flag("--json", options->json, "Print the result as JSON");
    add_picture_options(*verb, options->pictures);
    verb->footer("\nExamples:\n  sprig test digits.sprig mnist:t10k\n"
                 "  sprig test shapes.sprig dir:other-shapes --json");
    verb->callback([options] { test(*options); });
}

} // namespace sprig::cli
