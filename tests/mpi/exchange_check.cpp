#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "core/keyed.h"
#include "mpi/mpi_group.h"

// Exchanges messages of many sizes in small pieces and checks what arrives. Run by mpirun.

namespace {

/// Every process can say what another one sends.
std::string message(std::size_t round, std::size_t from, std::size_t to, std::size_t piece) {
    const std::uint64_t key = sprig::random::mix({round, from, to});
    const std::size_t sizes[] = {0, 1, 6, 7, 8, 70, 50 * piece, (50 * piece) + 1};
    std::string text(std::min(sizes[key % 8], std::size_t{1'000'000}), '\0');
    for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>((key >> (i % 40)) + i);
    return text;
}

sprig::cli::Outcome check(std::size_t piece) {
    sprig::mpi::MpiGroup group([] {}, piece);
    for (std::size_t round = 0; round < 40; ++round) {
        std::vector<std::string> messages;
        for (std::size_t to = 0; to < group.size(); ++to)
            messages.push_back(message(round, group.rank(), to, piece));
        const std::vector<std::string> received = group.exchange(std::move(messages));
        for (std::size_t from = 0; from < group.size(); ++from) {
            if (received.at(from) != message(round, from, group.rank(), piece))
                return {sprig::cli::work_failed, "exchange_check: another message was received"};
        }
    }
    if (sum_over(group, group.rank() + 1) != group.size() * (group.size() + 1) / 2)
        return {sprig::cli::work_failed, "exchange_check: the sum is wrong"};
    return {};
}

} // namespace

int main(int argc, char** argv) {
    return sprig::mpi::run_as_group(argc, argv, [](sprig::cli::ProcessGroup& group) {
        for (const std::size_t piece :
             {std::size_t{7}, std::size_t{4096}, sprig::mpi::MpiGroup::default_piece}) {
            const sprig::cli::Outcome outcome = check(piece);
            if (outcome.code != sprig::cli::done) return outcome;
        }
        if (group.rank() == 0) std::puts("exchanged");
        return sprig::cli::Outcome();
    });
}
