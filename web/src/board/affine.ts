import type { Affine, Point } from "../engine/types";

export const identity: Affine = [1, 0, 0, 1, 0, 0];

export function apply(m: Affine, [x, y]: Point): Point {
    return [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]];
}

/** First `inner`, then `outer`. */
export function compose(outer: Affine, inner: Affine): Affine {
    const [a, b, c, d, e, f] = inner;
    return [
        outer[0] * a + outer[2] * b, outer[1] * a + outer[3] * b,
        outer[0] * c + outer[2] * d, outer[1] * c + outer[3] * d,
        outer[0] * e + outer[2] * f + outer[4], outer[1] * e + outer[3] * f + outer[5],
    ];
}

/** Places a rectangle of this size in the middle of a square, as large as fits. */
export function fitInto(width: number, height: number, side: number, margin = 0): Affine {
    const scale = (side - 2 * margin) / Math.max(width, height);
    return [scale, 0, 0, scale, (side - width * scale) / 2, (side - height * scale) / 2];
}
