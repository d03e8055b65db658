import type { Layers } from "./board/overlay";
import type { Drawing } from "./board/drawing";
import type { Answer, Explanation, Label, Sample, Summary } from "./engine/types";
import type { Comparison } from "./sitting/compare";
import type { Lesson } from "./sitting/sitting";
import type { Source } from "./sitting/storage";

export type View = "draw" | "gallery" | "experiment";

export interface State {
    phase: "loading" | "ready" | "failed";
    view: View;
    /** The model is a file on the server; nothing if it is in this browser. */
    onServer: boolean;
    source: Source | null;
    summary: Summary | null;

    drawing: Drawing;
    width: number;
    /** The class that the drawing on the board was just taught as. */
    taught: Label | null;
    answer: Answer | null;
    /** The explanation of the drawing, and the sample that it is about. */
    explained: { explanation: Explanation; sample: Sample } | null;
    versus: Label | null;
    layers: Layers;

    lessons: Lesson[];
    answers: Answer[];
    undoable: number;
    /** Of the latest lesson. */
    comparison: Comparison | null;

    notice: { kind: "info" | "error"; text: string } | null;
}
