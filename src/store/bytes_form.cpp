#include "store/bytes_form.h"

#include <algorithm>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "data/files.h"
#include "learner/packing.h"
#include "sprig/error.h"

namespace sprig::store {

using learner::Packer;
using learner::Unpacker;

namespace {

/// As in PNG: a transfer that changes line ends, or takes it for text, is noticed.
constexpr std::string_view magic = "sprig\r\n\x1a";
constexpr std::uint64_t format = 1;
using Columns = std::vector<Storage::Column>;

[[noreturn]] void refuse(const char* why) {
    throw bad_input(why);
}

std::uint64_t next_word(std::string_view& packed) {
    std::uint64_t word = 0;
    std::memcpy(&word, packed.data(), sizeof word);
    packed.remove_prefix(sizeof word);
    return word;
}

/// A row of 8-byte numbers: whole ones in as few bytes as they need.
void put_row(Packer& packer, const Columns& columns, std::string_view& packed) {
    for (const Storage::Column& column : columns) {
        if (column.is_real) {
            packer.raw(packed.substr(0, sizeof(double)));
            packed.remove_prefix(sizeof(double));
        } else {
            packer.small(next_word(packed));
        }
    }
}

void take_row(Unpacker& unpacker, const Columns& columns, Packer& packer) {
    for (const Storage::Column& column : columns) {
        if (column.is_real) {
            packer.raw(unpacker.raw(sizeof(double)));
        } else {
            packer.number(unpacker.small());
        }
    }
}

void put_rows(Packer& packer, const Columns& columns, std::string_view& packed) {
    const std::uint64_t count = next_word(packed);
    packer.small(count);
    for (std::uint64_t i = 0; i < count; ++i) put_row(packer, columns, packed);
}

void take_rows(Unpacker& unpacker, const Columns& columns, Packer& packer) {
    const std::uint64_t count = unpacker.small();
    if (columns.empty() && count > 0) refuse("packed content is damaged");
    packer.count(columns.empty() ? 0 : unpacker.room_for(count, columns.size()));
    for (std::uint64_t i = 0; i < count; ++i) take_row(unpacker, columns, packer);
}

struct ClassOf {
    ClassId id = 0;
    const ClassEntry* entry = nullptr;
    std::vector<std::pair<Lineage, const UnitEntry*>> units = {};
};

/// By label, and the units of each by name.
std::vector<ClassOf> sorted_classes(const Content& content) {
    std::map<ClassId, ClassOf> by_id;
    for (const auto& [id, entry] : content.classes) by_id[id] = {id, &entry};
    for (const auto& [lineage, entry] : content.units)
        by_id.at(entry.label).units.emplace_back(lineage, &entry);
    std::vector<ClassOf> classes;
    for (auto& [id, one] : by_id) {
        std::sort(one.units.begin(), one.units.end());
        classes.push_back(std::move(one));
    }
    std::sort(classes.begin(), classes.end(),
              [](const ClassOf& a, const ClassOf& b) { return a.entry->label < b.entry->label; });
    return classes;
}

void put_head(Packer& packer, const Head& head, std::uint64_t storage_version) {
    packer.small(format);
    packer.text(head.learner);
    packer.small(storage_version);
    packer.small(head.method);
    packer.text(head.preset);
    packer.text(head.parameters);
    packer.text(head.front_end);
    packer.number(head.seed);
    packer.small(head.steps);
}

Head take_head(Unpacker& unpacker, std::uint64_t& storage_version) {
    if (const std::uint64_t version = unpacker.small(); version != format) {
        throw bad_input(
            fmt::format("it is of version {} of the bytes form, and this program knows version {}: "
                        "get a newer sprig",
                        version, format));
    }
    Head head;
    head.learner = unpacker.text();
    storage_version = unpacker.small();
    head.method = unpacker.small();
    head.preset = unpacker.text();
    head.parameters = unpacker.text();
    head.front_end = unpacker.text();
    unpacker.number(head.seed);
    head.steps = unpacker.small();
    head.lessons = head.steps;
    return head;
}

/// The places of classes in their order of arrival, for learners to which it matters.
std::map<ClassId, std::uint64_t> ranks_of(const Content& content) {
    std::map<ClassId, std::uint64_t> ranks;
    for (const auto& [id, entry] : content.classes) ranks.emplace(id, ranks.size());
    return ranks;
}

void take_class(Unpacker& unpacker, const Storage& storage, ClassId id, Content& content) {
    ClassEntry& entry = content.classes[id];
    entry.label = unpacker.text();
    // Numbers of 8 bytes: a class takes some memory, and so must take some bytes.
    entry.packed = unpacker.raw(storage.columns().of_class.size() * sizeof(std::uint64_t));
    std::uint64_t units = 0;
    unpacker.number(units);
    Lineage last = 0;
    for (std::uint64_t i = 0; i < units; ++i) {
        Lineage lineage = 0;
        unpacker.number(lineage);
        UnitEntry unit{id, {}};
        Packer packer(unit.packed);
        take_row(unpacker, storage.columns().of_unit, packer);
        take_rows(unpacker, storage.columns().of_node, packer);
        take_rows(unpacker, storage.columns().of_edge, packer);
        if (i > 0 && lineage <= last) refuse("its units are not in order");
        if (!content.units.emplace(lineage, std::move(unit)).second) refuse("a unit is there twice");
        last = lineage;
    }
}

} // namespace

std::string to_bytes(const Kept& kept) {
    // What the learner itself says: a file may have been written by an older version, with fewer parameters.
    Head head = head_of(*kept.learner, kept.content.head.preset);
    const Storage::Columns& columns = kept.storage->columns();
    const bool in_order = !learner_kind(head.learner)->classes_are_independent;
    const auto ranks = ranks_of(kept.content);
    std::string bytes(magic);
    Packer packer(bytes);
    put_head(packer, head, kept.storage->version());
    packer.number(ranks.size());
    for (const ClassOf& one : sorted_classes(kept.content)) {
        if (in_order) packer.number(ranks.at(one.id));
        packer.text(one.entry->label);
        packer.raw(one.entry->packed);
        packer.number(one.units.size());
        for (const auto& [lineage, unit] : one.units) {
            packer.number(lineage);
            std::string_view packed = unit->packed;
            put_row(packer, columns.of_unit, packed);
            put_rows(packer, columns.of_node, packed);
            put_rows(packer, columns.of_edge, packed);
        }
    }
    learner::append_checksum(bytes);
    return bytes;
}

namespace {

Kept parsed(std::string_view bytes) {
    if (!bytes.starts_with(magic)) refuse("they do not begin as a model does: they are something else");
    bytes = learner::without_checksum(bytes);
    Unpacker unpacker(bytes.substr(magic.size()));
    Kept kept;
    std::uint64_t storage_version = 0;
    Head& head = kept.content.head;
    head = take_head(unpacker, storage_version);
    kept.storage = storage_for(head);
    if (storage_version != kept.storage->version()) {
        throw bad_input(fmt::format("it holds a {} in version {}, and this program knows version {}",
                                    head.learner, storage_version, kept.storage->version()));
    }
    const bool in_order = !learner_kind(head.learner)->classes_are_independent;
    constexpr std::size_t least = 2 + sizeof(std::uint64_t); // of a class
    const std::size_t classes = unpacker.count(least);
    std::string last;
    for (std::size_t i = 0; i < classes; ++i) {
        std::uint64_t rank = i;
        if (in_order) unpacker.number(rank);
        const auto id = static_cast<ClassId>(rank + 1);
        if (rank >= classes || kept.content.classes.contains(id)) refuse("its classes are not in order");
        take_class(unpacker, *kept.storage, id, kept.content);
        const std::string& label = kept.content.classes.at(id).label;
        if (i > 0 && label <= last) refuse("its classes are not in order");
        last = label;
    }
    unpacker.end();
    kept.rebuild();
    check_method(head, *kept.learner);
    return kept;
}

} // namespace

Kept from_bytes(std::string_view bytes, const std::string& name) {
    try {
        return parsed(bytes);
    } catch (const Error& error) {
        throw bad_input(fmt::format("{} cannot be read as a model: {}", name, error.what()));
    }
}

bool is_bytes_file(const std::filesystem::path& path) {
    std::error_code problem;
    if (!std::filesystem::is_regular_file(path, problem)) return false;
    std::string begin(magic.size(), '\0');
    std::ifstream(path, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
    return begin == magic;
}

std::string read_bytes_file(const std::filesystem::path& path) {
    const data_detail::Bytes bytes = data_detail::read_file(path);
    return std::string(data_detail::as_text(bytes));
}

} // namespace sprig::store
