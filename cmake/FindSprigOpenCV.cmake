# OpenCV's own package file comes only with the large libopencv-dev. We need two modules of it, so we look
# for their headers and libraries directly. Defines Sprig::OpenCV.
find_path(SprigOpenCV_INCLUDE_DIR opencv2/imgproc.hpp PATH_SUFFIXES opencv4)
find_library(SprigOpenCV_core_LIBRARY opencv_core)
find_library(SprigOpenCV_imgproc_LIBRARY opencv_imgproc)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SprigOpenCV REQUIRED_VARS SprigOpenCV_INCLUDE_DIR SprigOpenCV_core_LIBRARY
                                                            SprigOpenCV_imgproc_LIBRARY)
if(SprigOpenCV_FOUND AND NOT TARGET Sprig::OpenCV)
    add_library(Sprig::OpenCV INTERFACE IMPORTED)
    # As system headers: they warn under C++20.
    target_include_directories(Sprig::OpenCV SYSTEM INTERFACE ${SprigOpenCV_INCLUDE_DIR})
    target_link_libraries(Sprig::OpenCV INTERFACE ${SprigOpenCV_imgproc_LIBRARY} ${SprigOpenCV_core_LIBRARY})
endif()
mark_as_advanced(SprigOpenCV_INCLUDE_DIR SprigOpenCV_core_LIBRARY SprigOpenCV_imgproc_LIBRARY)
