"""Results of several runs: tables, files and charts."""

import csv
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

import numpy as np

from ._run import Run, run
from ._stream import Stream

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Results:
    """Runs of some learners on the same streams."""

    def __init__(self, runs: Sequence[Run]) -> None:
        if not runs:
            raise ValueError("there are no runs, so there are no results")
        self.runs = list(runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    @property
    def learners(self) -> list[str]:
        """The names of the learners, in order of their first run."""
        return list(dict.fromkeys(run.learner for run in self.runs))

    def of(self, learner: str) -> list[Run]:
        """The runs of one learner."""
        return [run for run in self.runs if run.learner == learner]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each run, with all measures: `pandas.DataFrame(results.rows())` is a table of them."""
        return [
            {"learner": run.learner, "seed": run.seed, **run.measures(), "images_per_second": run.images_per_second}
            for run in self.runs
        ]

    def evaluations(self) -> list[dict[str, Any]]:
        """A row for each evaluation and class, as in the file evaluations.csv of `sprig-lab`."""
        return [
            {
                "learner": run.learner,
                "seed": run.seed,
                "cycle": cycle,
                "block": block,
                "class": run.classes[c],
                "accuracy": float(run.accuracy[cycle, block, c]),
            }
            for run in self.runs
            for cycle, block, c in np.argwhere(~np.isnan(run.accuracy)).tolist()
        ]

    def table(self) -> list[dict[str, Any]]:
        """A row for each measure: its name, and for each learner the mean over seeds and the standard deviation."""
        rows = []
        for measure in self.runs[0].measures():
            row: dict[str, Any] = {"measure": measure}
            for learner in self.learners:
                values = [v for run in self.of(learner) if (v := run.measures()[measure]) is not None]
                row[learner] = mean(values) if values else None
                row[f"{learner} sd"] = stdev(values) if len(values) > 1 else None
            rows.append(row)
        return rows

    def save(self, folder: "str | os.PathLike[str]") -> None:
        """Write the tables to a folder: measures.csv, runs.csv and evaluations.csv."""
        os.makedirs(folder, exist_ok=True)
        for name, rows in (
            ("measures", self.table()),
            ("runs", self.rows()),
            ("evaluations", self.evaluations()),
        ):
            path = os.path.join(folder, f"{name}.csv")
            with open(path + ".new", "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, list(rows[0]) if rows else ["learner"])
                writer.writeheader()
                writer.writerows(rows)
            os.replace(path + ".new", path)

    def plot(self) -> "Figure":
        """A chart: the accuracy at the end of each cycle, and of each class along the stream. It needs matplotlib."""
        from matplotlib.figure import Figure

        names = self.learners
        figure = Figure(figsize=(6 + 5, 2.2 * max(len(names), 2)), layout="constrained")
        left, right = np.asarray(figure.subfigures(1, 2, width_ratios=(6, 5)))
        overview = left.subplots()
        for name in names:
            ends = np.array([run.accuracy[:, -1].mean(axis=1) for run in self.of(name)])
            tested = ~np.isnan(ends).any(axis=0)
            cycles = np.flatnonzero(tested) + 1
            middle, spread = ends[:, tested].mean(axis=0), ends[:, tested].std(axis=0)
            (line,) = overview.plot(cycles, middle, label=name)
            overview.fill_between(cycles, middle - spread, middle + spread, color=line.get_color(), alpha=0.15)
        overview.set(title="Accuracy at the end of each cycle", xlabel="cycle", ylabel="accuracy", ylim=(0, 1.02))
        overview.xaxis.get_major_locator().set_params(integer=True)
        overview.legend(loc="best")
        panels = np.atleast_1d(right.subplots(len(names), 1, sharex=True))
        for panel, name in zip(panels, names):
            along = np.mean([run.accuracy.reshape(-1, run.accuracy.shape[2]) for run in self.of(name)], axis=0)
            shown = ~np.isnan(along).any(axis=1)
            panel.plot(np.flatnonzero(shown) + 1, along[shown], linewidth=0.8)
            panel.set(title=f"{name}: each class along the stream", ylim=(0, 1.02))
        panels[-1].set_xlabel("block")
        return figure

    def _text(self) -> str:
        names = self.learners
        has_seeds = any(len(self.of(name)) > 1 for name in names)
        header = ["measure"] + [cell for name in names for cell in ((name, "sd") if has_seeds else (name,))]
        lines = [header]
        for row in self.table():
            if all(row[name] is None for name in names):
                continue  # the evaluations that it needs were not made
            cells = [row["measure"]]
            for name in names:
                cells.append(_number(row[name]))
                if has_seeds:
                    cells.append(_number(row[f"{name} sd"]))
            lines.append(cells)
        widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
        text = []
        for line in lines:
            first = line[0].ljust(widths[0])
            text.append("  ".join([first, *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:]))]))
        text.insert(1, "-" * len(text[0]))
        return "\n".join(text)

    def __str__(self) -> str:
        return self._text()

    def __repr__(self) -> str:
        return f"<Results: {len(self.runs)} runs of {', '.join(self.learners)}>"

    def _repr_html_(self) -> str:
        return f"<pre>{self._text()}</pre>"


def compare(
    learners: Mapping[str, Callable[[], Any]],
    images: Any,
    labels: Iterable[Any],
    *,
    seeds: Iterable[int] = range(3),
    evaluate: str = "blocks",
    prequential: bool = True,
    progress: Callable[[str], None] | None = None,
    **stream: Any,
) -> Results:
    """Run learners, each made anew by its function, on the identical streams of several seeds.

    The other arguments are those of `Stream`. `progress` is called with a line of text before each run; `print` will do.
    """
    labels = np.asarray(labels)
    runs = []
    for seed in seeds:
        drawn = Stream(images, labels, seed=seed, **stream)
        for name, make in learners.items():
            if progress is not None:
                progress(f"seed {seed}: {name}")
            runs.append(run(make(), drawn, name=name, evaluate=evaluate, prequential=prequential))
    return Results(runs)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
