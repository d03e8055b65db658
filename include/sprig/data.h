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
#include "sprig/strokes.h"

namespace sprig {

/// Labelled grey images in memory, in the order of their source.
class Dataset {
  public:
    [[nodiscard]] std::size_t size() const { return items_.size(); }
    [[nodiscard]] ImageView image(std::size_t index) const;
    /// The class of an image: an index into `classes()`, or -1 for an image without a label.
    [[nodiscard]] int label(std::size_t index) const { return items_[index].label; }
    /// The name of that class; "?" for an image without a label.
    [[nodiscard]] std::string label_name(std::size_t index) const;
    /// The address of one image, such as `mnist:train:17` or its path.
    [[nodiscard]] std::string name(std::size_t index) const;
    [[nodiscard]] const std::vector<std::string>& classes() const { return classes_; }

    void set_classes(std::vector<std::string> classes) { classes_ = std::move(classes); }
    /// Images added without a name are named `base:N`, where N is `first` plus their index. This avoids
    /// storing a name for every image.
    void number_from(std::string base, std::size_t first);
    /// Reserves memory for this many images and pixels in total.
    void reserve(std::size_t images, std::size_t pixels);
    /// Appends a copy of an image. Invalidates all views returned before.
    void add(ImageView image, int label, std::string name = {});

  private:
    struct Item {
        std::size_t offset;
        int width;
        int height;
        int label;
        std::string name; ///< empty if the image is numbered
    };
    std::vector<std::uint8_t> pixels_;
    std::vector<Item> items_;
    std::vector<std::string> classes_;
    std::string base_;
    std::size_t first_number_ = 0;
};

struct LoadOptions {
    /// Converts a picture file to a grey image. Default: its luminance, with transparent parts over black.
    /// Called by several threads at once if `ImageStream::read` is.
    std::function<Image(const Picture&)> prepare;
    /// Called with (done, total) after each picture of a folder. May throw to cancel.
    std::function<void(std::size_t, std::size_t)> progress;
    /// How pen strokes are drawn.
    StrokeParams strokes = {};
};

/// Loads all images of an address:
///   mnist:train, mnist:t10k, mnist:all (train, then t10k), and the same for fashion-mnist,
///   idx:IMAGES,LABELS (raw or .gz), dir:PATH (CLASS/NAME.png), strokes:FILE.jsonl (a drawing per line, as
///   for `parse_strokes`; classes in the order in which they appear), or the path of one image.
/// A data set may be followed by :N (one image) or :M-N (images M to N inclusive). If a path that ends in :N
/// exists, it is read as a path.
[[nodiscard]] Dataset load_dataset(std::string_view address, const LoadOptions& options = {});

/// Reads a PNG, JPEG, BMP, PGM or PPM file. The format is detected from the content, not from the name.
[[nodiscard]] Picture read_image(const std::filesystem::path& path);
/// Decodes a picture in memory. `name` is used in error messages.
[[nodiscard]] Picture decode_picture(std::span<const std::uint8_t> bytes, const std::string& name);

/// One labelled example of a stream.
struct LabelledLine {
    std::string label;
    std::filesystem::path path;
    std::string where; ///< for messages, such as "standard input, line 7"
};

/// Reads examples from lines of `label<TAB>path`, one at a time. Nothing is read beyond the end of the
/// returned line, so examples from a pipe can be learned as they arrive. Empty lines are skipped; CRLF line
/// ends are accepted. A label contains no tab; a path may.
class LabelledLines {
  public:
    /// `stream` must outlive this object. `name` is used in error messages.
    explicit LabelledLines(std::istream& stream, std::string name = "standard input");

    /// The next example, or nullopt at the end. Throws Error(bad_input) with the line number if the line has
    /// no tab, an empty label or path or a NUL byte, or is too long. Throws Error(failed) on a read error. A
    /// line that is too long ends the stream.
    [[nodiscard]] std::optional<LabelledLine> next();

    /// In bytes.
    static constexpr std::size_t max_line_length = 16384;

  private:
    bool read_line();
    [[nodiscard]] std::string where() const;
    [[nodiscard]] LabelledLine parse_line() const;

    std::istream* stream_;
    std::string name_;
    std::size_t number_ = 0; ///< number of the last line read, from 1
    std::string line_;
};

/// One drawing of a stream, as JSON.
struct StrokeLine {
    std::string json;
    std::string where; ///< for messages, such as "standard input, line 7"
};

/// Reads drawings, each a line of JSON as for `parse_strokes`, one at a time. Nothing is read beyond the end
/// of the returned line. Empty lines are skipped; CRLF line ends are accepted.
class StrokeLines {
  public:
    /// `stream` must outlive this object. `name` is used in error messages.
    explicit StrokeLines(std::istream& stream, std::string name = "standard input");

    /// The next line, or nullopt at the end. Throws Error(bad_input) with the line number if the line is too
    /// long, which ends the stream, and Error(failed) on a read error.
    [[nodiscard]] std::optional<StrokeLine> next();

    /// In bytes: 64 for each point.
    static constexpr std::size_t max_line_length = 64 * max_stroke_points;

  private:
    std::istream* stream_;
    std::string name_;
    std::size_t number_ = 0; ///< number of the last line read, from 1
};

/// One image of a stream.
struct StreamedImage {
    std::string name;  ///< address or path; for lines, the position of the line
    std::string label; ///< empty if unlabelled
    Image image;
};

/// An image of a stream that has not been read yet.
struct UnreadImage {
    std::size_t index = 0;                  ///< among the images of the address
    std::optional<LabelledLine> line = {};  ///< for labelled lines
    std::optional<StrokeLine> drawing = {}; ///< for lines of drawings
};

/// Reads images one at a time from an address or from lines. Of a folder, only the file names are read in
/// advance, of a file of drawings the positions of its lines, and one picture is in memory at a time. An IDX
/// set is loaded completely.
///
/// Threads: to read several images at once, take them in order with `next_unread`, one thread at a time, and
/// call `read` from any number of threads.
class ImageStream {
  public:
    /// Throws the same errors as `load_dataset`, except for errors in a picture, which `next` throws.
    explicit ImageStream(std::string_view address, LoadOptions options = {});
    explicit ImageStream(LabelledLines lines, LoadOptions options = {});
    explicit ImageStream(StrokeLines lines, LoadOptions options = {});
    ~ImageStream();
    ImageStream(ImageStream&& other) noexcept;
    ImageStream& operator=(ImageStream&& other) noexcept;
    ImageStream(const ImageStream&) = delete;
    ImageStream& operator=(const ImageStream&) = delete;

    /// Total number of images; nullopt for lines.
    [[nodiscard]] std::optional<std::size_t> size() const;
    /// Sets the order of the images: a permutation of 0 to `size()` - 1. Must be called before `next`. Throws
    /// Error(usage) otherwise.
    void reorder(std::vector<std::size_t> order);
    /// The next image, or nullopt at the end. Throws Error(bad_input) if it cannot be read; the next call
    /// then continues with the image after it.
    [[nodiscard]] std::optional<StreamedImage> next();
    /// `next` in two steps: the first takes the image, the second reads it. `next_unread` throws the errors
    /// of the `next` of lines, `read` those of a picture or a drawing.
    [[nodiscard]] std::optional<UnreadImage> next_unread();
    [[nodiscard]] StreamedImage read(const UnreadImage& image) const;
    /// The label of an image, empty if it has none; nullopt if only reading it tells.
    [[nodiscard]] std::optional<std::string> label_of(const UnreadImage& image) const;

  private:
    struct Source;
    std::unique_ptr<Source> source_;
};

/// The folder for data sets: $XDG_CACHE_HOME/sprig, or ~/.cache/sprig.
[[nodiscard]] std::filesystem::path cache_folder();

/// Writes a file atomically: a reader sees either the old or the new content.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// The paper's topological filter: keeps images whose numbers of components and holes match their label. The
/// front end counts them; this rule defines the expected counts.
struct TopologyRule {
    /// Required number of connected components.
    int components = 1;
    /// Required number of holes by label. A label that is not listed may have any number.
    std::vector<std::pair<std::string, int>> holes = {{"0", 1}, {"6", 1}, {"8", 2}, {"9", 1}};

    [[nodiscard]] bool keeps(std::string_view label, int components_seen, int holes_seen) const;
};

} // namespace sprig
