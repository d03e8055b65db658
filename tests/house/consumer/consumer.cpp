// What a user of the installed library writes first: a shape, its network, its picture; a model that is kept,
// read back and asked why.
#include <cstdio>

#include <sprig/constellation.h>
#include <sprig/draw.h>
#include <sprig/explain.h>
#include <sprig/front_end.h>
#include <sprig/store.h>
#include <sprig/version.h>

int main() {
    sprig::Image square(12, 12);
    for (int y = 3; y < 9; ++y) {
        for (int x = 3; x < 9; ++x) square.at(x, y) = 255;
    }
    sprig::FrontEnd front_end;
    const sprig::Network network = front_end(square.view());
    const std::string svg = sprig::draw_network(network, "a square");
    std::printf("sprig %s: a square has %zu nodes and %zu edges\n", SPRIG_VERSION, network.node_count(),
                network.edge_count());

    sprig::Constellation learner;
    learner.learn(sprig::FrontEnd(learner.front_end())(square.view()), "square");
    std::remove("square.sprig");
    sprig::save_model(learner, "square.sprig");
    const sprig::StoredModel stored = sprig::load_model("square.sprig");
    std::remove("square.sprig");
    const sprig::LocalExplanation why = sprig::explain_local(*stored.learner, square.view());
    const bool is_square =
        why.best && why.best->label == "square" && stored.learner->digest() == learner.digest();
    return network.node_count() == 4 && !svg.empty() && is_square ? 0 : 1;
}
