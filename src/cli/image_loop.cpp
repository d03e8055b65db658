#include "cli/image_loop.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "cli/models.h"
#include "cli/process_group.h"
#include "cli/program.h"
#include "cli/standard_input.h"
#include "cli/terminal.h"
#include "core/keyed.h"
#include "core/ordered_pipeline.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

constexpr std::size_t max_threads = 1024;

/// An image that has been taken from a stream, or the error of a line that names none.
struct TakenImage {
    const ImageStream* stream = nullptr;
    std::size_t position = 0; ///< among all images
    std::optional<UnreadImage> image = {};
    std::optional<Error> error = {};
};

/// An image whose work is done up to the last step, or the error of an image that cannot be used. Neither if
/// the image is not wanted.
struct ProcessedImage {
    std::size_t position = 0;
    LastStep last_step = {};
    std::optional<Error> error = {};
};

/// Takes a step with an image. Returns the error if the image causes one.
template <typename Step>
std::optional<Error> error_of(const Step& step) {
    try {
        step();
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::failed) throw; // not caused by the image
        return error;
    }
    return {};
}

/// Reads an image and extracts its network. Errors contain the image's name.
LabelledNetwork read_network(const TakenImage& taken, FrontEnd& front_end) {
    StreamedImage image = taken.stream->read(*taken.image);
    try {
        return {taken.position, std::move(image.name), std::move(image.label), front_end(image.image.view())};
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("'{}': {}", image.name, error.what()));
    }
}

ProcessedImage process(const TakenImage& taken, FrontEnd& front_end, const ImageLoopOptions& options,
                       const ImageWork& work) {
    ProcessedImage processed{.position = taken.position, .error = taken.error};
    const auto is_wanted = [&](const std::optional<std::string>& label) {
        return !options.wanted || !label || options.wanted(taken.position, *label);
    };
    if (processed.error || !is_wanted(taken.stream->label_of(*taken.image))) return processed;
    std::optional<LabelledNetwork> network;
    processed.error = error_of([&] { network = read_network(taken, front_end); });
    if (processed.error || !is_wanted(network->label)) return processed;
    processed.last_step = work(std::move(*network));
    return processed;
}

/// 0 if the number of images is not known.
std::size_t total_of(const std::vector<ImageStream>& streams) {
    std::size_t all = 0;
    for (const ImageStream& stream : streams) {
        const std::optional<std::size_t> size = stream.size();
        if (!size) return 0;
        all += *size;
    }
    return all;
}

/// The images of all addresses, and the state of the work on them.
class ImageLoop {
  public:
    explicit ImageLoop(const ImageLoopOptions& options);

    void run(const std::function<ImageWork()>& make_work);
    [[nodiscard]] std::size_t skipped() const { return skipped_; }

  private:
    void open(const std::string& address);
    [[nodiscard]] std::size_t threads() const;
    [[nodiscard]] std::optional<TakenImage> take_next();
    [[nodiscard]] bool finish(const ProcessedImage& image);
    void skip(const Error& error);

    const ImageLoopOptions& options_;
    std::size_t limit_;
    PictureConverter converter_;
    StandardInput input_;
    std::vector<ImageStream> streams_;
    std::size_t at_ = 0;       ///< index of the current stream
    std::size_t position_ = 0; ///< of the next image
    std::size_t all_ = 0;      ///< number of images; 0 if unknown
    bool keep_going_;
    ProgressBar bar_;
    std::size_t processed_ = 0;
    std::size_t skipped_ = 0;
};

/// Opens the streams of all addresses, so that errors are found before the work begins.
ImageLoop::ImageLoop(const ImageLoopOptions& options)
    : options_(options), limit_(options.limit.value_or(std::numeric_limits<std::size_t>::max())),
      converter_(options.pictures, options.front_end), bar_(options.progress) {
    for (const std::string& address : options.addresses) open(address);
    all_ = total_of(streams_);
    keep_going_ = options.keep_going.value_or(all_ != 1);
}

void ImageLoop::open(const std::string& address) {
    LoadOptions load;
    load.prepare = [this](const Picture& picture) { return converter_.convert(picture); };
    load.strokes = converter_.strokes();
    if (options_.lines && address == "-") {
        streams_.emplace_back(LabelledLines(input_), load);
        return;
    }
    if (address == drawings_on_input) {
        streams_.emplace_back(StrokeLines(input_), load);
        return;
    }
    ImageStream& stream = streams_.emplace_back(address, load);
    if (options_.shuffle) stream.reorder(random::shuffled(*stream.size(), *options_.shuffle));
}

/// No more than there are images: a thread without work would only cost time.
std::size_t ImageLoop::threads() const {
    const std::size_t wanted = threads_of(options_.threads);
    return std::clamp(all_ == 0 ? wanted : std::min(wanted, all_), std::size_t{1}, max_threads);
}

void ImageLoop::run(const std::function<ImageWork()>& make_work) {
    const OrderedPipeline<TakenImage, ProcessedImage> pipeline{
        .source = [this] { return take_next(); },
        .make_transform =
            [&] {
                return [this, work = make_work(), front_end = std::make_shared<FrontEnd>(options_.front_end)](
                           const TakenImage& taken) { return process(taken, *front_end, options_, work); };
            },
        .consume = [this](const ProcessedImage& image) { return finish(image); },
        .cancel_source = [this] { input_.cancel(); },
        .threads = threads(),
        .limit = options_.parts == 1 ? limit_ : std::numeric_limits<std::size_t>::max()};
    pipeline.run();
    if (options_.parts == 1) converter_.print_ink_summary(); // of a part it would say little
}

std::optional<TakenImage> ImageLoop::take_next() {
    while (at_ < streams_.size() && (options_.parts == 1 || position_ < limit_)) {
        TakenImage taken{.stream = &streams_[at_], .position = position_};
        taken.error = error_of([&] { taken.image = streams_[at_].next_unread(); });
        if (!taken.image && !taken.error) {
            ++at_;
        } else if (position_++ % options_.parts == options_.part) {
            return taken;
        }
    }
    return {};
}

/// Returns whether the image was used.
bool ImageLoop::finish(const ProcessedImage& image) {
    if (options_.at) options_.at(image.position);
    if (image.error) {
        skip(*image.error);
    } else {
        if (image.last_step) image.last_step();
        ++processed_;
    }
    const std::string note = options_.note ? options_.note() : "";
    all_ > 0 ? bar_.update((processed_ + skipped_) * options_.parts, std::min(all_, limit_), note)
             : bar_.count(processed_, note);
    return !image.error;
}

/// Throws the error unless such images are skipped.
void ImageLoop::skip(const Error& error) {
    if (!keep_going_ && error.kind() == ErrorKind::bad_input && all_ != 1)
        throw bad_input(fmt::format("{}; --keep-going skips such images", error.what()));
    if (!keep_going_) throw Error(error);
    print_message(fmt::format("sprig: {}", error.what()));
    ++skipped_;
}

} // namespace

std::size_t for_each_image(const ImageLoopOptions& options, const std::function<ImageWork()>& make_work) {
    ImageLoop loop(options);
    loop.run(make_work);
    return loop.skipped();
}

void add_keep_going_option(CLI::App& verb, bool& keep_going, const char* note) {
    verb.add_flag("--keep-going", keep_going,
                  fmt::format("Skip images that cannot be read; the exit code is then 3{}", note));
}

void add_threads_option(CLI::App& verb, std::optional<std::size_t>& threads) {
    verb.add_option("--threads", threads,
                    "Number of threads; does not change the results (default: one per core)")
        ->check(CLI::Range(std::size_t{1}, max_threads))
        ->type_name("NUMBER");
}

std::size_t threads_of(const std::optional<std::size_t>& threads) {
    return threads.value_or(std::max(1U, std::thread::hardware_concurrency()));
}

void take_own_part(ImageLoopOptions& options, const ProcessGroup* group) {
    if (group == nullptr) return;
    options.part = group->rank();
    options.parts = group->size();
    if (!options.threads) options.threads = 1;
}

void end_after_skips(std::size_t skipped) {
    if (skipped > 0) throw ExitRequest{wrong_input};
}

void report_skipped(std::size_t skipped) {
    if (skipped == 0) return;
    flush_results();
    print_message(fmt::format("sprig: {} skipped", counted(skipped, "image was", "images were")));
    throw ExitRequest{wrong_input};
}

} // namespace sprig::cli
