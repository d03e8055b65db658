# What `cmake --install` puts onto a machine: the library, its headers, the program, and what others need
# to find them: a CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sprig)
# Each component is a Debian package (cmake/package.cmake), or the lab.
install(TARGETS sprig EXPORT sprigTargets
        ARCHIVE COMPONENT libsprig-dev
        LIBRARY COMPONENT sprig NAMELINK_COMPONENT libsprig-dev)
install(DIRECTORY include/sprig ${PROJECT_BINARY_DIR}/include/sprig
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT libsprig-dev FILES_MATCHING PATTERN "*.h")
install(EXPORT sprigTargets NAMESPACE sprig:: DESTINATION ${package_dir} COMPONENT libsprig-dev)
configure_package_config_file(cmake/sprigConfig.cmake.in sprigConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(sprigConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sprigConfig.cmake ${PROJECT_BINARY_DIR}/sprigConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT libsprig-dev)
if(SPRIG_WITH_DECODERS)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/FindSprigExif.cmake DESTINATION ${package_dir} COMPONENT libsprig-dev)
endif()
# The file finds its prefix from where it lies, so that an installed tree can be put anywhere.
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR libdir_is_absolute)
if(libdir_is_absolute)
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
    set(pc_libdir ${CMAKE_INSTALL_LIBDIR})
else()
    file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    string(REGEX REPLACE "/$" "" up "${up}")
    set(pc_prefix "\${pcfiledir}/${up}")
    set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
set(pc_libraries "-lfmt -pthread")
if(SPRIG_WITH_MODEL_FILES)
    string(PREPEND pc_libraries "-lsqlite3 ")
endif()
if(SPRIG_WITH_DECODERS)
    string(PREPEND pc_libraries "-lexif -lpng -ljpeg -lz ")
endif()
configure_file(cmake/sprig.pc.in sprig.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sprig.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT libsprig-dev)
if(TARGET sprig_cli)
    install(TARGETS sprig_cli COMPONENT sprig)
    # The licence, the documents, and the pictures that they use. Their links work there too.
    set(doc_dir ${CMAKE_INSTALL_DATADIR}/doc)
    install(FILES README.md CHANGELOG.md DESTINATION ${doc_dir}/sprig COMPONENT sprig)
    install(DIRECTORY docs DESTINATION ${doc_dir}/sprig COMPONENT sprig)
    install(DIRECTORY examples/shapes examples/new DESTINATION ${doc_dir}/sprig/examples COMPONENT sprig)
    foreach(package sprig libsprig-dev)
        install(FILES LICENSE DESTINATION ${doc_dir}/${package} RENAME copyright COMPONENT ${package})
    endforeach()
endif()
if(TARGET sprig_lab_cli)
    install(TARGETS sprig_lab_cli COMPONENT lab)
endif()
if(TARGET sprig_lab_mpi)
    install(TARGETS sprig_lab_mpi COMPONENT lab)
endif()
if(TARGET sprig_torch)
    install(TARGETS sprig_torch LIBRARY DESTINATION lib/sprig COMPONENT lab) # where the lab looks for it
endif()
