// Writes the digits of the live experiment: the first images of each class of MNIST's training part.
//   node make_digits.mjs FOLDER-OF-MNIST OUTPUT
// FOLDER has MNIST's own files, as `sprig data get mnist` stores them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const perClass = 200;
const [, , folder, output] = process.argv;

function read(name) {
    const file = readdirSync(folder).find((candidate) => candidate.startsWith(name));
    if (!file) throw new Error(`there is no ${name} in ${folder}`);
    const bytes = readFileSync(`${folder}/${file}`);
    return file.endsWith(".gz") ? gunzipSync(bytes) : bytes;
}

const images = read("train-images").subarray(16);
const labels = read("train-labels").subarray(8);
const taken = new Array(10).fill(0);
const parts = [Buffer.from("SPRIGDIG")];
for (let i = 0; i < labels.length && Math.min(...taken) < perClass; i += 1) {
    const digit = labels[i];
    if (taken[digit] >= perClass) continue;
    taken[digit] += 1;
    parts.push(Buffer.from([digit]), images.subarray(784 * i, 784 * (i + 1)));
}
writeFileSync(output, Buffer.concat(parts));
