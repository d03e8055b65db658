# What `cmake --install` puts onto a machine: the library, its headers, the program, and what others need
# to find them: a CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sprig)
install(TARGETS sprig EXPORT sprigTargets)
install(DIRECTORY include/sprig ${PROJECT_BINARY_DIR}/include/sprig
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT sprigTargets NAMESPACE sprig:: DESTINATION ${package_dir})
configure_package_config_file(cmake/sprigConfig.cmake.in sprigConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(sprigConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sprigConfig.cmake ${PROJECT_BINARY_DIR}/sprigConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindSprigExif.cmake
        DESTINATION ${package_dir})
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
configure_file(cmake/sprig.pc.in sprig.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sprig.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET sprig_cli)
    install(TARGETS sprig_cli)
endif()
if(TARGET sprig_lab_cli)
    install(TARGETS sprig_lab_cli)
endif()
if(TARGET sprig_lab_mpi)
    install(TARGETS sprig_lab_mpi)
endif()
if(TARGET sprig_torch)
    install(TARGETS sprig_torch LIBRARY DESTINATION lib/sprig) # where the lab looks for it
endif()
