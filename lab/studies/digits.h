#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/protocol/parallel.h"
#include "lab/report/study.h"

namespace sprig::lab {

/// The digits that studies learn from and are tested on.
struct Digits {
    Dataset train;
    std::optional<Dataset> test;       ///< none: the held-out images are of the training part, too
    std::vector<std::size_t> pool;     ///< training images, in file order
    std::vector<std::size_t> held_out; ///< in file order: none is in the pool
    std::vector<bool> typical;         ///< by held-out image: the paper's filter keeps it
    std::string source = {};           ///< what the pool is, in words

    [[nodiscard]] const Dataset& held_out_data() const { return test ? *test : train; }
    [[nodiscard]] std::size_t held_out_class(std::size_t i) const {
        return static_cast<std::size_t>(held_out_data().label(held_out[i]));
    }
    [[nodiscard]] const std::vector<std::string>& classes() const { return train.classes(); }
};

/// MNIST as the context asks for it. With `filtered` the pool is what the paper's filter keeps; the held-out
/// images are always there, and marked.
[[nodiscard]] Digits load_digits(const StudyContext& context, bool filtered);

/// How many samples of each class a stream has: 100, as in the paper, or what the limit leaves.
[[nodiscard]] std::size_t stream_per_class(const StudyContext& context);

/// Shows an image in another way; `index` is its place in the list.
using ShowImage = std::function<Image(ImageView image, std::size_t index)>;

/// The networks of some images, in their order, as `show` shows them (without it, as they are).
[[nodiscard]] std::vector<Network> networks_of(const StudyContext& context, const Dataset& data,
                                               const std::vector<std::size_t>& images,
                                               const FrontEndParams& front_end, const ShowImage& show = {});

/// The stream of one seed, of the usual kind: by class, in the order drawn.
[[nodiscard]] NetworksByClass stream_of(const StudyContext& context, const Digits& digits, std::uint64_t seed,
                                        const FrontEndParams& front_end, const ShowImage& show = {},
                                        const Tick& tick = {});
/// Those of all seeds.
[[nodiscard]] std::vector<NetworksByClass> streams_of(const StudyContext& context, const Digits& digits,
                                                      const FrontEndParams& front_end,
                                                      const ShowImage& show = {});

/// Teaches a stream in the paper's order: cycles of all classes with five samples each.
void teach(Learner& learner, const std::vector<std::string>& classes, const NetworksByClass& stream,
           const Tick& tick = {});

/// Counts what was recognised.
class Tally {
  public:
    explicit Tally(std::size_t classes) : right_(classes), images_(classes) {}

    void add(std::size_t label, bool right) {
        ++images_[label];
        if (right) ++right_[label];
    }
    [[nodiscard]] double plain() const;    ///< the mean over images
    [[nodiscard]] double balanced() const; ///< the mean over the classes that have images

  private:
    std::vector<std::size_t> right_;
    std::vector<std::size_t> images_;
};

/// Which class a model takes each network for: an index into `classes`, or their number for none of them.
[[nodiscard]] std::vector<std::size_t> decisions(Reader& reader, std::span<const Network> networks,
                                                 const std::vector<std::string>& classes, const Tick& tick);
/// The same with the work spread over threads, for a model that is asked on its own.
[[nodiscard]] std::vector<std::size_t> decisions(const StudyContext& context, const Reader& reader,
                                                 const std::vector<Network>& networks,
                                                 const std::vector<std::string>& classes);

/// Accuracies on held-out digits.
struct DigitScores {
    double filtered_balanced = 0; ///< the mean over classes on those that the paper's filter keeps
    double plain = 0;             ///< the mean over all images
    double balanced = 0;          ///< the mean over classes on all images
};
[[nodiscard]] DigitScores score_digits(const Digits& digits, const std::vector<std::size_t>& decided);

/// "t10k: 10,000 images, of which the paper's filter keeps 8,700", for a note.
[[nodiscard]] std::string in_words(const StudyContext& context, const Digits& digits);

/// One of several settings that are compared.
struct Variant {
    std::string name; ///< a folder of kept pieces is called so, too
    LearnerChoice setting;
};

/// One of several ways in which the held-out digits are shown.
struct View {
    std::string name; ///< says all that the images hang on: what is kept under it is taken for the same
    ShowImage show;
};

/// What one setting gave with one seed.
struct VariantRun {
    std::vector<DigitScores> scores; ///< by view
    Census census;
};

/// How images are shown: those that are learned in one way, those held out in one way or several.
struct Views {
    ShowImage learned = {};
    std::vector<View> held_out = {{"as they are", {}}};
    /// How those that are learned are shown, in words that say all that they hang on.
    std::string learned_name = {};
};

/// Lets every variant learn every seed's stream and asks it for all held-out digits, in every view. The
/// result by variant, then seed. Networks are made once for all variants that see alike, and only if
/// something is not kept yet.
[[nodiscard]] std::vector<std::vector<VariantRun>> run_variants(const StudyContext& context,
                                                                const Digits& digits,
                                                                const std::vector<Variant>& variants,
                                                                const Views& views = {});

/// One number of each seed's run.
template <class Get>
std::vector<double> over_seeds(const std::vector<VariantRun>& runs, Get get) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const VariantRun& run : runs) values.push_back(static_cast<double>(get(run)));
    return values;
}

} // namespace sprig::lab
