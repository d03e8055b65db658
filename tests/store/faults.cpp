#include "store/faults.h"

#include <cstddef>
#include <cstdlib>
#include <new>

#include <sqlite3.h>

namespace sprig::store_test {

namespace {

Fault armed = Fault::write;
long countdown = 0; ///< 0: no fault is armed
bool happened = false;

bool fails(Fault what) {
    if (countdown == 0 || what != armed || --countdown > 0) return false;
    happened = true;
    return true;
}

// Forwards all operations to the real file, except for injected faults.
struct FaultyFile {
    sqlite3_file base;
    sqlite3_file* real;
};

sqlite3_file* real(sqlite3_file* file) {
    return reinterpret_cast<FaultyFile*>(file)->real;
}

int close_file(sqlite3_file* file) {
    return real(file)->pMethods->xClose(real(file));
}
int read_file(sqlite3_file* file, void* to, int size, sqlite3_int64 at) {
    return real(file)->pMethods->xRead(real(file), to, size, at);
}
int write_file(sqlite3_file* file, const void* from, int size, sqlite3_int64 at) {
    if (fails(Fault::write)) return at % 2 == 0 ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    return real(file)->pMethods->xWrite(real(file), from, size, at);
}
int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
    if (fails(Fault::write)) return SQLITE_IOERR_TRUNCATE;
    return real(file)->pMethods->xTruncate(real(file), size);
}
int sync_file(sqlite3_file* file, int flags) {
    if (fails(Fault::sync)) return SQLITE_IOERR_FSYNC;
    return real(file)->pMethods->xSync(real(file), flags);
}
int size_of(sqlite3_file* file, sqlite3_int64* size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}
int lock(sqlite3_file* file, int kind) {
    return real(file)->pMethods->xLock(real(file), kind);
}
int unlock(sqlite3_file* file, int kind) {
    return real(file)->pMethods->xUnlock(real(file), kind);
}
int is_reserved(sqlite3_file* file, int* result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}
int control(sqlite3_file* file, int op, void* argument) {
    return real(file)->pMethods->xFileControl(real(file), op, argument);
}
int sector(sqlite3_file* file) {
    return real(file)->pMethods->xSectorSize(real(file));
}
int traits(sqlite3_file* file) {
    return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
int shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** to) {
    return real(file)->pMethods->xShmMap(real(file), page, size, extend, to);
}
int shm_lock(sqlite3_file* file, int offset, int count, int flags) {
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
void shm_barrier(sqlite3_file* file) {
    real(file)->pMethods->xShmBarrier(real(file));
}
int shm_unmap(sqlite3_file* file, int remove) {
    return real(file)->pMethods->xShmUnmap(real(file), remove);
}

const sqlite3_io_methods methods = {2,           close_file, read_file, write_file, truncate_file,
                                    sync_file,   size_of,    lock,      unlock,     is_reserved,
                                    control,     sector,     traits,    shm_map,    shm_lock,
                                    shm_barrier, shm_unmap,  nullptr,   nullptr};

int open_file(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* got) {
    auto* faulty = reinterpret_cast<FaultyFile*>(file);
    auto* below = static_cast<sqlite3_vfs*>(vfs->pAppData);
    faulty->real = reinterpret_cast<sqlite3_file*>(faulty + 1);
    faulty->base.pMethods = nullptr;
    const int result = below->xOpen(below, name, faulty->real, flags, got);
    if (faulty->real->pMethods != nullptr) faulty->base.pMethods = &methods;
    return result;
}

sqlite3_mem_methods system_memory;
void* get_memory(int size) {
    return fails(Fault::memory) ? nullptr : system_memory.xMalloc(size);
}
void* more_memory(void* memory, int size) {
    return fails(Fault::memory) ? nullptr : system_memory.xRealloc(memory, size);
}

} // namespace

void arm(Fault what, long n) {
    armed = what;
    happened = false;
    countdown = n;
}

bool disarm() {
    countdown = 0;
    return happened;
}

void install_faults() {
    static sqlite3_vfs faulty;
    if (faulty.zName != nullptr) return;
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_memory);
    sqlite3_mem_methods memory = system_memory;
    memory.xMalloc = get_memory;
    memory.xRealloc = more_memory;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &memory);
    sqlite3_vfs* below = sqlite3_vfs_find(nullptr);
    faulty = *below;
    faulty.zName = "faulty";
    faulty.pAppData = below;
    faulty.szOsFile = static_cast<int>(sizeof(FaultyFile)) + below->szOsFile;
    faulty.xOpen = open_file;
    faulty.pNext = nullptr;
    sqlite3_vfs_register(&faulty, 1);
}

} // namespace sprig::store_test

// Allocations of the rest of the program fail as well. Sorting uses the nothrow version.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    if (sprig::store_test::fails(sprig::store_test::Fault::memory)) return nullptr;
    return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
    if (void* memory = operator new(size, std::nothrow)) return memory;
    throw std::bad_alloc();
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
