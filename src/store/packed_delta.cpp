#include "store/packed_delta.h"

#include <span>

#include <zlib.h>

#include "sprig/error.h"
#include "store/bytes.h"
#include "store/patch.h"
#include "store/squeeze.h"

namespace sprig::store {

namespace {

constexpr std::uint8_t is_gone = 0;
constexpr std::uint8_t is_there = 1;
constexpr std::uint8_t is_patched = 2;

void pack_event(Packer& packer, const UnitEvent& event) {
    packer.number(static_cast<std::uint8_t>(event.kind));
    packer.number(event.unit);
    packer.number(event.target ? is_there : is_gone);
    packer.number(event.target.value_or(0));
}

UnitEvent unpack_event(Unpacker& unpacker) {
    UnitEvent event;
    std::uint8_t kind = 0;
    std::uint8_t has_target = 0;
    Lineage target = 0;
    unpacker.number(kind);
    unpacker.number(event.unit);
    unpacker.number(has_target);
    unpacker.number(target);
    if (kind > static_cast<std::uint8_t>(UnitEvent::Kind::dissolved))
        throw bad_input("packed content has an event that does not exist");
    event.kind = static_cast<UnitEvent::Kind>(kind);
    if (has_target == is_there) event.target = target;
    return event;
}

std::uint32_t checksum(std::string_view bytes) {
    return static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

/// A unit that was there before is a patch, if there is something that it can be a patch of.
void pack_unit(Packer& packer, Lineage lineage, const UnitEntry& entry, const Content* before,
               const Shape& shape) {
    const auto known = before == nullptr ? decltype(before->units.end()){} : before->units.find(lineage);
    const bool is_known = before != nullptr && known != before->units.end();
    packer.number(is_known ? is_patched : is_there);
    packer.number(entry.label);
    packer.text(is_known ? make_patch(known->second.packed, entry.packed, shape) : entry.packed);
}

std::string pack_with(const Delta& delta, const Content* before, const Shape& shape) {
    // What stands by itself cannot be told by what was before.
    const std::size_t traced = before == nullptr ? 0 : delta.traced;
    std::string bytes;
    Packer packer(bytes);
    packer.number(delta.lesson);
    packer.number(delta.steps);
    packer.count(delta.classes.size());
    for (const auto& [id, entry] : delta.classes) {
        packer.number(id);
        packer.number(entry ? is_there : is_gone);
        if (!entry) continue;
        packer.text(entry->label);
        packer.text(entry->packed);
    }
    const auto told = std::span(delta.units).first(delta.units.size() - traced);
    packer.count(told.size());
    for (const auto& [lineage, entry] : told) {
        packer.number(lineage);
        if (entry) {
            pack_unit(packer, lineage, *entry, before, shape);
        } else {
            packer.number(is_gone);
        }
    }
    packer.count(delta.events.size());
    for (const UnitEvent& event : delta.events) pack_event(packer, event);
    if (traced > 0) packer.text(delta.trace);
    std::string shorter = squeezed(bytes);
    Packer(shorter).number(checksum(shorter));
    return shorter;
}

UnitEntry unpack_unit(Unpacker& unpacker, std::uint8_t kept, Lineage lineage, const Content& before,
                      const Shape& shape) {
    UnitEntry entry;
    unpacker.number(entry.label);
    entry.packed = unpacker.text();
    if (kept == is_there) return entry;
    const auto known = before.units.find(lineage);
    if (kept != is_patched || known == before.units.end()) throw bad_input("packed content is damaged");
    entry.packed = patched(known->second.packed, entry.packed, shape);
    return entry;
}

} // namespace

std::string pack(const Delta& delta) {
    return pack_with(delta, nullptr, {});
}

std::string pack(const Delta& delta, const Content& before, const Codec& codec) {
    return pack_with(delta, &before, codec.shape());
}

Delta unpack_delta(std::string_view bytes, const Content& before, const Codec& codec) {
    constexpr std::size_t tail = sizeof(std::uint64_t);
    if (bytes.size() < tail) throw bad_input("packed content is damaged");
    std::uint32_t sum = 0;
    Unpacker(bytes.substr(bytes.size() - tail)).number(sum);
    bytes.remove_suffix(tail);
    if (sum != checksum(bytes)) throw bad_input("packed content is damaged");

    const std::string whole = unsqueezed(bytes);
    const Shape shape = codec.shape();
    Delta delta;
    Unpacker unpacker(whole);
    unpacker.number(delta.lesson);
    unpacker.number(delta.steps);
    std::uint8_t kept = 0;
    for (std::size_t n = unpacker.count(16); n > 0; --n) {
        auto& [id, entry] = delta.classes.emplace_back();
        unpacker.number(id);
        if (!is_class_id(id)) throw bad_input("packed content has a class with an id out of its range");
        unpacker.number(kept);
        if (kept != is_there) continue;
        entry.emplace();
        entry->label = unpacker.text();
        entry->packed = unpacker.text();
    }
    for (std::size_t n = unpacker.count(16); n > 0; --n) {
        auto& [lineage, entry] = delta.units.emplace_back();
        unpacker.number(lineage);
        unpacker.number(kept);
        if (kept != is_gone) entry = unpack_unit(unpacker, kept, lineage, before, shape);
    }
    for (std::size_t n = unpacker.count(32); n > 0; --n) delta.events.push_back(unpack_event(unpacker));
    if (!unpacker.is_at_end()) codec.retrace(unpacker.text(), before, delta);
    unpacker.end();
    return delta;
}

} // namespace sprig::store
