"""Findings of a nightly run. What a step wrote or printed becomes a file of the inbox at once, before anything else is tried; later it
is minimised and becomes, or joins, one file in findings/. A kill between any two steps loses nothing: the next run goes on from the files."""

import hashlib
import json
import re
import time
from datetime import datetime, timezone

from . import processes
from .state import read_json, write_json

# Of one kernel, format and kind, out of one report and in one run: the others are repetitions with other numbers.
MOST_IN_A_REPORT, MOST_IN_A_RUN = 3, 12
MOST_ALIKE = 10  # case lines kept beside the first, where a kind cannot be minimised
ARTIFACTS = ("crash-", "oom-", "timeout-", "leak-")  # of libFuzzer


def now_text():
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def digest(*words):
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]


def property_of(reason):
    """The property's name where the reason is a violated property, else ''."""
    found = re.match(r"property (\w+)", reason)
    return found.group(1) if found else ""


def kind_of(reason):
    """What a reason has in common with those of other rows."""
    name = property_of(reason)
    return f"property {name}" if name else re.sub(r"\d+", "N", reason)


def is_parser(kernel):
    return kernel.startswith("parse_")


class Intake:
    """From what steps leave to the inbox."""

    def __init__(self, state, tools, run_name):
        self.state, self.tools, self.run_name = state, tools, run_name
        self.taken = {}  # out of reports, by kernel, format and kind
        self.met = 0  # also those that are in the inbox already

    def add(self, kernel, case, reason, source):
        self.met += 1
        path = self.state.inbox / f"{digest(kernel, case, kind_of(reason))}.json"
        if path.exists():
            return
        write_json(path, {"kernel": kernel, "case": case, "reason": reason, "source": source, "run": self.run_name,
                          "seen": now_text()})
        print(f"found     {kernel}: {reason}\n          '{case}'", flush=True)

    def report(self, path, source):
        """The findings of a report in JSON, the first few of each kind."""
        counts = {}
        for finding in json.loads(path.read_text())["findings"]:
            kind = (finding["kernel"], finding["format"], kind_of(finding["reason"]))
            counts[kind] = counts.get(kind, 0) + 1
            if finding["verdict"] != "fail" or counts[kind] > MOST_IN_A_REPORT or self.taken.get(kind, 0) >= MOST_IN_A_RUN:
                continue
            self.taken[kind] = self.taken.get(kind, 0) + 1
            self.add(finding["kernel"], finding["case"], finding["reason"], source)

    def search(self, unit, source):
        """What a search of `unit` has left in its folder, and what its log says it was about to write. They are deleted once in the inbox.
        Returns whether there was any finding."""
        before = self.met
        if not unit.folder.is_dir():
            return False
        for log in unit.folder.glob("job*.log"):
            for line in log.read_text(errors="replace").splitlines():
                self.announced(line, unit, source)
        for path in sorted(unit.folder.iterdir()):
            if path.name.startswith("finding-") and path.suffix == ".case":
                lines = path.read_text().splitlines()
                self.add(unit.kernel, lines[-1], lines[0].removeprefix("# "), source)
                path.unlink()
            elif path.name.startswith(ARTIFACTS):
                self.artifact(path, unit, source)
                path.unlink()
            elif path.name.startswith("slow-unit-"):
                path.unlink()
        for log in unit.folder.glob("job*.log"):
            log.unlink()
        return self.met > before

    def announced(self, line, unit, source):
        word, _, rest = line.partition(" ")
        if word != "NORMCHECK_FOUND":
            return
        try:
            found = json.loads(rest)
        except ValueError:
            return  # the process was killed in the middle of the line
        self.add(unit.kernel, found["case"], found["reason"], source)

    def artifact(self, path, unit, source):
        """An input that libFuzzer wrote. Its case is known already where the target itself told of it."""
        reason = f"the fuzz target ends with a {path.name.split('-')[0]}"
        if is_parser(unit.kernel):
            return self.add(unit.kernel, path.read_bytes().hex(), reason, source)
        printed = processes.run_one(self.tools.print_input(unit, path), self.state.folder)
        lines = printed.text().splitlines()
        if printed.status != 0 or not lines:
            return self.add(unit.kernel, f"bytes:{path.read_bytes().hex()}", reason, source)
        entries = [read_json(entry) for entry in self.state.inbox.glob("*.json")]
        if not any(entry["kernel"] == unit.kernel and entry["case"] == lines[-1] for entry in entries):
            self.add(unit.kernel, lines[-1], reason, source)


class Book:
    """The files of findings/: known from earlier, or new in this run."""

    def __init__(self, state, tools, run_name):
        self.state, self.tools, self.run_name = state, tools, run_name
        self.new, self.again = {}, {}  # by file name: those of this run's inbox, and the known ones that were met again
        self.gone, self.not_rerun, self.cannot = {}, {}, {}  # known ones: no longer shown, no time to rerun, no answer

    def known(self, wanted):
        found = {path.stem: read_json(path) for path in sorted(self.state.findings.glob("*.json"))}
        return {name: finding for name, finding in found.items() if wanted(finding["kernel"])}

    def rerun(self, wanted, jobs, until, folder):
        """Asks of every known finding whether it is still there."""
        known = self.known(wanted)
        self.not_rerun = dict(known)
        tasks = [self.tools.rerun(name, finding, folder) for name, finding in known.items()]
        for ended in processes.run_side_by_side(tasks, jobs, until, self.state.folder):
            name = ended.task.about["name"]
            if ended.status is None:
                continue
            finding = self.not_rerun.pop(name)
            if ended.status == 0:
                self.gone[name] = finding
            elif ended.status == processes.NOT_STARTED or ended.status == 2 and not is_parser(finding["kernel"]):
                self.cannot[name] = {**finding, "answer": ended.text().strip()}
            else:
                self.meet(name, finding)

    def meet(self, name, finding):
        self.again[name] = {**finding, "last_seen": now_text()}
        write_json(self.state.findings / f"{name}.json", self.again[name])

    def settle(self, jobs, until, folder):
        """Minimises what is in the inbox, as long as there is time, and enters it. What is left stays for the next run."""
        tasks = []
        for path in sorted(self.state.inbox.glob("*.json")):
            entry = read_json(path)
            if property_of(entry["reason"]) or entry["case"].startswith("bytes:"):
                self.enter(path, entry, entry["case"], kind_of(entry["reason"]), is_minimised=False)
            else:
                tasks.append(self.tools.minimise(path, entry, folder))
        for ended in processes.run_side_by_side(tasks, jobs, until, self.state.folder):
            path, entry = ended.task.about["path"], ended.task.about["entry"]
            smallest = self.tools.minimised(ended)
            if smallest:
                self.enter(path, entry, smallest[0], smallest[1], is_minimised=True)
            elif ended.status is not None or time.monotonic() < until:
                self.enter(path, entry, entry["case"], kind_of(entry["reason"]), is_minimised=False)

    def enter(self, path, entry, case, kind, is_minimised):
        """One file for each kernel, kind and minimised case; a property cannot be minimised for, there the kind alone decides."""
        by_property = property_of(entry["reason"])
        name = digest(entry["kernel"], kind, "" if by_property else case)
        earlier = read_json(self.state.findings / f"{name}.json")
        if earlier:
            alike = earlier.get("alike", [])
            if case != earlier["case"] and case not in alike and len(alike) < MOST_ALIKE:
                earlier["alike"] = alike + [case]
            if name in self.new:
                self.new[name] = earlier
                write_json(self.state.findings / f"{name}.json", earlier)
            else:
                self.gone.pop(name, None)
                self.not_rerun.pop(name, None)
                self.meet(name, earlier)
        else:
            self.new[name] = {"kernel": entry["kernel"], "kind": kind, "case": case, "found_as": entry["case"],
                              "minimised": is_minimised, "verdict": "fail", "property": by_property, "reason": entry["reason"],
                              "source": entry["source"], "run": entry["run"], "first_seen": entry["seen"],
                              "last_seen": entry["seen"]}
            write_json(self.state.findings / f"{name}.json", self.new[name])
        path.unlink()

    def waiting(self):
        return [read_json(path) for path in sorted(self.state.inbox.glob("*.json"))]
