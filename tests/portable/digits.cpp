// Learns digits with both learners and prints what was learned and answered, exactly. The output must be the
// same on every machine.
//   portable_digits IMAGES LABELS    IDX files of at least 1,200 images

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

#include <sprig/sprig.h>

namespace {

constexpr std::size_t lessons = 1000;
constexpr std::size_t questions = 200;
constexpr std::size_t explanations = 10;

/// The FNV-1a hash of everything that is added.
class Checksum {
  public:
    void add(std::string_view bytes) {
        for (const char byte : bytes) sum_ = (sum_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
    }
    void add(double number) {
        char bytes[sizeof number];
        std::memcpy(bytes, &number, sizeof number);
        add(std::string_view(bytes, sizeof bytes));
    }
    [[nodiscard]] std::uint64_t value() const { return sum_; }

  private:
    std::uint64_t sum_ = 0xcbf29ce484222325ULL;
};

void print(const char* what, std::uint64_t value) {
    std::printf("  %-26s %016" PRIx64 "\n", what, value);
}

void print_answers(const sprig::Model& model, const sprig::Dataset& data) {
    Checksum labels;
    Checksum scores;
    Checksum probabilities;
    std::size_t right = 0;
    for (std::size_t i = lessons; i < lessons + questions; ++i) {
        const sprig::Answer answer = model.predict(data.image(i));
        right += answer.label == data.label_name(i) ? 1 : 0;
        for (const sprig::RankedClass& ranked : answer.ranking) {
            labels.add(ranked.label);
            scores.add(ranked.score);
            probabilities.add(ranked.probability);
        }
    }
    std::printf("  %-26s %zu of %zu\n", "right answers", right, questions);
    print("ranking of the classes", labels.value());
    print("bits of the scores", scores.value());
    print("bits of the probabilities", probabilities.value());
}

void print_explanations(const sprig::Model& model, const sprig::Dataset& data) {
    Checksum text;
    Checksum drawing;
    for (std::size_t i = lessons; i < lessons + explanations; ++i) {
        const sprig::ImageExplanation why = model.explain(data.image(i));
        text.add(why.text());
        drawing.add(why.svg());
    }
    print("text of explanations", text.value());
    print("drawings of explanations", drawing.value());
}

void learn(const char* learner, const char* preset, const sprig::Dataset& data) {
    std::printf("%s, %s\n", learner, preset);
    sprig::Model model({.learner = learner, .preset = preset});
    for (std::size_t i = 0; i < lessons; ++i) model.learn(data.image(i), data.label_name(i));
    print("digest of the model", model.digest());
    const std::string bytes = model.to_bytes();
    Checksum content;
    content.add(bytes);
    print("bytes form", content.value());
    std::printf("  %-26s %zu\n", "its size", bytes.size());
    print("digest, read again", sprig::Model::from_bytes(bytes).digest());
    print_answers(model, data);
    print_explanations(model, data);
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: portable_digits IMAGES LABELS\n");
        return 2;
    }
    try {
        const std::string address =
            std::string("idx:") + argv[1] + "," + argv[2] + ":0-" + std::to_string(lessons + questions - 1);
        const sprig::Dataset data = sprig::load_dataset(address);
        for (const char* preset : {"default", "fast", "paper-vocabulary"})
            learn("constellation", preset, data);
        learn("modeller", "paper", data);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "portable_digits: %s\n", error.what());
        return 1;
    }
    return 0;
}
