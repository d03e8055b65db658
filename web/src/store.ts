// The state of the page, and who is told when a part of it changes.

export class Store<State extends object> {
    private readonly listeners: { keys: (keyof State)[]; run: (state: State) => void }[] = [];

    constructor(private state: State) {}

    get(): Readonly<State> {
        return this.state;
    }

    set(patch: Partial<State>): void {
        const before = this.state;
        this.state = { ...before, ...patch };
        const changed = (Object.keys(patch) as (keyof State)[]).filter((key) => before[key] !== this.state[key]);
        if (changed.length === 0) return;
        for (const listener of this.listeners)
            if (listener.keys.some((key) => changed.includes(key))) listener.run(this.state);
    }

    /** Calls `run` now, and whenever one of these parts changes. */
    watch(keys: (keyof State)[], run: (state: State) => void): void {
        this.listeners.push({ keys, run });
        run(this.state);
    }
}
