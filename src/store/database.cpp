#include "store/database.h"

#include <limits>
#include <new>

#include <fmt/format.h>
#include <sqlite3.h>

#include "sprig/error.h"

namespace sprig::store {

namespace {

/// Time to wait for a lock of another connection; locks are held only briefly.
constexpr int busy_timeout_ms = 3000;

/// Several threads may ask a file that is open for learning about its facts. The other connections belong to
/// one thread, and need no mutex, which would be locked for every number of every row.
int flags_of(Database::Mode mode) {
    switch (mode) {
    case Database::Mode::read:
        return SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
    case Database::Mode::write:
        return SQLITE_OPEN_READWRITE;
    case Database::Mode::create:
        return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    }
    return SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
}

} // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Statement::Statement(Database& database, std::string_view sql) : database_(&database) {
    sqlite3_stmt* statement = nullptr;
    const int result = sqlite3_prepare_v3(database.handle(), sql.data(), static_cast<int>(sql.size()),
                                          SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    statement_.reset(statement);
    check(result);
}

void Statement::check(int result) {
    if (result != SQLITE_OK) database_->fail(result);
}

Statement& Statement::bind(int index, std::int64_t value) {
    check(sqlite3_bind_int64(statement_.get(), index, value));
    return *this;
}

Statement& Statement::bind(int index, double value) {
    check(sqlite3_bind_double(statement_.get(), index, value));
    return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
    check(sqlite3_bind_text64(statement_.get(), index, text.data(), text.size(), SQLITE_TRANSIENT,
                              SQLITE_UTF8));
    return *this;
}

Statement& Statement::bind_blob(int index, std::string_view bytes) {
    check(sqlite3_bind_blob64(statement_.get(), index, bytes.data(), bytes.size(), SQLITE_STATIC));
    return *this;
}

Statement& Statement::bind_null(int index) {
    check(sqlite3_bind_null(statement_.get(), index));
    return *this;
}

bool Statement::step() {
    const int result = sqlite3_step(statement_.get());
    if (result == SQLITE_ROW) return true;
    sqlite3_reset(statement_.get());
    if (result != SQLITE_DONE) database_->fail(result);
    return false;
}

void Statement::run() {
    while (step()) {
    }
}

void Statement::reset() {
    sqlite3_reset(statement_.get());
}

void Statement::require(int column, int kind) {
    if (sqlite3_column_type(statement_.get(), column) == kind) return;
    const char* called = sqlite3_column_name(statement_.get(), column);
    database_->refuse(fmt::format("the column {} holds a value of another type",
                                  called == nullptr ? "of a query" : called));
}

std::int64_t Statement::integer(int column) {
    require(column, SQLITE_INTEGER);
    return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) {
    require(column, SQLITE_FLOAT);
    return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) {
    require(column, SQLITE_TEXT);
    const unsigned char* text = sqlite3_column_text(statement_.get(), column);
    if (text == nullptr) throw std::bad_alloc();
    return {reinterpret_cast<const char*>(text),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string_view Statement::blob(int column) {
    require(column, SQLITE_BLOB);
    const void* bytes = sqlite3_column_blob(statement_.get(), column);
    const int size = sqlite3_column_bytes(statement_.get(), column);
    if (bytes == nullptr && size > 0) throw std::bad_alloc();
    return {static_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

bool Statement::is_null(int column) {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

void Database::Close::operator()(sqlite3* handle) const {
    sqlite3_close_v2(handle);
}

Database::Database(const std::filesystem::path& path, Mode mode, std::string name)
    : name_(name.empty() ? path.string() : std::move(name)) {
    sqlite3* handle = nullptr;
    const int result = sqlite3_open_v2(path.c_str(), &handle, flags_of(mode), nullptr);
    handle_.reset(handle);
    if (handle == nullptr) throw std::bad_alloc();
    if (result != SQLITE_OK) fail(result);
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, busy_timeout_ms);
    // An untrusted file must not run code or triggers.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    run("PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = FAST");
}

void Database::run(const char* sql) {
    const int result = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
    if (result != SQLITE_OK) fail(result);
}

std::int64_t Database::query_integer(std::string_view sql) {
    Statement statement(*this, sql);
    if (!statement.step()) refuse("a row is missing");
    return statement.integer(0);
}

std::string Database::query_text(std::string_view sql) {
    Statement statement(*this, sql);
    if (!statement.step()) refuse("a row is missing");
    return statement.text(0);
}

void Database::fail(int result) const {
    const std::string reason = sqlite3_errmsg(handle_.get());
    switch (result & 0xff) {
    case SQLITE_NOMEM:
        throw std::bad_alloc();
    case SQLITE_NOTADB:
        throw bad_input(fmt::format(
            "'{}' is not a model file: it is not an SQLite file; name a file that 'sprig learn' made",
            name_));
    case SQLITE_CORRUPT:
        refuse("it is damaged (" + reason + ")");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        throw failed(fmt::format("the model file '{}' is locked by another program; try again later", name_));
    case SQLITE_FULL:
        throw failed(fmt::format("the model file '{}' cannot be written: no space left on the device; its "
                                 "previous content is intact",
                                 name_));
    case SQLITE_READONLY:
        throw failed(
            fmt::format("the model file '{}' cannot be written: {}; change its permissions or work on "
                        "a copy",
                        name_, reason));
    case SQLITE_CANTOPEN:
        throw failed(fmt::format("the model file '{}' cannot be opened: {}", name_, reason));
    case SQLITE_ERROR:
    case SQLITE_MISMATCH:
    case SQLITE_CONSTRAINT:
        refuse("it is damaged, or was made by another program (" + reason + ")");
    default:
        throw failed(
            fmt::format("the model file '{}' cannot be accessed: {}; its content is intact", name_, reason));
    }
}

void Database::refuse(std::string_view reason) const {
    throw bad_input(
        fmt::format("'{}' cannot be used as a model file: {}; use another copy of it", name_, reason));
}

void Database::refuse(const Error& found) const {
    const std::string_view reason = found.what();
    if (reason.find(name_) != std::string_view::npos) throw;
    refuse(reason);
}

void Database::leave_transaction() {
    if (sqlite3_get_autocommit(handle_.get()) == 0) run("ROLLBACK");
}

void Database::close() {
    const int result = sqlite3_close(handle_.get());
    if (result != SQLITE_OK) fail(result);
    (void)handle_.release();
}

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
    database.leave_transaction();
    database.run(kind == Kind::read ? "BEGIN" : "BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
    if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
    database_.run("COMMIT");
    open_ = false;
}

} // namespace sprig::store
