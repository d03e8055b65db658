#include "lab/studies/paper_stream.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace sprig::lab {

std::vector<Asked> modellers() {
    return {{{"modeller", "paper"}, "Modeller, paper"}, {{"modeller", "best"}, "Modeller, best"}};
}

std::vector<Asked> everybody() {
    std::vector<Asked> all = modellers();
    all.push_back({{"constellation", "default"}, "Constellation"});
    return all;
}

Changed changed(const std::vector<Asked>& learners, const std::vector<Change>& changes,
                const std::string& stream, const Material& material, const Protocol& protocol,
                const StudyContext& context) {
    Changed result;
    for (const Asked& learner : learners) {
        for (const Change& change : changes) {
            std::string name = learner.name();
            if (!change.name.empty()) name += "-" + change.name;
            if (!stream.empty()) name += "-" + stream;
            std::string title = learner.title;
            if (!change.title.empty()) title += ": " + change.title;
            result.entries.push_back(
                {title, name, learner.is_the_papers() ? change.paper : std::vector<Printed>{}});
            result.experiments.push_back(experiment(std::move(name), learner.setting.with(change.settings),
                                                    material, limited(protocol, context), context));
        }
    }
    return result;
}

StudyTable compared(std::string name, std::string title, const std::vector<Compared>& rows,
                    std::vector<Entry> entries, const ResultsByName& results) {
    std::vector<Measure> measures;
    for (const Compared& row : rows) {
        measures.push_back(row.measure);
        entries.front().paper.push_back(row.paper);
    }
    return columns_of(std::move(name), std::move(title), measures, entries, results);
}

const Material& Materials::get(const MaterialOptions& options, const LearnerChoice& learner) {
    const FrontEndParams front_end = context_.make(learner, context_.seeds.front())->front_end();
    for (const Loaded& known : loaded_) {
        // Only a large held-out set is seen with the learner's own front end.
        const bool sees_alike = !known.material.large || known.material.front_end == front_end;
        if (known.options == options && sees_alike) return known.material;
    }
    const Progress progress = context_.begin("the images");
    return loaded_.emplace_back(Loaded{options, load_material(options, front_end, progress)}).material;
}

Stream asked_about_test_part() {
    Stream stream{"t10k", "asked about the filtered test part"};
    stream.material.pool = Pool::train;
    stream.material.held_out = HeldOut::t10k;
    stream.protocol.evaluate = EvaluateAt::end;
    return stream;
}

Stream asked_about_whole_test_part() {
    Stream stream = asked_about_test_part();
    stream.name = "t10k-unfiltered";
    stream.title = "unfiltered, asked about the whole test part";
    stream.material.filtered = false;
    return stream;
}

Changed on_streams(const std::vector<Stream>& streams, const std::vector<Asked>& learners,
                   Materials& materials, const StudyContext& context) {
    Changed all;
    for (const Stream& stream : streams) {
        for (const Asked& learner : learners) {
            const Material& material = materials.get(stream.material, learner.setting);
            Changed asked = changed({learner}, {Change{}}, stream.name, material, stream.protocol, context);
            asked.entries.front().title = fmt::format("{}: {}", stream.title, learner.title);
            std::ranges::move(asked.experiments, std::back_inserter(all.experiments));
            std::ranges::move(asked.entries, std::back_inserter(all.entries));
        }
    }
    return all;
}

Material papers_material(const StudyContext& context) {
    return load_material({}, {}, context.begin("the paper's filter"));
}

std::string papers_stream_in_words(const Material& material, const Protocol& protocol) {
    return fmt::format(
        "The paper's stream: {} cycles of {} classes with {} new images each, drawn by seed from {} filtered "
        "images; {} others of each class are held out and asked after every block.",
        protocol.cycles, protocol.classes(material), protocol.per_block, material.pool.size(),
        protocol.held_out_per_class);
}

} // namespace sprig::lab
