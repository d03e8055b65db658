#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sprig/constellation.h"
#include "sprig/data.h"
#include "sprig/explain.h"
#include "sprig/modeller.h"

// Both learners, trained once on some images of MNIST, and held-out images.

namespace sprig::test {

inline const Dataset& digits() {
    static const Dataset data = load_dataset("mnist:train:0-699");
    return data;
}

constexpr std::size_t learned = 400;

inline std::string label_of(std::size_t image) {
    return digits().classes()[static_cast<std::size_t>(digits().label(image))];
}

inline void teach(Learner& learner, std::size_t count) {
    FrontEnd front_end(learner.front_end());
    for (std::size_t i = 0; i < count; ++i) learner.learn(front_end(digits().image(i)), label_of(i));
}

inline std::unique_ptr<Learner> taught_constellation(const char* preset = "fast",
                                                     std::size_t count = learned) {
    auto learner = std::make_unique<Constellation>(constellation_preset(preset));
    teach(*learner, count);
    return learner;
}

inline std::unique_ptr<Learner> taught_modeller(const char* preset = "best", std::size_t count = learned) {
    auto learner = std::make_unique<Modeller>(modeller_preset(preset));
    teach(*learner, count);
    return learner;
}

/// Both learners, trained once.
inline const std::vector<const Learner*>& both() {
    static const std::unique_ptr<Learner> constellation = taught_constellation();
    static const std::unique_ptr<Learner> modeller = taught_modeller();
    static const std::vector<const Learner*> learners = {constellation.get(), modeller.get()};
    return learners;
}

inline Network network_of(const Learner& learner, std::size_t image) {
    return FrontEnd(learner.front_end())(digits().image(image));
}

} // namespace sprig::test
