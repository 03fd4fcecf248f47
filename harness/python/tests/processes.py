"""Who is still there, by /proc."""

import os
import time


def of_session(session):
    """The processes of a session, zombies apart."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z" and int(fields[3]) == session:
            found.append(int(name))
    return found


def wait_until_gone(session, seconds):
    """The processes of the session that are left after so many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and of_session(session):
        time.sleep(0.02)
    return of_session(session)
