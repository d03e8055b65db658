// The keys of the whole page.

import type { App } from "./app";
import { isEmpty } from "./board/drawing";
import { classKeys } from "./panels/teach_panel";

function isTyping(target: EventTarget | null): boolean {
    return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Enter and Space press the button that has the focus. */
function pressesSomething(event: KeyboardEvent): boolean {
    return event.key === "Enter" && event.target instanceof HTMLElement && /^(BUTTON|A|SUMMARY)$/.test(event.target.tagName);
}

export function listenToKeys(app: App, nameField: HTMLInputElement): void {
    document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
        if (event.target === nameField && event.key === "Escape") {
            nameField.value = "";
            nameField.blur();
            return;
        }
        const { view, summary, answer, drawing } = app.store.get();
        if (isTyping(event.target) || pressesSomething(event) || view !== "draw") return;
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
            event.preventDefault();
            void app.undoLast();
            return;
        }
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === "Backspace") app.undoStroke();
        else if (event.key === "Escape") app.clear();
        else if (event.key === "+" || event.key === "=") nameField.focus();
        else if (event.key === "Enter" && answer?.label != null && !isEmpty(drawing)) void app.teach(answer.label);
        else {
            const found = [...classKeys(summary?.classes ?? [])].find(([, key]) => key === event.key);
            if (!found) return;
            void app.teach(found[0]);
        }
        event.preventDefault();
    });
}
