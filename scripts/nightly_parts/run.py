"""One nightly run: its clock, its seed, what it is to do, and what its steps have to say."""

import random
import time
from dataclasses import dataclass, field

from . import processes

# Of the whole budget, at most; what a step leaves over goes to fuzzing, which ends where the closing begins.
SHARES = {"replay": 0.15, "baselines": 0.10, "verify": 0.25}
CLOSING = 0.10
LAST_WORD = 5  # seconds for what still runs where a step's share ends, so that short runs get something done in each
GRACE = 30  # seconds that the page and the summary may take beyond the budget
NAMES_SHOWN = 12  # of a list


@dataclass
class Result:
    """What the steps have to say; the summary and the exit status follow from it and from the book of findings."""

    failures: list = field(default_factory=list)  # exit status 1
    broken: list = field(default_factory=list)  # a step could not run: exit status 2 unless there are failures
    skipped: list = field(default_factory=list)  # asked to, or there is nothing to do it with
    left_out: dict = field(default_factory=dict)  # by step: what there was no time for
    counts: dict = field(default_factory=dict)  # by step that got anything done: one line of figures
    judged: dict = field(default_factory=dict)  # by step: plans and outputs
    seconds: dict = field(default_factory=dict)  # by step
    executions: dict = field(default_factory=dict)  # by unit


class Run:
    """One run: its state folder, its clock, its seed and what it is to do."""

    def __init__(self, state, tools, book, intake, folder, options, kernels):
        self.state, self.tools, self.book, self.intake, self.folder = state, tools, book, intake, folder
        self.options, self.kernels, self.seed = options, kernels, options.seed
        self.begin = time.monotonic()
        self.result = Result()

    def at(self, share):
        return self.begin + share * self.options.time

    def share_of(self, step):
        """The time at which a step that begins now ends."""
        return min(time.monotonic() + SHARES[step] * self.options.time, self.at(1 - CLOSING))

    def wants(self, kernel):
        return not self.options.kernels or kernel in self.kernels

    def shuffled(self, items, salt):
        items = list(items)
        random.Random(f"{self.seed} {salt}").shuffle(items)
        return items

    def log(self, name):
        return self.folder / "logs" / f"{name}.log"

    def side_by_side(self, tasks, until, longer=0):
        return processes.run_side_by_side(tasks, self.options.jobs, until, self.state.folder, longer)

    def leave_out(self, step, names):
        if names:
            self.result.left_out[step] = names


def units_of(run):
    return run.tools.units(run.kernels, not run.options.kernels, run.state.fuzz)


def few(names):
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return ", ".join(names[:NAMES_SHOWN]) + more


def told(ended):
    """The end of what a command printed, on one line."""
    return " ".join(ended.text().split())[-300:]
