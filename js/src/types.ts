// The values that go into an engine and come out of it. Objects are as the engine writes them: docs/javascript.md
// describes them, and docs/architecture.md has the same for the server.

/** Pixels, row by row. Without `channels`, RGBA if it is an ImageData and grey otherwise. */
export interface Pixels {
  width: number;
  height: number;
  channels?: 1 | 3 | 4;
  data: Uint8Array | Uint8ClampedArray | readonly number[];
}

/** A drawing: strokes of points [x, y] or [x, y, time], y growing downwards, in any unit. */
export type Strokes = readonly (readonly (readonly number[])[])[];

export type Sample =
  | { strokes: Strokes }
  /** `raw`: grey levels that are used as they are, with 255 for ink, instead of being normalised. */
  | { pixels: Pixels; raw?: boolean }
  /** A picture file. The engine reads PGM and PPM; in a browser, other formats are decoded by the browser. */
  | { picture: Uint8Array | Blob };

/** What a synchronous model takes: a Blob can only be read asynchronously. */
export type SyncSample = Exclude<Sample, { picture: unknown }> | { picture: Uint8Array };

export interface RankedClass {
  label: string;
  /** From 0 to 1; all classes together have 1. */
  probability: number;
  score: number;
}

export interface Answer {
  /** Null if the model has no classes. */
  label: string | null;
  probability: number;
  /** How likely it is that the image shows one of the classes at all; null if the learner cannot say it. */
  known: number | null;
  /** How well the class fits the image; low for an image of an unknown class. Null if the learner has none. */
  fit: number | null;
  /** The best score minus the second best. */
  margin: number;
  /** All classes, most likely first. */
  ranking: RankedClass[];
}

export interface ClassSummary {
  label: string;
  /** The number of its lessons. */
  samples: number;
  units: number;
}

export interface Summary {
  learner: string;
  preset: string;
  free_pose: boolean;
  /** In order of arrival. */
  classes: ClassSummary[];
  lessons: number;
  /** How many lessons can be undone. */
  undoable: number;
  /** What must be stored to continue learning, in bytes; an estimate. */
  bytes: number;
  /** Equal for equal histories, on every machine; 16 hexadecimal digits. */
  digest: string;
  /** Whether lessons are written to a file; never in this package. */
  file: boolean;
}

export interface LessonEvent {
  /** What happened to the unit: "created", "refined" (it learned the image) or "removed". */
  kind: string;
  unit: string;
}

export interface Lesson {
  label: string;
  /** Whether the model had no such class before. */
  new_class: boolean;
  /** The first one is about the unit that learned the image. */
  events: LessonEvent[];
  model: Summary;
}

export interface Unit {
  id: string;
  label: string;
  /** The number of images that it has learned. */
  samples: number;
  nodes: number;
  /** A small drawing. Those of all units show the same region. */
  svg: string;
}

export interface LoggedEvent extends LessonEvent {
  lesson: number;
  /** Of the unit's class; null if the unit is gone. */
  label: string | null;
}

export type Point = [x: number, y: number];
/** Maps (x, y) to (a x + c y + e, b x + d y + f), as `CanvasRenderingContext2D.transform` takes it. */
export type Affine = [a: number, b: number, c: number, d: number, e: number, f: number];

/** A node of a unit: where it is expected in the network, and the node of the image that it was found at. */
export interface ExplainedNode {
  type: string;
  expected_at: Point;
  /** An index into `network.nodes`; null if it is missing. */
  placed: number | null;
  value?: number;
}

export interface ExplainedUnit {
  lineage: string;
  polarity: "positive" | "negative";
  observations: number;
  present: boolean;
  /** Its contribution to the score of its class. */
  value: number;
  share?: number;
  /** If it was found turned (radians) or mirrored. */
  turned?: number;
  mirrored?: { left_right: boolean; top_bottom: boolean };
  nodes: ExplainedNode[];
}

/** A contour point of the image, and how much each score falls without it. */
export interface Element {
  node: number;
  type: string;
  at: Point;
  for: Record<string, number>;
  decides: number;
}

/** What would change the answer. */
export interface Change {
  to: string;
  found: boolean;
  smallest: boolean;
  at_least: number;
  added: {
    unit: string;
    class?: string;
    nodes?: { node: number; type: string; expected_at: Point }[];
    /** Where the contour would run, in the network's coordinates. */
    ghost?: Point[];
  }[];
  scores: Record<string, number>;
}

export interface Explanation {
  learner: string;
  answer: string | null;
  compared_with: string | null;
  margin: number;
  classes: Record<string, { score: number; probability: number }>;
  /** By label, of the two classes that are compared: largest contribution first. */
  units: Record<string, ExplainedUnit[]>;
  elements: Element[];
  /** The nodes that decided. */
  decisive: number[];
  change?: Change;
  network: {
    nodes: { type: string; at: Point; next?: number; previous?: number; [attribute: string]: unknown }[];
    edges: { layer: string; from: number; to: number; levels: [number, number] }[];
  };
  /** The explanation in sentences. */
  text: string[];
  /** A page that explains the answer, if it was asked for. */
  svg?: string;
  view: {
    /** The image that the model read: grey levels in base64, 255 for ink. */
    image: { width: number; height: number; pixels: string };
    /** From coordinates of the network to those of the image, whose corner is (0, 0). */
    to_image: Affine;
    /** From there to the coordinates of the strokes, or of the raw pixels; null for a picture. */
    to_drawing: Affine | null;
  };
}

export interface ExplainOptions {
  /** The class to compare with; by default the second best. */
  versus?: string;
  /** Whether the explanation has a page in SVG. */
  svg?: boolean;
}

export interface ModelOptions {
  /** A preset of the learner, such as "default" or "fast". */
  preset?: string;
  /** Parameters of the learner that override the preset. */
  settings?: Record<string, string | number | boolean>;
  /** Whether shapes are recognised in any pose: turned, mirrored and upside down. */
  freePose?: boolean;
  /** The maximum number of lessons that can be undone; 1,000 by default. */
  undo?: number;
  /** The WebAssembly module, or where it lies. By default it is beside the package's JavaScript. */
  wasm?: string | URL | ArrayBuffer | Uint8Array | WebAssembly.Module;
}

/** The options of a model that is read from bytes, which have the rest. */
export type ReadOptions = Pick<ModelOptions, "undo" | "wasm">;

/** A model behind promises: in a worker, or on a server. */
export interface Engine {
  summary(): Promise<Summary>;
  predict(sample: Sample): Promise<Answer>;
  predictMany(samples: readonly Sample[]): Promise<Answer[]>;
  learn(sample: Sample, label: string): Promise<Lesson>;
  learnMany(samples: readonly Sample[], labels: readonly string[]): Promise<Summary>;
  explain(sample: Sample, options?: ExplainOptions): Promise<Explanation>;
  /** Undoes the last lesson, or this number of lessons. */
  undo(lessons?: number): Promise<Summary>;
  rename(label: string, newLabel: string): Promise<Summary>;
  forget(label: string): Promise<Summary>;
  addClass(label: string): Promise<Summary>;
  /** All units, or those of a class. */
  units(label?: string): Promise<Unit[]>;
  /** A drawing of all units, as SVG. */
  drawing(): Promise<string>;
  toBytes(): Promise<Uint8Array>;
  close(): Promise<void>;
}
