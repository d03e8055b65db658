#include "support/allocations.h"

#include <cstdlib>
#include <new>

namespace {

long count = 0;

void* counted(std::size_t size) noexcept {
    ++count;
    return std::malloc(size == 0 ? 1 : size);
}

} // namespace

long sprig::test::allocations() {
    return count;
}

// A program's own operator new takes the place of the library's, in shared libraries too. The one that does
// not throw is what sorting takes its memory from. In a file of their own: a compiler that saw free() beside
// a new would complain.
void* operator new(std::size_t size) {
    if (void* memory = counted(size)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return counted(size);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}
