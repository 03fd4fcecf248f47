"""Verifying a callable of this very process: verify() and case()."""

from __future__ import annotations

import json
import os
import tempfile

from . import program as programs
from .errors import InputError, KernelFailed
from .kernel import Kernel, words
from .local_host import LocalHost
from .report import Report

SPACE = "python"


def list_of(value):
    """One value or several as the program takes lists."""
    if isinstance(value, (list, tuple, range)):
        return ",".join(map(str, value))
    return str(value)


def flags(options):
    """Options of the program for those that are given, as in rows=[1, 3]: --rows 1,3."""
    result = []
    for name, value in options.items():
        if value is not None:
            result += [f"--{name.replace('_', '-')}", list_of(value)]
    return result


def without(command, text):
    """The text without the name that the harness has for the host: the command of a bridge, which says nothing."""
    return text.replace(f"command '{command}': ", "")


def without_commands(text):
    """The report without its first lines, which tell how to repeat it on the command line: that needs the process."""
    start = text.find("\nnormcheck ")
    return text[start + 1 :] if text.startswith("command ") and start > 0 else text


def run_program(host, arguments, program, limit):
    """Runs a verb with this host for its kernels. Returns the report."""
    with tempfile.TemporaryDirectory(prefix="normcheck-") as folder:
        document = os.path.join(folder, "report.json")
        command = [program, *arguments, "--exec", host.command, "--json", document]
        status, output, errors = programs.run(command, limit, host.look_after)
        if host.failure is not None:
            raise host.failure
        if status not in (0, 1) or not os.path.exists(document):
            raise InputError(without(host.command, errors).strip() or f"normcheck ended with exit status {status}")
        with open(document, encoding="utf-8") as file:
            return Report(json.loads(without(host.command, file.read())), without_commands(output))


def run(kernel, arguments, program, limit):
    """Runs a verb on the kernel and returns its report; the first exception of the kernel is the error's cause."""
    program = programs.find_program(program)
    with LocalHost([kernel], SPACE) as host:
        try:
            report = run_program(host, arguments, program, limit)
        except TimeoutError as error:
            raise KernelFailed(f"{kernel.name}: {error}; limit= gives it more") from host.first_error
    if not report.passed:
        raise KernelFailed(report.summary() + reproduction(report), report) from host.first_error
    return report


def reproduction(report):
    if not report.findings:
        return ""
    return "\n\nthe first again, in full: print(normcheck.case(fn, contract, LINE, check=False)) with a line from above"


def checked(kernel, arguments, program, limit, check):
    try:
        return run(kernel, arguments, program, limit)
    except KernelFailed as failure:
        if check or failure.report is None:
            raise
        return failure.report


def verify(
    fn, contract, *, name=None, formats=None, arrays="numpy", device=None, returns="y",
    cols=None, rows=None, fills=None, eps=None, seed=None, cases=None, time=None, properties=None,
    strict=False, call_limit=None, limit=600, program=None, arguments=(), check=True,
):
    """Verifies a callable of this process as `normcheck verify` does, and returns the Report.

    Raises KernelFailed where the kernel does not pass, unless check=False. The first line of options is that of
    normcheck.Kernel; the second is `normcheck verify`'s, lists as lists or as texts; call_limit is seconds for a call,
    limit seconds for everything, program the path of normcheck, arguments more of its options.
    """
    kernel = Kernel(fn, contract, name=name, formats=formats, arrays=arrays, device=device, returns=returns)
    options = dict(
        formats=",".join(kernel.formats), cols=cols, rows=rows, fills=fills, eps=eps, seed=seed, cases=cases, time=time,
        properties=properties, call_limit=call_limit, jobs=1,
    )
    command = ["verify", *flags(options), *(["--strict"] if strict else []), *map(str, words(arguments))]
    return checked(kernel, command, program, limit, check)


def case(
    fn, contract, line, *, name=None, formats=None, arrays="numpy", device=None, returns="y",
    call_limit=None, limit=600, program=None, arguments=(), check=True,
):
    """Runs one case from its line, as a finding has it, and explains it. Otherwise as verify()."""
    kernel = Kernel(fn, contract, name=name, formats=formats, arrays=arrays, device=device, returns=returns)
    command = ["case", line, "--kernel", f"{SPACE}/{kernel.name}", "--explain", *flags(dict(call_limit=call_limit))]
    return checked(kernel, [*command, *map(str, words(arguments))], program, limit, check)
