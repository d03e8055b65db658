// Learns the ten digits of MNIST, one class after the other, and shows what was learned and what was kept.
//   digits FOLDER     writes the model and two drawings to FOLDER

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <sprig/sprig.h>

namespace {

constexpr std::size_t images_per_class = 100;

/// The images of each class, in the order of the data set.
std::vector<std::vector<std::size_t>> by_class(const sprig::Dataset& data) {
    std::vector<std::vector<std::size_t>> images(data.classes().size());
    for (std::size_t i = 0; i < data.size(); ++i)
        images[static_cast<std::size_t>(data.label(i))].push_back(i);
    return images;
}

/// The share of these images that the model recognises.
double accuracy(const sprig::Model& model, const sprig::Dataset& data,
                const std::vector<std::size_t>& images) {
    const auto correct = std::count_if(images.begin(), images.end(), [&](std::size_t i) {
        return model.decide(data.image(i)) == data.label_name(i);
    });
    return static_cast<double>(correct) / static_cast<double>(images.size());
}

double score_of(const sprig::Answer& answer, const std::string& label) {
    for (const sprig::RankedClass& ranked : answer.ranking)
        if (ranked.label == label) return ranked.score;
    return 0;
}

/// The score of one class for every test image.
std::vector<double> scores_of(const sprig::Model& model, const sprig::Dataset& data,
                              const std::string& label) {
    std::vector<double> scores;
    for (std::size_t i = 0; i < data.size(); ++i)
        scores.push_back(score_of(model.predict(data.image(i)), label));
    return scores;
}

void run(const std::filesystem::path& folder) {
    const sprig::Dataset train = sprig::load_dataset("mnist:train");
    const sprig::Dataset test = sprig::load_dataset("mnist:t10k");
    const auto train_images = by_class(train);
    const auto test_images = by_class(test);
    const std::filesystem::path file = folder / "digits.sprig";
    std::filesystem::remove(file);

    std::printf("Learning ten digits, one class after the other: %zu images of each, each seen once.\n"
                "Accuracy on MNIST's 10,000 test images, in percent, after each class:\n\n"
                "learned     0    1    2    3    4    5    6    7    8    9\n",
                images_per_class);
    sprig::Model model = sprig::Model::open(file);
    std::vector<double> early_scores; // of the first class, before any other class was learned
    double sum = 0;
    for (std::size_t learned = 0; learned < train.classes().size(); ++learned) {
        const std::string& label = train.classes()[learned];
        for (std::size_t i = 0; i < images_per_class; ++i)
            model.learn(train.image(train_images[learned][i]), label);
        std::printf("%-7s", label.c_str());
        sum = 0;
        for (std::size_t known = 0; known <= learned; ++known) {
            const double share = accuracy(model, test, test_images[known]);
            sum += share;
            std::printf("%5.0f", 100 * share);
        }
        std::printf("\n");
        std::fflush(stdout);
        if (learned == 0) early_scores = scores_of(model, test, label);
    }

    const std::vector<double> late_scores = scores_of(model, test, train.classes().front());
    std::size_t changed = 0;
    for (std::size_t i = 0; i < test.size(); ++i) changed += early_scores[i] == late_scores[i] ? 0 : 1;

    sprig::write_file_atomically(folder / "learned.svg", model.draw());
    const sprig::ImageExplanation why =
        model.explain(test.image(0), {.name = test.name(0), .label = test.label_name(0)});
    why.write_svg(folder / "why.svg");
    model.close();
    const sprig::ModelSize size = model.model_size();

    std::printf("\nlearned   %llu images, 10 classes, as %zu units (%zu KB); no image is stored\n",
                static_cast<unsigned long long>(model.facts().lessons), size.total(),
                (size.bytes + 512) / 1024);
    std::printf("accuracy  %.1f %%, the mean over the ten classes\n", 10 * sum);
    std::printf("kept      the score of \"0\" for all 10,000 test images, before and after learning 1 to 9:\n"
                "          %zu of them changed\n",
                changed);
    std::printf("\nLook at   %s   what was learned of each digit, drawn\n", (folder / "learned.svg").c_str());
    std::printf("          %s       why the first test image is taken for a %s\n",
                (folder / "why.svg").c_str(), why.values().best->label.c_str());
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: digits FOLDER\n");
        return 2;
    }
    try {
        run(argv[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "digits: %s\n", error.what());
        return 1;
    }
    return 0;
}
