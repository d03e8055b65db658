#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/protocol/parallel.h"
#include "sprig/data.h"
#include "sprig/front_end.h"
#include "sprig/network.h"

namespace sprig::lab {

/// The images of one class, and those of them that the filter keeps.
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

/// Keeps the images whose numbers of components and holes, as found by the front end, match their label.
[[nodiscard]] FilterResult filter(const Dataset& data, const TopologyRule& rule, FrontEnd& front_end,
                                  const Progress& progress = {});

/// Indices of images in a data set, by class.
using ImagesByClass = std::vector<std::vector<std::size_t>>;

/// Groups images by class; images without a label are left out.
[[nodiscard]] ImagesByClass by_class(const Dataset& data, std::span<const std::size_t> images);

/// The images that one seed draws from a pool.
struct Draw {
    ImagesByClass stream;
    ImagesByClass held_out;           ///< disjoint from the stream
    std::vector<std::size_t> classes; ///< the class at each index of the two
};

/// Shuffles the images of each class by seed: the first ones are the stream, the next ones are held out. The
/// sort key of an image depends only on the seed and on its index, so that removing images from the pool does
/// not reorder the others. If `drawn_classes` is not 0, only that number of classes is drawn, in an order
/// drawn by seed. Throws Error(usage) if a class has too few images, or if there are too few classes.
[[nodiscard]] Draw draw(const Dataset& data, std::span<const std::size_t> pool, std::uint64_t seed,
                        std::size_t stream_per_class, std::size_t held_out_per_class,
                        std::size_t drawn_classes = 0);

/// Changes an image before its network is built.
using ChangeImage = std::function<Image(ImageView image, std::size_t index)>;

[[nodiscard]] inline Network network_of(FrontEnd& front_end, ImageView image, std::size_t index,
                                        const ChangeImage& change) {
    return change ? front_end(change(image, index).view()) : front_end(image);
}

/// Networks of images, by class.
using NetworksByClass = std::vector<std::vector<Network>>;

[[nodiscard]] NetworksByClass extract(const Dataset& data, const ImagesByClass& images, FrontEnd& front_end,
                                      const ChangeImage& change = {});

/// The images that a stream is drawn from.
enum class Pool { all, train };
/// The images that accuracy is reported on.
enum class HeldOut {
    paper, ///< twenty images per class, drawn from the pool with the stream
    dev,   ///< the last 10,000 training images; the pool then excludes them
    t10k,  ///< the test part
};
[[nodiscard]] const char* name_of(Pool pool);
[[nodiscard]] const char* name_of(HeldOut held_out);

struct DataOptions {
    Pool pool = Pool::all;
    HeldOut held_out = HeldOut::paper;
    bool filtered = true;          ///< by the paper's topological filter
    std::string dataset = "mnist"; ///< or another one of the same shape
    /// Maximum number of held-out images; the pool has at most 20 times as many. 0: no limit.
    std::size_t limit = 0;

    bool operator==(const DataOptions&) const = default;
    /// Throws Error(usage) if the held-out images would be in the pool.
    void check() const;
    /// The source of the pool, such as "mnist:train, filtered".
    [[nodiscard]] std::string source() const;
};

/// A way to change images before they are learned or tested.
struct View {
    std::string name; ///< identifies the change: results are cached under it
    ChangeImage change = {};
    std::vector<Network> networks = {}; ///< of the held-out images, if they are tested in this view
};

/// The images that all seeds of an experiment share.
struct ExperimentData {
    Dataset dataset;               ///< contains the pool
    std::vector<std::size_t> pool; ///< indices that a stream may be drawn from
    DataOptions options = {};
    std::optional<Dataset> test = {}; ///< not set: the held-out images are in `dataset`
    /// In file order, disjoint from the pool. Empty for HeldOut::paper: every seed draws its own.
    std::vector<std::size_t> held_out = {};
    std::vector<bool> passes_filter = {}; ///< by held-out image
    View learned_view = {"as they are"};  ///< of the images of the stream
    FrontEndParams front_end = {};        ///< of the networks below: the learner's
    /// The held-out images that `options.filtered` leaves, tested along the stream.
    std::optional<NetworksByClass> large = {};
    std::vector<View> views = {}; ///< of all held-out images, tested at the end of the stream

    [[nodiscard]] std::size_t large_size() const;
    [[nodiscard]] const std::vector<std::string>& classes() const { return dataset.classes(); }
    [[nodiscard]] const Dataset& held_out_data() const { return test ? *test : dataset; }
    [[nodiscard]] std::size_t held_out_class(std::size_t i) const {
        return static_cast<std::size_t>(held_out_data().label(held_out[i]));
    }
};

/// The index of the first development image in mnist:train.
inline constexpr std::size_t first_dev_image = 50'000;

/// Loads a data set, without networks. The filter always uses the paper's front end, so that all learners get
/// the same images.
[[nodiscard]] ExperimentData load_data(const DataOptions& options, const Progress& progress = {});

/// Sizes of the networks of one class. Sums are integers, so that the order of summation does not matter.
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
    std::vector<NetworkCounts> classes; ///< that have images
    NetworkCounts all;
};

/// Counts the networks of the given images of a data set.
[[nodiscard]] FrontEndSummary summarise(const Dataset& data, std::span<const std::size_t> images,
                                        FrontEnd& front_end, const Progress& progress = {});

} // namespace sprig::lab
