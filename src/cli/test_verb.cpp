#include <memory>

#include <fmt/format.h>

#include "cli/assessment_report.h"
#include "cli/image_loop.h"
#include "cli/models.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "model/assessor.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct TestOptions {
    std::string model;
    std::string data;
    std::optional<std::size_t> threads;
    bool keep_going = false;
    bool json = false;
    PictureOptions pictures;
};

/// Tests all images. Returns the number of those that could not be read.
std::size_t test_all(const TestOptions& options, const Model& model, Assessor& assessor) {
    const ImageLoopOptions images{.addresses = {options.data},
                                  .pictures = options.pictures,
                                  .front_end = model.learner().front_end(),
                                  .progress = "testing",
                                  .keep_going = options.keep_going,
                                  .threads = options.threads};
    return for_each_image(images, [&] {
        return [&, reader = std::shared_ptr<Reader>(model.learner().reader())](LabelledNetwork image) {
            if (image.label.empty()) {
                throw usage_error(fmt::format(
                    "'{}' has no label, so it cannot be tested; use 'sprig predict' instead", image.name));
            }
            return [&assessor, label = std::move(image.label), prediction = reader->predict(image.network)] {
                assessor.add(prediction, label);
            };
        };
    });
}

void test(const TestOptions& options) {
    const Model model = load_trained_model(options.model);
    Assessor assessor(model.learner().reader()->classes());
    const std::size_t skipped = test_all(options, model, assessor);
    const Assessment assessment = assessor.result();
    if (options.json) {
        Json json = {{"model", options.model}, {"data", options.data}, {"skipped", skipped}};
        json.update(Json::parse(to_json(assessment)));
        print(json_text(json));
    } else {
        print(fmt::format("{}, {}: {}\n\n{}", options.model, learner_and_preset(model.facts()), options.data,
                          assessment_report(assessment)));
    }
    report_skipped(skipped);
}

} // namespace

void add_test_verb(CLI::App& app) {
    CLI::App* verb = app.add_subcommand("test", "Measure the accuracy and calibration of a model");
    verb->group(model_verbs);
    auto options = std::make_shared<TestOptions>();
    add_model_option(*verb, options->model);
    set_address_completions(
        *verb->add_option("DATA", options->data, "Labelled images (an address)")->required());
    add_keep_going_option(*verb, options->keep_going);
    add_threads_option(*verb, options->threads);
    verb->add_flag("--json", options->json, "Print the result as JSON");
    add_picture_options(*verb, options->pictures);
    verb->footer("\nExamples:\n  sprig test digits.sprig mnist:t10k\n"
                 "  sprig test shapes.sprig dir:other-shapes --json");
    verb->callback([options] { test(*options); });
}

} // namespace sprig::cli
