#include <algorithm>
#include <array>
#include <system_error>
#include <unordered_map>

#include <fmt/format.h>

#include "data/address.h"
#include "data/idx.h"
#include "data/known_sets.h"
#include "data/picture_formats.h"
#include "data/stroke_file.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace fs = std::filesystem;

namespace sprig {

namespace {

using namespace data_detail;

/// An opened IDX file of images and its file of labels, with equal counts.
struct IdxPair {
    IdxFile images;
    IdxFile labels;

    IdxPair(const fs::path& images_path, const fs::path& labels_path)
        : images(IdxFile::open(images_path, IdxFile::Content::images)),
          labels(IdxFile::open(labels_path, IdxFile::Content::labels)) {
        if (images.count() != labels.count()) {
            throw bad_input(fmt::format("'{}' contains {} images but '{}' contains {} labels; they do not "
                                        "belong together",
                                        images_path.string(), images.count(), labels_path.string(),
                                        labels.count()));
        }
    }

    /// Adds `number` images starting at `first`.
    void add_to(Dataset& dataset, std::size_t first, std::size_t number) const {
        const Bytes pixels = images.items(first, number);
        const Bytes classes = labels.items(first, number);
        for (std::size_t i = 0; i < number; ++i) {
            dataset.add({pixels.data() + (i * images.item_size()), images.columns(), images.rows()},
                        classes[i]);
        }
    }
};

/// Throws unless all labels are classes of the set.
void check_labels(const IdxPair& pair, const fs::path& path, std::size_t classes) {
    const Bytes labels = pair.labels.items(0, pair.labels.count());
    const auto bad = std::find_if(labels.begin(), labels.end(), [&](std::uint8_t l) { return l >= classes; });
    if (bad != labels.end()) {
        throw bad_input(fmt::format("'{}' gives image {} the label {}, but labels are 0 to {}", path.string(),
                                    bad - labels.begin(), *bad, classes - 1));
    }
}

[[nodiscard]] Dataset load_known_set(const Address& address) {
    const KnownSet& set = *find_known_set(address.set);
    const fs::path folder = cache_folder() / set.name;
    std::vector<IdxPair> pairs;
    std::size_t size = 0;
    for (std::size_t part = 0; part < 2; ++part) {
        if (address.part != "all" && address.part != (part == 0 ? "train" : "t10k")) continue;
        const fs::path images = folder / set.files[2 * part].name;
        const fs::path labels = folder / set.files[(2 * part) + 1].name;
        std::error_code error;
        if (!fs::exists(images, error) || !fs::exists(labels, error)) {
            throw bad_input(
                fmt::format("{0} is not in '{1}' yet; run: sprig data get {0}", set.name, folder.string()));
        }
        const IdxPair& pair = pairs.emplace_back(images, labels);
        check_labels(pair, labels, set.classes.size());
        size += pair.images.count();
    }
    const Selection selection = selected(address, size);
    Dataset dataset;
    dataset.set_classes({set.classes.begin(), set.classes.end()});
    dataset.number_from(address.base, selection.first);
    dataset.reserve(selection.size(), selection.size() * pairs.front().images.item_size());
    std::size_t start = 0; // index of this part's first image in the whole set
    for (const IdxPair& pair : pairs) {
        const std::size_t end = start + pair.images.count();
        const std::size_t from = std::max(start, selection.first);
        const std::size_t to = std::min(end, selection.last + 1);
        if (from < to) pair.add_to(dataset, from - start, to - from);
        start = end;
    }
    return dataset;
}

[[nodiscard]] Dataset load_idx(const Address& address) {
    const IdxPair pair(address.path, address.labels);
    const Selection selection = selected(address, pair.images.count());
    Dataset dataset;
    // The classes of the whole file, so that every selection has the same classes.
    const Bytes labels = pair.labels.items(0, pair.labels.count());
    std::vector<std::string> classes;
    for (int i = 0; i <= *std::max_element(labels.begin(), labels.end()); ++i)
        classes.push_back(std::to_string(i));
    dataset.set_classes(std::move(classes));
    dataset.number_from(address.base, selection.first);
    dataset.reserve(selection.size(), selection.size() * pair.images.item_size());
    pair.add_to(dataset, selection.first, selection.size());
    return dataset;
}

[[nodiscard]] Image read_prepared(const fs::path& path, const LoadOptions& options) {
    const Picture picture = read_image(path);
    try {
        return options.prepare ? options.prepare(picture) : to_grey(picture);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("'{}': {}", path.string(), error.what()));
    }
}

struct FolderImage {
    std::filesystem::path path;
    int label;
};

/// The classes and pictures of a folder of class folders.
struct FolderListing {
    std::vector<std::string> classes;
    std::vector<FolderImage> images; ///< by class, then by name
};

constexpr std::string_view expected_layout = "expected one folder per class: PATH/cat/1.png, PATH/dog/2.png";

[[nodiscard]] bool is_hidden(const fs::path& path) {
    return path.filename().string().starts_with('.');
}

[[nodiscard]] bool has_picture_ending(const fs::path& path) {
    constexpr std::array<std::string_view, 7> endings = {".png", ".jpg", ".jpeg", ".bmp",
                                                         ".pgm", ".ppm", ".pnm"};
    std::string ending = path.extension().string();
    // ASCII only: std::tolower depends on the locale.
    for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

/// The entries of a folder, sorted by the bytes of their names, so that the order is the same everywhere.
[[nodiscard]] std::vector<fs::path> sorted_entries(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator it(folder, error); !error && it != fs::directory_iterator();
         it.increment(error)) {
        if (!is_hidden(it->path())) entries.push_back(it->path());
    }
    if (error) {
        throw bad_input(fmt::format("cannot read the folder '{}': {}", folder.string(), error.message()));
    }
    std::sort(entries.begin(), entries.end(),
              [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
    return entries;
}

/// Lists the pictures CLASS/NAME.png (or another format). Throws if there are no classes or no pictures.
[[nodiscard]] FolderListing list_folder(const fs::path& folder) {
    std::error_code error;
    const fs::file_status status = fs::status(folder, error);
    if (status.type() == fs::file_type::not_found) {
        throw bad_input(fmt::format("there is no folder '{}'", folder.string()));
    }
    if (error)
        throw bad_input(fmt::format("cannot read the folder '{}': {}", folder.string(), error.message()));
    if (status.type() != fs::file_type::directory) {
        throw bad_input(fmt::format("'{}' is not a folder; name the folder that contains the class folders",
                                    folder.string()));
    }
    FolderListing listing;
    for (const fs::path& class_folder : sorted_entries(folder)) {
        if (!fs::is_directory(class_folder, error)) continue;
        const int label = static_cast<int>(listing.classes.size());
        listing.classes.push_back(class_folder.filename().string());
        for (const fs::path& file : sorted_entries(class_folder)) {
            if (has_picture_ending(file) && !fs::is_directory(file, error))
                listing.images.push_back({file, label});
        }
    }
    if (listing.classes.empty()) {
        throw bad_input(fmt::format("'{}' contains no class folders; {}", folder.string(), expected_layout));
    }
    if (listing.images.empty()) {
        throw bad_input(
            fmt::format("the class folders of '{}' contain no images (.png, .jpg, .jpeg, .bmp, .pgm, "
                        ".ppm, .pnm); {}",
                        folder.string(), expected_layout));
    }
    return listing;
}

/// The selected drawings of a file.
struct SelectedDrawings {
    StrokeFile file;
    Selection selection;
    std::string base; ///< prefix of their names

    [[nodiscard]] StreamedImage image(std::size_t index, const StrokeParams& params) const {
        const std::size_t number = selection.first + index;
        DrawnStrokes drawing = file.read(number, params);
        return {fmt::format("{}:{}", base, number), std::move(drawing.label), std::move(drawing.image)};
    }
};

/// The images of an address: an IDX set in memory, the paths of pictures, or a file of drawings.
struct OpenedAddress {
    Dataset loaded = {};
    FolderListing pictures = {};
    std::optional<SelectedDrawings> drawings = {};

    [[nodiscard]] bool is_loaded() const { return pictures.images.empty() && !drawings; }
    [[nodiscard]] std::size_t size() const {
        if (drawings) return drawings->selection.size();
        return is_loaded() ? loaded.size() : pictures.images.size();
    }
    /// nullopt if only reading the image tells.
    [[nodiscard]] std::optional<std::string> label(std::size_t index) const {
        if (drawings) return {};
        if (is_loaded()) return loaded.classes()[static_cast<std::size_t>(loaded.label(index))];
        const int label = pictures.images[index].label;
        return label < 0 ? "" : pictures.classes[static_cast<std::size_t>(label)];
    }
    [[nodiscard]] StreamedImage image(std::size_t index, const LoadOptions& options) const {
        if (drawings) return drawings->image(index, options.strokes);
        if (is_loaded()) return {loaded.name(index), *label(index), Image(loaded.image(index))};
        const FolderImage& picture = pictures.images[index];
        return {picture.path.string(), *label(index), read_prepared(picture.path, options)};
    }
};

[[nodiscard]] FolderListing list_selected(const Address& address) {
    FolderListing listing = list_folder(address.path);
    const Selection selection = selected(address, listing.images.size());
    const auto first = listing.images.begin() + static_cast<std::ptrdiff_t>(selection.first);
    listing.images = {first, first + static_cast<std::ptrdiff_t>(selection.size())};
    return listing;
}

[[nodiscard]] SelectedDrawings open_drawings(const Address& address) {
    StrokeFile file(address.path);
    const Selection selection = selected(address, file.size());
    return {std::move(file), selection, address.base};
}

[[nodiscard]] OpenedAddress open(std::string_view text) {
    const Address address = parse_address(text, [](const fs::path& path) {
        std::error_code error;
        return fs::exists(path, error);
    });
    switch (address.kind) {
    case Address::Kind::known_set:
        return {.loaded = load_known_set(address)};
    case Address::Kind::idx:
        return {.loaded = load_idx(address)};
    case Address::Kind::folder:
        return {.pictures = list_selected(address)};
    case Address::Kind::strokes:
        return {.drawings = open_drawings(address)};
    case Address::Kind::picture:
        break;
    }
    std::error_code error;
    if (fs::is_directory(address.path, error)) {
        throw usage_error(fmt::format("'{0}' is a folder; for a folder of class folders write dir:{0}, for "
                                      "single pictures name the files",
                                      address.path.string()));
    }
    const fs::path ending = address.path.extension();
    if (ending == ".jsonl" || ending == ".ndjson") {
        throw usage_error(fmt::format("'{0}' is not a picture; for a file of drawings write strokes:{0}",
                                      address.path.string()));
    }
    return {.pictures = {{}, {{address.path, -1}}}};
}

/// Classes and their indices.
struct ClassIndex {
    std::vector<std::string> classes;
    std::unordered_map<std::string, int> indices = {};

    explicit ClassIndex(std::vector<std::string> known) : classes(std::move(known)) {
        for (std::size_t i = 0; i < classes.size(); ++i) indices.emplace(classes[i], static_cast<int>(i));
    }
    /// The index of a label; -1 for none. A new label is added.
    [[nodiscard]] int of(const std::string& label) {
        if (label.empty()) return -1;
        const auto [found, is_new] = indices.emplace(label, static_cast<int>(classes.size()));
        if (is_new) classes.push_back(label);
        return found->second;
    }
};

/// Whether `order` contains each index below its size once.
[[nodiscard]] bool is_permutation(const std::vector<std::size_t>& order) {
    std::vector<bool> seen(order.size(), false);
    for (const std::size_t index : order) {
        if (index >= seen.size() || seen[index]) return false;
        seen[index] = true;
    }
    return true;
}

} // namespace

Dataset load_dataset(std::string_view address, const LoadOptions& options) {
    OpenedAddress opened = open(address);
    if (opened.is_loaded()) return std::move(opened.loaded);
    Dataset dataset;
    ClassIndex classes(opened.pictures.classes); // of drawings: none yet
    const std::size_t size = opened.size();
    for (std::size_t i = 0; i < size; ++i) {
        StreamedImage image = opened.image(i, options);
        const int label = classes.of(image.label);
        dataset.add(image.image.view(), label, std::move(image.name));
        if (options.progress) options.progress(i + 1, size);
    }
    dataset.set_classes(std::move(classes.classes));
    return dataset;
}

struct ImageStream::Source {
    LoadOptions options;
    OpenedAddress opened = {};
    std::optional<LabelledLines> lines = {};
    std::optional<StrokeLines> drawings = {};
    std::vector<std::size_t> order = {}; ///< empty for the original order
    std::size_t at = 0;

    [[nodiscard]] bool has_lines() const { return lines || drawings; }
};

ImageStream::ImageStream(std::string_view address, LoadOptions options)
    : source_(new Source{.options = std::move(options), .opened = open(address)}) {}

ImageStream::ImageStream(LabelledLines lines, LoadOptions options)
    : source_(new Source{.options = std::move(options), .lines = std::move(lines)}) {}

ImageStream::ImageStream(StrokeLines lines, LoadOptions options)
    : source_(new Source{.options = std::move(options), .drawings = std::move(lines)}) {}

ImageStream::~ImageStream() = default;
ImageStream::ImageStream(ImageStream&& other) noexcept = default;
ImageStream& ImageStream::operator=(ImageStream&& other) noexcept = default;

std::optional<std::size_t> ImageStream::size() const {
    if (source_->has_lines()) return {};
    return source_->opened.size();
}

void ImageStream::reorder(std::vector<std::size_t> order) {
    if (source_->has_lines() || source_->at > 0 || order.size() != source_->opened.size() ||
        !is_permutation(order))
        throw usage_error(
            "the order of a stream must contain each image once and be set before the first one is read");
    source_->order = std::move(order);
}

std::optional<StreamedImage> ImageStream::next() {
    const std::optional<UnreadImage> image = next_unread();
    if (!image) return {};
    return read(*image);
}

std::optional<UnreadImage> ImageStream::next_unread() {
    Source& source = *source_;
    if (source.lines) {
        std::optional<LabelledLine> line = source.lines->next();
        if (!line) return {};
        return UnreadImage{.line = std::move(line)};
    }
    if (source.drawings) {
        std::optional<StrokeLine> drawing = source.drawings->next();
        if (!drawing) return {};
        return UnreadImage{.drawing = std::move(drawing)};
    }
    if (source.at == source.opened.size()) return {};
    const std::size_t at = source.at++;
    return UnreadImage{.index = source.order.empty() ? at : source.order[at]};
}

std::optional<std::string> ImageStream::label_of(const UnreadImage& image) const {
    if (image.line) return image.line->label;
    if (image.drawing) return {};
    return source_->opened.label(image.index);
}

StreamedImage ImageStream::read(const UnreadImage& image) const {
    const LoadOptions& options = source_->options;
    if (image.drawing) {
        DrawnStrokes drawn = read_drawing(image.drawing->json, image.drawing->where, options.strokes);
        return {image.drawing->where, std::move(drawn.label), std::move(drawn.image)};
    }
    if (!image.line) return source_->opened.image(image.index, options);
    const LabelledLine& line = *image.line;
    try {
        return {line.where, line.label, read_prepared(line.path, options)};
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("{}: {}", line.where, error.what()));
    }
}

} // namespace sprig
