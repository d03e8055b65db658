import { SprigError } from "./errors.js";
import type { Pixels, Sample, SyncSample } from "./types.js";

/** Whether the bytes are a PGM or PPM file, which the engine reads itself. */
export function isPnm(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1]! >= 0x31 && bytes[1]! <= 0x37; // P1 to P7
}

/** Decodes a picture file with the browser, as it is displayed: PNG, JPEG and what else the browser reads. */
export async function decodePicture(picture: Blob | Uint8Array): Promise<Pixels> {
  if (typeof createImageBitmap === "undefined" || typeof OffscreenCanvas === "undefined")
    throw new SprigError(
      "usage",
      "pictures other than PGM and PPM are decoded by the browser, and this is none; decode the picture and give its pixels",
    );
  const blob = picture instanceof Blob ? picture : new Blob([picture as Uint8Array<ArrayBuffer>]);
  const bitmap = await createImageBitmap(blob).catch(() => {
    throw new SprigError("bad_input", "the picture cannot be decoded: its format is unknown, or it is damaged");
  });
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext("2d")!;
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { width, height, channels: 4, data: context.getImageData(0, 0, width, height).data };
}

/** The sample in a form that a synchronous model takes. */
export async function decoded(sample: Sample): Promise<SyncSample> {
  if (sample === null || typeof sample !== "object" || !("picture" in sample)) return sample;
  const { picture } = sample;
  const bytes = picture instanceof Blob ? new Uint8Array(await picture.arrayBuffer()) : picture;
  if (!(bytes instanceof Uint8Array) || isPnm(bytes)) return { picture: bytes };
  return { pixels: await decodePicture(bytes) };
}
