#include "data/orientation.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include <libexif/exif-data.h>

namespace sprig::data_detail {

namespace {

struct Unref {
    void operator()(ExifData* data) const { exif_data_unref(data); }
};

} // namespace

int orientation_of(ByteView jpeg) {
    // Exif data stand at the beginning, and libexif counts in unsigned int.
    const std::size_t size = std::min<std::size_t>(jpeg.size(), std::numeric_limits<int>::max());
    const std::unique_ptr<ExifData, Unref> data(
        exif_data_new_from_data(jpeg.data(), static_cast<unsigned int>(size)));
    if (data == nullptr) return 1;
    const ExifEntry* entry = exif_content_get_entry(data->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
    if (entry == nullptr || entry->format != EXIF_FORMAT_SHORT || entry->components != 1 || entry->size < 2)
        return 1;
    const int orientation = exif_get_short(entry->data, exif_data_get_byte_order(data.get()));
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

Picture turned_upright(Picture picture, int orientation) {
    if (orientation == 1) return picture;
    // Exif's eight: mirrored or not, upside down or not, lying or not.
    const bool lying = orientation >= 5;
    const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool from_below = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    Picture upright = picture;
    if (lying) std::swap(upright.width, upright.height);
    const auto channels = static_cast<std::size_t>(picture.channels);
    std::uint8_t* out = upright.pixels.data();
    for (int y = 0; y < upright.height; ++y) {
        for (int x = 0; x < upright.width; ++x) {
            const int along = lying ? y : x;
            const int down = lying ? x : y;
            const int source_x = from_right ? picture.width - 1 - along : along;
            const int source_y = from_below ? picture.height - 1 - down : down;
            const std::size_t at =
                ((static_cast<std::size_t>(source_y) * static_cast<std::size_t>(picture.width)) +
                 static_cast<std::size_t>(source_x)) *
                channels;
            out = std::copy_n(picture.pixels.data() + at, channels, out);
        }
    }
    return upright;
}

} // namespace sprig::data_detail
