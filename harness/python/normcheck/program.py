"""The program normcheck: where it is, and running it with a limit of time, so that nothing of it stays behind."""

from __future__ import annotations

import os
import shutil
import subprocess
import time

from .errors import InputError

SECONDS_BETWEEN_LOOKS = 0.1
SECONDS_TO_END = 2.0


def find_program(named=None):
    """The program: as named, else by the environment's NORMCHECK, else on the PATH, else built beside the package."""
    for source, path in (("program=", named), ("the environment variable NORMCHECK", os.environ.get("NORMCHECK"))):
        if not path:
            continue
        found = shutil.which(os.fspath(path))
        if found is None:
            raise InputError(f"{source} names {path}, which is no program")
        return found
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    found = shutil.which("normcheck") or shutil.which(os.path.join(root, "build", "release", "normcheck"))
    if found is None:
        raise InputError(
            "the program normcheck was not found; name it by program=, or by the environment variable NORMCHECK, "
            "or have it on the PATH"
        )
    return found


def run(arguments, seconds, look_after):
    """Runs a command and returns its exit status, standard output and standard error. Calls look_after() ten times a
    second meanwhile. However this ends, the command has ended too. Raises TimeoutError after so many seconds."""
    end = time.monotonic() + seconds
    process = subprocess.Popen(
        arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace"
    )
    try:
        while True:
            try:
                output, errors = process.communicate(timeout=SECONDS_BETWEEN_LOOKS)
                return process.returncode, output, errors
            except subprocess.TimeoutExpired:
                look_after()
                if time.monotonic() > end:
                    raise TimeoutError(f"normcheck did not end within {seconds:g} s") from None
    finally:
        stop(process)


def stop(process):
    """Ends a process; normcheck's own hosts end with it."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
