#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include "data/files.h"
#include "lab/glyphs/character_stream.h"
#include "lab/glyphs/glyph_set.h"
#include "lab/report/study.h"
#include "sprig/model.h"

namespace sprig::lab::studies::long_run {

namespace {

using data_detail::TemporaryFolder;

constexpr std::size_t lessons_per_class = 100;
constexpr std::size_t most_lessons = 1'000'000;
constexpr std::size_t least_classes = 10;
constexpr std::size_t tenths = 10;
constexpr std::size_t tested = 100;

/// The processor time of the process and the time on the clock, in ms.
struct Times {
    double processor = 0;
    double clock = 0;

    Times& operator+=(const Times& other) {
        processor += other.processor;
        clock += other.clock;
        return *this;
    }
};

Times time_of(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t processor = std::clock();
    work();
    return {1000 * static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC,
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count()};
}

/// The bytes that are allocated in the process.
double allocated() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

/// What is learned, and how much of it.
struct Stream {
    std::u32string characters;
    std::vector<std::string> names;
    std::vector<glyphs::FaceSource> faces;
    std::size_t lessons = 0;
    std::uint64_t seed = 0;

    [[nodiscard]] glyphs::CharacterStream open() const { return {faces, characters, seed}; }
};

Stream stream_of(const StudyContext& context) {
    Stream stream;
    stream.seed = context.seeds.front();
    stream.lessons = context.limited(most_lessons);
    const std::size_t classes = std::max(least_classes, stream.lessons / lessons_per_class);
    const auto all = glyphs::character_faces();
    std::ranges::copy_if(all, std::back_inserter(stream.faces),
                         [](const glyphs::FaceSource& face) { return face.part == glyphs::Part::learn; });
    // A few of them are quicker to find than all.
    const char32_t last = std::min<char32_t>(glyphs::last_character,
                                             glyphs::first_character + static_cast<char32_t>(4 * classes));
    const glyphs::CharacterClasses found =
        glyphs::character_classes(all, glyphs::common_characters(all, last));
    const glyphs::CharacterClasses drawn = glyphs::drawn_classes(found, classes, stream.seed);
    stream.characters = drawn.characters;
    stream.names = drawn.names();
    return stream;
}

struct Tenth {
    Times lesson;      ///< the mean
    double bytes = 0;  ///< of the file
    double memory = 0; ///< allocated since the model was made
    std::size_t units = 0;
};

struct Run {
    std::vector<Tenth> tenths;
    std::uint64_t digest = 0;
    double accuracy = 0;
    std::size_t classes = 0;
};

/// Learns the stream. `file_size` is asked after every tenth.
Run learn(Model& model, const Stream& stream, const std::function<double()>& file_size, const Tick& tick) {
    const glyphs::CharacterStream samples = stream.open();
    const double before = allocated();
    Run run;
    std::uint64_t n = 0;
    for (std::size_t part = 1; part <= tenths; ++part) {
        const std::uint64_t end = stream.lessons * part / tenths;
        Tenth& tenth = run.tenths.emplace_back();
        const std::uint64_t first = n;
        for (; n < end; ++n) {
            tick();
            const glyphs::CharacterSample sample = samples.at(n);
            const Image image = samples.draw(sample);
            tenth.lesson += time_of([&] { (void)model.learn(image.view(), stream.names[sample.label]); });
        }
        const double count = std::max(1.0, static_cast<double>(n - first));
        tenth.lesson.processor /= count;
        tenth.lesson.clock /= count;
        tenth.bytes = file_size();
        tenth.memory = allocated() - before;
        tenth.units = model.model_size().total();
    }
    std::size_t right = 0;
    for (std::uint64_t i = 0; i < tested; ++i) {
        tick();
        const glyphs::CharacterSample sample = samples.at(stream.lessons + i);
        if (model.decide(samples.draw(sample).view()) == stream.names[sample.label]) ++right;
    }
    run.accuracy = static_cast<double>(right) / tested;
    run.digest = model.digest();
    run.classes = model.classes().size();
    return run;
}

/// Writes a file to the disk and drops it from the system's cache of files.
void make_cold(const std::filesystem::path& file) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): the system's interface
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    (void)::fsync(descriptor);
    (void)::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    (void)::close(descriptor);
}

/// Opening a file and answering, once with a cold file and once with a warm one.
struct FirstAnswer {
    Times opened;
    Times answered;
};

FirstAnswer first_answer(const std::filesystem::path& file, const Stream& stream) {
    const Image image = stream.open().image(stream.lessons);
    std::optional<Model> model;
    FirstAnswer times;
    times.opened = time_of([&] { model = Model::load(file); });
    times.answered = time_of([&] { (void)model->decide(image.view()); });
    return times;
}

StudyTable tenths_table(const Run& in_memory, const Run& in_file, std::size_t lessons) {
    StudyTable table{"long-run",
                     "Time of a lesson (ms of processor time), and what it leaves, by tenth of the stream",
                     {"lessons", "in memory", "of the first", "into a file", "of the first", "on the clock",
                      "file (MB)", "memory (MB)", "units"}};
    constexpr double mb = 1e6;
    for (std::size_t t = 0; t < tenths; ++t) {
        const Tenth& memory = in_memory.tenths[t];
        const Tenth& file = in_file.tenths[t];
        table.rows.push_back({cell(lessons * (t + 1) / tenths), cell(memory.lesson.processor, 3),
                              cell(memory.lesson.processor / in_memory.tenths.front().lesson.processor, 2),
                              cell(file.lesson.processor, 3),
                              cell(file.lesson.processor / in_file.tenths.front().lesson.processor, 2),
                              cell(file.lesson.clock, 3), cell(file.bytes / mb, 1),
                              cell(memory.memory / mb, 1), cell(memory.units)});
    }
    return table;
}

StudyTable answers_table(const FirstAnswer& cold, const FirstAnswer& warm) {
    StudyTable table{"long-run-first-answer",
                     "A first answer from the file (ms)",
                     {"file", "opened, on the clock", "opened, processor", "answered, on the clock",
                      "answered, processor"}};
    const auto add = [&](const char* name, const FirstAnswer& times) {
        table.rows.push_back({cell(std::string(name)), cell(times.opened.clock, 1),
                              cell(times.opened.processor, 1), cell(times.answered.clock, 1),
                              cell(times.answered.processor, 1)});
    };
    add("cold", cold);
    add("warm", warm);
    return table;
}

StudyChart chart_of(const Run& in_memory, const Run& in_file, std::size_t lessons) {
    Chart chart{"Time of a lesson along the stream", "lessons", "ms of processor time", {}};
    for (const auto& [name, run] : {std::pair("in memory", &in_memory), std::pair("into a file", &in_file)}) {
        Line& line = chart.lines.emplace_back();
        line.name = name;
        for (std::size_t t = 0; t < tenths; ++t) {
            line.x.push_back(static_cast<double>(lessons * (t + 1)) / tenths);
            line.y.push_back(run->tenths[t].lesson.processor);
        }
    }
    return {"long-run", chart, "The mean over each tenth of the stream."};
}

StudyResult run(const StudyContext& context) {
    const Stream stream = stream_of(context);
    ModelOptions options;
    options.learner = context.chosen.learner;
    options.preset = context.chosen.preset;
    options.settings = context.chosen.settings;
    const TemporaryFolder folder(std::filesystem::temp_directory_path(), "sprig-");
    const std::filesystem::path path = folder.path() / "long.sprig";
    Run in_memory;
    Run in_file;
    FirstAnswer cold;
    FirstAnswer warm;
    // One after the other: the processor time is that of the process.
    const auto work = [&](std::size_t task, const Tick& tick) {
        if (task == 0) {
            Model model(options);
            in_memory = learn(
                model, stream, [] { return 0.0; }, tick);
            return;
        }
        {
            Model model = Model::open(path, options);
            const auto size = [&] {
                double bytes = 0;
                for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
                    bytes += static_cast<double>(entry.file_size());
                return bytes;
            };
            in_file = learn(model, stream, size, tick);
            model.close();
        }
        make_cold(path);
        cold = first_answer(path, stream);
        warm = first_answer(path, stream);
    };
    in_parallel(2, 1, 2 * (stream.lessons + tested), work, context.begin("learning"));

    StudyResult result;
    result.tables = {tenths_table(in_memory, in_file, stream.lessons), answers_table(cold, warm)};
    result.charts = {chart_of(in_memory, in_file, stream.lessons)};
    result.notes = {
        fmt::format(
            "{} lessons of {} classes: distorted copies in five faces, drawn by number, of which none "
            "is stored. Of {} further copies {:.0f} % are recognised.",
            stream.lessons, in_file.classes, tested, 100 * in_file.accuracy),
        "The time of a lesson is that from the image on; the image is drawn before. The file's size includes "
        "what has not been merged into it yet; memory is what the process has allocated since the model was "
        "made. Times differ from run to run.",
        fmt::format("First answer: the file is opened for reading and one image is decided. A cold file was "
                    "dropped from the system's cache. It has {:.1f} MB after it was closed.",
                    static_cast<double>(std::filesystem::file_size(path)) / 1e6),
        fmt::format("The models in memory and in the file have {} digests.",
                    in_memory.digest == in_file.digest ? "equal" : "different")};
    if (in_memory.digest != in_file.digest)
        result.failure = "the models in memory and in the file have different digests";
    return result;
}

} // namespace

Study study() {
    return {.name = "long-run",
            .question = "Does a lesson stay as fast over a million lessons of ten thousand classes?",
            .run = run,
            .test_images = TestImages::own_images,
            .minutes = 60,
            .only_for = "constellation"};
}

} // namespace sprig::lab::studies::long_run
