"""The commands a nightly run gives: where the programs are, and what their words mean. Nothing here runs anything."""

import fnmatch
import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .findings import is_parser
from .processes import Task

PARSERS = ("case", "contract", "npy", "safetensors")
MINIMISE_SECONDS = 60
RERUN_SECONDS = 60


@dataclass(frozen=True)
class Unit:
    """What is searched on its own and has a corpus of its own: a kernel in one format, or a parser."""

    kernel: str
    format: str
    folder: Path

    @property
    def name(self):
        return self.folder.name


class Tools:
    def __init__(self, root, program, targets, parser_targets):
        self.root, self.program, self.targets, self.parser_targets = root, program, targets, parser_targets
        self.build = program.parent  # of the ordinary build, with its replaying targets and tests

    def kernels(self, patterns):
        """Names to lists of formats: those that match; without patterns all that `verify` runs by default."""
        listed = self.listed("kernels")
        if not patterns:
            return listed
        if any(pattern.startswith("faulty/") for pattern in patterns):
            listed |= {name: [] for name in re.findall(r"^\s+(faulty/\S+)", self.list_text("faults"), re.MULTILINE)}
        return {name: formats for name, formats in listed.items()
                if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)}

    def list_text(self, section):
        return subprocess.run([self.program, "list", section, "--width", "200"], capture_output=True, text=True, check=True).stdout

    def listed(self, section):
        found, name = {}, None
        for line in self.list_text(section).splitlines():
            if re.fullmatch(r"  \w+/\S+", line):
                name = line.strip()
            elif line.strip().startswith("formats ") and name:
                found[name] = line.split(maxsplit=1)[1].split(", ")
        return found

    def own_targets(self, folder):
        return {path.name for path in folder.glob("fuzz_*") if os.access(path, os.X_OK)} if folder.is_dir() else set()

    def units(self, kernels, with_parsers, folder):
        """Of kernels without listed formats one unit for all of them; of parsers those that are built."""
        found = []
        for name, formats in kernels.items():
            file_name = name.replace("/", "_")  # as normcheck fuzz names its folder
            found += [Unit(name, one, folder / (f"{file_name}-{one}" if one else file_name)) for one in formats or [""]]
        if with_parsers:
            found += [Unit(f"parse_{name}", "", folder / f"parse_{name}") for name in PARSERS
                      if f"fuzz_parse_{name}" in self.own_targets(self.parser_targets)]
        return found

    def committed(self, kernel):
        return self.root / "corpora/fuzz" / (f"{kernel}.hex" if is_parser(kernel) else f"{kernel.replace('/', '_')}.cases")

    def parser(self, kernel):
        return self.parser_targets / f"fuzz_{kernel}"

    def replaying_target(self, kernel):
        """The kernel's own target in the ordinary build, else that of all kernels, which is told the name."""
        own = self.build / "targets" / f"fuzz_{kernel.replace('/', '_')}"
        return own if own.exists() else self.build / "targets" / "fuzz_any"

    def of_unit(self, unit):
        return {"NORMCHECK_FUZZ_KERNEL": unit.kernel, "NORMCHECK_FUZZ_FORMAT": unit.format}

    def print_input(self, unit, path):
        return Task("print", [self.replaying_target(unit.kernel), "--print", path], RERUN_SECONDS, unit.folder / "print.log",
                    self.of_unit(unit))

    def rerun(self, name, finding, folder):
        log = folder / "logs" / f"rerun-{name}.log"
        if is_parser(finding["kernel"]):
            return Task(name, [self.parser(finding["kernel"]), self.input_file(name, finding["case"], folder)], RERUN_SECONDS, log,
                        about={"name": name})
        words = ["case", finding["case"], "--kernel", finding["kernel"], "--quiet"]
        if finding["property"]:
            words += ["--properties", finding["property"]]
        return Task(name, [self.program, *words], RERUN_SECONDS, log, about={"name": name})

    def rerun_text(self, finding):
        """The command for people."""
        if is_parser(finding["kernel"]):
            return f"xxd -r -p <<<{shlex.quote(finding['case'])} >input && {self.parser(finding['kernel'])} input"
        if finding["case"].startswith("bytes:"):
            return f"xxd -r -p <<<{shlex.quote(finding['case'][6:])} >input && NORMCHECK_FUZZ_KERNEL={finding['kernel']} {self.targets}/fuzz_any input"
        words = f" --properties {finding['property']}" if finding["property"] else " --explain"
        return f"{os.path.relpath(self.program)} case {shlex.quote(finding['case'])}{words}"

    def input_file(self, name, hex_text, folder):
        path = folder / f"input-{name}"
        path.write_bytes(bytes.fromhex(hex_text))
        return path

    def minimise(self, path, entry, folder):
        about = {"path": path, "entry": entry}
        log = folder / "logs" / f"minimise-{path.stem}.log"
        if not is_parser(entry["kernel"]):
            words = ["minimize", entry["case"], "--kernel", entry["kernel"], "--width", "200"]
            return Task(path.stem, [self.program, *words], MINIMISE_SECONDS, log, about=about)
        about["smallest"] = folder / f"smallest-{path.stem}"
        words = ["-minimize_crash=1", "-max_total_time=10", f"-exact_artifact_path={about['smallest']}"]
        return Task(path.stem, [self.parser(entry["kernel"]), *words, self.input_file(path.stem, entry["case"], folder)],
                    MINIMISE_SECONDS, log, about=about)

    def minimised(self, ended):
        """Of an ended task of `minimise`: the smallest case and its kind; None where there is none."""
        if is_parser(ended.task.about["entry"]["kernel"]):
            smallest = ended.task.about["smallest"]
            return (smallest.read_bytes().hex(), parser_kind(ended.text())) if smallest.exists() else None
        if ended.status != 0:
            return None
        paragraphs = read_paragraphs(ended.text())
        return (paragraphs["case"], paragraphs["shows"]) if {"case", "shows"} <= paragraphs.keys() else None


def parser_kind(text):
    """What a sanitizer or the target itself says first."""
    found = re.search(r"^(?:SUMMARY: )?((?:round trip broken|\w*Sanitizer)\b[^/\n]*)", text, re.MULTILINE)
    return re.sub(r"\d+", "N", found.group(1)).strip() if found else "the fuzz target ends with a crash"


def read_paragraphs(text):
    """`word      text`, which goes on in lines that begin with spaces."""
    found, word = {}, None
    for line in text.splitlines():
        if line[:1].strip():
            word, _, rest = line.partition(" ")
            found[word] = rest.strip()
        elif word and line.strip():
            found[word] += " " + line.strip()
    return found
