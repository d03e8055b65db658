#include "model.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "core/ordered_pipeline.h"
#include "sprig/error.h"

namespace nb = nanobind;

namespace sprig::python {

namespace {

std::uint64_t forks = 0;

/// Calls `use` with the sample as the type that it has.
template <typename Use>
decltype(auto) with(const Sample& sample, const Use& use) {
    return std::visit(
        [&](const auto& value) -> decltype(auto) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Image>) {
                return use(value.view());
            } else {
                return use(value);
            }
        },
        sample);
}

Network extract_from(const Model& model, const Sample& sample) {
    return with(sample, [&](const auto& image) { return model.extract(image); });
}

std::string decide_on(const Model& model, const Sample& sample) {
    if (const auto* const view = std::get_if<ImageView>(&sample)) return model.decide(*view);
    return model.decide(extract_from(model, sample));
}

Answer predict_on(const Model& model, const Sample& sample) {
    return with(sample, [&](const auto& image) { return model.predict(image); });
}

void require_same_number(const Inputs& inputs, const std::vector<std::string>& labels) {
    if (inputs.size() != labels.size())
        throw nb::value_error(
            fmt::format("there are {} images and {} labels", inputs.size(), labels.size()).c_str());
}

/// Lets Python handle signals and shows the progress, a few times per second. Called without the
/// interpreter's lock.
class Attention {
  public:
    Attention(const nb::object& progress, std::size_t total) : progress_(progress), total_(total) {}

    /// Throws what a signal handler or the progress function raises, such as KeyboardInterrupt.
    void after_one() {
        ++done_;
        const auto now = Clock::now();
        if (now < next_ && done_ < total_) return;
        next_ = now + std::chrono::milliseconds(50);
        const nb::gil_scoped_acquire acquired;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!progress_.is_none()) progress_(done_, total_);
    }

  private:
    using Clock = std::chrono::steady_clock;
    const nb::object& progress_;
    std::size_t total_;
    std::size_t done_ = 0;
    Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(50);
};

/// Images that are worked on together.
struct Range {
    std::size_t begin;
    std::size_t end;
};

/// Their results, up to the first failure.
template <typename Result>
struct Done {
    std::vector<Result> results = {};
    std::optional<Error> failure = {};
};

} // namespace

void after_fork_in_child() {
    ++forks;
}

SharedModel::SharedModel(Model model, InputRules rules)
    : model_(std::make_unique<Model>(std::move(model))), rules_(rules), made_in_(forks) {}

SharedModel::~SharedModel() {
    // Closing the file would change it, and the process that opened it may still be learning.
    if (made_in_ != forks) (void)model_.release();
}

void SharedModel::require_own_process() const {
    if (made_in_ != forks && model_->has_file())
        throw usage_error(
            "the model's file was opened by the process that this one was forked from, so it cannot be "
            "changed here; open the file in one process only, or send the model as bytes");
}

/// Makes a sample of each input and a result of each sample in several threads, and consumes the results in
/// order.
template <typename Result, typename Transform, typename Consume>
void SharedModel::work_on(const Inputs& inputs, std::size_t threads, const nb::object& progress,
                          const Transform& transform, const Consume& consume) const {
    const nb::gil_scoped_release released;
    Attention attention(progress, inputs.size());
    // Handing over images one by one would take a share of the time that is worth saving.
    constexpr std::size_t most_together = 32;
    const std::size_t together = std::clamp(inputs.size() / (8 * threads), std::size_t{1}, most_together);
    std::size_t next = 0;
    const auto source = [&]() -> std::optional<Range> {
        if (next == inputs.size()) return {};
        const std::size_t begin = next;
        next = std::min(begin + together, inputs.size());
        return Range{begin, next};
    };
    const auto transform_all = [&](Range range) {
        Done<Result> done;
        done.results.reserve(range.end - range.begin);
        for (std::size_t i = range.begin; i < range.end && !done.failure; ++i) {
            try {
                done.results.push_back(transform(prepare(inputs.at(i), rules_)));
            } catch (const Error& error) {
                done.failure.emplace(error.kind(), fmt::format("image {}: {}", i, error.what()));
            }
        }
        return done;
    };
    const auto consume_all = [&](Done<Result> done) {
        for (Result& result : done.results) {
            consume(std::move(result));
            attention.after_one();
        }
        if (done.failure) throw Error(*done.failure);
        return true;
    };
    OrderedPipeline<Range, Done<Result>>{.source = source,
                                         .make_transform = [&] { return transform_all; },
                                         .consume = consume_all,
                                         .threads = threads}
        .run();
}

void SharedModel::learn(nb::handle image, std::string_view label) {
    const Inputs inputs = Inputs::one(image);
    change([&](Model& model) {
        with(prepare(inputs.at(0), rules_), [&](const auto& sample) { (void)model.learn(sample, label); });
    });
}

void SharedModel::learn_many(nb::handle images, const std::vector<std::string>& labels, std::size_t threads,
                             const nb::object& progress) {
    const Inputs inputs = Inputs::many(images);
    require_same_number(inputs, labels);
    std::size_t learned = 0;
    // The writer's lock is taken for one lesson at a time, so that other threads are not locked out.
    const auto learn_one = [&](const Network& network) {
        const std::lock_guard lock(writer_);
        require_own_process();
        (void)model_->learn(network, labels[learned]);
        ++learned;
    };
    work_on<Network>(
        inputs, threads, progress, [&](const Sample& sample) { return extract_from(*model_, sample); },
        learn_one);
}

std::string SharedModel::decide(nb::handle image) const {
    const Inputs inputs = Inputs::one(image);
    return read([&](const Model& model) { return decide_on(model, prepare(inputs.at(0), rules_)); });
}

Answer SharedModel::predict(nb::handle image) const {
    const Inputs inputs = Inputs::one(image);
    return read([&](const Model& model) { return predict_on(model, prepare(inputs.at(0), rules_)); });
}

std::vector<std::string> SharedModel::decide_many(nb::handle images, std::size_t threads,
                                                  const nb::object& progress) const {
    const Inputs inputs = Inputs::many(images);
    std::vector<std::string> labels;
    labels.reserve(inputs.size());
    work_on<std::string>(
        inputs, threads, progress, [&](const Sample& sample) { return decide_on(*model_, sample); },
        [&](std::string label) { labels.push_back(std::move(label)); });
    return labels;
}

std::vector<Answer> SharedModel::predict_many(nb::handle images, std::size_t threads,
                                              const nb::object& progress) const {
    const Inputs inputs = Inputs::many(images);
    std::vector<Answer> answers;
    answers.reserve(inputs.size());
    work_on<Answer>(
        inputs, threads, progress, [&](const Sample& sample) { return predict_on(*model_, sample); },
        [&](Answer answer) { answers.push_back(std::move(answer)); });
    return answers;
}

ImageExplanation SharedModel::explain(nb::handle image, std::optional<std::string> versus) const {
    const Inputs inputs = Inputs::one(image);
    ExplainOptions options;
    options.versus = std::move(versus);
    return read([&](const Model& model) {
        return with(prepare(inputs.at(0), rules_),
                    [&](const auto& sample) { return model.explain(sample, options); });
    });
}

Network SharedModel::extract(nb::handle image) const {
    const Inputs inputs = Inputs::one(image);
    return read([&](const Model& model) { return extract_from(model, prepare(inputs.at(0), rules_)); });
}

namespace {

Ink ink_named(const std::string& name) {
    if (name == "auto") return Ink::automatic;
    if (name == "light") return Ink::light;
    if (name == "dark") return Ink::dark;
    throw usage_error(fmt::format("ink is 'auto', 'light' or 'dark', not '{}'", name));
}

/// The options of a model, from keyword arguments.
struct Options {
    ModelOptions model;
    InputRules rules;
};

/// As the library reads it.
std::string setting_text(nb::handle value) {
    if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value) ? "true" : "false";
    return nb::cast<std::string>(nb::str(value));
}

Options options_of(const std::string& learner, const std::string& preset,
                   const nb::typed<nb::dict, std::string, nb::any>& settings, bool free_pose,
                   std::optional<std::uint64_t> seed, bool durable, std::size_t undo, std::size_t budget,
                   const std::string& ink, std::optional<bool> normalise) {
    Options options;
    options.rules = {.ink = ink_named(ink), .normalise = normalise};
    ModelOptions& model = options.model;
    model.learner = learner;
    model.preset = preset;
    for (const auto [key, value] : settings)
        model.settings.emplace_back(nb::cast<std::string>(key), setting_text(value));
    model.free_pose = free_pose;
    model.seed = seed;
    model.durable = durable;
    model.undo = undo;
    model.budget = budget;
    if (options.rules.ink == Ink::light) model.normalise.polarity = NormaliseParams::Polarity::light_on_dark;
    if (options.rules.ink == Ink::dark) model.normalise.polarity = NormaliseParams::Polarity::dark_on_light;
    return options;
}

/// Where a model comes from.
struct Source {
    std::function<Model(const ModelOptions&)> make;
};

std::string hexadecimal(std::uint64_t number) {
    return fmt::format("{:016x}", number);
}

using Facts = nb::typed<nb::dict, std::string, nb::any>;

Facts dict_of(const ModelFacts& facts) {
    nb::dict dict;
    dict["learner"] = facts.learner;
    dict["preset"] = facts.preset;
    dict["parameters"] = facts.parameters;
    dict["front_end"] = facts.front_end;
    dict["free_pose"] = facts.free_pose;
    dict["written_by"] = facts.written_by;
    dict["lessons"] = facts.lessons;
    dict["undoable"] = facts.undoable;
    dict["file_bytes"] = facts.bytes;
    return Facts(dict);
}

/// The images and their labels as a data set, which holds copies of them as the model reads them.
Dataset dataset_of(const Model& model, const Inputs& inputs, const std::vector<std::string>& labels,
                   const InputRules& rules) {
    Dataset data;
    std::map<std::string, int> indices;
    std::vector<std::string> classes;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto [known, is_new] = indices.emplace(labels[i], static_cast<int>(classes.size()));
        if (is_new) classes.push_back(labels[i]);
        const Sample sample = prepare(inputs.at(i), rules);
        if (const auto* const view = std::get_if<ImageView>(&sample)) {
            data.add(*view, known->second);
        } else if (const auto* const image = std::get_if<Image>(&sample)) {
            data.add(image->view(), known->second);
        } else if (const auto* const picture = std::get_if<Picture>(&sample)) {
            data.add(model.prepare(*picture).view(), known->second);
        } else {
            data.add(model.prepare(std::get<Strokes>(sample)).view(), known->second);
        }
    }
    data.set_classes(std::move(classes));
    return data;
}

/// As JSON text.
std::string assess(const SharedModel& shared, nb::handle images, const std::vector<std::string>& labels,
                   std::size_t threads) {
    const Inputs inputs = Inputs::many(images);
    require_same_number(inputs, labels);
    return shared.read([&](const Model& model) {
        return to_json(model.test(dataset_of(model, inputs, labels, shared.rules()), {.threads = threads}));
    });
}

/// The lesson, what happened, and the unit.
using EventValues = std::tuple<std::uint64_t, std::string, std::string>;

std::vector<EventValues> values_of(const std::vector<LoggedEvent>& events) {
    std::vector<EventValues> values;
    for (const LoggedEvent& logged : events)
        values.emplace_back(logged.lesson, event_name(logged.event.kind), hexadecimal(logged.event.unit));
    return values;
}

} // namespace

void add_model(nb::module_& module) {
    using nb::arg;
    nb::class_<SharedModel>(module, "Model", nb::is_weak_referenceable(), nb::dynamic_attr())
        .def(
            "__init__",
            [](SharedModel* self, const Source& source, const Options& options) {
                const nb::gil_scoped_release released;
                new (self) SharedModel(source.make(options.model), options.rules);
            },
            arg("source"), arg("options"))
        .def("learn", &SharedModel::learn, arg("image"), arg("label"))
        .def("learn_many", &SharedModel::learn_many, arg("images"), arg("labels"), arg("threads"),
             arg("progress").none())
        .def("decide", &SharedModel::decide, arg("image"))
        .def("decide_many", &SharedModel::decide_many, arg("images"), arg("threads"), arg("progress").none())
        .def("predict", &SharedModel::predict, arg("image"))
        .def("predict_many", &SharedModel::predict_many, arg("images"), arg("threads"),
             arg("progress").none())
        .def("explain", &SharedModel::explain, arg("image"), arg("versus").none())
        .def("extract", &SharedModel::extract, arg("image"))
        .def("test", assess, arg("images"), arg("labels"), arg("threads"))
        .def(
            "add_class",
            [](SharedModel& self, const std::string& label) {
                self.change([&](Model& model) { model.add_class(label); });
            },
            arg("label"))
        .def("undo", [](SharedModel& self) { self.change([](Model& model) { model.undo(); }); })
        .def(
            "rename",
            [](SharedModel& self, const std::string& label, const std::string& new_label) {
                self.change([&](Model& model) { model.rename(label, new_label); });
            },
            arg("label"), arg("new_label"))
        .def(
            "forget",
            [](SharedModel& self, const std::string& label) {
                self.change([&](Model& model) { model.forget(label); });
            },
            arg("label"))
        .def(
            "merge",
            [](SharedModel& self, const SharedModel& other) {
                self.change([&](Model& model) { model.merge(other.model()); });
            },
            arg("other"))
        .def("close", [](SharedModel& self) { self.change([](Model& model) { model.close(); }); })
        .def(
            "save",
            [](const SharedModel& self, const std::string& path) {
                self.read([&](const Model& model) { model.save(path); });
            },
            arg("path"))
        .def("to_bytes",
             [](const SharedModel& self) {
                 const std::string bytes = self.read([](const Model& model) { return model.to_bytes(); });
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def("classes",
             [](const SharedModel& self) { return self.read([](const Model& m) { return m.classes(); }); })
        .def("samples",
             [](const SharedModel& self) { return self.read([](const Model& m) { return m.samples(); }); })
        .def("units",
             [](const SharedModel& self) { return self.read([](const Model& m) { return m.units(); }); })
        .def("draw",
             [](const SharedModel& self) { return self.read([](const Model& m) { return m.draw(); }); })
        .def("explain_global",
             [](const SharedModel& self) {
                 return self.read([](const Model& m) { return to_json(m.explain_global()); });
             })
        .def("size_in_bytes",
             [](const SharedModel& self) {
                 return self.read([](const Model& m) { return m.model_size().bytes; });
             })
        .def("facts",
             [](const SharedModel& self) {
                 return dict_of(self.read([](const Model& m) { return m.facts(); }));
             })
        .def("events",
             [](const SharedModel& self) {
                 return values_of(self.read([](const Model& m) { return m.events(); }));
             })
        .def("digest",
             [](const SharedModel& self) {
                 return hexadecimal(self.read([](const Model& m) { return m.digest(); }));
             })
        .def("notice",
             [](const SharedModel& self) { return self.read([](const Model& m) { return m.notice(); }); })
        .def("has_file",
             [](const SharedModel& self) { return self.read([](const Model& m) { return m.has_file(); }); });

    nb::class_<Source>(module, "Source")
        .def_static("nothing",
                    [] { return Source{[](const ModelOptions& options) { return Model(options); }}; })
        .def_static(
            "file",
            [](const std::string& path) {
                return Source{[path](const ModelOptions& options) { return Model::open(path, options); }};
            },
            arg("path"))
        .def_static(
            "copy_of_file",
            [](const std::string& path) {
                return Source{[path](const ModelOptions& options) { return Model::load(path, options); }};
            },
            arg("path"))
        .def_static(
            "content",
            [](const nb::bytes& bytes) {
                const std::string content(bytes.c_str(), bytes.size());
                return Source{
                    [content](const ModelOptions& options) { return Model::from_bytes(content, options); }};
            },
            arg("content"));
    nb::class_<Options>(module, "Options")
        .def(nb::new_(&options_of), arg("learner"), arg("preset"), arg("settings"), arg("free_pose"),
             arg("seed").none(), arg("durable"), arg("undo"), arg("budget"), arg("ink"),
             arg("normalise").none());
    module.def("after_fork_in_child", after_fork_in_child);
}

} // namespace sprig::python
