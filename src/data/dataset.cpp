#include <algorithm>
#include <istream>
#include <utility>

#include <fmt/format.h>

#include "data/lines.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig {

ImageView Dataset::image(std::size_t index) const {
    const Item& item = items_[index];
    return {pixels_.data() + item.offset, item.width, item.height};
}

std::string Dataset::name(std::size_t index) const {
    const Item& item = items_[index];
    return item.name.empty() ? fmt::format("{}:{}", base_, first_number_ + index) : item.name;
}

std::string Dataset::label_name(std::size_t index) const {
    const int label = items_[index].label;
    return label < 0 ? "?" : classes_[static_cast<std::size_t>(label)];
}

void Dataset::reserve(std::size_t images, std::size_t pixels) {
    items_.reserve(images);
    pixels_.reserve(pixels);
}

void Dataset::number_from(std::string base, std::size_t first) {
    base_ = std::move(base);
    first_number_ = first;
}

void Dataset::add(ImageView image, int label, std::string name) {
    items_.push_back({pixels_.size(), image.width, image.height, label, std::move(name)});
    pixels_.insert(pixels_.end(), image.pixels, image.pixels + image.size());
}

bool TopologyRule::keeps(std::string_view label, int components_seen, int holes_seen) const {
    if (components_seen != components) return false;
    return std::all_of(holes.begin(), holes.end(),
                       [&](const auto& rule) { return rule.first != label || rule.second == holes_seen; });
}

LabelledLines::LabelledLines(std::istream& stream, std::string name)
    : stream_(&stream), name_(std::move(name)) {}

std::optional<LabelledLine> LabelledLines::next() {
    while (read_line()) {
        if (line_.find_first_not_of(' ') != std::string::npos) return parse_line();
    }
    return std::nullopt;
}

/// Reads one line without its line end; false at the end of the stream.
bool LabelledLines::read_line() {
    using data_detail::LineRead;
    if (!stream_->good()) return false;
    ++number_;
    const LineRead read = data_detail::read_line(*stream_, line_, max_line_length);
    if (read == LineRead::too_long) {
        throw bad_input(
            fmt::format("{} is longer than {} bytes: expected a label, a tab and the path of a picture",
                        where(), max_line_length));
    }
    if (stream_->bad()) throw failed(fmt::format("cannot read {} after line {}", name_, number_ - 1));
    if (read == LineRead::end) return false;
    if (number_ == 1 && line_.starts_with(data_detail::byte_order_mark))
        line_.erase(0, data_detail::byte_order_mark.size());
    return true;
}

std::string LabelledLines::where() const {
    return fmt::format("{}, line {}", name_, number_);
}

LabelledLine LabelledLines::parse_line() const {
    if (line_.find('\0') != std::string::npos)
        throw bad_input(fmt::format("{} contains a NUL byte, so it is not text", where()));
    const std::size_t tab = line_.find('\t');
    if (tab == std::string::npos)
        throw bad_input(
            fmt::format("{} has no tab: expected a label, a tab and the path of a picture", where()));
    if (tab == 0) throw bad_input(fmt::format("{} has no label before its tab", where()));
    if (tab + 1 == line_.size()) throw bad_input(fmt::format("{} has no path after its tab", where()));
    return {line_.substr(0, tab), line_.substr(tab + 1), where()};
}

} // namespace sprig
