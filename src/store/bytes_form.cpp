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

/// As in PNG, detects a transfer that converts line ends or treats the file as text.
constexpr std::string_view magic = "sprig\r\n\x1a";
constexpr std::uint64_t bytes_version = 1;
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

/// Writes a row: integers as varints, reals as 8 bytes.
void put_row(Packer& packer, const Columns& columns, std::string_view& packed) {
    for (const Storage::Column& column : columns) {
        if (column.is_real) {
            packer.raw(packed.substr(0, sizeof(double)));
            packed.remove_prefix(sizeof(double));
        } else {
            packer.varint(next_word(packed));
        }
    }
}

void take_row(Unpacker& unpacker, const Columns& columns, Packer& packer) {
    for (const Storage::Column& column : columns) {
        if (column.is_real) {
            packer.raw(unpacker.raw(sizeof(double)));
        } else {
            packer.number(unpacker.varint());
        }
    }
}

void put_rows(Packer& packer, const Columns& columns, std::string_view& packed) {
    const std::uint64_t count = next_word(packed);
    packer.varint(count);
    for (std::uint64_t i = 0; i < count; ++i) put_row(packer, columns, packed);
}

void take_rows(Unpacker& unpacker, const Columns& columns, Packer& packer) {
    const std::uint64_t count = unpacker.varint();
    if (columns.empty() && count > 0) refuse("packed content is damaged");
    packer.count(columns.empty() ? 0 : unpacker.checked_count(count, columns.size()));
    for (std::uint64_t i = 0; i < count; ++i) take_row(unpacker, columns, packer);
}

/// A class with the lineages of its units.
struct ClassView {
    ClassId id = 0;
    std::uint64_t rank = 0; ///< in order of arrival
    ClassEntry entry = {};
    std::vector<Lineage> units = {};
};

/// The classes by label, with their units by lineage.
std::vector<ClassView> sorted_classes(const ModelState& state) {
    std::vector<ClassView> classes;
    for (const ClassId id : state.entries->classes())
        classes.push_back({id, classes.size(), state.class_entry(id).value()});
    auto known = classes.begin();
    for (const auto& [id, lineage] : state.entries->units()) {
        while (known->id != id) ++known;
        known->units.push_back(lineage);
    }
    std::ranges::sort(classes,
                      [](const ClassView& a, const ClassView& b) { return a.entry.label < b.entry.label; });
    return classes;
}

void put_header(Packer& packer, const ModelHeader& header, std::uint64_t storage_version) {
    packer.varint(bytes_version);
    packer.text(header.learner);
    packer.varint(storage_version);
    packer.varint(header.method);
    packer.text(header.preset);
    packer.text(header.parameters);
    packer.text(header.front_end);
    packer.number(header.seed);
    packer.varint(header.steps);
}

ModelHeader take_header(Unpacker& unpacker, std::uint64_t& storage_version) {
    if (const std::uint64_t version = unpacker.varint(); version != bytes_version) {
        throw bad_input(fmt::format("it has version {} of the bytes form, and this program knows version {}; "
                                    "get a newer sprig",
                                    version, bytes_version));
    }
    ModelHeader header;
    header.learner = unpacker.text();
    storage_version = unpacker.varint();
    header.method = unpacker.varint();
    header.preset = unpacker.text();
    header.parameters = unpacker.text();
    header.front_end = unpacker.text();
    unpacker.number(header.seed);
    header.steps = unpacker.varint();
    header.lessons = header.steps;
    return header;
}

void take_class(Unpacker& unpacker, const Storage& storage, ClassId id, Content& content) {
    ClassEntry& entry = content.classes[id];
    entry.label = unpacker.text();
    // Not varints: a class takes memory, so it must take a minimum of bytes.
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
        if (i > 0 && lineage <= last) refuse("its units are out of order");
        if (!content.units.emplace(lineage, std::move(unit)).second) refuse("a unit occurs twice");
        last = lineage;
    }
}

} // namespace

std::string to_bytes(const ModelState& state) {
    // From the learner: the header of a file from an older version may have fewer parameters.
    ModelHeader header = header_of(*state.learner, state.header.preset);
    const Storage::Columns& columns = state.storage->columns();
    const bool in_order = !learner_kind(header.learner)->classes_are_independent;
    const std::vector<ClassView> classes = sorted_classes(state);
    std::string bytes(magic);
    Packer packer(bytes);
    put_header(packer, header, state.storage->version());
    packer.number(classes.size());
    for (const ClassView& one : classes) {
        if (in_order) packer.number(one.rank);
        packer.text(one.entry.label);
        packer.raw(one.entry.packed);
        packer.number(one.units.size());
        for (const Lineage lineage : one.units) {
            packer.number(lineage);
            const UnitEntry unit = state.unit_entry(lineage).value();
            std::string_view packed = unit.packed;
            put_row(packer, columns.of_unit, packed);
            put_rows(packer, columns.of_node, packed);
            put_rows(packer, columns.of_edge, packed);
        }
    }
    learner::append_checksum(bytes);
    return bytes;
}

namespace {

ModelState parse(std::string_view bytes) {
    if (!bytes.starts_with(magic)) refuse("the magic bytes are missing");
    bytes = learner::strip_checksum(bytes);
    Unpacker unpacker(bytes.substr(magic.size()));
    Content content;
    std::uint64_t storage_version = 0;
    ModelHeader& header = content.header;
    header = take_header(unpacker, storage_version);
    std::unique_ptr<Storage> storage = storage_for(header);
    if (storage_version != storage->version()) {
        throw bad_input(
            fmt::format("it has version {1} of the storage of {0}, and this program knows version {2}",
                        header.learner, storage_version, storage->version()));
    }
    const bool in_order = !learner_kind(header.learner)->classes_are_independent;
    constexpr std::size_t min_class_bytes = 2 + sizeof(std::uint64_t);
    const std::size_t classes = unpacker.count(min_class_bytes);
    std::string last;
    for (std::size_t i = 0; i < classes; ++i) {
        std::uint64_t rank = i;
        if (in_order) unpacker.number(rank);
        const auto id = static_cast<ClassId>(rank + 1);
        if (rank >= classes || content.classes.contains(id)) refuse("its classes are out of order");
        take_class(unpacker, *storage, id, content);
        const std::string& label = content.classes.at(id).label;
        if (i > 0 && label <= last) refuse("its classes are out of order");
        last = label;
    }
    unpacker.end();
    ModelState state(std::move(storage), std::move(content));
    state.header.steps = state.learner->steps();
    check_method(state.header, *state.learner);
    return state;
}

} // namespace

ModelState from_bytes(std::string_view bytes, const std::string& name) {
    try {
        return parse(bytes);
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
