#include "store/events.h"

#include <array>

#include <fmt/format.h>

#include "sprig/error.h"
#include "sprig/store.h"

namespace sprig {

namespace {

struct EventName {
    std::string_view name;
    std::string_view meaning;
};
/// In the order of UnitEvent::Kind.
constexpr std::array<EventName, all_event_kinds.size()> event_names = {{
    {"created", "no known unit fits the sample: made from the sample"},
    {"refined", "updated with a sample, or lost the parts that the sample lacks"},
    {"spawned", "holds the parts that its target lost"},
    {"removed", "was almost never present, or no sample joined it, or its target was removed"},
    {"reintegrated", "was almost always present: merged into its target"},
    {"dissolved", "had no parts left"},
}};

} // namespace

std::string_view event_name(UnitEvent::Kind kind) {
    return event_names.at(static_cast<std::size_t>(kind)).name;
}

std::string_view store::event_meaning(UnitEvent::Kind kind) {
    return event_names.at(static_cast<std::size_t>(kind)).meaning;
}

UnitEvent::Kind store::parse_event_kind(std::string_view name) {
    for (std::size_t i = 0; i < event_names.size(); ++i) {
        if (event_names.at(i).name == name) return static_cast<UnitEvent::Kind>(i);
    }
    throw bad_input(fmt::format("its log has an unknown event '{}'", name));
}

} // namespace sprig
