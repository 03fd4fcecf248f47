"""What a nightly run says at its end, as text and as Markdown, and its exit status."""

import html
import os
import re
import shlex
from datetime import datetime, timezone

from .run import few
from .state import corpus_size, write_atomically


def exit_status(result, book):
    """1: something is wrong with a kernel, new or known; 2: nothing is, but a step could not run; 0: all well."""
    if result.failures or book.new or book.again or book.not_rerun or book.waiting():
        return 1
    return 2 if result.broken or book.cannot else 0


def verdict_line(run):
    book, result = run.book, run.result
    new = len(book.new) + len(book.waiting())
    parts = [f"{new} new findings" if new else "", f"{len(book.again)} known ones still there" if book.again else "",
             f"{len(book.not_rerun)} known ones not rerun" if book.not_rerun else "",
             f"{len(result.failures)} failures" if result.failures else "",
             f"{len(result.broken) + len(book.cannot)} steps could not run" if result.broken or book.cannot else ""]
    idle = [step for step in result.left_out if step not in result.counts]
    told = ", ".join(part for part in parts if part) or "nothing found"
    return told + (f", but there was no time for any {' nor '.join(idle)}" if idle else "")


def finding_lines(run, head, findings, date=None):
    lines = []
    for finding in findings:
        since = f", known since {finding[date][:10]}" if date else ""
        lines += [f"{head:9} {finding['kernel']}: {finding['kind']}{since} ({finding['source']})",
                  f"          {run.tools.rerun_text(finding)}"]
    return lines


def corpora_line(run):
    sizes = [corpus_size(corpus) for corpus in run.state.fuzz.glob("*/corpus")]
    return f"{sum(count for count, _ in sizes):,} inputs, {sum(size for _, size in sizes) / 1024:,.0f} KiB in {len(sizes)} corpora"


def summary_text(run, ended_by=""):
    result, book = run.result, run.book
    status = exit_status(result, book)
    lines = [f"nightly   {verdict_line(run)}; exit status {status}" + (f"; {ended_by}" if ended_by else "")]
    lines += [f"FAILURE   {text}" for text in result.failures] + [f"BROKEN    {text}" for text in result.broken]
    lines += [f"BROKEN    known finding {name} cannot be rerun: {finding['answer']}" for name, finding in book.cannot.items()]
    lines += finding_lines(run, "NEW", book.new.values())
    waiting = [{**entry, "kind": entry["reason"] + ", not yet minimised", "property": ""} for entry in book.waiting()]
    lines += finding_lines(run, "NEW", waiting)
    lines += finding_lines(run, "known", book.again.values(), "first_seen")
    lines += finding_lines(run, "not rerun", book.not_rerun.values(), "first_seen")
    lines += finding_lines(run, "gone", book.gone.values(), "first_seen")
    lines += [f"SKIPPED   {text}" for text in result.skipped]
    lines += [f"no time   {step}: {few(names)}" for step, names in result.left_out.items()]
    for step, seconds in result.seconds.items():
        lines.append(f"{step:9} {seconds:7.1f} s  {result.counts.get(step, '')}".rstrip())
    lines += [f"corpora   {corpora_line(run)}", f"seed      {run.seed}; again: {command(run)}", f"folder    {run.folder}"]
    if (run.folder / "report.html").exists():
        lines.append(f"page      {run.folder / 'report.html'}")
    return "\n".join(lines) + "\n"


def executions_text(run):
    return "".join(f"  {name:45} {count:>12,}\n" for name, count in sorted(run.result.executions.items()))


def whole_lists(run):
    """What the short text leaves out: the executions of each unit, and all that there was no time for."""
    text = f"\nexecutions\n{executions_text(run)}" if run.result.executions else ""
    for step, names in run.result.left_out.items():
        text += f"\nno time to {step}\n" + "".join(f"  {name}\n" for name in names)
    return text


def command(run):
    """The run again: its own words, and what they left to the clock and the machine."""
    words, given = [], iter(run.options.words)
    for word in given:
        if word == "--seed":
            next(given)
        elif not word.startswith("--seed="):
            words.append(word)
    if not any(word.split("=")[0] == "--jobs" for word in words):
        words += ["--jobs", str(run.options.jobs)]
    return shlex.join(["scripts/nightly", "--seed", str(run.seed), *words])


def markdown(run, text):
    head = f"## Nightly {datetime.now(timezone.utc):%Y-%m-%d}: {verdict_line(run)}\n\n"
    fence = "````"
    whole = whole_lists(run)
    details = f"\n<details><summary>Executions by kernel and format</summary>\n\n{fence}{whole}{fence}\n\n</details>\n"
    return f"{head}{fence}\n{text}{fence}\n" + (details if whole else "")


def put_on_page(path, text):
    """The page is of what `verify` judged; at its head stands what the whole night found."""
    page = path.read_text()
    block = f"<pre style='white-space: pre-wrap'>{html.escape(text)}</pre>"
    write_atomically(path, re.sub(r"<body[^>]*>", lambda found: found.group() + block, page, count=1))


def write_summary(run, ended_by=""):
    """The file summary.txt is written last: a run without it was killed."""
    text = summary_text(run, ended_by)
    if (run.folder / "report.html").exists():
        put_on_page(run.folder / "report.html", text)
    write_atomically(run.folder / "summary.md", markdown(run, text))
    if os.environ.get("GITHUB_STEP_SUMMARY"):
        with open(os.environ["GITHUB_STEP_SUMMARY"], "a") as file:
            file.write(markdown(run, text))
    write_atomically(run.folder / "summary.txt", text + whole_lists(run))
    return text
