#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/protocol/parallel.h"
#include "sprig/data.h"
#include "sprig/front_end.h"
#include "sprig/network.h"

namespace sprig::lab {

/// How many images of a class there are, and how many the filter keeps.
struct FilterCount {
    std::string label;
    std::size_t images = 0;
    std::size_t kept = 0;
};

struct FilterResult {
    std::vector<std::size_t> kept; ///< indices into the data set, ascending
    std::vector<FilterCount> classes;
    std::size_t images = 0;
};

/// Keeps the images whose components and holes, as the front end sees them, are those of their label.
[[nodiscard]] FilterResult filter(const Dataset& data, const TopologyRule& rule, FrontEnd& front_end,
                                  const Progress& progress = {});

/// Indices of images in a data set, by class.
using ImagesByClass = std::vector<std::vector<std::size_t>>;

/// Sorts images by their class; those without a label are left out.
[[nodiscard]] ImagesByClass by_class(const Dataset& data, std::span<const std::size_t> images);

/// What one seed takes from a pool.
struct Draw {
    ImagesByClass stream;
    ImagesByClass held_out;           ///< none of them is in the stream
    std::vector<std::size_t> classes; ///< which class comes in which place of the two
};

/// Of each class the images in an order that depends on the seed: the first ones are the stream, the next
/// ones held out. An image's place in the order hangs on the seed and on its own index alone, so that a pool
/// with some images taken away gives the others in the same order. With `drawn_classes` there are only so
/// many classes, which ones and in what order hangs on the seed; 0: all in their order. Throws Error(usage)
/// if a class has too few images, or there are too few classes.
[[nodiscard]] Draw draw(const Dataset& data, std::span<const std::size_t> pool, std::uint64_t seed,
                        std::size_t stream_per_class, std::size_t held_out_per_class,
                        std::size_t drawn_classes = 0);

/// Networks of images, by class.
using NetworksByClass = std::vector<std::vector<Network>>;

[[nodiscard]] NetworksByClass extract(const Dataset& data, const ImagesByClass& images, FrontEnd& front_end,
                                      const Progress& progress = {});

/// What the images of a stream are drawn from.
enum class Pool { all, train };
/// What accuracy is reported on.
enum class HeldOut {
    paper, ///< twenty images per class, drawn from the pool with the stream
    dev,   ///< the last 10,000 training images, which nothing is then drawn from
    t10k,  ///< the test part
};
[[nodiscard]] const char* name_of(Pool pool);
[[nodiscard]] const char* name_of(HeldOut held_out);

struct MaterialOptions {
    Pool pool = Pool::all;
    HeldOut held_out = HeldOut::paper;
    bool filtered = true;          ///< by the paper's topological filter
    std::string dataset = "mnist"; ///< or another one of the same shape

    bool operator==(const MaterialOptions&) const = default;
    /// Throws Error(usage) if the held-out images would be in the pool.
    void check() const;
};

/// What all seeds of an experiment share.
struct Material {
    Dataset data;                  ///< with the pool
    std::vector<std::size_t> pool; ///< indices that a stream may be drawn from
    FrontEndParams front_end = {}; ///< that the networks below are made with: the learner's
    /// The networks of the large held-out set, if there is one. The same for all seeds.
    std::optional<NetworksByClass> large = {};
    std::string source = {}; ///< what the images are, and which of them, in words

    [[nodiscard]] std::size_t large_size() const;
};

/// Where the development images begin in mnist:train.
inline constexpr std::size_t first_dev_image = 50'000;

/// Splits off the development images: those from `first` on leave the pool and are returned.
[[nodiscard]] std::vector<std::size_t> split_off(std::vector<std::size_t>& pool, std::size_t first);

/// Loads a data set as the options say. The filter always sees with the paper's front end, so that all
/// learners meet the same images; networks are made with the learner's own.
[[nodiscard]] Material load_material(const MaterialOptions& options, const FrontEndParams& front_end,
                                     const Progress& progress = {});

/// What the networks of one class are like. Sums are whole numbers, so that the order of summation does
/// not matter.
struct NetworkCounts {
    std::string label;
    std::size_t images = 0;
    std::uint64_t nodes = 0;
    std::uint64_t most_nodes = 0;
    std::uint64_t edges = 0;        ///< of all levels
    std::uint64_t finest_edges = 0; ///< of level 0
    std::uint64_t levels = 0;       ///< with at least one edge

    void add(const Network& network);
    void add(const NetworkCounts& other);
    [[nodiscard]] double mean(std::uint64_t sum) const {
        return images == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(images);
    }
};

struct FrontEndSummary {
    std::vector<NetworkCounts> classes; ///< without those that have no image
    NetworkCounts all;
};

/// Counts the networks of the given images of a data set.
[[nodiscard]] FrontEndSummary summarise(const Dataset& data, std::span<const std::size_t> images,
                                        FrontEnd& front_end, const Progress& progress = {});

} // namespace sprig::lab
