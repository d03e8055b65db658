#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nanobind/nanobind.h>

#include "inputs.h"
#include "sprig/model.h"

namespace sprig::python {

/// Says that the program has forked: in this process, models with a file can be read, but not changed.
void after_fork_in_child();

/// A model as Python sees it. All functions are called with the interpreter's lock and release it while they
/// work. Threads may call them at the same time; those that change the model wait for each other.
class SharedModel {
  public:
    SharedModel(Model model, InputRules rules);
    ~SharedModel();
    SharedModel(const SharedModel&) = delete;
    SharedModel& operator=(const SharedModel&) = delete;
    SharedModel(SharedModel&&) = delete;
    SharedModel& operator=(SharedModel&&) = delete;

    void learn(nanobind::handle image, std::string_view label);
    /// Learns images in their order. `progress`, if it is not None, is called with the numbers of images done
    /// and in total.
    void learn_many(nanobind::handle images, const std::vector<std::string>& labels, std::size_t threads,
                    const nanobind::object& progress);

    [[nodiscard]] std::string decide(nanobind::handle image) const;
    [[nodiscard]] std::vector<std::string> decide_many(nanobind::handle images, std::size_t threads,
                                                       const nanobind::object& progress) const;
    [[nodiscard]] Answer predict(nanobind::handle image) const;
    [[nodiscard]] std::vector<Answer> predict_many(nanobind::handle images, std::size_t threads,
                                                   const nanobind::object& progress) const;
    [[nodiscard]] ImageExplanation explain(nanobind::handle image, std::optional<std::string> versus) const;
    [[nodiscard]] Network extract(nanobind::handle image) const;

    /// Changes the model by a function, or reads it, without the interpreter's lock.
    template <typename Change>
    decltype(auto) change(const Change& change) {
        const nanobind::gil_scoped_release released;
        const std::lock_guard lock(writer_);
        require_own_process();
        return change(*model_);
    }
    template <typename Read>
    decltype(auto) read(const Read& read) const {
        const nanobind::gil_scoped_release released;
        return read(std::as_const(*model_));
    }

    [[nodiscard]] const InputRules& rules() const { return rules_; }
    [[nodiscard]] const Model& model() const { return *model_; }

  private:
    void require_own_process() const;
    template <typename Result, typename Transform, typename Consume>
    void work_on(const Inputs& inputs, std::size_t threads, const nanobind::object& progress,
                 const Transform& transform, const Consume& consume) const;

    std::unique_ptr<Model> model_;
    InputRules rules_;
    std::uint64_t made_in_; ///< the process, by the number of forks that led to it
    std::mutex writer_;
};

/// Adds the class of models to the module.
void add_model(nanobind::module_& module);

} // namespace sprig::python
