#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "sprig/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace sprig::store {

class Database;

/// A prepared statement. Parameters are numbered from 1, columns from 0.
class Statement {
  public:
    Statement(Database& database, std::string_view sql);

    Statement& bind(int index, std::int64_t value);
    Statement& bind(int index, double value);
    Statement& bind(int index, std::string_view text);
    Statement& bind_blob(int index, std::string_view bytes); ///< not copied: must outlive `run`
    Statement& bind_null(int index);

    /// Fetches the next row. Returns false after the last one; the statement can then be used again.
    bool step();
    /// Executes a statement and ignores its rows.
    void run();
    /// Discards the remaining rows.
    void reset();

    // Throw Error(bad_input) if the value has another type: files are not trusted.
    [[nodiscard]] std::int64_t integer(int column);
    [[nodiscard]] double real(int column);
    [[nodiscard]] std::string text(int column);
    [[nodiscard]] std::string_view blob(int column); ///< valid until the next step
    [[nodiscard]] bool is_null(int column);

  private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    void require(int column, int kind);
    void check(int result);

    Database* database_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// A connection to a file. Every SQLite error is thrown as a sprig::Error that names the file.
class Database {
  public:
    /// Only a connection for writing can be used by several threads at once.
    enum class Mode { read, write, create };
    /// `name`: used in error messages; by default the path.
    Database(const std::filesystem::path& path, Mode mode, std::string name = {});

    void run(const char* sql);
    [[nodiscard]] std::int64_t query_integer(std::string_view sql);
    [[nodiscard]] std::string query_text(std::string_view sql);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] sqlite3* handle() const { return handle_.get(); }
    /// Rolls back a transaction that could not be ended, for lack of memory. Within it, a statement would not
    /// be durable.
    void leave_transaction();
    /// Throws the connection's last error.
    [[noreturn]] void fail(int result) const;
    /// Throws Error(bad_input): the file cannot be used, for this reason.
    [[noreturn]] void refuse(std::string_view reason) const;
    /// The same, with the reason from an error; an error that already names the file is rethrown. Must be
    /// called in a catch block.
    [[noreturn]] void refuse(const Error& found) const;
    /// Closes the file; throws if pending changes cannot be written.
    void close();

  private:
    struct Close {
        void operator()(sqlite3* handle) const;
    };
    std::string name_;
    std::unique_ptr<sqlite3, Close> handle_;
};

/// Rolls back in its destructor unless `commit` was called. If that fails, the next one does.
class Transaction {
  public:
    enum class Kind { read, write };
    Transaction(Database& database, Kind kind);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    Transaction(Transaction&&) = delete;
    Transaction& operator=(Transaction&&) = delete;

    void commit();

  private:
    Database& database_;
    bool open_ = true;
};

} // namespace sprig::store
