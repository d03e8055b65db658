#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "data/address.h"
#include "data/folder.h"
#include "data/idx.h"
#include "data/known_sets.h"
#include "data/picture_formats.h"
#include "sprig/data.h"

namespace fs = std::filesystem;

namespace sprig {

namespace {

using namespace data_detail;

/// Images and their labels, opened and found to belong together.
struct IdxPair {
    IdxFile images;
    IdxFile labels;

    IdxPair(const fs::path& images_path, const fs::path& labels_path)
        : images(IdxFile::open(images_path, IdxFile::Content::images)),
          labels(IdxFile::open(labels_path, IdxFile::Content::labels)) {
        if (images.count() != labels.count()) {
            throw bad_input(fmt::format("'{}' holds {} images but '{}' holds {} labels; they do not belong "
                                        "together",
                                        images_path.string(), images.count(), labels_path.string(),
                                        labels.count()));
        }
    }

    /// Adds `number` images from `first` on.
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
        throw bad_input(fmt::format("'{}' gives image {} the label {}, and there are only 0 to {}",
                                    path.string(), bad - labels.begin(), *bad, classes - 1));
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
    std::size_t start = 0; // of this part, in the numbering of the whole
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
    // The classes are those of the whole file, so that a selection speaks of the same ones.
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

[[nodiscard]] Image prepared(const fs::path& path, const LoadOptions& options) {
    const Picture picture = read_picture(path);
    try {
        return options.prepare ? options.prepare(picture) : grey(picture);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("'{}': {}", path.string(), error.what()));
    }
}

[[nodiscard]] Dataset load_folder(const Address& address, const LoadOptions& options) {
    FolderListing listing = list_folder(address.path);
    const Selection selection = selected(address, listing.images.size());
    Dataset dataset;
    dataset.set_classes(std::move(listing.classes));
    for (std::size_t i = 0; i < selection.size(); ++i) {
        const FolderImage& image = listing.images[selection.first + i];
        dataset.add(prepared(image.path, options).view(), image.label, image.path.string());
        if (options.progress) options.progress(i + 1, selection.size());
    }
    return dataset;
}

[[nodiscard]] Dataset load_picture(const Address& address, const LoadOptions& options) {
    std::error_code error;
    if (fs::is_directory(address.path, error)) {
        throw usage_error(fmt::format("'{0}' is a folder; for a folder of class folders write dir:{0}",
                                      address.path.string()));
    }
    Dataset dataset;
    dataset.add(prepared(address.path, options).view(), -1, address.path.string());
    return dataset;
}

} // namespace

Image load_image(const LabelledLine& line, const LoadOptions& options) {
    try {
        return prepared(line.path, options);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("{}: {}", line.where, error.what()));
    }
}

Dataset load_dataset(std::string_view text, const LoadOptions& options) {
    const Address address = parse_address(text, [](const fs::path& path) {
        std::error_code error;
        return fs::exists(path, error);
    });
    switch (address.kind) {
    case Address::Kind::known_set:
        return load_known_set(address);
    case Address::Kind::idx:
        return load_idx(address);
    case Address::Kind::folder:
        return load_folder(address, options);
    case Address::Kind::picture:
        break;
    }
    return load_picture(address, options);
}

} // namespace sprig
