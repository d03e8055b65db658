#include <algorithm>
#include <istream>
#include <utility>

#include <fmt/format.h>

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

namespace {

/// What some editors put before the first letter of a file; it would make the first label another one.
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

} // namespace

LabelledLines::LabelledLines(std::istream& stream, std::string name)
    : stream_(&stream), name_(std::move(name)) {}

std::optional<LabelledLine> LabelledLines::next() {
    while (read_line()) {
        if (line_.find_first_not_of(' ') != std::string::npos) return parsed();
    }
    return std::nullopt;
}

/// Takes one line from the stream, without its end; false if there is none left.
bool LabelledLines::read_line() {
    line_.clear();
    if (!stream_->good()) return false;
    ++number_;
    for (char c = 0; stream_->get(c) && c != '\n';) { // byte by byte: so nothing is taken that is not ours
        if (line_.size() == longest_line) {
            stream_->setstate(
                std::ios::failbit); // what follows is the rest of a line, and not one of its own
            throw bad_input(
                fmt::format("{} is longer than {} bytes: it must be a label, a tab and the path of a picture",
                            where(), longest_line));
        }
        line_ += c;
    }
    if (stream_->bad())
        throw failed(fmt::format("{} cannot be read any further after line {}", name_, number_ - 1));
    if (stream_->eof() && line_.empty()) return false;
    if (line_.ends_with('\r')) line_.pop_back();
    if (number_ == 1 && line_.starts_with(byte_order_mark)) line_.erase(0, byte_order_mark.size());
    return true;
}

std::string LabelledLines::where() const {
    return fmt::format("{}, line {}", name_, number_);
}

LabelledLine LabelledLines::parsed() const {
    if (line_.find('\0') != std::string::npos)
        throw bad_input(fmt::format("{} has a NUL byte in it: is this text?", where()));
    const std::size_t tab = line_.find('\t');
    if (tab == std::string::npos)
        throw bad_input(
            fmt::format("{} has no tab: it must be a label, a tab and the path of a picture", where()));
    if (tab == 0) throw bad_input(fmt::format("{} has no label before its tab", where()));
    if (tab + 1 == line_.size()) throw bad_input(fmt::format("{} has no path after its tab", where()));
    return {line_.substr(0, tab), line_.substr(tab + 1), where()};
}

} // namespace sprig
