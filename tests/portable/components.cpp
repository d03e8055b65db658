// Checks a library without any component: learning and predicting in memory work, and what is missing says
// so.

#include <cstdio>
#include <exception>
#include <functional>
#include <string>

#include <sprig/sprig.h>

namespace {

int failures = 0;

void check(bool holds, const std::string& what) {
    if (holds) return;
    std::fprintf(stderr, "components: %s\n", what.c_str());
    ++failures;
}

/// The message of the error that `call` throws; empty if it throws none.
std::string message_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const sprig::Error& error) {
        return error.what();
    }
    return {};
}

void check_refusal(const std::function<void()>& call, const std::string& object, const std::string& option) {
    const std::string message = message_of(call);
    check(message.find(object) != std::string::npos && message.find("built without") != std::string::npos &&
              message.find(option + "=ON") != std::string::npos,
          "expected a message about " + object + " and " + option + ", got: '" + message + "'");
}

sprig::Image frame(int size, int margin) {
    sprig::Image image(size, size);
    for (int y = margin; y < size - margin; ++y)
        for (int x = margin; x < size - margin; ++x) image.at(x, y) = 255;
    return image;
}

sprig::Image cross(int size) {
    sprig::Image image(size, size);
    for (int i = 2; i < size - 2; ++i)
        for (int j = (size / 2) - 2; j < (size / 2) + 2; ++j) image.at(i, j) = image.at(j, i) = 255;
    return image;
}

void learn_in_memory() {
    sprig::Model model;
    model.learn(frame(28, 6).view(), "square");
    model.learn(cross(28).view(), "cross");
    check(model.predict(cross(28).view()).label == "cross", "the cross is not recognised");
    check(sprig::Model::from_bytes(model.to_bytes()).digest() == model.digest(), "the bytes form differs");
    sprig::Dataset data;
    data.set_classes({"square", "cross"});
    data.add(frame(28, 7).view(), 0);
    data.add(cross(28).view(), 1);
    // Where there are no threads, the calling one does the work.
    check(model.test(data, {.threads = 2}).right == 2, "the test of the model is wrong");
    model.undo();
    check(model.classes().size() == 1, "the last lesson was not undone");
}

sprig::Picture decode(const std::string& bytes, const std::string& name) {
    return sprig::decode_picture({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, name);
}

void read_pictures() {
    check(decode("P2 2 1 255 0 255\n", "a.pgm").width == 2, "a PGM file cannot be read");
    const std::string option = "SPRIG_WITH_DECODERS";
    check_refusal([] { (void)decode("\x89PNG\r\n\x1a\n", "a.png"); }, "'a.png' is a PNG file", option);
    check_refusal([] { (void)decode("\xff\xd8\xff", "a.jpg"); }, "'a.jpg' is a JPEG file", option);
    check_refusal([] { (void)decode("BM", "a.bmp"); }, "'a.bmp' is a BMP file", option);
}

void open_files() {
    const std::string option = "SPRIG_WITH_MODEL_FILES";
    sprig::Model model;
    const std::string object = "'missing.sprig'";
    check_refusal([] { (void)sprig::Model::open("missing.sprig"); }, object, option);
    check_refusal([] { (void)sprig::Model::load("missing.sprig"); }, object, option);
    check_refusal([&] { model.save("missing.sprig"); }, object, option);
    check_refusal([] { const sprig::ModelFile file("missing.sprig"); }, object, option);
}

} // namespace

int main() {
    try {
        learn_in_memory();
        read_pictures();
        open_files();
    } catch (const std::exception& error) {
        check(false, error.what());
    }
    if (failures == 0) std::puts("components: no findings");
    return failures == 0 ? 0 : 1;
}
