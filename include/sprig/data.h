#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sprig/image.h"

namespace sprig {

/// Labelled grey images in memory, in the order of their source.
class Dataset {
  public:
    [[nodiscard]] std::size_t size() const { return items_.size(); }
    [[nodiscard]] ImageView image(std::size_t index) const;
    /// The class of an image: an index into `classes()`, or -1 for an image without a label.
    [[nodiscard]] int label(std::size_t index) const { return items_[index].label; }
    /// The same in words; "?" without a label.
    [[nodiscard]] std::string label_name(std::size_t index) const;
    /// The address of one image, such as `mnist:train:17` or its path.
    [[nodiscard]] std::string name(std::size_t index) const;
    [[nodiscard]] const std::vector<std::string>& classes() const { return classes_; }

    void set_classes(std::vector<std::string> classes) { classes_ = std::move(classes); }
    /// Images that are added without a name are called `base:first`, `base:first+1` and so on, by their
    /// place in this set; 70,000 names need not be stored.
    void number_from(std::string base, std::size_t first);
    /// Makes room, where the caller knows how much will come.
    void reserve(std::size_t images, std::size_t pixels);
    /// Copies an image to the end; views given out before are no longer valid.
    void add(ImageView image, int label, std::string name = {});

  private:
    struct Item {
        std::size_t offset;
        int width;
        int height;
        int label;
        std::string name; ///< empty: numbered
    };
    std::vector<std::uint8_t> pixels_;
    std::vector<Item> items_;
    std::vector<std::string> classes_;
    std::string base_;
    std::size_t first_number_ = 0;
};

/// What may be said about loading.
struct LoadOptions {
    /// Makes a person's picture into a grey image; by default its grey levels are taken as they are
    /// (luminance, transparent parts over black).
    std::function<Image(const Picture&)> prepare;
    /// Called with (done, of) after each picture of a folder; may throw to stop.
    std::function<void(std::size_t, std::size_t)> progress;
};

/// Loads all of what an address names:
///   mnist:train, mnist:t10k, mnist:all (train, then t10k), fashion-mnist:... likewise,
///   idx:IMAGES,LABELS (raw or .gz), dir:PATH (CLASS/NAME.png), or the path of one image;
/// each data set may be followed by :N (one image) or :M-N (M to N, both included). A path that exists
/// as it is written wins over reading its end as :N.
[[nodiscard]] Dataset load_dataset(std::string_view address, const LoadOptions& options = {});

/// Reads one PNG, JPEG, BMP, PGM or PPM file: what it is is decided by its content, not by its name.
[[nodiscard]] Picture read_image(const std::filesystem::path& path);
/// The same from memory; `name` is what errors call it.
[[nodiscard]] Picture decode_picture(std::span<const std::uint8_t> bytes, const std::string& name);

/// One example of a stream: which picture, and what it shows.
struct LabelledLine {
    std::string label;
    std::filesystem::path path;
    std::string where; ///< "standard input, line 7", for whoever has something to say about it
};

/// Examples as lines of `label<TAB>path`, read one at a time: what comes through a pipe can be learned as it
/// comes, because nothing is read beyond the end of the line that is given out. Empty lines are skipped, and
/// a line may end as on Windows. A label has no tab in it, a path may have some.
class LabelledLines {
  public:
    /// `name` is what errors call the stream, which must outlive this.
    explicit LabelledLines(std::istream& stream, std::string name = "standard input");

    /// The next example; none at the end. Throws Error(bad_input), which names the line, if there is no tab,
    /// no label or no path in it, or a NUL, or if it is too long to be one; Error(failed) if the stream
    /// breaks off. After a line that is too long there is no next one.
    [[nodiscard]] std::optional<LabelledLine> next();

    /// In bytes: labels and paths are shorter.
    static constexpr std::size_t longest_line = 16384;

  private:
    bool read_line();
    [[nodiscard]] std::string where() const;
    [[nodiscard]] LabelledLine parsed() const;

    std::istream* stream_;
    std::string name_;
    std::size_t number_ = 0; ///< of the line read last, from 1
    std::string line_;
};

/// One image of a stream.
struct StreamedImage {
    std::string name;  ///< its address or path; of a line, which line it is
    std::string label; ///< empty: none
    Image image;
};

/// Gives images one at a time: those of an address, or those of labelled lines. Of a folder only the names
/// are known beforehand, and one picture is in memory at a time; an IDX set is loaded whole.
class ImageStream {
  public:
    /// Throws as `load_dataset` does, but for what is wrong with a picture: that is for `next` to say.
    explicit ImageStream(std::string_view address, LoadOptions options = {});
    explicit ImageStream(LabelledLines lines, LoadOptions options = {});
    ~ImageStream();
    ImageStream(ImageStream&& other) noexcept;
    ImageStream& operator=(ImageStream&& other) noexcept;
    ImageStream(const ImageStream&) = delete;
    ImageStream& operator=(const ImageStream&) = delete;

    /// How many images there are in all; none for lines, of which nobody knows.
    [[nodiscard]] std::optional<std::size_t> size() const;
    /// Gives the images in this order, before the first one is asked for: indices from 0 to `size()` - 1,
    /// each once. Throws Error(usage) for anything else.
    void reorder(std::vector<std::size_t> order);
    /// The next image; none at the end. Throws Error(bad_input) if it cannot be read: asked again, it gives
    /// the one after it.
    [[nodiscard]] std::optional<StreamedImage> next();

  private:
    struct Source;
    std::unique_ptr<Source> source_;
};

/// Where data sets are kept: $XDG_CACHE_HOME/sprig, or ~/.cache/sprig.
[[nodiscard]] std::filesystem::path cache_folder();

/// Writes a file so that a reader sees the old content or the new, never a part.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// The paper's topological filter: which images have the parts their label promises. Which contours
/// count is decided by the front end; this decides what the counts must be.
struct TopologyRule {
    /// Connected components every image must have.
    int components = 1;
    /// Holes by label; a label that is not listed may have any number.
    std::vector<std::pair<std::string, int>> holes = {{"0", 1}, {"6", 1}, {"8", 2}, {"9", 1}};

    [[nodiscard]] bool keeps(std::string_view label, int components_seen, int holes_seen) const;
};

} // namespace sprig
