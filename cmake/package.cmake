# Debian packages, by `make package`: `sprig`, the program, and `libsprig-dev`, the library with what is needed to build
# programs with it. The lab is not packaged.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The Sprig developers")
set(CPACK_PACKAGE_CONTACT "The Sprig developers <sprig@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL sprig libsprig-dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# The first line of both descriptions is that of the project.
set(CPACK_COMPONENT_SPRIG_DESCRIPTION
    "The program sprig learns shapes from pictures, recognises them and explains its answers. A model is one file.")
set(CPACK_DEBIAN_SPRIG_PACKAGE_NAME sprig)
set(CPACK_DEBIAN_SPRIG_PACKAGE_SECTION science)
set(CPACK_DEBIAN_SPRIG_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_SPRIG_PACKAGE_RECOMMENDS "librsvg2-2, fonts-dejavu-core")
set(CPACK_DEBIAN_SPRIG_PACKAGE_SUGGESTS "npm, xdg-utils") # xdg-open: `sprig serve --open`

set(CPACK_COMPONENT_LIBSPRIG-DEV_DESCRIPTION "The C++20 library, with headers, CMake package and pkg-config file.")
set(CPACK_DEBIAN_LIBSPRIG-DEV_PACKAGE_NAME libsprig-dev)
set(CPACK_DEBIAN_LIBSPRIG-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBSPRIG-DEV_PACKAGE_DEPENDS "libfmt-dev")
if(SPRIG_WITH_MODEL_FILES)
    string(APPEND CPACK_DEBIAN_LIBSPRIG-DEV_PACKAGE_DEPENDS ", libsqlite3-dev")
endif()
if(SPRIG_WITH_DECODERS)
    string(APPEND CPACK_DEBIAN_LIBSPRIG-DEV_PACKAGE_DEPENDS ", libpng-dev, libjpeg-dev, libexif-dev, zlib1g-dev")
endif()
include(CPack)
