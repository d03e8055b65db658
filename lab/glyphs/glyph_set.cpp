#include "lab/glyphs/glyph_set.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <fmt/format.h>

#include "lab/glyphs/look_alikes.h"
#include "lab/glyphs/render.h"

namespace sprig::glyphs {

std::u32string_view letters_and_digits() {
    return U"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
}

std::u32string_view letters_and_signs() {
    return U"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
           U"ΔΛΞΣΦΨΩαβδεζηθλμξπςσφχω"
           U"!#$%&()*+/<=>?@~\\£¥€§©¶±÷«ßæøðþ¿¬";
}

std::string utf8(char32_t character) {
    const auto byte = [](char32_t value) { return static_cast<char>(static_cast<unsigned char>(value)); };
    const auto tail = [&](int shift) { return byte(0x80U | ((character >> shift) & 0x3FU)); };
    if (character < 0x80U) return {byte(character)};
    if (character < 0x800U) return {byte(0xC0U | (character >> 6U)), tail(0)};
    if (character < 0x10000U) return {byte(0xE0U | (character >> 12U)), tail(6), tail(0)};
    return {byte(0xF0U | (character >> 18U)), tail(12), tail(6), tail(0)};
}

std::string utf8(std::u32string_view characters) {
    std::string text;
    for (const char32_t character : characters) text += utf8(character);
    return text;
}

namespace {

std::vector<Image> images_of(const FaceSource& source, std::u32string_view characters) {
    const Face face(source);
    std::vector<Image> images;
    images.reserve(characters.size());
    for (const char32_t character : characters) images.push_back(render_glyph(face, character));
    return images;
}

std::vector<Shape> shapes_of(const std::vector<Image>& images) {
    std::vector<Shape> shapes;
    shapes.reserve(images.size());
    for (const Image& image : images) shapes.emplace_back(image.view());
    return shapes;
}

/// The characters of each group, in their order.
std::vector<std::u32string> members_of(std::u32string_view characters, const std::vector<int>& groups) {
    std::vector<std::u32string> members;
    for (std::size_t c = 0; c < characters.size(); ++c) {
        const auto group = static_cast<std::size_t>(groups[c]);
        members.resize(std::max(members.size(), group + 1));
        members[group] += characters[c];
    }
    return members;
}

} // namespace

GlyphSet make_glyph_set(std::u32string_view characters, std::span<const FaceSource> faces) {
    std::vector<std::vector<Image>> images;
    std::vector<std::vector<Shape>> shapes;
    for (const FaceSource& source : faces) {
        images.push_back(images_of(source, characters));
        shapes.push_back(shapes_of(images.back()));
    }
    const std::vector<int> groups = group_look_alikes(shapes);

    GlyphSet set;
    std::vector<std::string> classes;
    for (const std::u32string& group : members_of(characters, groups)) {
        classes.push_back(utf8(group));
        if (group.size() > 1) set.merged.push_back(classes.back());
    }
    set.learn.set_classes(classes);
    set.test.set_classes(classes);
    for (std::size_t f = 0; f < faces.size(); ++f) {
        Dataset& part = faces[f].part == Part::learn ? set.learn : set.test;
        for (std::size_t c = 0; c < characters.size(); ++c) {
            part.add(images[f][c].view(), groups[c],
                     fmt::format("{} in {}", utf8(characters[c]), faces[f].name));
        }
    }
    return set;
}

GlyphSet letter_set() {
    return make_glyph_set(letters_and_digits(), all_faces());
}

GlyphSet large_set() {
    std::vector<FaceSource> faces;
    std::ranges::copy_if(all_faces(), std::back_inserter(faces), &FaceSource::greek);
    return make_glyph_set(letters_and_signs(), faces);
}

} // namespace sprig::glyphs
