#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/front_end_options.h"
#include "sprig/front_end.h"
#include "sprig/network.h"

namespace sprig::cli {

class ProcessGroup;

// The work of a verb on many images.

/// An image as a network.
struct LabelledNetwork {
    std::size_t position = 0; ///< among all images
    std::string name;
    std::string label; ///< empty if unlabelled
    Network network;
};

/// The last step of the work on an image.
using LastStep = std::function<void()>;
/// The work on an image. Returns its last step.
using ImageWork = std::function<LastStep(LabelledNetwork)>;

/// The address of drawings on standard input, one per line.
inline constexpr const char* drawings_on_input = "strokes:-";

/// The images of a verb and how to process them.
struct ImageLoopOptions {
    std::vector<std::string> addresses;
    PictureOptions pictures;
    FrontEndParams front_end;
    const char* progress = ""; ///< label of the progress bar
    /// Whether unreadable images are reported and skipped; nullopt: only if there may be several images.
    std::optional<bool> keep_going = false;
    bool lines = false; ///< whether the address - means lines of label<TAB>path on standard input
    std::optional<std::size_t> limit = {};     ///< maximum number of images
    std::optional<std::uint64_t> shuffle = {}; ///< seed
    std::optional<std::size_t> threads = {};   ///< nullopt: one per core
    std::function<std::string()> note = {};    ///< shown after the progress bar
    /// Whether an image is wanted, by its position among all images and its label; the others are not
    /// processed, and not read if their label is known before. They count towards the limit.
    std::function<bool(std::size_t position, const std::string& label)> wanted = {};
    /// Only the images at every `parts`-th position are taken, from position `part` on. With more than one
    /// part, the limit is the number of images in all parts, also of those that cannot be read.
    std::size_t part = 0;
    std::size_t parts = 1;
    /// Called with the position of an image before its last step, or before its error is thrown.
    std::function<void(std::size_t position)> at = {};
};

/// Reads all images and works on them, in several threads; `make_work` is called once for each. The last
/// steps are taken in the calling thread, in the order of the images. Returns the number of skipped images.
std::size_t for_each_image(const ImageLoopOptions& options, const std::function<ImageWork()>& make_work);

/// The number of threads; nullopt: one per core.
[[nodiscard]] std::size_t threads_of(const std::optional<std::size_t>& threads);

/// Of the images of a group of processes, each process takes a part. Without a group, does nothing. Also sets
/// the number of threads to one, because there can be a process for each core.
void take_own_part(ImageLoopOptions& options, const ProcessGroup* group);

/// Adds --keep-going; `note` is appended to its help.
void add_keep_going_option(CLI::App& verb, bool& keep_going, const char* note = "");
/// Adds --threads.
void add_threads_option(CLI::App& verb, std::optional<std::size_t>& threads);
/// Ends a verb after its result was printed: if images were skipped, reports how many and requests exit code
/// 3.
void report_skipped(std::size_t skipped);
/// The same without a report, in a process that prints nothing.
void end_after_skips(std::size_t skipped);

} // namespace sprig::cli
