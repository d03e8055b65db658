#include <algorithm>
#include <memory>
#include <vector>

#include <libsvm/svm.h>

#include "baselines/batch.h"
#include "baselines/hog.h"
#include "baselines/online_method.h"
#include "baselines/stored_images.h"
#include "sprig/error.h"

namespace sprig::baselines {

namespace {

using Nodes = std::vector<svm_node>; ///< an image as libsvm wants it: what is not zero, and an end mark

struct FreeModel {
    void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};
using Model = std::unique_ptr<svm_model, FreeModel>;

/// libsvm tells its progress to the standard output, which is not its own.
void silence() {
    static const bool silent = [] {
        svm_set_print_string_function([](const char*) {});
        return true;
    }();
    (void)silent;
}

svm_parameter parameters(const SupportVectorOptions& options) {
    svm_parameter parameters = {};
    parameters.svm_type = C_SVC;
    parameters.kernel_type = options.gamma == 0 ? LINEAR : RBF;
    parameters.gamma = options.gamma;
    parameters.C = options.cost;
    parameters.cache_size = 100; // MB
    parameters.eps = 1e-3;
    parameters.shrinking = 1;
    return parameters;
}

Nodes nodes_of(std::span<const float> values) {
    Nodes nodes;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] != 0) nodes.push_back({static_cast<int>(i) + 1, double{values[i]}});
    }
    nodes.push_back({-1, 0});
    return nodes;
}

class SupportVectors final : public Strategy {
  public:
    SupportVectors(const Task& task, bool on_hog, const SupportVectorOptions& options)
        : task_(task), on_hog_(on_hog), options_(options), stored_(task) {
        if (!(options.cost > 0 && options.gamma >= 0))
            throw usage_error("support vectors need a cost above zero and a gamma that is not below");
        silence();
    }

    void observe(const Samples& images, std::size_t label) override {
        check_images(task_, images, label);
        stored_.add(images, label);
        if (images.size() > 0) model_.reset();
    }

    void predict(const Samples& images, std::vector<std::size_t>& answers) override {
        check_images(task_, images);
        if (!several_classes()) {
            answers.assign(images.size(), stored_.size() == 0 ? 0 : stored_.label(0));
            return;
        }
        if (!model_) fit();
        answers.clear();
        for (std::size_t i = 0; i < images.size(); ++i) {
            const Nodes nodes = look_at(images.row(i));
            answers.push_back(static_cast<std::size_t>(svm_predict(model_.get(), nodes.data())));
        }
    }

    /// The images are all: what was fitted can be fitted again.
    [[nodiscard]] Kept kept() const override { return stored_.kept(); }

  private:
    [[nodiscard]] bool several_classes() const {
        for (std::size_t i = 1; i < stored_.size(); ++i) {
            if (stored_.label(i) != stored_.label(0)) return true;
        }
        return false;
    }

    [[nodiscard]] Nodes look_at(std::span<const float> image) const {
        return on_hog_ ? nodes_of(hog(image, task_.side)) : nodes_of(image);
    }

    void fit() {
        model_.reset(); // it points to what is about to change
        images_.clear();
        std::vector<float> image(task_.width);
        std::vector<double> labels;
        for (std::size_t i = 0; i < stored_.size(); ++i) {
            std::ranges::transform(stored_.pixels(i), image.begin(), [](auto grey) { return grey / 255.0F; });
            images_.push_back(look_at(image));
            labels.push_back(static_cast<double>(stored_.label(i)));
        }
        std::vector<svm_node*> rows;
        rows.reserve(images_.size());
        for (Nodes& nodes : images_) rows.push_back(nodes.data());
        const svm_problem problem = {static_cast<int>(rows.size()), labels.data(), rows.data()};
        const svm_parameter wanted = parameters(options_);
        model_.reset(svm_train(&problem, &wanted));
    }

    Task task_;
    bool on_hog_;
    SupportVectorOptions options_;
    StoredImages stored_;
    std::vector<Nodes> images_; ///< that the model points to
    Model model_;               ///< none if something came since it was asked last
};

} // namespace

std::unique_ptr<Strategy> make_pixel_support_vectors(const Task& task, const SupportVectorOptions& options) {
    return std::make_unique<SupportVectors>(task, false, options);
}

std::unique_ptr<Strategy> make_hog_support_vectors(const Task& task, const SupportVectorOptions& options) {
    if (task.side * task.side != task.width) throw usage_error("gradients are found in square images only");
    (void)hog_size(task.side); // refuses images that it cannot divide
    return std::make_unique<SupportVectors>(task, true, options);
}

} // namespace sprig::baselines
