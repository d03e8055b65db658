#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/glyphs/characters.h"

namespace sprig::glyphs {

/// Characters as classes.
struct CharacterClasses {
    /// One character of each class, in the order of their numbers.
    std::u32string characters;
    /// Look-alikes that form one class; only the first character of each is drawn.
    std::vector<std::u32string> merged;
    /// The number of characters before merging.
    std::size_t found = 0;

    /// The names of the classes: the character, or all look-alikes.
    [[nodiscard]] std::vector<std::string> names() const;
};

/// The classes of characters that all faces have: those whose pictures coincide in one of the faces
/// (`coinciding_pairs`) are one class. Throws Error(failed) if a face is not installed.
[[nodiscard]] CharacterClasses character_classes(std::span<const FaceSource> faces,
                                                 std::u32string_view characters);

/// `count` of the classes, drawn by seed; all of them if there are fewer. For one seed a smaller number gives
/// a part of what a larger one gives.
[[nodiscard]] CharacterClasses drawn_classes(const CharacterClasses& classes, std::size_t count,
                                             std::uint64_t seed);

/// What a sample of a stream shows.
struct CharacterSample {
    std::size_t label = 0; ///< the place of its character
    std::size_t face = 0;  ///< the place of its face
    std::uint64_t copy = 0;

    bool operator==(const CharacterSample&) const = default;
};

/// An endless stream of distorted characters, of which nothing is stored. Its samples come in rounds: each
/// round has every class once, in an order of its own. The faces of a class change from round to round, so
/// that all of them come once in as many rounds as there are faces. Sample n is a function of the seed and n
/// alone; samples can be drawn in any order and by any number of streams. One stream per thread.
class CharacterStream {
  public:
    /// Throws Error(failed) if a face is not installed, Error(usage) without faces or characters.
    CharacterStream(std::span<const FaceSource> faces, std::u32string_view characters, std::uint64_t seed,
                    const DistortionLimits& limits = {});

    /// What sample n shows.
    [[nodiscard]] CharacterSample at(std::uint64_t n) const;
    [[nodiscard]] Image draw(const CharacterSample& sample) const;
    /// The image of sample n.
    [[nodiscard]] Image image(std::uint64_t n) const { return draw(at(n)); }

    [[nodiscard]] std::size_t classes() const { return characters_.size(); }

  private:
    std::vector<Face> faces_;
    std::u32string characters_;
    std::uint64_t seed_;
    DistortionLimits limits_;
};

} // namespace sprig::glyphs
