#include "cli/models.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "cli/options.h"
#include "cli/program.h"
#include "cli/shell_support.h"
#include "cli/standard_input.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "core/keyed.h"
#include "sprig/error.h"

namespace sprig::cli {

CLI::Option* add_model_option(CLI::App& verb, std::string& path, const char* description) {
    return verb.add_option("MODEL", path, description)->required();
}

CLI::Option& add_maturity_option(CLI::App& verb, std::optional<std::uint64_t>& maturity) {
    return *verb.add_option("--maturity", maturity,
                            "Minimum number of observations of a drawn unit (default: 2; for a class without "
                            "such a unit, its most observed one)")
                ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1'000'000'000'000}))
                ->type_name("NUMBER");
}

void set_address_completions(CLI::Option& option) {
    set_completions(option, address_completions(), FileNames::allowed);
}

std::string hexadecimal(std::uint64_t number) {
    return fmt::format("{:016x}", number);
}

std::string counted(std::uint64_t number, std::string_view what, std::string_view plural) {
    if (number == 1) return fmt::format("1 {}", what);
    return plural.empty() ? fmt::format("{} {}s", with_commas(number), what)
                          : fmt::format("{} {}", with_commas(number), plural);
}

const char* polarity_name(Polarity polarity) {
    return polarity == Polarity::positive ? "positive" : "negative";
}

std::string learner_and_preset(const ModelFacts& facts) {
    return facts.preset.empty() ? facts.learner : fmt::format("{}, preset {}", facts.learner, facts.preset);
}

Model load_trained_model(const std::string& path) {
    Model model = Model::load(path);
    if (model.learner().classes().empty()) {
        throw usage_error(
            fmt::format("'{}' has no classes yet; learn images with 'sprig learn' first", path));
    }
    return model;
}

std::uint64_t age_of(const Model& model, const UnitView& unit) {
    std::uint64_t now = model.learner().steps();
    if (learner_kind(model.facts().learner)->classes_are_independent) {
        const std::vector<std::string> classes = model.learner().classes();
        const auto at = std::ranges::find(classes, unit.label) - classes.begin();
        now = model.samples().at(static_cast<std::size_t>(at));
    }
    return now - std::min(now, unit.born);
}

namespace {

/// Opens the streams of all addresses, so that errors are found before the work begins.
std::vector<ImageStream> open_all(const ImageLoopOptions& options, const LoadOptions& load,
                                  std::istream& input) {
    std::vector<ImageStream> streams;
    for (const std::string& address : options.addresses) {
        if (options.lines && address == "-") {
            streams.emplace_back(LabelledLines(input), load);
            continue;
        }
        ImageStream& stream = streams.emplace_back(address, load);
        if (options.shuffle) stream.reorder(random::shuffled(*stream.size(), *options.shuffle));
    }
    return streams;
}

/// Reads the next image of a stream and extracts its network; nullopt at the end. Errors contain the image's
/// name.
std::optional<StreamedImage> read_next(ImageStream& stream, FrontEnd& front_end, Network& network) {
    std::optional<StreamedImage> image = stream.next();
    if (!image) return image;
    try {
        front_end.extract(image->image.view(), network);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("'{}': {}", image->name, error.what()));
    }
    return image;
}

} // namespace

std::size_t for_each_image(const ImageLoopOptions& options,
                           const std::function<void(const LabelledNetwork&)>& process) {
    PictureConverter converter(options.pictures);
    LoadOptions load;
    load.prepare = [&](const Picture& picture) { return converter.convert(picture); };
    StandardInput input;
    std::vector<ImageStream> streams = open_all(options, load, input);
    std::size_t all = 0; // 0 if unknown
    for (const ImageStream& stream : streams) all += stream.size().value_or(0);
    const bool keep_going = options.keep_going.value_or(all > 1);
    const std::size_t limit = options.limit.value_or(std::numeric_limits<std::size_t>::max());
    FrontEnd front_end(options.front_end);
    Network network(front_end.schema());
    ProgressBar bar(options.progress);
    std::size_t processed = 0;
    std::size_t skipped = 0;
    for (ImageStream& stream : streams) {
        while (processed < limit) {
            std::optional<StreamedImage> image;
            std::string error_text;
            try {
                image = read_next(stream, front_end, network);
            } catch (const Error& error) {
                // A failure that is not caused by the image.
                if (error.kind() == ErrorKind::failed) throw;
                error_text = error.what();
                if (!keep_going && error.kind() == ErrorKind::bad_input && all != 1)
                    throw bad_input(error_text + "; --keep-going skips such images");
                if (!keep_going) throw;
            }
            if (image) {
                process({image->name, image->label, network});
                ++processed;
            } else if (!error_text.empty()) {
                print_message(fmt::format("sprig: {}", error_text));
                ++skipped;
            } else {
                break;
            }
            const std::string note = options.note ? options.note() : "";
            all > 0 ? bar.update(processed + skipped, std::min(all, limit), note)
                    : bar.count(processed, note);
        }
    }
    converter.print_ink_summary();
    return skipped;
}

void add_keep_going_option(CLI::App& verb, bool& keep_going, const char* note) {
    verb.add_flag("--keep-going", keep_going,
                  fmt::format("Skip images that cannot be read; the exit code is then 3{}", note));
}

void report_skipped(std::size_t skipped) {
    if (skipped == 0) return;
    flush_results();
    print_message(fmt::format("sprig: {} skipped", counted(skipped, "image was", "images were")));
    throw ExitRequest{wrong_input};
}

} // namespace sprig::cli
