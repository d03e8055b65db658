#include "support/allocations.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <malloc.h>

namespace {

long count = 0;
long in_use = 0;
long peak = 0;
long start = 0;

void* counted(std::size_t size) noexcept {
    ++count;
    void* memory = std::malloc(size == 0 ? 1 : size);
    if (memory != nullptr) in_use += static_cast<long>(malloc_usable_size(memory));
    peak = std::max(peak, in_use);
    return memory;
}

void give_back(void* memory) noexcept {
    if (memory != nullptr) in_use -= static_cast<long>(malloc_usable_size(memory));
    std::free(memory);
}

} // namespace

long sprig::test::allocations() {
    return count;
}

void sprig::test::start_peak() {
    start = peak = in_use;
}

long sprig::test::peak_bytes() {
    return peak - start;
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
    give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    give_back(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    give_back(memory);
}
