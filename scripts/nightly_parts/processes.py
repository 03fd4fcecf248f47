"""Child processes of a nightly run: several at a time, none past its time, none left when the run is gone."""

import ctypes
import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

# Says in the environment of every child to which state folder it belongs: a later run ends what a dead one has left.
MARK = "NORMCHECK_NIGHTLY"
NOT_STARTED = 127  # the status of a task whose program cannot be started
PR_SET_PDEATHSIG = 1
INTERRUPTED = 2  # seconds that an interrupted child has to come to its end
LIBC = ctypes.CDLL(None)


@dataclass
class Task:
    """One command; `limit` are the seconds after which it is ended, `log` the file that takes what it prints."""

    name: str
    command: list
    limit: float
    log: Path
    environment: dict = field(default_factory=dict)
    about: dict = field(default_factory=dict)  # what the step that made it wants to know when it has ended


@dataclass
class Ended:
    """How a task ended. `status` is negative for a signal and None where its time was over and it was ended."""

    task: Task
    status: int | None
    seconds: float

    def text(self):
        return self.task.log.read_text(errors="replace")


def die_with(parent):
    """In the child, before its program: it is killed when its parent dies, also by a kill that nobody can catch. What aborts leaves
    no core file."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def start(task, folder):
    parent = os.getpid()
    task.log.parent.mkdir(parents=True, exist_ok=True)
    with open(task.log, "wb") as log:
        return subprocess.Popen([str(word) for word in task.command], stdin=subprocess.DEVNULL, stdout=log,
                                stderr=subprocess.STDOUT, env={**os.environ, MARK: str(folder), **task.environment},
                                preexec_fn=lambda: die_with(parent))


def end(process):
    """`normcheck verify` writes what it has so far when it is interrupted; what does not end by itself is killed."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(INTERRUPTED)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def run_side_by_side(tasks, jobs, until, folder, longer=0):
    """Runs the tasks, `jobs` at a time, in their order, and yields each as it ends; `tasks` may grow meanwhile. None is begun at or
    after `until` (of time.monotonic()); what still runs `longer` seconds after that is ended."""
    running = []
    try:
        while running or (tasks and time.monotonic() < until):
            while tasks and len(running) < jobs and time.monotonic() < until:
                task = tasks.pop(0)
                try:
                    running.append((task, start(task, folder), time.monotonic()))
                except OSError as error:
                    task.log.write_text(f"{error}\n")
                    yield Ended(task, NOT_STARTED, 0)
            for place in list(running):
                task, process, begun = place
                now = time.monotonic()
                is_late = now - begun > task.limit or now >= until + longer
                if process.poll() is None and not is_late:
                    continue
                running.remove(place)
                status = process.poll()
                if status is None:
                    end(process)
                yield Ended(task, status, now - begun)
            time.sleep(0.02)
    finally:
        for _, process, _ in running:
            process.kill()
            process.wait()


def run_one(task, folder):
    return next(run_side_by_side([task], 1, time.monotonic() + task.limit + 1, folder))


def strays(folder):
    """The processes that earlier runs on this folder, or this one, have left."""
    mark = f"{MARK}={folder}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:
            pass  # it has ended, or is another user's
    return found


def end_strays(folder):
    """Ends them and waits until they are gone; returns how many there were."""
    count = 0
    for _ in range(500):
        left = strays(folder)
        if not left:
            break
        count = max(count, len(left))
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.01)
    return count
