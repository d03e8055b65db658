# The library once more, with address and undefined-behaviour sanitizers, inside a build that has none. The tests are
# linked a second time with it instead of being compiled a second time (tests/CMakeLists.txt). The preset `sanitize` has
# sanitizers in all code instead.
#
# It is a shared library that calls its own copies of inline functions. Of a static library the linker would drop the
# copies that the tests have too, and keep those of the tests, which check nothing.
get_target_property(sources sprig SOURCES)
add_library(sprig_sanitized SHARED EXCLUDE_FROM_ALL ${sources})
foreach(property COMPILE_OPTIONS INCLUDE_DIRECTORIES INTERFACE_COMPILE_FEATURES INTERFACE_INCLUDE_DIRECTORIES
                 LINK_LIBRARIES UNITY_BUILD UNITY_BUILD_MODE)
    get_target_property(value sprig ${property})
    set_target_properties(sprig_sanitized PROPERTIES ${property} "${value}")
endforeach()
target_include_directories(sprig_sanitized SYSTEM PRIVATE ${STB_INCLUDE_DIR})
target_link_options(sprig_sanitized PRIVATE -Wl,-Bsymbolic-functions INTERFACE -fsanitize=address,undefined)

# Without the four checks of every pointer that is used: they are a quarter of the compile time, and the address
# sanitizer finds most of what they find. The preset `sanitize` has them.
# g++ reports false out-of-bounds copies of strings in sanitized code.
target_compile_options(sprig_sanitized PRIVATE -O1 -g1 -UNDEBUG -D_GLIBCXX_ASSERTIONS -fno-omit-frame-pointer
                       -fsanitize=address,undefined -fno-sanitize=null,alignment,object-size,vptr
                       -fno-sanitize-recover=all -Wno-array-bounds)
# clang-tidy would analyse every file twice.
set_target_properties(sprig_sanitized PROPERTIES EXPORT_COMPILE_COMMANDS OFF)
