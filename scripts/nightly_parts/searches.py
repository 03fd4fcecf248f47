"""The step fuzz: a search for every kernel and format and for every parser, all alike long; where the time is too short for all, for those
that were searched least so far."""

import math
import random
import re
import time

from .findings import is_parser
from .processes import Task
from .run import CLOSING, GRACE, told, units_of
from .state import cap_corpus, files_of, replace_folder, take_back

LEAST_SEARCH, SETTING_OFF = 4, 2  # seconds: the shortest search that is worth its start, and start and merge themselves
CORPUS_FILES, CORPUS_BYTES = 4000, 2 << 20  # of one unit
SEARCH_AGAIN = 8  # times that a unit which ended with a finding goes on with another seed


def fuzz(run):
    until = run.at(1 - CLOSING)
    targets = run.tools.own_targets(run.tools.targets)
    if not targets:
        run.result.broken.append(f"fuzz: no targets in {run.tools.targets}; build them with scripts/fuzz_build")
        return
    done = run.state.executions()
    units = sorted(run.shuffled(units_of(run), "fuzz"), key=lambda unit: done.get(unit.name, 0))
    jobs, left = run.options.jobs, max(0.0, until - time.monotonic())
    chosen = units[:jobs * max(1, int(left / (LEAST_SEARCH + SETTING_OFF)))]
    run.leave_out("fuzz", sorted(unit.name for unit in units[len(chosen):]))
    one_after_another = math.ceil(len(chosen) / jobs)
    each = max(LEAST_SEARCH, int(left / one_after_another) - SETTING_OFF)
    tasks = [search(run, unit, each, 0) for unit in chosen]
    for ended in run.side_by_side(tasks, until, GRACE / 3):
        again = take_search(run, ended)
        if again and time.monotonic() + again.about["time"] + SETTING_OFF <= until:
            tasks.append(again)
    missed = {unit.name for unit in chosen} - set(run.result.executions)
    run.leave_out("fuzz", sorted(missed | set(run.result.left_out.get("fuzz", []))))
    tell_searches(run, each)


def tell_searches(run, each):
    done = run.result.executions
    if not done:
        return
    run.result.counts["fuzz"] = f"{len(done)} searches of {each} s, {sum(done.values()):,} executions"


def fuzz_seed(run, unit, attempt):
    """Between 1 and 4e9, as libFuzzer and `normcheck fuzz` take it."""
    return random.Random(f"{run.seed} {unit.name} {attempt}").randrange(1, 4_000_000_000)


def search(run, unit, seconds, attempt):
    seed = fuzz_seed(run, unit, attempt)
    about = {"unit": unit, "time": seconds, "attempt": attempt, "seed": seed}
    words = parser_search(run, unit, seconds, seed) if is_parser(unit.kernel) else kernel_search(run, unit, seconds, seed)
    return Task(unit.name, words, seconds + 120, run.log(f"fuzz-{unit.name}"), {}, about)


def kernel_search(run, unit, seconds, seed):
    format_words = ["--format", unit.format] if unit.format else []
    return [run.tools.program, "fuzz", unit.kernel, *format_words, "--time", seconds, "--seed", seed, "--quiet",
            "--output", run.state.fuzz, "--targets", run.tools.targets]


def parser_search(run, unit, seconds, seed):
    take_back(unit.folder / "corpus")
    seeds = unit.folder / "seeds"
    for folder in (unit.folder / "corpus", seeds):
        folder.mkdir(parents=True, exist_ok=True)
    committed = run.tools.committed(unit.kernel)
    lines = committed.read_text().splitlines() if committed.exists() else []
    for number, line in enumerate(line for line in lines if line and not line.startswith("#")):
        (seeds / f"seed-{number}").write_bytes(bytes.fromhex(line))
    return [run.tools.parser(unit.kernel), f"-seed={seed}", f"-max_total_time={seconds}", "-max_len=512", "-timeout=10",
            "-rss_limit_mb=2048", "-print_final_stats=1", f"-artifact_prefix={unit.folder}/", unit.folder / "corpus", seeds]


def take_search(run, ended):
    """Takes in what a search has found and kept. Returns the task that goes on with another seed, after a finding that came early."""
    unit, about = ended.task.about["unit"], ended.task.about
    met = run.intake.search(unit, f"fuzz --seed {about['seed']}")
    count = executions_in(ended.text())
    run.result.executions[unit.name] = run.result.executions.get(unit.name, 0) + count
    run.state.add_executions(unit.name, count)
    cap_corpus(unit.folder / "corpus", CORPUS_FILES, CORPUS_BYTES)
    if ended.status not in (0, None) and not met:
        what = run.result.broken if ended.status == 2 and not is_parser(unit.kernel) else run.result.failures
        what.append(f"fuzz {unit.name} with seed {about['seed']} ended with {ended.status}: {told(ended)}")
    left = int(about["time"] - ended.seconds)
    if met and ended.status is not None and left >= LEAST_SEARCH and about["attempt"] < SEARCH_AGAIN:
        return search(run, unit, left, about["attempt"] + 1)
    return None


def executions_in(text):
    """Of a search's output: the verb's last line, or libFuzzer's own figures."""
    found = re.search(r'^json  .*"executions":(\d+)', text, re.MULTILINE) or re.search(
        r"^stat::number_of_executed_units: (\d+)", text, re.MULTILINE)
    return int(found.group(1)) if found else 0


def merge_parsers(run):
    """The verb fuzz merges the corpora of kernels itself."""
    tasks = []
    for unit in units_of(run):
        if not is_parser(unit.kernel) or unit.name not in run.result.executions:
            continue
        merged = unit.folder / "merged"
        for path in files_of(merged):
            path.unlink()
        merged.mkdir(exist_ok=True)
        tasks.append(Task(unit.name, [run.tools.parser(unit.kernel), "-merge=1", "-max_len=512", merged, unit.folder / "corpus",
                                      unit.folder / "seeds"], 60, run.log(f"merge-{unit.name}"), {}, {"unit": unit}))
    for ended in run.side_by_side(tasks, run.at(1)):
        unit = ended.task.about["unit"]
        if ended.status == 0:
            replace_folder(unit.folder / "merged", unit.folder / "corpus")
        elif ended.status is not None:
            run.result.broken.append(f"the corpus of {unit.name} could not be merged: {ended.text()[-300:]}")
