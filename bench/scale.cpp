#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <malloc.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#include "core/keyed.h"
#include "lab/glyphs/character_stream.h"
#include "lab/glyphs/glyph_set.h"
#include "sprig/error.h"
#include "sprig/model.h"
#include "store/packed.h"

// What classes cost: the measurements of docs/scale.md. The classes are Chinese characters, one sample each.
//   scale costs N...               processor time and bytes with each number of classes, in ascending order;
//                                  those of the last are also predicted from the others
//   scale decide N BUDGET          decisions among N classes, which scripts/count-decisions counts by stage
//   scale write FOLDER N COPIES    images of N classes, for sprig and sprig-mpi
//   scale balance N RANKS          how evenly the hash of the labels divides N classes
// Further arguments KEY=VALUE set parameters of the learner.

namespace {

using namespace sprig;
namespace fs = std::filesystem;

constexpr std::size_t decisions = 100;
constexpr std::size_t checkpoint = 1024; ///< lessons between two
constexpr std::size_t lessons = 2 * checkpoint;

double seconds_of(const std::function<void()>& work) {
    const std::clock_t begin = std::clock();
    work();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

double allocated() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

/// A stream of as many classes, of which a smaller number is a part. If there are more classes than
/// characters, each face of a character is a class of its own.
class Stream {
  public:
    explicit Stream(std::size_t classes) {
        std::vector<glyphs::FaceSource> faces;
        for (const glyphs::FaceSource& face : glyphs::character_faces())
            if (face.part == glyphs::Part::learn) faces.push_back(face);
        glyphs::CharacterClasses all;
        all.characters = glyphs::common_characters(faces);
        by_face_ = classes > all.characters.size();
        const std::size_t count = by_face_ ? classes / faces.size() : classes;
        if (count > all.characters.size())
            throw usage_error("there are only as many characters as " +
                              std::to_string(all.characters.size()));
        classes_ = by_face_ ? count * faces.size() : count;
        stream_.emplace(faces, glyphs::drawn_classes(all, count, 0).characters, 0);
    }
    [[nodiscard]] std::size_t classes() const { return classes_; }
    /// Sample n. The first samples are one of each class.
    [[nodiscard]] Image image(std::uint64_t n) const { return stream_->image(n); }
    [[nodiscard]] std::string label(std::uint64_t n) const {
        const glyphs::CharacterSample shown = stream_->at(n);
        const std::string name = "class-" + std::to_string(shown.label);
        return by_face_ ? name + "-" + std::to_string(shown.face) : name;
    }

  private:
    std::optional<glyphs::CharacterStream> stream_;
    std::size_t classes_ = 0;
    bool by_face_ = false;
};

struct Sample {
    Network network;
    std::string label;
};

/// Samples of a stream, from `first` on.
std::vector<Sample> samples_of(const Model& model, const Stream& stream, std::size_t first,
                               std::size_t count) {
    std::vector<Sample> samples;
    for (std::size_t n = first; n < first + count; ++n) {
        samples.push_back({model.extract(stream.image(n).view()), stream.label(n)});
    }
    return samples;
}

/// One sample of each class; `round`: the number of samples that they have.
void learn_one_of_each(Model& model, const Stream& stream, std::size_t round = 0) {
    const std::size_t first = round * stream.classes();
    for (std::size_t n = first; n < first + stream.classes(); ++n) {
        model.learn(stream.image(n).view(), stream.label(n));
    }
}

struct Folder {
    Folder() : path(fs::temp_directory_path() / ("scale-" + std::to_string(::getpid()))) {
        fs::create_directories(path);
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    fs::path path;
};

/// How a quantity grows with the number of classes.
enum class Law {
    none,     ///< not fitted
    constant, ///< a
    caches,   ///< a + b log n: with many classes they are no longer in the processor's caches
    linear,   ///< a + b n
    per_unit, ///< the same, of models in which units are found by their summaries
    touched,  ///< a + b m, where m classes have lessons between two checkpoints
};

struct Quantity {
    std::string name;
    Law law;
    std::vector<double> values; ///< by number of classes
};

class Table {
  public:
    void begin() { at_ = 0; }
    void add(const std::string& name, Law law, double value) {
        if (at_ == quantities_.size()) quantities_.push_back({name, law, {}});
        quantities_[at_++].values.push_back(value);
    }
    void print(const std::vector<std::size_t>& sizes) const;

  private:
    std::vector<Quantity> quantities_;
    std::size_t at_ = 0;
};

/// A prediction by a line through the others, with the least sum of squared relative errors.
class Fit {
  public:
    Fit(const Quantity& quantity, const std::vector<std::size_t>& sizes) : law_(quantity.law) {
        constexpr std::size_t least_by_summaries = 513;
        double w = 0;
        double wx = 0;
        double wy = 0;
        double wxx = 0;
        double wxy = 0;
        for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
            const double y = quantity.values[i];
            if (y <= 0 || (law_ == Law::per_unit && sizes[i] < least_by_summaries)) continue;
            const double x = place(sizes[i]);
            const double weight = 1 / (y * y);
            w += weight;
            wx += weight * x;
            wy += weight * y;
            wxx += weight * x * x;
            wxy += weight * x * y;
        }
        if (w == 0) return;
        const double spread = (w * wxx) - (wx * wx);
        slope_ = spread > 1e-9 * w * wxx ? ((w * wxy) - (wx * wy)) / spread : 0;
        constant_ = (wy - (slope_ * wx)) / w;
    }
    [[nodiscard]] double constant() const { return constant_; }
    [[nodiscard]] double slope() const { return slope_; }
    [[nodiscard]] double at(std::size_t classes) const { return constant_ + (slope_ * place(classes)); }

  private:
    [[nodiscard]] double place(std::size_t classes) const {
        const auto n = static_cast<double>(classes);
        switch (law_) {
        case Law::caches:
            return std::log10(n);
        case Law::touched:
            return std::min(n, double{checkpoint});
        case Law::linear:
        case Law::per_unit:
            return n;
        default:
            return 0;
        }
    }

    Law law_;
    double constant_ = 0;
    double slope_ = 0;
};

void Table::print(const std::vector<std::size_t>& sizes) const {
    std::printf("%-36s", "classes");
    for (const std::size_t size : sizes) std::printf(" %9zu", size);
    const bool has_fits = sizes.size() > 2;
    if (has_fits) std::printf(" %10s %8s %10s %10s  %s", "predicted", "error", "constant", "slope", "of");
    std::printf("\n");
    for (const Quantity& quantity : quantities_) {
        std::printf("%-36s", quantity.name.c_str());
        for (const double value : quantity.values) std::printf(" %9.4g", value);
        if (has_fits && quantity.law != Law::none) {
            const Fit fit(quantity, sizes);
            const double predicted = fit.at(sizes.back());
            constexpr const char* of[] = {
                "", "", "log10(classes)", "classes", "classes, from 513 on", "classes, at most 1024"};
            std::printf(" %10.4g %+7.1f%% %10.4g %10.4g  %s", predicted,
                        100 * (predicted / quantity.values.back() - 1), fit.constant(), fit.slope(),
                        of[static_cast<std::size_t>(quantity.law)]);
        }
        std::printf("\n");
    }
}

/// Processor time of a lesson into a file, in microseconds.
double lesson_into(const fs::path& file, const std::vector<Sample>& samples) {
    Model model = Model::open(file);
    return 1e6 / static_cast<double>(samples.size()) * seconds_of([&] {
               for (const Sample& sample : samples) model.learn(sample.network, sample.label);
           });
}

void measure_decisions(const Model& model, const std::vector<Sample>& asked, Table& table) {
    std::vector<std::size_t> exact;
    for (const std::size_t budget : {0U, 1000U, 100U, 10U}) {
        const std::unique_ptr<Reader> reader = model.learner().reader();
        reader->set_budget(budget);
        (void)reader->decide(asked.front().network); // makes the summaries
        double scored = 0;
        std::vector<std::size_t> answers;
        const double seconds = seconds_of([&] {
            for (const Sample& sample : asked) {
                const Decision& decision = reader->decide(sample.network);
                answers.push_back(decision.best.value_or(0));
                scored += static_cast<double>(decision.work.reached);
            }
        });
        const std::string name =
            budget == 0 ? "decision, exact (ms)" : "decision, budget " + std::to_string(budget) + " (ms)";
        table.add(name, Law::per_unit, 1e3 * seconds / static_cast<double>(asked.size()));
        if (budget == 0) {
            exact = answers;
            table.add("... units scored", Law::none, scored / static_cast<double>(asked.size()));
            continue;
        }
        std::size_t differ = 0;
        for (std::size_t i = 0; i < answers.size(); ++i) differ += answers[i] != exact[i] ? 1 : 0;
        table.add("... answers that differ, of " + std::to_string(asked.size()), Law::none,
                  static_cast<double>(differ));
    }
}

/// Two models of half of the classes, in files.
std::array<fs::path, 2> halves(const Folder& folder, const Stream& stream, const Settings& settings) {
    std::array<fs::path, 2> files = {folder.path / "first.sprig", folder.path / "second.sprig"};
    for (std::size_t half = 0; half < 2; ++half) {
        ModelOptions options;
        options.settings = settings;
        Model model(options);
        for (std::size_t n = half; n < stream.classes(); n += 2) {
            model.learn(stream.image(n).view(), stream.label(n));
        }
        model.save(files[half]);
    }
    return files;
}

void measure(std::size_t classes, const Settings& settings, Table& table) {
    const Stream stream(classes);
    const Folder folder;
    ModelOptions options;
    options.settings = settings;
    table.begin();
    const Model empty(options);
    // The networks of lessons: the second sample of classes. Ten classes in turn, and all of them.
    std::vector<Sample> spread = samples_of(empty, stream, classes, std::min(classes, lessons));
    std::vector<Sample> same(
        spread.begin(), spread.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(10, classes)));
    const std::vector<Sample> asked = samples_of(empty, stream, 3 * classes, decisions);
    for (std::size_t i = 0; spread.size() < lessons; ++i) spread.push_back(spread[i]);
    for (std::size_t i = 0; same.size() < lessons; ++i) same.push_back(same[i]);
    double nodes = 0;
    double message = 0;
    for (const Sample& sample : asked) {
        nodes += static_cast<double>(sample.network.node_count());
        message += static_cast<double>(store::pack_lesson(sample.network, sample.label, 0).size());
    }
    table.add("nodes of a network", Law::constant, nodes / decisions);
    table.add("message of a network (bytes)", Law::constant, message / decisions);
    std::vector<Image> images;
    for (std::size_t i = 0; i < decisions; ++i) images.push_back(stream.image(i));
    (void)empty.extract(images.front().view());
    table.add("front end (us)", Law::constant, 1e6 / decisions * seconds_of([&] {
                                                   for (const Image& image : images)
                                                       (void)empty.extract(image.view());
                                               }));

    const fs::path file = folder.path / "a.sprig";
    std::string bytes;
    {
        const double before = allocated();
        Model model(options);
        learn_one_of_each(model, stream);
        table.add("memory (MB)", Law::per_unit, (allocated() - before) / 1e6);
        (void)model.learner().reader()->decide(asked.front().network);
        table.add("... after an answer (MB)", Law::per_unit, (allocated() - before) / 1e6);
        measure_decisions(model, asked, table);
        table.add("save (s)", Law::linear, seconds_of([&] { model.save(file); }));
        table.add("to_bytes (s)", Law::linear, seconds_of([&] { bytes = model.to_bytes(); }));
        table.add("lesson in memory, ten classes (us)", Law::constant, 1e6 / lessons * seconds_of([&] {
                                                                           for (const Sample& sample : same)
                                                                               model.learn(sample.network,
                                                                                           sample.label);
                                                                       }));
    }
    {
        Model model = Model::load(file);
        table.add("lesson in memory, all classes (us)", Law::touched, 1e6 / lessons * seconds_of([&] {
                                                                          for (const Sample& sample : spread)
                                                                              model.learn(sample.network,
                                                                                          sample.label);
                                                                      }));
    }
    table.add("file (MB)", Law::linear, static_cast<double>(fs::file_size(file)) / 1e6);
    table.add("bytes form (MB)", Law::linear, static_cast<double>(bytes.size()) / 1e6);
    table.add("load (s)", Law::linear, seconds_of([&] { (void)Model::load(file); }));
    table.add("from_bytes (s)", Law::linear, seconds_of([&] { (void)Model::from_bytes(bytes); }));
    {
        const Model model = Model::load(file);
        table.add("first answer after it (s)", Law::linear,
                  seconds_of([&] { (void)model.decide(asked.front().network); }));
    }
    fs::copy_file(file, folder.path / "b.sprig");
    table.add("lesson into a file, ten classes (us)", Law::constant, lesson_into(file, same));
    table.add("lesson into a file, all classes (us)", Law::touched,
              lesson_into(folder.path / "b.sprig", spread));
    {
        const double before = allocated();
        Model model = Model::load(file);
        learn_one_of_each(model, stream, 1);
        table.add("memory, two samples (MB)", Law::linear, (allocated() - before) / 1e6);
        table.add("... units", Law::linear, static_cast<double>(model.model_size().total()));
        const std::vector<Sample> few(asked.begin(), asked.begin() + 20);
        for (const std::size_t budget : {0U, 100U}) {
            const std::unique_ptr<Reader> reader = model.learner().reader();
            reader->set_budget(budget);
            (void)reader->decide(few.front().network);
            const double seconds = seconds_of([&] {
                for (const Sample& sample : few) (void)reader->decide(sample.network);
            });
            table.add(budget == 0 ? "... decision, exact (ms)" : "... decision, budget 100 (ms)",
                      Law::per_unit, 1e3 * seconds / static_cast<double>(few.size()));
        }
        const fs::path second = folder.path / "second-sample.sprig";
        model.save(second);
        table.add("... file (MB)", Law::linear, static_cast<double>(fs::file_size(second)) / 1e6);
    }
    const auto parts = halves(folder, stream, settings);
    table.add("merge of two halves (s)", Law::linear,
              seconds_of([&] { merge_models(parts[0], parts[1], folder.path / "merged.sprig"); }));
}

void decide(std::size_t classes, std::size_t budget, const Settings& settings) {
    const Stream stream(classes);
    ModelOptions options;
    options.settings = settings;
    Model model(options);
    learn_one_of_each(model, stream);
    const std::vector<Sample> asked = samples_of(model, stream, 3 * classes, decisions);
    const std::unique_ptr<Reader> reader = model.learner().reader();
    reader->set_budget(budget);
    (void)reader->decide(asked.front().network);
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    for (const Sample& sample : asked) (void)reader->decide(sample.network);
    CALLGRIND_DUMP_STATS_AT("work");
    CALLGRIND_STOP_INSTRUMENTATION;
}

void write_images(const fs::path& folder, std::size_t classes, std::size_t copies) {
    const Stream stream(classes);
    for (std::size_t n = 0; n < classes * copies; ++n) {
        const Image image = stream.image(n);
        const fs::path of_class = folder / stream.label(n);
        fs::create_directories(of_class);
        std::ofstream file(of_class / (std::to_string(n / classes) + ".pgm"), std::ios::binary);
        file << "P5\n" << image.width << ' ' << image.height << "\n255\n";
        file.write(reinterpret_cast<const char*>(image.pixels.data()),
                   static_cast<std::streamsize>(image.pixels.size()));
        if (!file) throw failed("cannot write into '" + of_class.string() + "'");
    }
}

/// What the busiest process has to learn, as a multiple of the mean.
void print_balance(std::size_t classes, std::size_t ranks) {
    constexpr std::size_t rounds = 20;
    constexpr std::size_t images_per_round = 128; // of each process, as in src/cli/group_learning.cpp
    constexpr std::size_t samples_of_class = 100;
    std::vector<std::size_t> owners;
    for (std::size_t n = 0; n < classes; ++n) owners.push_back(shard_of("class-" + std::to_string(n), ranks));
    const auto busiest = [&](std::size_t samples, const std::function<std::size_t(std::size_t)>& class_of) {
        std::vector<std::size_t> counts(ranks);
        for (std::size_t i = 0; i < samples; ++i) ++counts[owners[class_of(i)]];
        return static_cast<double>(std::ranges::max(counts)) * static_cast<double>(ranks) /
               static_cast<double>(samples);
    };
    const std::size_t round = images_per_round * ranks;
    double shuffled = 0;
    double in_order = 0;
    for (std::size_t r = 0; r < rounds; ++r) {
        shuffled += busiest(round, [&](std::size_t i) { return random::mix({r, i}) % classes; }) / rounds;
        const std::size_t first = random::mix({r}) % classes;
        in_order +=
            busiest(round, [&](std::size_t i) { return (first + (i / samples_of_class)) % classes; }) /
            rounds;
    }
    std::printf("%zu classes, %zu processes: the busiest has %.3f of the mean in classes\n", classes, ranks,
                busiest(classes, [](std::size_t i) { return i; }));
    std::printf("in a round of %zu images per process: %.2f if images are shuffled, %.2f class by class (%zu "
                "of each)\n",
                images_per_round, shuffled, in_order, samples_of_class);
}

int usage() {
    std::fprintf(
        stderr,
        "scale costs N... | decide N BUDGET | write FOLDER N COPIES | balance N RANKS, then KEY=VALUE...\n");
    return 2;
}

} // namespace

int main(int argc, char** argv) {
    try {
        std::vector<std::string> words;
        Settings settings;
        for (int i = 1; i < argc; ++i) {
            const std::string word = argv[i];
            if (const auto at = word.find('='); at != std::string::npos) {
                settings.emplace_back(word.substr(0, at), word.substr(at + 1));
            } else {
                words.push_back(word);
            }
        }
        if (words.size() > 1 && words[0] == "costs") {
            std::vector<std::size_t> sizes;
            Table table;
            for (std::size_t i = 1; i < words.size(); ++i) {
                sizes.push_back(std::stoul(words[i]));
                measure(sizes.back(), settings, table);
            }
            table.print(sizes);
        } else if (words.size() == 3 && words[0] == "decide") {
            decide(std::stoul(words[1]), std::stoul(words[2]), settings);
        } else if (words.size() == 3 && words[0] == "balance") {
            print_balance(std::stoul(words[1]), std::stoul(words[2]));
        } else if (words.size() == 4 && words[0] == "write") {
            write_images(words[1], std::stoul(words[2]), std::stoul(words[3]));
        } else {
            return usage();
        }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "scale: %s\n", error.what());
        return 1;
    }
}
