#include "lab/glyphs/render.h"

#include <algorithm>
#include <set>
#include <string>

#include <gmock/gmock.h>

#include "sprig/error.h"

namespace sprig::glyphs {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr FaceSource nowhere = {"Nowhere", "Nowhere", "nowhere.ttf", "fonts-nowhere", Part::test, false};

std::set<std::string> families(Part part) {
    std::set<std::string> names;
    for (const FaceSource& face : all_faces()) {
        if (face.part == part) names.insert(face.family);
    }
    return names;
}

TEST(Faces, AreAllInstalled) {
    for (const FaceSource& face : all_faces()) {
        EXPECT_EQ(find_face(face, font_folders()).filename(), face.file);
    }
}

TEST(Faces, AtLeastEightForEachPart) {
    const auto learns = [](const FaceSource& face) { return face.part == Part::learn; };
    const auto learn = std::ranges::count_if(all_faces(), learns);
    EXPECT_GE(learn, 8);
    EXPECT_GE(std::ssize(all_faces()) - learn, 8);
}

TEST(Faces, NoFamilyIsInBothParts) {
    const std::set<std::string> learn = families(Part::learn);
    for (const std::string& family : families(Part::test)) EXPECT_FALSE(learn.contains(family)) << family;
}

TEST(Faces, AMissingFaceNamesThePackageToInstall) {
    try {
        (void)find_face(nowhere, font_folders());
        FAIL() << "it was found";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::failed);
        EXPECT_THAT(error.what(),
                    AllOf(HasSubstr("Nowhere"), HasSubstr("nowhere.ttf"), HasSubstr("fonts-nowhere")));
    }
}

TEST(Faces, AMissingFolderIsSkipped) {
    const std::vector<std::filesystem::path> folders = {"no/such/folder"};
    EXPECT_THROW((void)find_face(all_faces().front(), folders), Error);
}

} // namespace
} // namespace sprig::glyphs
