// The engine on the other side of HTTP: the model file that `sprig serve` works on.

import type { Answer, Engine, Explanation, Label, Lesson, Sample, Summary, Unit } from "./types";

function toBase64(data: Uint8Array | Uint8ClampedArray): string {
    let text = "";
    for (let i = 0; i < data.length; i += 0x8000)
        text += String.fromCharCode(...data.subarray(i, i + 0x8000));
    return btoa(text);
}

function toJson(sample: Sample): object {
    if ("strokes" in sample) return sample;
    const { width, height, channels = 4, data } = sample.pixels;
    const pixels = { width, height, channels, data: toBase64(data) };
    return sample.raw ? { pixels, raw: true } : { pixels };
}

/** Samples for one request each: the server refuses large ones. */
function parts(samples: Sample[]): Sample[][] {
    const most = 2e6;
    const result: Sample[][] = [];
    let room = 0;
    for (const sample of samples) {
        const size = "strokes" in sample ? 20 * sample.strokes.flat().length : 1.4 * sample.pixels.data.length;
        if (size > room || result.length === 0 || result.at(-1)!.length >= 500) {
            result.push([]);
            room = most;
        }
        result.at(-1)!.push(sample);
        room -= size;
    }
    return result;
}

/** An error with the server's own sentence. */
export class ServerError extends Error {
    constructor(readonly kind: string, message: string) {
        super(message);
    }
}

/** The token, if the server wants one: after the #, which stays in the browser. */
function tokenInAddress(): string | null {
    return new URLSearchParams(location.hash.slice(1)).get("token");
}

export class ServerModel implements Engine {
    private readonly token = tokenInAddress();
    private events: EventSource | null = null;

    /** `base` ends in a slash. */
    constructor(private readonly base: string, private readonly unreachable: string) {}

    private async request(path: string, body?: object): Promise<Response> {
        const headers: Record<string, string> = {};
        if (body) headers["Content-Type"] = "application/json";
        if (this.token) headers["Authorization"] = `Bearer ${this.token}`;
        let response: Response;
        try {
            response = await fetch(this.base + path, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
        } catch {
            throw new ServerError("failed", this.unreachable);
        }
        if (response.ok) return response;
        const reply = await response.json().catch(() => null);
        throw new ServerError(reply?.error?.kind ?? "failed", reply?.error?.message ?? `${response.status} ${response.statusText}`);
    }

    private async post<T>(path: string, body: object): Promise<T> {
        return (await this.request(path, body)).json();
    }

    async summary(): Promise<Summary> {
        return (await this.request("model")).json();
    }
    predict(sample: Sample): Promise<Answer> {
        return this.post("predict", toJson(sample));
    }
    async predictMany(samples: Sample[]): Promise<Answer[]> {
        const answers: Answer[] = [];
        for (const part of parts(samples))
            answers.push(...(await this.post<{ answers: Answer[] }>("predict", { samples: part.map(toJson) })).answers);
        return answers;
    }
    learn(sample: Sample, label: Label): Promise<Lesson> {
        return this.post("learn", { ...toJson(sample), label });
    }
    async learnMany(samples: Sample[], labels: Label[]): Promise<Summary> {
        for (const [i, sample] of samples.entries()) await this.learn(sample, labels[i]!);
        return this.summary();
    }
    explain(sample: Sample, options: { versus?: Label; svg?: boolean } = {}): Promise<Explanation> {
        return this.post("explain", { ...toJson(sample), ...options });
    }
    private async changed(path: string, body: object): Promise<Summary> {
        return (await this.post<{ model: Summary }>(path, body)).model;
    }
    undo(): Promise<Summary> {
        return this.changed("undo", {});
    }
    rename(label: Label, newLabel: Label): Promise<Summary> {
        return this.changed("rename", { label, new_label: newLabel });
    }
    forget(label: Label): Promise<Summary> {
        return this.changed("forget", { label });
    }
    addClass(label: Label): Promise<Summary> {
        return this.changed("classes", { label });
    }
    async units(label?: Label): Promise<Unit[]> {
        const query = label === undefined ? "" : `?label=${encodeURIComponent(label)}`;
        return (await (await this.request(`units${query}`)).json()).units;
    }
    async drawing(): Promise<string> {
        return (await this.request("drawing")).text();
    }
    async toBytes(): Promise<Uint8Array> {
        return new Uint8Array(await (await this.request("model/bytes")).arrayBuffer());
    }
    /** A copy of the model file. */
    async toFile(): Promise<Blob> {
        return (await this.request("model/file")).blob();
    }
    async close(): Promise<void> {
        this.events?.close();
    }

    /** Calls `changed` after every change of the model, whoever made it. */
    watch(changed: (model: Summary) => void): void {
        // An event source sends no header of ours.
        const query = this.token ? `?token=${encodeURIComponent(this.token)}` : "";
        const events = new EventSource(`${this.base}events${query}`);
        this.events = events;
        for (const name of ["lesson", "undo", "rename", "forget", "class"])
            events.addEventListener(name, (event) => changed(JSON.parse((event as MessageEvent).data).model));
    }
}

/** The server that this page came from, if it has a model. */
export async function findServer(unreachable: string): Promise<ServerModel | null> {
    try {
        const token = tokenInAddress();
        const response = await fetch("api/model", token ? { headers: { Authorization: `Bearer ${token}` } } : {});
        if (!response.headers.get("content-type")?.includes("application/json")) return null;
        return response.ok || response.status === 401 ? new ServerModel("api/", unreachable) : null;
    } catch {
        return null;
    }
}
