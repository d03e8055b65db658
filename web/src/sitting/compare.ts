// Whether a lesson of one class changed a score of another. Compared number by number, not assumed.

import type { Answer, Label } from "../engine/types";

export interface Comparison {
    examples: number;
    /** Scores of other classes that were compared. */
    scores: number;
    /** Those of them that are not the same number as before. */
    changed: number;
}

function scoresOf(answer: Answer): Map<Label, number> {
    return new Map(answer.ranking.map((ranked) => [ranked.label, ranked.score]));
}

/** The answers to the same examples before and after a lesson of class `taught`. */
export function compare(before: Answer[], after: Answer[], taught: Label): Comparison {
    const result: Comparison = { examples: before.length, scores: 0, changed: 0 };
    before.forEach((answer, index) => {
        const now = scoresOf(after[index]!);
        for (const [label, score] of scoresOf(answer)) {
            if (label === taught) continue;
            result.scores += 1;
            if (now.get(label) !== score) result.changed += 1;
        }
    });
    return result;
}
