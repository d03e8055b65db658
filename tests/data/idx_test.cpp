#include "data/idx.h"

#include "support.h"

namespace sprig {
namespace {

using namespace testing_support;
using data_detail::IdxFile;
using Content = IdxFile::Content;

const Bytes small_images = idx_images(3, 2, 4, counting(24));
const Bytes small_labels = idx_labels(3, {7, 0, 2});

void expect_bad(const Bytes& bytes, Content content, const std::vector<std::string>& words) {
    expect_error(ErrorKind::bad_input, words,
                 [&] { static_cast<void>(IdxFile::decode(bytes, content, "the file")); });
}

TEST(Idx, ReadsImages) {
    const IdxFile file = IdxFile::decode(small_images, Content::images, "x");
    EXPECT_EQ(file.count(), 3U);
    EXPECT_EQ(file.rows(), 2);
    EXPECT_EQ(file.columns(), 4);
    EXPECT_EQ(file.items(0, 3), counting(24));
    EXPECT_EQ(file.items(1, 1), (Bytes{8, 9, 10, 11, 12, 13, 14, 15}));
}

TEST(Idx, ReadsLabels) {
    const IdxFile file = IdxFile::decode(small_labels, Content::labels, "x");
    EXPECT_EQ(file.items(0, 3), (Bytes{7, 0, 2}));
}

TEST(Idx, ReadsGzipByContentNotByName) {
    const TempFolder folder;
    write(folder / "raw.gz", small_images);
    write(folder / "packed", gzipped(small_images));
    EXPECT_EQ(IdxFile::open(folder / "raw.gz", Content::images).items(2, 1),
              (Bytes{16, 17, 18, 19, 20, 21, 22, 23}));
    EXPECT_EQ(IdxFile::open(folder / "packed", Content::images).items(2, 1),
              (Bytes{16, 17, 18, 19, 20, 21, 22, 23}));
}

TEST(Idx, ReadsGzipOfSeveralMembers) {
    Bytes joined = gzipped(first_bytes(small_images, 20));
    const Bytes rest = gzipped({small_images.begin() + 20, small_images.end()});
    joined.insert(joined.end(), rest.begin(), rest.end());
    EXPECT_EQ(IdxFile::decode(joined, Content::images, "x").items(0, 3), counting(24));
}

TEST(Idx, ReportsTheMagicFound) {
    expect_bad({1, 2, 3, 4, 5, 6, 7, 8}, Content::images,
               {"the file", "0x01020304", "0x00000803", "not an IDX file"});
    expect_bad({1, 2, 3, 4, 5, 6, 7, 8}, Content::labels, {"0x01020304", "0x00000801"});
}

TEST(Idx, ReportsSwappedLabelsAndImages) {
    expect_bad(small_labels, Content::images, {"should contain images", "IDX file of labels"});
    expect_bad(small_images, Content::labels, {"should contain labels", "IDX file of images"});
}

TEST(Idx, IsRejectedWhereverItIsCut) {
    for (const auto& [bytes, content] :
         {std::pair{small_images, Content::images}, {small_labels, Content::labels}}) {
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            expect_bad(first_bytes(bytes, size), content,
                       {"cut short", "it has " + std::to_string(size) + " bytes"});
        }
    }
    expect_bad(first_bytes(small_images, 30), Content::images, {"it has 30 bytes instead of 40"});
    expect_bad(first_bytes(small_labels, 5), Content::labels, {"it has 5 bytes, but its header needs 8"});
}

TEST(Idx, IsRejectedWhereverItsGzipIsCut) {
    for (const auto& [bytes, content] :
         {std::pair{small_images, Content::images}, {small_labels, Content::labels}}) {
        const Bytes packed = gzipped(bytes);
        for (std::size_t size = 0; size < packed.size(); ++size) {
            expect_bad(first_bytes(packed, size), content, {"cut short"});
        }
    }
}

TEST(Idx, IsRejectedOnDiskWhereverItIsCut) {
    const TempFolder folder;
    const fs::path path = folder / "images";
    for (const Bytes& bytes : {small_images, gzipped(small_images)}) {
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            write(path, first_bytes(bytes, size));
            expect_error(ErrorKind::bad_input, {"cut short", path.string()},
                         [&] { static_cast<void>(IdxFile::open(path, Content::images)); });
        }
    }
}

TEST(Idx, IsRejectedWhereverItsGzipIsDamaged) {
    const Bytes packed = gzipped(small_images);
    for (std::size_t i = 0; i < packed.size(); ++i) {
        // Bytes 4 to 9 (time, compression flags, system) are not checked.
        if (i >= 4 && i <= 9) continue;
        Bytes bytes = packed;
        bytes[i] = static_cast<std::uint8_t>(bytes[i] ^ 0xffU);
        expect_bad(bytes, Content::images, {"the file"});
    }
    Bytes bytes = packed;
    bytes[bytes.size() - 6] ^= 1U; // in the checksum
    expect_bad(bytes, Content::images, {"damaged", "incorrect data check"});
}

TEST(Idx, RejectsTrailingBytes) {
    Bytes bytes = small_images;
    bytes.push_back(0);
    expect_bad(bytes, Content::images, {"too long", "declares 40 bytes"});
    expect_bad(gzipped(bytes), Content::images, {"too long", "declares 40 bytes"});
    Bytes packed = gzipped(small_images);
    packed.push_back(0);
    expect_bad(packed, Content::images, {"1 extra bytes after its compressed data"});
}

TEST(Idx, RejectsInvalidDimensions) {
    expect_bad(idx_images(1, 0, 4, {}), Content::images, {"0 rows and 4 columns"});
    expect_bad(idx_images(1, 4, 0, {}), Content::images, {"4 rows and 0 columns"});
    expect_bad(idx_images(1, 8193, 1, {}), Content::images, {"8193 rows", "1 to 8192"});
    expect_bad(idx_images(1, 1, 0xffffffff, {}), Content::images, {"4294967295 columns"});
    expect_bad(idx_images(0, 2, 2, {}), Content::images, {"contains 0 images"});
    expect_bad(idx_labels(0, {}), Content::labels, {"contains 0 labels"});
    expect_bad(idx_images(0xffffffff, 8192, 8192, {}), Content::images, {"the limit is"});
    expect_bad(idx_labels(0xffffffff, {}), Content::labels, {"the limit is"});
}

TEST(Idx, DoesNotExpandAZipBomb) {
    // 64 MB of zeros after a header that declares one pixel.
    Bytes bytes = idx_images(1, 1, 1, Bytes(std::size_t{1} << 26));
    expect_bad(gzipped(bytes), Content::images, {"too long", "declares 17 bytes"});
}

TEST(Idx, ReportsWhyAFileCannotBeRead) {
    const TempFolder folder;
    expect_error(ErrorKind::bad_input, {"nowhere", "there is no such file"},
                 [&] { static_cast<void>(IdxFile::open(folder / "nowhere", Content::images)); });
    expect_error(ErrorKind::bad_input, {"it is a folder"},
                 [&] { static_cast<void>(IdxFile::open(folder.path(), Content::images)); });
    expect_error(ErrorKind::bad_input, {"not a regular file"},
                 [&] { static_cast<void>(IdxFile::open("/dev/null", Content::images)); });
}

} // namespace
} // namespace sprig
