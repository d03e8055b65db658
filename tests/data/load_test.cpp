#include <sys/stat.h>
#include <unistd.h>

#include "support.h"

namespace sprig {
namespace {

using namespace testing_support;
using ::testing::ElementsAre;

[[nodiscard]] Bytes pixels_of(const Dataset& dataset, std::size_t index) {
    return Image(dataset.image(index)).pixels;
}

void expect_fails(ErrorKind kind, const std::string& address, const std::vector<std::string>& words) {
    expect_error(kind, words, [&] { static_cast<void>(load_dataset(address)); });
}

class LoadIdx : public ::testing::Test {
  protected:
    LoadIdx() {
        write(folder / "images", idx_images(3, 2, 4, counting(24)));
        write(folder / "labels", idx_labels(3, {2, 0, 1}));
    }
    TempFolder folder;
    std::string address = "idx:" + (folder / "images").string() + "," + (folder / "labels").string();
};

TEST_F(LoadIdx, LoadsEverything) {
    const Dataset dataset = load_dataset(address);
    ASSERT_EQ(dataset.size(), 3U);
    EXPECT_EQ(dataset.image(0).width, 4);
    EXPECT_EQ(dataset.image(0).height, 2);
    EXPECT_EQ(pixels_of(dataset, 1), (Bytes{8, 9, 10, 11, 12, 13, 14, 15}));
    EXPECT_EQ(dataset.label(0), 2);
    EXPECT_THAT(dataset.classes(), ElementsAre("0", "1", "2"));
    EXPECT_EQ(dataset.name(2), address + ":2");
}

TEST_F(LoadIdx, LoadsASelectionWithTheSameClasses) {
    const Dataset dataset = load_dataset(address + ":1-2");
    ASSERT_EQ(dataset.size(), 2U);
    EXPECT_EQ(pixels_of(dataset, 0), (Bytes{8, 9, 10, 11, 12, 13, 14, 15}));
    EXPECT_EQ(dataset.label(1), 1);
    EXPECT_EQ(dataset.name(0), address + ":1");
    EXPECT_EQ(dataset.classes().size(), 3U);
    EXPECT_EQ(load_dataset(dataset.name(1)).label(0), 1);
}

TEST_F(LoadIdx, ReportsTheNumberOfImages) {
    expect_fails(ErrorKind::usage, address + ":3", {"has 3 images, 0 to 2", "no image 3"});
}

TEST_F(LoadIdx, RejectsDifferentCounts) {
    write(folder / "labels", idx_labels(2, {2, 0}));
    expect_fails(ErrorKind::bad_input, address,
                 {"contains 3 images", "contains 2 labels", "do not belong together"});
}

TEST_F(LoadIdx, RejectsSwappedFiles) {
    expect_fails(ErrorKind::bad_input,
                 "idx:" + (folder / "labels").string() + "," + (folder / "images").string(),
                 {"should contain images", "IDX file of labels"});
}

TEST_F(LoadIdx, NamesAMissingFile) {
    expect_fails(ErrorKind::bad_input, address + "-none", {"labels-none", "there is no such file"});
}

class LoadFolder : public ::testing::Test {
  protected:
    LoadFolder() {
        write(folder / "b/2.pgm", "P5 1 1 255\nB");
        write(folder / "b/10.PGM", "P5 1 1 255\nA");
        write(folder / "a/x.pgm", "P5 2 1 255\nXY");
        write(folder / "a/.hidden.pgm", "broken");
        write(folder / "a/notes.txt", "broken");
        write(folder / ".git/x.pgm", "broken");
        write(folder / "readme.txt", "broken");
    }
    TempFolder folder;
    std::string address = "dir:" + folder.path().string();
};

TEST_F(LoadFolder, SortsClassesAndFiles) {
    const Dataset dataset = load_dataset(address);
    ASSERT_EQ(dataset.size(), 3U);
    EXPECT_THAT(dataset.classes(), ElementsAre("a", "b"));
    EXPECT_EQ(dataset.name(0), (folder / "a/x.pgm").string());
    EXPECT_EQ(dataset.name(1), (folder / "b/10.PGM").string());
    EXPECT_EQ(pixels_of(dataset, 0), (Bytes{'X', 'Y'}));
    EXPECT_EQ(pixels_of(dataset, 2), (Bytes{'B'}));
    EXPECT_EQ(dataset.label(0), 0);
    EXPECT_EQ(dataset.label(2), 1);
}

TEST_F(LoadFolder, LoadsASelection) {
    const Dataset dataset = load_dataset(address + ":1-2");
    ASSERT_EQ(dataset.size(), 2U);
    EXPECT_EQ(dataset.label(0), 1);
    EXPECT_EQ(dataset.classes().size(), 2U);
    expect_fails(ErrorKind::usage, address + ":7", {"has 3 images, 0 to 2"});
}

TEST_F(LoadFolder, PreparesPicturesAndReportsProgress) {
    LoadOptions options;
    options.prepare = [](const Picture& picture) {
        return Image(1, 1, static_cast<std::uint8_t>(picture.width));
    };
    std::vector<std::pair<std::size_t, std::size_t>> seen;
    options.progress = [&](std::size_t done, std::size_t of) { seen.emplace_back(done, of); };
    const Dataset dataset = load_dataset(address, options);
    EXPECT_EQ(pixels_of(dataset, 0), Bytes{2});
    EXPECT_EQ(pixels_of(dataset, 1), Bytes{1});
    ASSERT_FALSE(seen.empty());
    EXPECT_EQ(seen.back(), std::pair(std::size_t{3}, std::size_t{3}));
}

TEST_F(LoadFolder, NamesAnImageThatCannotBeRead) {
    write(folder / "b/bad.png", "no image");
    expect_fails(ErrorKind::bad_input, address, {(folder / "b/bad.png").string(), "not a supported picture"});
}

TEST_F(LoadFolder, ReportsTheExpectedLayout) {
    const TempFolder other;
    expect_fails(ErrorKind::bad_input, "dir:" + other.path().string(),
                 {"no class folders", "PATH/cat/1.png"});
    write(other / "cat/notes.txt", "x");
    expect_fails(ErrorKind::bad_input, "dir:" + other.path().string(),
                 {"contain no images", "PATH/cat/1.png"});
    expect_fails(ErrorKind::bad_input, "dir:" + (other / "none").string(), {"there is no folder", "none"});
    expect_fails(ErrorKind::bad_input, "dir:" + (other / "cat/notes.txt").string(), {"is not a folder"});
}

class Stream : public LoadFolder {
  protected:
    /// Names of the remaining images; "bad" for an image that cannot be read.
    static std::vector<std::string> rest_of(ImageStream& stream) {
        std::vector<std::string> all;
        while (true) {
            try {
                const std::optional<StreamedImage> image = stream.next();
                if (!image) return all;
                all.push_back(fs::path(image->name).filename().string() + "=" + image->label);
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::bad_input);
                all.push_back("bad");
            }
        }
    }
};

TEST_F(Stream, ReadsTheImagesOfADataset) {
    TempFolder other;
    write(other / "images", idx_images(3, 2, 4, counting(24)));
    write(other / "labels", idx_labels(3, {2, 0, 1}));
    const std::string idx = "idx:" + (other / "images").string() + "," + (other / "labels").string();
    for (const std::string& all :
         {address, address + ":1-2", idx, idx + ":1-2", fixture("grey.png").string()}) {
        const Dataset dataset = load_dataset(all);
        ImageStream stream(all);
        ASSERT_EQ(stream.size(), dataset.size()) << all;
        for (std::size_t i = 0; i < dataset.size(); ++i) {
            const std::optional<StreamedImage> image = stream.next();
            ASSERT_TRUE(image) << all;
            EXPECT_EQ(image->name, dataset.name(i));
            EXPECT_EQ(image->image, Image(dataset.image(i)));
            EXPECT_EQ(image->label, dataset.label(i) < 0
                                        ? ""
                                        : dataset.classes()[static_cast<std::size_t>(dataset.label(i))]);
        }
        EXPECT_FALSE(stream.next()) << all;
        EXPECT_FALSE(stream.next()) << all;
    }
}

TEST_F(Stream, ContinuesAfterAnUnreadablePicture) {
    write(folder / "a/bad.pgm", "no image");
    ImageStream stream(address);
    EXPECT_EQ(stream.size(), 4U);
    EXPECT_THAT(rest_of(stream), ElementsAre("bad", "x.pgm=a", "10.PGM=b", "2.pgm=b"));
    write(folder / "a/bad.pgm", "P5 1 1 255\nA");
    ImageStream prepared(address, {.prepare =
                                       [](const Picture& picture) {
                                           if (picture.width == 2) throw bad_input("too wide");
                                           return to_grey(picture);
                                       },
                                   .progress = {}});
    EXPECT_THAT(rest_of(prepared), ElementsAre("bad.pgm=a", "bad", "10.PGM=b", "2.pgm=b"));
}

TEST_F(Stream, ReadsPicturesOnDemand) {
    ImageStream stream(address);
    EXPECT_TRUE(stream.next());
    fs::remove(folder / "b/10.PGM");
    EXPECT_THAT(rest_of(stream), ElementsAre("bad", "2.pgm=b"));
}

TEST_F(Stream, CanBeReordered) {
    ImageStream stream(address);
    stream.reorder({2, 0, 1});
    EXPECT_THAT(rest_of(stream), ElementsAre("2.pgm=b", "x.pgm=a", "10.PGM=b"));
    for (const std::vector<std::size_t>& wrong : {std::vector<std::size_t>{0, 1}, {0, 1, 1}, {0, 1, 3}}) {
        ImageStream other(address);
        expect_error(ErrorKind::usage, {"each image once"}, [&] { other.reorder(wrong); });
    }
    expect_error(ErrorKind::usage, {"before the first"}, [&] { stream.reorder({0, 1, 2}); });
}

TEST_F(Stream, ReadsImagesInAnyOrderOnceTheyAreTaken) {
    write(folder / "a/bad.pgm", "no image");
    ImageStream stream(address);
    stream.reorder({3, 0, 1, 2});
    std::vector<UnreadImage> images;
    while (std::optional<UnreadImage> image = stream.next_unread()) images.push_back(*image);
    ASSERT_EQ(images.size(), 4U);
    EXPECT_EQ(fs::path(stream.read(images[2]).name).filename(), "x.pgm");
    expect_error(ErrorKind::bad_input, {"bad.pgm"}, [&] { (void)stream.read(images[1]); });
    EXPECT_EQ(fs::path(stream.read(images[0]).name).filename(), "2.pgm");
    EXPECT_EQ(stream.read(images[0]).label, "b");
}

TEST_F(Stream, ThrowsTheErrorsOfADataset) {
    expect_error(ErrorKind::usage, {"has 3 images, 0 to 2"}, [&] { ImageStream(address + ":7"); });
    expect_error(ErrorKind::bad_input, {"there is no folder"}, [&] { ImageStream(address + "-none"); });
    expect_error(ErrorKind::usage, {"is a folder"}, [&] { ImageStream(folder.path().string()); });
}

/// Root can read every file, so a test run by root temporarily switches to another user.
class NotRoot {
  public:
    NotRoot() : was_root_(geteuid() == 0 && seteuid(65534) == 0) {}
    ~NotRoot() {
        if (was_root_ && seteuid(0) != 0) std::abort();
    }
    NotRoot(const NotRoot&) = delete;
    NotRoot& operator=(const NotRoot&) = delete;
    NotRoot(NotRoot&&) = delete;
    NotRoot& operator=(NotRoot&&) = delete;

  private:
    bool was_root_;
};

TEST_F(LoadFolder, ReportsAnUnreadableFolder) {
    chmod(folder.path().c_str(), 0755);
    chmod((folder / "b").c_str(), 0);
    const NotRoot not_root;
    expect_fails(ErrorKind::bad_input, address, {"cannot read the folder", "Permission denied"});
    chmod((folder / "b").c_str(), 0700);
}

TEST(LoadPicture, IsOneUnlabelledImage) {
    const Dataset dataset = load_dataset(fixture("grey.png").string());
    ASSERT_EQ(dataset.size(), 1U);
    EXPECT_EQ(dataset.label(0), -1);
    EXPECT_EQ(dataset.name(0), fixture("grey.png").string());
    EXPECT_EQ(dataset.image(0).width, 13);
    EXPECT_TRUE(dataset.classes().empty());
}

TEST(LoadPicture, SuggestsDirForAFolder) {
    const TempFolder folder;
    expect_fails(ErrorKind::usage, folder.path().string(), {"is a folder", "dir:" + folder.path().string()});
}

TEST(LoadPicture, ReportsAMissingFile) {
    expect_fails(ErrorKind::bad_input, "nowhere/at-all.png", {"nowhere/at-all.png", "there is no such file"});
    expect_fails(ErrorKind::usage, "nowhere", {"neither a file nor a data set"});
}

TEST(LoadKnownSet, ReportsHowToGetIt) {
    const TempFolder cache;
    const ScopedVariable xdg("XDG_CACHE_HOME", cache.path().string());
    expect_error(ErrorKind::bad_input, {"mnist is not in", "run: sprig data get mnist"},
                 [] { static_cast<void>(load_dataset("mnist:train:3")); });
    expect_error(ErrorKind::bad_input, {"run: sprig data get fashion-mnist"},
                 [] { static_cast<void>(load_dataset("fashion-mnist:all")); });
}

TEST(LoadKnownSet, ItsLabelsAreDigits) {
    const TempFolder cache;
    const ScopedVariable xdg("XDG_CACHE_HOME", cache.path().string());
    const fs::path folder = cache / "sprig/mnist";
    write(folder / "t10k-images-idx3-ubyte", idx_images(2, 1, 1, {1, 2}));
    write(folder / "t10k-labels-idx1-ubyte", idx_labels(2, {9, 10}));
    expect_error(ErrorKind::bad_input,
                 {"t10k-labels-idx1-ubyte", "gives image 1 the label 10", "labels are 0 to 9"},
                 [] { static_cast<void>(load_dataset("mnist:t10k")); });
}

TEST(CacheFolder, FollowsTheXdgStandard) {
    const ScopedVariable home("HOME", "/nowhere/user");
    {
        const ScopedVariable xdg("XDG_CACHE_HOME", "/elsewhere");
        EXPECT_EQ(cache_folder(), "/elsewhere/sprig");
    }
    for (const std::optional<std::string>& ignored :
         {std::optional<std::string>{}, {""}, {"relative/path"}}) {
        const ScopedVariable xdg("XDG_CACHE_HOME", ignored);
        EXPECT_EQ(cache_folder(), "/nowhere/user/.cache/sprig");
    }
}

TEST(CacheFolder, ReportsWhatToSet) {
    const ScopedVariable home("HOME", std::nullopt);
    const ScopedVariable xdg("XDG_CACHE_HOME", std::nullopt);
    expect_error(ErrorKind::failed, {"neither XDG_CACHE_HOME nor HOME", "set one of them"},
                 [] { static_cast<void>(cache_folder()); });
}

TEST(Dataset, NumbersImagesWithoutNames) {
    Dataset dataset;
    const Image image(1, 1, 5);
    dataset.number_from("x:train", 40);
    dataset.add(image.view(), 0);
    dataset.add(image.view(), 0, "own name");
    dataset.add(image.view(), 0);
    EXPECT_EQ(dataset.name(0), "x:train:40");
    EXPECT_EQ(dataset.name(1), "own name");
    EXPECT_EQ(dataset.name(2), "x:train:42");
}

} // namespace
} // namespace sprig
