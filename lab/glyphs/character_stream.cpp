#include "lab/glyphs/character_stream.h"

#include <algorithm>
#include <bit>

#include "core/keyed.h"
#include "lab/glyphs/glyph_set.h"
#include "lab/glyphs/look_alikes.h"
#include "sprig/error.h"

namespace sprig::glyphs {

std::vector<std::string> CharacterClasses::names() const {
    std::vector<std::string> names;
    names.reserve(characters.size());
    for (const char32_t character : characters) names.push_back(utf8(character));
    for (const std::u32string& group : merged) {
        const std::size_t place = characters.find(group.front());
        if (place != std::u32string::npos) names[place] = utf8(group);
    }
    return names;
}

CharacterClasses character_classes(std::span<const FaceSource> faces, std::u32string_view characters) {
    std::vector<Pair> pairs;
    for (const FaceSource& source : faces) {
        const Face face(source);
        std::vector<Image> images;
        images.reserve(characters.size());
        for (const char32_t character : characters) images.push_back(draw_character(face, character));
        const std::vector<Pair> of_face = coinciding_pairs(images);
        pairs.insert(pairs.end(), of_face.begin(), of_face.end());
    }
    const std::vector<int> groups = group_pairs(characters.size(), pairs);
    std::vector<std::u32string> members;
    for (std::size_t c = 0; c < characters.size(); ++c) {
        const auto group = static_cast<std::size_t>(groups[c]);
        members.resize(std::max(members.size(), group + 1));
        members[group] += characters[c];
    }
    CharacterClasses classes;
    classes.found = characters.size();
    for (const std::u32string& group : members) {
        classes.characters += group.front();
        if (group.size() > 1) classes.merged.push_back(group);
    }
    return classes;
}

CharacterClasses drawn_classes(const CharacterClasses& classes, std::size_t count, std::uint64_t seed) {
    static const std::uint64_t purpose = random::mix("classes of characters");
    CharacterClasses drawn;
    drawn.characters = classes.characters;
    const auto key = [&](char32_t character) { return random::mix({seed, purpose, character}); };
    std::ranges::sort(drawn.characters, {}, key);
    drawn.characters.resize(std::min(count, drawn.characters.size()));
    std::ranges::sort(drawn.characters);
    for (const std::u32string& group : classes.merged) {
        if (std::ranges::binary_search(drawn.characters, group.front())) drawn.merged.push_back(group);
    }
    drawn.found = classes.found;
    return drawn;
}

namespace {

/// Where a number goes in a permutation of 0 to count - 1, without the permutation being stored: a Feistel
/// network with Philox as its function, over the least even number of bits, repeated until the result is in
/// range.
std::uint64_t permuted(std::uint64_t number, std::uint64_t count, std::uint64_t key) {
    const auto half = static_cast<unsigned>((std::bit_width(count - 1) + 1) / 2);
    const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
    constexpr std::uint64_t rounds = 4;
    do {
        std::uint64_t left = number >> half;
        std::uint64_t right = number & mask;
        for (std::uint64_t round = 0; round < rounds; ++round) {
            const std::uint64_t next = left ^ (random::mix({key, round, right}) & mask);
            left = right;
            right = next;
        }
        number = (left << half) | right;
    } while (number >= count);
    return number;
}

} // namespace

CharacterStream::CharacterStream(std::span<const FaceSource> faces, std::u32string_view characters,
                                 std::uint64_t seed, const DistortionLimits& limits)
    : characters_(characters), seed_(seed), limits_(limits) {
    if (faces.empty() || characters.empty())
        throw usage_error("a stream of characters needs at least one face and one character");
    faces_.reserve(faces.size());
    for (const FaceSource& source : faces) faces_.emplace_back(source);
}

CharacterSample CharacterStream::at(std::uint64_t n) const {
    static const std::uint64_t order = random::mix("the order of characters");
    static const std::uint64_t choice = random::mix("the faces of characters");
    const std::uint64_t round = n / characters_.size();
    const std::uint64_t place = n % characters_.size();
    const std::uint64_t label = permuted(place, characters_.size(), random::mix({order, seed_, round}));
    const std::uint64_t cycle = round / faces_.size();
    const std::uint64_t face = permuted(round % faces_.size(), faces_.size(),
                                        random::mix({choice, seed_, cycle, characters_[label]}));
    return {label, face, round + 1};
}

Image CharacterStream::draw(const CharacterSample& sample) const {
    const Face& face = faces_[sample.face];
    const char32_t character = characters_[sample.label];
    return draw_character(face, character,
                          drawn_distortion(limits_, seed_, face.source(), character, sample.copy));
}

} // namespace sprig::glyphs
