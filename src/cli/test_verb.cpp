#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "cli/assessment_report.h"
#include "cli/image_loop.h"
#include "cli/models.h"
#include "cli/process_group.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "learner/packing.h"
#include "model/assessor.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

struct TestOptions {
    std::string model;
    std::string data;
    std::size_t budget = 0;
    std::optional<std::size_t> threads;
    bool keep_going = false;
    bool json = false;
    PictureOptions pictures;
};

struct GradedImage {
    std::size_t position = 0; ///< among all images
    Assessor::Grade grade;
};

/// Tests all images. Returns the number of those that could not be read.
std::size_t test_all(const TestOptions& options, const Model& model, const Assessor& assessor,
                     ProcessGroup* group, std::vector<GradedImage>& graded) {
    ImageLoopOptions images{.addresses = {options.data},
                            .pictures = options.pictures,
                            .front_end = model.learner().front_end(),
                            .progress = "testing",
                            .keep_going = options.keep_going,
                            .threads = options.threads};
    take_own_part(images, group);
    return for_each_image(images, [&] {
        std::shared_ptr<Reader> reader = model.learner().reader();
        reader->set_budget(options.budget);
        return [&, reader](LabelledNetwork image) {
            if (image.label.empty()) {
                throw usage_error(fmt::format(
                    "'{}' has no label, so it cannot be tested; use 'sprig predict' instead", image.name));
            }
            return [&graded, position = image.position,
                    grade = assessor.grade(reader->predict(image.network), image.label)] {
                graded.push_back({position, grade});
            };
        };
    });
}

std::string pack(const std::vector<GradedImage>& all) {
    std::string bytes;
    learner::Packer packer(bytes);
    packer.varint(all.size());
    for (const auto& [position, grade] : all) {
        packer.varint(position);
        packer.text(grade.truth);
        packer.varint(grade.best ? *grade.best + 1 : 0);
        packer.varint(grade.answer.right ? 1 : 0);
        packer.varint(grade.fit ? 1 : 0);
        for (const double value :
             {grade.answer.confidence, grade.answer.log_probability, grade.answer.squared_error, grade.margin,
              grade.probability, grade.fit.value_or(0)})
            pack_real(packer, value);
    }
    return bytes;
}

/// Appends what `pack` has packed.
void unpack(const std::string& bytes, std::vector<GradedImage>& all) {
    learner::Unpacker unpacker(bytes);
    for (std::uint64_t n = unpacker.varint(); n > 0; --n) {
        auto& [position, grade] = all.emplace_back();
        position = unpacker.varint();
        grade.truth = unpacker.text();
        if (const std::uint64_t best = unpacker.varint(); best > 0) grade.best = best - 1;
        grade.answer.right = unpacker.varint() == 1;
        const bool has_fit = unpacker.varint() == 1;
        double fit = 0;
        for (double* value : {&grade.answer.confidence, &grade.answer.log_probability,
                              &grade.answer.squared_error, &grade.margin, &grade.probability, &fit})
            *value = unpack_real(unpacker);
        if (has_fit) grade.fit = fit;
    }
}

/// The grades of all processes, in the first one; the others get none. Sums up the skipped images.
void collect(ProcessGroup& group, std::vector<GradedImage>& all, std::size_t& skipped) {
    skipped = sum_over(group, skipped);
    const std::vector<std::string> packed = group.tell_first(pack(all));
    all.clear();
    if (group.rank() > 0) return;
    for (const std::string& bytes : packed) unpack(bytes, all);
    std::ranges::sort(all, {}, &GradedImage::position);
}

void test(const TestOptions& options, ProcessGroup* group) {
    const Model model = load_trained_model(options.model);
    Assessor assessor(model.learner().reader()->classes());
    std::vector<GradedImage> graded;
    std::size_t skipped = test_all(options, model, assessor, group, graded);
    if (group != nullptr) collect(*group, graded, skipped);
    if (group != nullptr && group->rank() > 0) return end_after_skips(skipped);
    for (const GradedImage& image : graded) assessor.add(image.grade);
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

void add_test_verb(CLI::App& app, ProcessGroup* group) {
    CLI::App* verb = app.add_subcommand("test", "Measure the accuracy and calibration of a model");
    verb->group(model_verbs);
    auto options = std::make_shared<TestOptions>();
    add_model_option(*verb, options->model);
    set_address_completions(
        *verb->add_option("DATA", options->data, "Labelled images (an address)")->required());
    add_keep_going_option(*verb, options->keep_going);
    add_budget_option(*verb, options->budget);
    add_threads_option(*verb, options->threads);
    verb->add_flag("--json", options->json, "Print the result as JSON");
    add_picture_options(*verb, options->pictures);
    verb->footer("\nExamples:\n  sprig test digits.sprig mnist:t10k\n"
                 "  sprig test shapes.sprig dir:other-shapes --json");
    verb->callback([options, group] { test(*options, group); });
}

} // namespace sprig::cli
