#include "values.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "sprig/draw_model.h"
#include "sprig/model.h"

namespace nb = nanobind;

namespace sprig::python {

namespace {

std::string text(double number) {
    return fmt::format("{:.4f}", number);
}

std::string text(const std::optional<double>& number) {
    return number ? text(*number) : "None";
}

std::vector<std::pair<std::string, double>> top(const Answer& answer, std::size_t count) {
    std::vector<std::pair<std::string, double>> result;
    for (const RankedClass& c : answer.top(count)) result.emplace_back(c.label, c.probability);
    return result;
}

std::string repr(const Answer& answer) {
    if (answer.ranking.empty()) return "Answer(label=None)";
    return fmt::format("Answer(label={}, probability={}, known={}, fit={}, margin={:.2f})",
                       nb::repr(nb::str(answer.label.c_str())).c_str(), text(answer.probability),
                       text(answer.known), text(answer.fit), answer.margin);
}

using Array = nb::ndarray<nb::numpy, double>;

/// A new array of numbers with rows of the given width; 0: one number per row.
template <typename Get>
Array array_of(std::size_t rows, std::size_t width, const Get& get) {
    const std::size_t columns = std::max(width, std::size_t{1});
    auto numbers = std::make_unique<std::vector<double>>(rows * columns);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            (*numbers)[(row * columns) + column] = get(row, column);
    double* const data = numbers->data();
    const nb::capsule owner(numbers.release(),
                            [](void* owned) noexcept { delete static_cast<std::vector<double>*>(owned); });
    return width == 0 ? Array(data, {rows}, owner) : Array(data, {rows, columns}, owner);
}

Array positions(const Network& network, std::size_t nodes) {
    return array_of(
        nodes, static_cast<std::size_t>(network.schema().dimensions),
        [&](std::size_t n, std::size_t axis) { return network.coordinate(static_cast<NodeId>(n), axis); });
}

std::vector<std::string> types(const Network& network, std::size_t nodes) {
    std::vector<std::string> names;
    for (std::size_t n = 0; n < nodes; ++n)
        names.push_back(network.schema().node_types[network.type(static_cast<NodeId>(n))]);
    return names;
}

using Attributes = nb::typed<nb::dict, std::string, Array>;

Attributes attributes(const Network& network, std::size_t nodes) {
    nb::dict dict;
    const std::vector<std::string>& names = network.schema().attributes;
    for (std::size_t a = 0; a < names.size(); ++a)
        dict[names[a].c_str()] = array_of(nodes, 0, [&](std::size_t n, std::size_t) {
            return network.attribute(static_cast<NodeId>(n), a);
        });
    return Attributes(dict);
}

/// From, to, layer, and the first and the last level that has it.
using EdgeValues = std::tuple<NodeId, NodeId, std::string, std::uint32_t, std::uint32_t>;

std::vector<EdgeValues> edges(const Network& network) {
    std::vector<EdgeValues> all;
    for (const Edge& edge : network.edges())
        all.emplace_back(edge.from, edge.to, network.schema().layers[edge.layer], edge.first_level,
                         edge.last_level);
    return all;
}

std::string hexadecimal(Lineage lineage) {
    return fmt::format("{:016x}", lineage);
}

Array presence(const UnitView& unit) {
    return array_of(unit.own_nodes, 0, [&](std::size_t n, std::size_t) {
        return unit.nodes.empty() ? 1.0 : unit.nodes[n].presence;
    });
}

Array spread(const UnitView& unit) {
    return array_of(unit.own_nodes, 2, [&](std::size_t n, std::size_t axis) {
        return unit.nodes.empty() ? 0.0 : unit.nodes[n].spread.at(axis);
    });
}

} // namespace

void add_values(nb::module_& module) {
    using nb::arg;
    constexpr auto made = nb::rv_policy::automatic; // arrays that own their numbers
    nb::class_<Answer>(module, "Answer")
        .def_prop_ro("label",
                     [](const Answer& answer) {
                         return answer.ranking.empty() ? std::nullopt : std::optional(answer.label);
                     })
        .def_ro("probability", &Answer::probability)
        .def_ro("known", &Answer::known)
        .def_ro("fit", &Answer::fit)
        .def_ro("margin", &Answer::margin)
        .def_prop_ro("ranking",
                     [](const Answer& answer) {
                         std::vector<std::tuple<std::string, double, double>> all;
                         for (const RankedClass& c : answer.ranking)
                             all.emplace_back(c.label, c.probability, c.score);
                         return all;
                     })
        .def("top", top, arg("count"))
        .def("__repr__", repr);

    nb::class_<ImageExplanation>(module, "Explanation")
        .def("text", &ImageExplanation::text)
        .def("json", &ImageExplanation::json)
        .def("svg", &ImageExplanation::svg);

    nb::class_<Network>(module, "Network")
        .def("__len__", &Network::node_count)
        .def_prop_ro(
            "positions", [](const Network& network) { return positions(network, network.node_count()); },
            made)
        .def_prop_ro("types", [](const Network& network) { return types(network, network.node_count()); })
        .def_prop_ro("attributes",
                     [](const Network& network) { return attributes(network, network.node_count()); })
        .def_prop_ro("edges", edges)
        .def("json", [](const Network& network) { return to_json(network); });

    nb::class_<UnitView>(module, "Unit")
        .def_prop_ro("id", [](const UnitView& unit) { return hexadecimal(unit.lineage); })
        .def_prop_ro("target",
                     [](const UnitView& unit) {
                         return unit.target ? std::optional(hexadecimal(*unit.target)) : std::nullopt;
                     })
        .def_ro("label", &UnitView::label)
        .def_prop_ro("positive", [](const UnitView& unit) { return unit.polarity == Polarity::positive; })
        .def_ro("depth", &UnitView::depth)
        .def_ro("born", &UnitView::born)
        .def_ro("active", &UnitView::active)
        .def_ro("inactive", &UnitView::inactive)
        .def_prop_ro("samples", &UnitView::observations)
        .def("__len__", [](const UnitView& unit) { return unit.own_nodes; })
        .def_prop_ro(
            "positions", [](const UnitView& unit) { return positions(unit.pattern, unit.own_nodes); }, made)
        .def_prop_ro("types", [](const UnitView& unit) { return types(unit.pattern, unit.own_nodes); })
        .def_prop_ro("presence", presence, made)
        .def_prop_ro("spread", spread, made)
        .def("svg",
             [](const UnitView& unit) {
                 return draw_units({&unit, 1}, {.title = "", .panel = 200});
             })
        .def("__repr__", [](const UnitView& unit) {
            return fmt::format("Unit(label={}, nodes={}, samples={})",
                               nb::repr(nb::str(unit.label.c_str())).c_str(), unit.own_nodes,
                               unit.observations());
        });
}

} // namespace sprig::python
