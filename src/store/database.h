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

/// A prepared question. Values are bound in order from 1, columns are read in order from 0.
class Statement {
  public:
    Statement(Database& database, std::string_view sql);

    Statement& bind(int index, std::int64_t value);
    Statement& bind(int index, double value);
    Statement& bind(int index, std::string_view text);
    Statement& bind_blob(int index, std::string_view bytes); ///< must stay as it is until `run` has ended
    Statement& bind_null(int index);

    /// The next row; false after the last, and then the statement can be used again.
    bool step();
    /// For those without rows.
    void run();
    /// Gives up the rows that are left.
    void reset();

    // What is not of the kind asked for is refused as damaged: a file need not hold what we wrote.
    [[nodiscard]] std::int64_t integer(int column);
    [[nodiscard]] double real(int column);
    [[nodiscard]] std::string text(int column);
    [[nodiscard]] std::string_view blob(int column); ///< until the next step
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

/// A connection to one file. Every error becomes a sprig::Error that names the file.
class Database {
  public:
    enum class Mode { read, write, create };
    /// `name`: what errors call it; the path itself if not given.
    Database(const std::filesystem::path& path, Mode mode, std::string name = {});

    void run(const char* sql);
    [[nodiscard]] std::int64_t ask(std::string_view sql); ///< one whole number
    [[nodiscard]] std::string ask_text(std::string_view sql);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] sqlite3* handle() const { return handle_.get(); }
    /// Throws what the connection's last error was.
    [[noreturn]] void fail(int result) const;
    /// Throws Error(bad_input): the file is not what it must be, for this reason.
    [[noreturn]] void refuse(std::string_view reason) const;
    /// The same for what was found wrong with its content; an error that names the file is thrown on. Only
    /// while the error is being handled.
    [[noreturn]] void refuse(const Error& found) const;
    /// Says that the file is closed; throws if something was still to be written and could not be.
    void close();

  private:
    struct Close {
        void operator()(sqlite3* handle) const;
    };
    std::string name_;
    std::unique_ptr<sqlite3, Close> handle_;
};

/// What is done between its beginning and `commit` is done as a whole or not at all.
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
