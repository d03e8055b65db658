#include "baselines/experiment.h"

namespace sprig::baselines {

lab::Experiment experiment(const Method& method, const lab::Material& material,
                           const lab::StudyContext& context) {
    const lab::Protocol protocol = lab::limited(method.protocol, context);
    nlohmann::ordered_json what = {
        {"method", method.family}, {"version", methods_version}, {"settings", method.settings}};
    what["protocol"] = lab::json_of(protocol, material);
    return {{method.name, what},
            method.seconds,
            protocol.cycles * protocol.classes(material),
            [&material, protocol, make = method.make](std::uint64_t seed, const lab::Tick& tick) {
                return run_trial(material, protocol, make, seed, tick);
            }};
}

} // namespace sprig::baselines
