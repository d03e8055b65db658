// What the page asks of an engine. The browser's engine and the server answer in the same way.

export type {
    Affine, Answer, ClassSummary, Engine, ExplainedUnit, Lesson, LessonEvent, Point, RankedClass, Summary, Unit,
} from "../../../js/src/types";

import type * as engine from "../../../js/src/types";

export type Label = string;
export type Strokes = number[][][];
export interface Explanation extends engine.Explanation {
    /** Of the two classes compared, without the nodes that decide. */
    scores_without_decisive?: Record<Label, number>;
}

/** The page decodes pictures itself, because it shows them: what it asks about are strokes or pixels. */
export interface Pixels {
    width: number;
    height: number;
    channels?: 1 | 3 | 4;
    data: Uint8Array | Uint8ClampedArray;
}
export type Sample = { strokes: Strokes } | { pixels: Pixels; raw?: boolean };
