"""The steps of a nightly run, each within its share of the time: replay, baselines, verify, fuzz (searches.py), and the closing."""

import json
import time

from . import processes
from .processes import Task
from .run import GRACE, LAST_WORD, few, told, units_of
from .searches import fuzz, merge_parsers
from .state import files_of
from .tools import Unit

REPLAY_SHARDS = 8  # of the regressions, so that a short run replays some of them
VERIFY_SECONDS = 5  # one kernel's whole plan on one core takes about as long; where there is less, cases are left out
CASES_A_SECOND = 60  # per kernel and format, beside the start and the properties


# Replay: known findings first, then the corpora of the repository, then what earlier nights have kept.


def replay(run):
    until = run.share_of("replay")
    run.book.rerun(run.wants, run.options.jobs, until, run.folder)
    tasks = regression_tasks(run) + run.shuffled(corpus_tasks(run), "replay")
    if not tasks:
        run.result.broken.append("replay: nothing to replay: no tests and no targets in the build folder")
    names = [task.name for task in tasks]
    number = len(names)
    for ended in run.side_by_side(tasks, until, LAST_WORD):
        if ended.status is None:
            continue
        names.remove(ended.task.name)
        unit = ended.task.about.get("unit")
        met = unit is not None and run.intake.search(unit, f"replay of {ended.task.name}")
        if ended.status != 0 and not met:
            run.result.failures.append(f"replay of {ended.task.name} ended with {ended.status}: {told(ended)}")
    run.leave_out("replay", names)
    run.result.counts["replay"] = (f"{number - len(names)} of {number} corpora; of known findings {len(run.book.again)} "
                                   f"are still there, {len(run.book.gone)} gone")


def regression_tasks(run):
    """corpora/smoke.cases and regressions.cases, by the tests that know what each line promises; they are of all kernels."""
    program = run.tools.build / "harness/check/regressions_tests"
    if run.options.kernels or not program.exists():
        if not run.options.kernels:
            run.result.skipped.append(f"smoke and regression corpora: {program} is not built")
        return []
    return [Task(f"regressions {i + 1} of {REPLAY_SHARDS}", [program, "--gtest_brief=1"], 600, run.log(f"regressions-{i}"),
                 {"GTEST_TOTAL_SHARDS": str(REPLAY_SHARDS), "GTEST_SHARD_INDEX": str(i)}) for i in range(REPLAY_SHARDS)]


def corpus_tasks(run):
    """corpora/fuzz and the kept corpora, through the targets of the ordinary build; where one aborts it leaves its finding in the
    folder that -artifact_prefix names, as a search does."""
    units = units_of(run)
    whole = {unit.kernel: Unit(unit.kernel, "", run.state.fuzz / unit.kernel.replace("/", "_")) for unit in units}
    pairs = [(unit, run.tools.committed(unit.kernel)) for unit in whole.values()]
    pairs += [(unit, unit.folder / "corpus") for unit in units if files_of(unit.folder / "corpus")]
    tasks = []
    for unit, inputs in pairs:
        target = run.tools.replaying_target(unit.kernel)
        if inputs.exists() and target.exists():
            unit.folder.mkdir(parents=True, exist_ok=True)
            name = f"corpora/fuzz/{inputs.name}" if inputs.is_file() else f"corpus {unit.name}"
            tasks.append(Task(name, [target, f"-artifact_prefix={unit.folder}/", inputs], 600,
                              run.log(f"replay-{len(tasks)}"), run.tools.of_unit(unit), {"unit": unit}))
    return tasks


# Baselines: the reports that are kept in the repository, with the seed they were made from.


def baselines(run):
    folder = run.options.baselines.absolute()
    kept = [name for name in run.kernels if (folder / f"{name}.json").exists()]
    none = [name for name in run.kernels if name not in kept]
    if none:
        run.result.skipped.append(f"baselines: {folder} has none of {few(none)}")
    verify_kernels(run, "baselines", kept, run.share_of("baselines"), 1, ["--baseline", "--baselines", folder])


# Verify: fresh seeds, round after round, each kernel on its own so that a kill costs little.


def verify(run):
    until = run.share_of("verify")
    each = (until - time.monotonic()) * run.options.jobs / len(run.kernels)
    words = [] if each >= VERIFY_SECONDS else ["--cases", str(max(10, int(each * CASES_A_SECOND)))]
    seed = run.seed
    while True:
        verify_kernels(run, "verify", run.kernels, until, seed, words)
        if run.result.left_out.get("verify") and seed > run.seed:
            del run.result.left_out["verify"]  # all were verified in the first round
        if time.monotonic() >= until or seed >= run.seed + run.options.rounds - 1:
            break
        seed += 1
    if "verify" in run.result.counts:
        cases = f", {words[1]} cases per format" if words else ""
        run.result.counts["verify"] = f"seeds {run.seed} to {seed}{cases}; {run.result.counts['verify']}"


def verify_kernels(run, step, kernels, until, seed, words):
    """One report for each kernel, judged and joined into the run's. Those that there is no time for are said."""
    tasks = [Task(name, [run.tools.program, "verify", name, "--seed", str(seed), "--jobs", "1", "--quiet", "--json",
                         report_path(run, step, name, seed), *words], 3600, run.log(f"{step}-{name.replace('/', '_')}"))
             for name in run.shuffled(kernels, f"{step} {seed}")]
    left, reports = [task.name for task in tasks], []
    for ended in run.side_by_side(tasks, until, LAST_WORD):
        path = report_path(run, step, ended.task.name, seed)
        if ended.status is None:
            if path.exists():  # what it had when it was interrupted
                run.intake.report(path, f"{step} --seed {seed}")
                reports.append(path)
            continue
        left.remove(ended.task.name)
        if ended.status in (0, 1):
            judge_report(run, step, path, ended)
            reports.append(path)
        else:
            what = run.result.broken if ended.status == 2 else run.result.failures
            what.append(f"{step}: {ended.task.name} with seed {seed} ended with {ended.status}: {told(ended)}")
    run.leave_out(step, left)
    add_to_report(run, reports)


def report_path(run, step, name, seed):
    return run.folder / f"{step}-{name.replace('/', '_')}-{seed}.json"


def judge_report(run, step, path, ended):
    report = json.loads(path.read_text())
    run.intake.report(path, f"{step} --seed {report['context']['seed']}")
    worse = [change for change in report["changes"] if change["trend"] == "worse"]
    for change in worse:
        place = " ".join(word for word in (change["kernel"], change["format"], change["regime"]) if word)
        run.result.failures.append(f"worse than its baseline: {place}: {change['what']}" + (f" '{change['case']}'" if change["case"] else ""))
    if report["exit_status"] != 0 and not report["findings"] and not worse:
        run.result.failures.append(f"{step}: {ended.task.name}: {report['verdict']}: a kernel without any pass")
    plans, outputs = run.result.judged.get(step, (0, 0))
    outputs += sum(cell["outputs"] for kernel in report["kernels"] for cell in kernel["cells"])
    run.result.judged[step] = (plans + 1, outputs)
    run.result.counts[step] = f"{plans + 1} plans of a kernel, {outputs:,} outputs judged"


def add_to_report(run, reports):
    """Joined at once, so that a long night does not keep a thousand reports."""
    joined = run.folder / "report.json"
    if not reports:
        return
    sources = ([joined] if joined.exists() else []) + reports
    task = Task("join", [run.tools.program, "report", *sources, "--to", "json", "-o", joined], 60, run.log("join"))
    ended = processes.run_one(task, run.state.folder)
    if ended.status != 0:
        run.result.broken.append(f"the reports could not be joined: {ended.text().strip()}")
        return
    for path in reports:
        path.unlink()


# Closing: minimised corpora and findings, the page.


def close(run):
    run.book.settle(run.options.jobs, run.at(1), run.folder)
    merge_parsers(run)
    page(run)


def page(run):
    joined = run.folder / "report.json"
    if not joined.exists():
        return
    task = Task("page", [run.tools.program, "report", joined, "--to", "html", "-o", run.folder / "report.html"],
                max(5, run.at(1) + GRACE - time.monotonic()), run.log("page"))
    ended = processes.run_one(task, run.state.folder)
    if ended.status != 0:
        run.result.broken.append(f"the page could not be written: {ended.text().strip() or 'its time was over'}")


STEPS = {"replay": replay, "baselines": baselines, "verify": verify, "fuzz": fuzz}
