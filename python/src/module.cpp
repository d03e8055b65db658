#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core/keyed.h"
#include "errors.h"
#include "model.h"
#include "sprig/data.h"
#include "sprig/error.h"
#include "sprig/learners.h"
#include "sprig/version.h"
#include "values.h"
#ifdef SPRIG_PYTHON_PROGRAM
#include "cli/sprig_program.h"
#endif

namespace nb = nanobind;

namespace sprig::python {

namespace {

/// The images of a data set of equal size as one array, and their labels.
using Pixels = nb::ndarray<nb::numpy, std::uint8_t>;

std::pair<Pixels, std::vector<std::string>> load(const std::string& address) {
    const Dataset data = [&] {
        const nb::gil_scoped_release released;
        return load_dataset(address);
    }();
    const ImageView first = data.size() > 0 ? data.image(0) : ImageView{};
    auto pixels = std::make_unique<std::vector<std::uint8_t>>();
    pixels->reserve(data.size() * first.size());
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < data.size(); ++i) {
        const ImageView image = data.image(i);
        if (image.width != first.width || image.height != first.height)
            throw usage_error(
                "the images of '" + address +
                "' differ in size, so they are not one array; give the paths of the pictures to the model");
        pixels->insert(pixels->end(), image.pixels, image.pixels + image.size());
        labels.push_back(data.label_name(i));
    }
    std::uint8_t* const bytes = pixels->data();
    const nb::capsule owner(pixels.release(), [](void* owned) noexcept {
        delete static_cast<std::vector<std::uint8_t>*>(owned);
    });
    return {
        Pixels(bytes,
               {data.size(), static_cast<std::size_t>(first.height), static_cast<std::size_t>(first.width)},
               owner),
        std::move(labels)};
}

std::pair<int, int> topology(nb::handle image) {
    const Inputs inputs = Inputs::one(image);
    const Sample sample = prepare(inputs.at(0), {.normalise = false});
    FrontEnd front_end;
    const auto* const view = std::get_if<ImageView>(&sample);
    const auto* const owned = std::get_if<Image>(&sample);
    if (view == nullptr && owned == nullptr) throw usage_error("components and holes are counted in arrays");
    const Topology found = front_end.topology(view != nullptr ? *view : owned->view());
    return {found.components, found.holes};
}

std::vector<std::size_t> shuffled(std::vector<std::size_t> numbers, std::uint64_t seed,
                                  const std::string& purpose) {
    random::shuffle(numbers, seed, random::mix(purpose));
    return numbers;
}

#ifdef SPRIG_PYTHON_PROGRAM
int run_program(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const nb::gil_scoped_release released;
    return cli::run_and_report(cli::sprig_program(), static_cast<int>(words.size()), arguments.data());
}
#endif

} // namespace

} // namespace sprig::python

NB_MODULE(_core, module) {
    using namespace sprig::python;
    // Models that a program still holds when it exits are no leaks.
    nb::set_leak_warnings(false);
    module.attr("version") = SPRIG_VERSION;
    add_errors(module);
    add_values(module);
    add_model(module);
    module.def("load", load, nb::arg("address"));
    module.def("topology", topology, nb::arg("image"));
    module.def("shuffled", shuffled, nb::arg("numbers"), nb::arg("seed"), nb::arg("purpose"));
    module.def(
        "write_file",
        [](const std::string& path, const std::string& text) {
            const nb::gil_scoped_release released;
            sprig::write_file_atomically(path, text);
        },
        nb::arg("path"), nb::arg("text"));
#ifdef SPRIG_PYTHON_PROGRAM
    module.def("run_program", run_program, nb::arg("words"));
#endif
}
