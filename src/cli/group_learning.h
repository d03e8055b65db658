#pragma once

#include "cli/learn_options.h"
#include "cli/process_group.h"

namespace sprig::cli {

/// `sprig learn` by a group of processes. Each process reads a part of the images and sends their networks to
/// the processes that own their classes, by `shard_of`; each learns its classes in the order of the stream,
/// into a file in the folder MODEL.parts. At the end the first process merges these files into the model and
/// prints the result, which is the same for any number of processes. After a failure, the same command
/// continues: no lesson is learned again.
void learn_in_group(const LearnOptions& options, ProcessGroup& group);

} // namespace sprig::cli
