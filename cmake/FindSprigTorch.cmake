# LibTorch's tensors and optimisers, with OpenBLAS under them: `Sprig::Torch`. Its own package file would look for
# CUDA, and what it links is more than is needed here.
find_path(SprigTorch_INCLUDE_DIR ATen/ATen.h)
find_path(SprigTorch_API_DIR torch/optim/adam.h PATH_SUFFIXES torch/csrc/api/include)
find_library(SprigTorch_LIBRARY torch_cpu)
find_library(SprigTorch_C10_LIBRARY c10)
find_package(OpenBLAS QUIET)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SprigTorch REQUIRED_VARS SprigTorch_LIBRARY SprigTorch_C10_LIBRARY
                                  SprigTorch_INCLUDE_DIR SprigTorch_API_DIR OpenBLAS_LIBRARIES)
if(SprigTorch_FOUND AND NOT TARGET Sprig::Torch)
    add_library(Sprig::Torch INTERFACE IMPORTED)
    # As system headers: their warnings are theirs. OpenBLAS comes first, so that it is the BLAS whichever one the
    # machine prefers.
    target_include_directories(Sprig::Torch SYSTEM INTERFACE ${SprigTorch_INCLUDE_DIR} ${SprigTorch_API_DIR}
                                                             ${OpenBLAS_INCLUDE_DIRS})
    target_link_libraries(Sprig::Torch INTERFACE ${OpenBLAS_LIBRARIES} ${SprigTorch_LIBRARY}
                                                 ${SprigTorch_C10_LIBRARY})
endif()
