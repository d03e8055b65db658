#include "lab/filter.h"

namespace sprig::lab {

std::string label_of(const Dataset& data, std::size_t index) {
    const int label = data.label(index);
    return label < 0 ? "?" : data.classes()[static_cast<std::size_t>(label)];
}

FilterResult filter(const Dataset& data, const TopologyRule& rule, FrontEnd& front_end,
                    const Progress& progress) {
    FilterResult result;
    result.images = data.size();
    for (const std::string& name : data.classes()) result.classes.push_back({name, 0, 0});
    for (std::size_t i = 0; i < data.size(); ++i) {
        if (progress) progress(i, data.size());
        const Topology topology = front_end.topology(data.image(i));
        const bool keep = rule.keeps(label_of(data, i), topology.components, topology.holes);
        if (keep) result.kept.push_back(i);
        if (data.label(i) < 0) continue;
        FilterCount& count = result.classes[static_cast<std::size_t>(data.label(i))];
        ++count.images;
        if (keep) ++count.kept;
    }
    return result;
}

} // namespace sprig::lab
