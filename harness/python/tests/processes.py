"""Who is still there, by /proc."""

import os
import time


def _fields(name):
    """State, parent, group, session, ... of a process, or None where it has gone."""
    try:
        with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return None


def _all():
    """Numbers and fields of all processes, zombies apart."""
    for name in filter(str.isdecimal, os.listdir("/proc")):
        fields = _fields(name)
        if fields is not None and fields[0] != "Z":
            yield int(name), fields


def children():
    """The processes that this one has started."""
    return [number for number, fields in _all() if int(fields[1]) == os.getpid()]


def of_session(session):
    """The processes of a session."""
    return [number for number, fields in _all() if int(fields[3]) == session]


def wait_until_gone(session, seconds):
    """The processes of the session that are left after so many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and of_session(session):
        time.sleep(0.02)
    return of_session(session)
