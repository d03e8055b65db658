import { SprigError } from "./errors.js";
import { isPnm } from "./pictures.js";
import type { Pixels, Strokes, SyncSample } from "./types.js";
import type { Instance } from "./wasm.js";

const expected = 'give { strokes: [[[x, y], ...], ...] }, { pixels: ... } or { picture: bytes }';

function badInput(message: string): SprigError {
  return new SprigError("bad_input", message);
}

function setStrokes(instance: Instance, strokes: Strokes): void {
  if (!Array.isArray(strokes)) throw badInput(`strokes must be a list of lists of points; ${expected}`);
  let points = 0;
  for (const stroke of strokes) {
    if (!Array.isArray(stroke)) throw badInput(`a stroke must be a list of points; ${expected}`);
    points += stroke.length;
  }
  const numbers = instance.strokes(strokes.length, points);
  let at = 0;
  for (const stroke of strokes) {
    numbers[at++] = stroke.length;
    for (const point of stroke) {
      const [x, y, time] = point;
      if (typeof x !== "number" || typeof y !== "number" || (time !== undefined && typeof time !== "number"))
        throw badInput("a point needs x and y, and may have a time; all are numbers");
      numbers[at++] = x;
      numbers[at++] = y;
      numbers[at++] = time ?? NaN;
    }
  }
}

function channelsOf(pixels: Pixels): number {
  if (pixels.channels !== undefined) return pixels.channels;
  return typeof ImageData !== "undefined" && pixels instanceof ImageData ? 4 : 1;
}

function setPixels(instance: Instance, pixels: Pixels, raw: boolean): void {
  const { width, height, data } = pixels;
  const channels = channelsOf(pixels);
  const memory = instance.pixels(Number(width), Number(height), channels, raw);
  if (data?.length !== memory.length)
    throw badInput(
      `the image has ${data?.length ?? "no"} values, but ${width} x ${height} px with ${channels} ` +
        `${channels === 1 ? "channel" : "channels"} are ${memory.length}`,
    );
  memory.set(data);
}

/** Puts a sample into the memory of an engine. */
export function setSample(instance: Instance, sample: SyncSample): void {
  if (sample !== null && typeof sample === "object") {
    if ("strokes" in sample) return setStrokes(instance, sample.strokes);
    if ("pixels" in sample && sample.pixels !== null && typeof sample.pixels === "object")
      return setPixels(instance, sample.pixels, sample.raw === true);
    if ("picture" in sample && sample.picture instanceof Uint8Array) {
      if (sample.picture.length > 0 && !isPnm(sample.picture))
        throw badInput(
          "the picture is not a PGM or PPM file, which the engine reads; decode it (in a browser with decodePicture) " +
            "and give its pixels",
        );
      instance.setBytes(sample.picture);
      return instance.call("picture");
    }
  }
  throw badInput(`this is not an image; ${expected}`);
}
