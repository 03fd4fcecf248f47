"""The folder in which a nightly run keeps what outlives it, and the rules that make it safe to kill a run at any moment:
one run at a time by a lock that the system gives back, and every file replaced in one step."""

import fcntl
import json
import os
import shutil
import sys


class Busy(Exception):
    """Another run holds the folder."""


def write_atomically(path, text):
    """A reader, or a run after a kill, sees the old file or the new one, whole."""
    part = path.with_name(f".{path.name}.part")
    with open(part, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def write_json(path, value):
    write_atomically(path, json.dumps(value, indent=1, sort_keys=True) + "\n")


def read_json(path, otherwise=None):
    try:
        return json.loads(path.read_text())
    except FileNotFoundError:
        return otherwise


def replace_folder(new, old):
    """Puts the folder `new` in the place of `old`. A kill in between leaves `old` with the suffix .replaced; take_back undoes that."""
    aside = old.with_name(old.name + ".replaced")
    take_back(old)
    if old.exists():
        old.rename(aside)
    new.rename(old)
    shutil.rmtree(aside, ignore_errors=True)


def take_back(folder):
    aside = folder.with_name(folder.name + ".replaced")
    if aside.exists() and not folder.exists():
        aside.rename(folder)
    shutil.rmtree(aside, ignore_errors=True)


class State:
    """`fuzz/UNIT/` corpora and what a search writes beside them; `inbox/` findings as they came, one a file; `findings/` the same
    minimised, without repetitions, never deleted; `runs/DATE-SEED/` reports; `executions.json` how much each unit was searched."""

    def __init__(self, folder):
        self.folder = folder.resolve()
        self.fuzz = self.folder / "fuzz"
        self.inbox = self.folder / "inbox"
        self.findings = self.folder / "findings"
        self.runs = self.folder / "runs"
        self.lock = None

    def take(self, wait):
        """Takes the lock and makes the folders. Throws Busy where another run has it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = open(self.folder / "lock", "a+")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.lock.seek(0)
            holder = f"another nightly run (process {self.lock.read().strip() or 'unknown'}) works in {self.folder}"
            if not wait:
                raise Busy(holder) from None
            print(f"waiting: {holder}", file=sys.stderr, flush=True)
            fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.lock.truncate(0)
        self.lock.write(f"{os.getpid()}\n")
        self.lock.flush()
        for folder in (self.fuzz, self.inbox, self.findings, self.runs):
            folder.mkdir(exist_ok=True)
            for part in folder.glob(".*.part"):
                part.unlink()

    def new_run(self, name):
        """A folder of this name, or with a number behind it where there is one already."""
        number = 1
        while True:
            run = self.runs / (name if number == 1 else f"{name}-{number}")
            number += 1
            if not run.exists():
                run.mkdir()
                return run

    def dead_runs(self):
        """Those that were killed before they had a summary."""
        return [run for run in sorted(self.runs.iterdir()) if not (run / "summary.txt").exists()]

    def prune_runs(self, kept):
        runs = sorted(self.runs.iterdir(), key=lambda run: run.stat().st_mtime)
        for run in runs[:max(0, len(runs) - kept)]:
            shutil.rmtree(run)

    def add_executions(self, unit, count):
        path = self.folder / "executions.json"
        all_units = read_json(path, {})
        all_units[unit] = all_units.get(unit, 0) + count
        write_json(path, all_units)

    def executions(self):
        return read_json(self.folder / "executions.json", {})


def files_of(folder):
    return [entry for entry in folder.iterdir() if entry.is_file()] if folder.is_dir() else []


def cap_corpus(folder, most_files, most_bytes):
    """Deletes the largest inputs beyond so many files or bytes; returns how many."""
    sizes = sorted((path.stat().st_size, path) for path in files_of(folder))
    kept_bytes = dropped = 0
    for place, (size, path) in enumerate(sizes):
        kept_bytes += size
        if place >= most_files or kept_bytes > most_bytes:
            path.unlink()
            dropped += 1
    return dropped


def corpus_size(folder):
    sizes = [path.stat().st_size for path in files_of(folder)]
    return len(sizes), sum(sizes)
