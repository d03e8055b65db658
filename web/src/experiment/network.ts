// A small network trained by gradient steps: dense layers with ReLU, softmax, cross-entropy, Adam. The same as the
// control "one step per sample" of the lab: what most people mean by a neural network, one step for each image.

export interface Layer {
    inputs: number;
    outputs: number;
    weights: Float32Array;
    biases: Float32Array;
}

/** Adam's two moments of one array of parameters. */
interface Moments {
    first: Float32Array;
    second: Float32Array;
}

const rate = 3e-4;
const decay1 = 0.9;
const decay2 = 0.999;
const epsilon = 1e-7;

/** Reproducible random numbers in [0, 1): mulberry32. */
function generator(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = state;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

export class Network {
    readonly layers: Layer[] = [];
    private readonly moments: { weights: Moments; biases: Moments }[] = [];
    private steps = 0;

    constructor(widths: number[], seed: number) {
        const random = generator(seed);
        for (let i = 0; i + 1 < widths.length; i += 1) {
            const [inputs, outputs] = [widths[i]!, widths[i + 1]!];
            // As Glorot and Bengio propose.
            const limit = Math.sqrt(6 / (inputs + outputs));
            const weights = Float32Array.from({ length: inputs * outputs }, () => (2 * random() - 1) * limit);
            this.layers.push({ inputs, outputs, weights, biases: new Float32Array(outputs) });
            const zero = (size: number) => ({ first: new Float32Array(size), second: new Float32Array(size) });
            this.moments.push({ weights: zero(weights.length), biases: zero(outputs) });
        }
    }

    /** The values of all layers, the input first; the last are logits. */
    private forward(input: Float32Array): Float32Array[] {
        const values = [input];
        this.layers.forEach(({ inputs, outputs, weights, biases }, index) => {
            const from = values.at(-1)!;
            const to = new Float32Array(outputs);
            const last = index === this.layers.length - 1;
            for (let o = 0; o < outputs; o += 1) {
                let sum = biases[o]!;
                const row = o * inputs;
                for (let i = 0; i < inputs; i += 1) sum += weights[row + i]! * from[i]!;
                to[o] = last ? sum : Math.max(0, sum);
            }
            values.push(to);
        });
        return values;
    }

    probabilities(input: Float32Array): Float32Array {
        const logits = this.forward(input).at(-1)!;
        const most = Math.max(...logits);
        const powers = logits.map((logit) => Math.exp(logit - most));
        const sum = powers.reduce((total, power) => total + power, 0);
        return powers.map((power) => power / sum);
    }

    predict(input: Float32Array): number {
        const logits = this.forward(input).at(-1)!;
        return logits.indexOf(Math.max(...logits));
    }

    loss(input: Float32Array, target: number): number {
        return -Math.log(Math.max(this.probabilities(input)[target]!, 1e-30));
    }

    /** The derivatives of the loss, by layer. */
    gradient(input: Float32Array, target: number): { weights: Float32Array; biases: Float32Array }[] {
        const values = this.forward(input);
        let delta = this.probabilities(input);
        delta[target]! -= 1;
        const gradients = [];
        for (let index = this.layers.length - 1; index >= 0; index -= 1) {
            const { inputs, outputs, weights } = this.layers[index]!;
            const from = values[index]!;
            const byWeight = new Float32Array(inputs * outputs);
            const below = new Float32Array(inputs);
            for (let o = 0; o < outputs; o += 1) {
                const d = delta[o]!;
                if (d === 0) continue;
                const row = o * inputs;
                for (let i = 0; i < inputs; i += 1) {
                    byWeight[row + i] = d * from[i]!;
                    below[i]! += d * weights[row + i]!;
                }
            }
            gradients.unshift({ weights: byWeight, biases: delta });
            // The derivative of ReLU; the input below the first layer needs none.
            delta = index > 0 ? below.map((d, i) => (from[i]! > 0 ? d : 0)) : below;
        }
        return gradients;
    }

    /** One step of Adam on one image. */
    learn(input: Float32Array, target: number): void {
        const gradients = this.gradient(input, target);
        this.steps += 1;
        this.layers.forEach((layer, index) => {
            const moments = this.moments[index]!;
            this.step(layer.weights, gradients[index]!.weights, moments.weights);
            this.step(layer.biases, gradients[index]!.biases, moments.biases);
        });
    }

    private step(parameters: Float32Array, gradient: Float32Array, { first, second }: Moments): void {
        const correction1 = 1 - decay1 ** this.steps;
        const correction2 = 1 - decay2 ** this.steps;
        for (let i = 0; i < parameters.length; i += 1) {
            const g = gradient[i]!;
            first[i] = decay1 * first[i]! + (1 - decay1) * g;
            second[i] = decay2 * second[i]! + (1 - decay2) * g * g;
            parameters[i]! -= (rate * (first[i]! / correction1)) / (Math.sqrt(second[i]! / correction2) + epsilon);
        }
    }
}
