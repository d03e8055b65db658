// A picture from a file, the clipboard or a drop, as pixels.

import { strings } from "../strings";
import type { Picture } from "./drawing";

/** Larger pictures are made smaller: it changes no answer that matters, and the engine is quick. */
const longestSide = 512;

function load(url: string): Promise<HTMLImageElement> {
    return new Promise((resolve, reject) => {
        const image = new Image();
        image.onload = () => resolve(image);
        image.onerror = () => reject(new Error(strings.pictureUnreadable));
        image.src = url;
    });
}

export async function readPicture(file: Blob): Promise<Picture> {
    const source = URL.createObjectURL(file);
    try {
        const image = await load(source);
        if (image.naturalWidth === 0 || image.naturalHeight === 0) throw new Error(strings.pictureUnreadable);
        const scale = Math.min(1, longestSide / Math.max(image.naturalWidth, image.naturalHeight));
        const canvas = document.createElement("canvas");
        canvas.width = Math.max(1, Math.round(image.naturalWidth * scale));
        canvas.height = Math.max(1, Math.round(image.naturalHeight * scale));
        const context = canvas.getContext("2d", { willReadFrequently: true });
        if (!context) throw new Error(strings.pictureUnreadable);
        // What is transparent counts as paper.
        context.fillStyle = "#fff";
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.imageSmoothingQuality = "high";
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
        // Nothing is transparent any more.
        const colours = data.filter((_, index) => index % 4 !== 3);
        return { pixels: { width, height, channels: 3, data: colours }, url: canvas.toDataURL("image/png") };
    } finally {
        URL.revokeObjectURL(source);
    }
}

/** The first picture among what was dropped or pasted. */
export function pictureIn(transfer: DataTransfer | null): File | null {
    return Array.from(transfer?.files ?? []).find((file) => file.type.startsWith("image/")) ?? null;
}
