// What is on the board: strokes, or a picture.

import type { Affine, Pixels, Sample, Strokes } from "../engine/types";
import { fitInto, identity } from "./affine";

/** The board's own coordinates go from 0 to this, on every screen. */
export const boardSide = 1000;
/** More points are not taken; the engine refuses more than 16,384. */
export const maxPoints = 12000;

export interface Picture {
    pixels: Pixels & { channels: 3 };
    url: string;
}
export interface Drawing {
    strokes: Strokes;
    picture: Picture | null;
}

export const emptyDrawing: Drawing = { strokes: [], picture: null };

export function isEmpty(drawing: Drawing): boolean {
    return drawing.strokes.length === 0 && drawing.picture === null;
}

/** What the engine is asked about. Coordinates are rounded to whole units, a thousandth of the board. */
export function sampleOf(drawing: Drawing): Sample {
    if (drawing.picture) return { pixels: drawing.picture.pixels };
    return { strokes: drawing.strokes };
}

/** The coordinates of the sample to those of the board. */
export function sampleToBoard(sample: Sample): Affine {
    if ("strokes" in sample) return identity;
    return fitInto(sample.pixels.width, sample.pixels.height, boardSide);
}

/** The `points` attribute of a polyline. A dot is a line of no length, which round ends make visible. */
export function pointsOf(stroke: readonly (readonly number[])[]): string {
    const points = stroke.length === 1 ? [stroke[0]!, stroke[0]!] : stroke;
    return points.map(([x, y]) => `${x},${y}`).join(" ");
}
