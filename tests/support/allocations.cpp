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

void* counted_malloc(std::size_t size) noexcept {
    ++count;
    void* memory = std::malloc(size == 0 ? 1 : size);
    if (memory != nullptr) in_use += static_cast<long>(malloc_usable_size(memory));
    peak = std::max(peak, in_use);
    return memory;
}

void counted_free(void* memory) noexcept {
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

// These replace the standard operators, in shared libraries too. Sorting uses the nothrow version. They are
// in a file of their own because compilers warn if they see free() together with new.
void* operator new(std::size_t size) {
    if (void* memory = counted_malloc(size)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return counted_malloc(size);
}
void operator delete(void* memory) noexcept {
    counted_free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    counted_free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    counted_free(memory);
}
