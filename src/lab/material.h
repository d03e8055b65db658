#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/filter.h"
#include "lab/sampling.h"
#include "sprig/network.h"

namespace sprig::lab {

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

} // namespace sprig::lab
