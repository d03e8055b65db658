#include "cli/process_group.h"

#include <bit>

#include "learner/packing.h"

namespace sprig::cli {

std::size_t sum_over(ProcessGroup& group, std::size_t number) {
    std::string message;
    learner::Packer(message).varint(number);
    std::size_t sum = 0;
    for (const std::string& received : group.tell_all(message)) sum += learner::Unpacker(received).varint();
    return sum;
}

void pack_real(learner::Packer& packer, double value) {
    packer.number(std::bit_cast<std::uint64_t>(value));
}

double unpack_real(learner::Unpacker& unpacker) {
    std::uint64_t word = 0;
    unpacker.number(word);
    return std::bit_cast<double>(word);
}

} // namespace sprig::cli
