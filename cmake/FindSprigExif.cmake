# libexif comes without a CMake package. Defines Sprig::Exif; installed beside our package file.
find_path(SprigExif_INCLUDE_DIR libexif/exif-data.h)
find_library(SprigExif_LIBRARY exif)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SprigExif REQUIRED_VARS SprigExif_INCLUDE_DIR SprigExif_LIBRARY)
if(SprigExif_FOUND AND NOT TARGET Sprig::Exif)
    add_library(Sprig::Exif INTERFACE IMPORTED)
    target_include_directories(Sprig::Exif SYSTEM INTERFACE ${SprigExif_INCLUDE_DIR})
    target_link_libraries(Sprig::Exif INTERFACE ${SprigExif_LIBRARY})
endif()
mark_as_advanced(SprigExif_INCLUDE_DIR SprigExif_LIBRARY)
