// The network in a thread of its own. Each message is answered by one.

import { side } from "./digits";
import { Network } from "./network";

export type NetworkRequest =
    | { kind: "begin"; seed: number }
    | { kind: "learn"; images: Uint8Array[]; targets: number[] }
    | { kind: "predict"; images: Uint8Array[] };
export type NetworkReply = number[];

let network: Network | null = null;

const grey = (image: Uint8Array) => Float32Array.from(image, (level) => level / 255);

function answer(request: NetworkRequest): NetworkReply {
    if (request.kind === "begin") {
        network = new Network([side * side, 256, 256, 10], request.seed);
        return [];
    }
    if (!network) throw new Error("the network has not begun");
    const net = network;
    if (request.kind === "predict") return request.images.map((image) => net.predict(grey(image)));
    request.images.forEach((image, index) => net.learn(grey(image), request.targets[index]!));
    return [];
}

// The types of a worker's own scope are not among those of a page.
const scope = self as unknown as { onmessage: (event: MessageEvent<NetworkRequest>) => void; postMessage(reply: NetworkReply): void };
scope.onmessage = (event) => scope.postMessage(answer(event.data));
