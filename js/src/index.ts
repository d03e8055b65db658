export { SprigError, type ErrorKind } from "./errors.js";
export { Model } from "./model.js";
export { decodePicture } from "./pictures.js";
export type * from "./types.js";
export { WorkerModel, type WorkerOptions } from "./worker_model.js";
