# Compiling to WebAssembly, with Debian 12's emscripten (preset `wasm`). Defines the targets of the dependencies, which
# are headers only here.

# A folder with these headers alone: those of the machine's C library must not be found.
set(header_folder ${PROJECT_BINARY_DIR}/headers)
foreach(header fmt/format.h nlohmann/json.hpp Random123/philox.h)
    find_path(place ${header} PATHS /usr/include /usr/local/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH NO_CACHE
              REQUIRED)
    cmake_path(GET header PARENT_PATH name)
    file(MAKE_DIRECTORY ${header_folder})
    file(CREATE_LINK ${place}/${name} ${header_folder}/${name} SYMBOLIC)
    unset(place)
endforeach()
include_directories(SYSTEM ${header_folder})
foreach(target fmt::fmt nlohmann_json::nlohmann_json Threads::Threads)
    add_library(${target} INTERFACE IMPORTED)
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)

# Random123 does not know WebAssembly. It is told to use what it has for a machine without special instructions. Its
# products of 64-bit numbers are made of 32-bit halves: with 128-bit integers the compiler calls a function.
add_compile_definitions(__arm__ R123_USE_PHILOX_64BIT=1 R123_USE_GNU_UINT128=0 R123_USE_MULHILO64_C99=1)
add_compile_options(-fwasm-exceptions "SHELL:-include ${CMAKE_CURRENT_LIST_DIR}/standard_library.h")
add_link_options(-fwasm-exceptions)
