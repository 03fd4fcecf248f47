"""What the harness found, around its JSON report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

FINDINGS_TOLD = 3


@dataclass(frozen=True)
class Finding:
    """One finding. `case` is the line that reproduces it; numbers are texts as the report has them, hex floats."""

    kernel: str
    format: str
    verdict: str
    reason: str
    case: str
    output: Optional[str]
    row: Optional[int]
    element: Optional[int]
    numbers: Optional[dict]

    def __str__(self):
        lines = [f"{self.verdict}: {self.reason}", f"  case      '{self.case}'"]
        if self.output is not None and self.numbers is not None:
            at = f"[{self.element}]" if self.element is not None else ""
            lines.append(f"  row {self.row}, {self.output}{at}")
            for word in ("got", "target", "lowest", "highest"):
                value, code = self.numbers[word]["value"], self.numbers[word]["code"]
                lines.append(f"    {word:<8}{float.fromhex(value):<24.17g}{value}  {code}")
        return "\n".join(lines)


class Report:
    """The report of one run: `data` is the JSON document (reports/schema.json), `text` what normcheck prints."""

    def __init__(self, data, text):
        self.data = data
        self.text = text
        names = Finding.__dataclass_fields__
        self.findings = [Finding(**{name: one[name] for name in names}) for one in data["findings"]]

    @property
    def verdict(self):
        return self.data["verdict"]

    @property
    def passed(self):
        return self.data["exit_status"] == 0

    @property
    def cases(self):
        """How many cases were run."""
        return sum(one["cases"] for one in self.data["kernels"])

    @property
    def verdicts(self):
        """The verdict of each kernel and format, as in {("python/rms", "f32"): "pass"}."""
        return {(one["kernel"], one["format"]): one["verdict"] for one in self.data["kernels"]}

    @property
    def rows(self):
        """Rows by verdict, over all kernels and regimes."""
        counts = {}
        for kernel in self.data["kernels"]:
            for cell in kernel["cells"]:
                for verdict, count in cell["rows"].items():
                    counts[verdict] = counts.get(verdict, 0) + count
        return counts

    @property
    def finding_count(self):
        """How many there are in all; `findings` has the first few of each kernel and format."""
        return sum(count for one in self.data["kernels"] for count in one["findings"].values())

    def reasons(self, verdict):
        """Why rows or calls had this verdict, with how often."""
        counts = {}
        for kernel in self.data["kernels"]:
            for reason, count in kernel["reasons"][verdict].items():
                counts[reason] = counts.get(reason, 0) + count
        return counts

    def summary(self):
        """The verdict of each kernel and format, and the first findings."""
        lines = []
        for one in self.data["kernels"]:
            lines.append(f"{one['verdict']}: {one['kernel']} {one['format']}, contract {one['contract']}")
        lines.append(f"{self.finding_count} findings in {self.cases} cases")
        for finding in self._some_findings():
            lines += ["", str(finding)]
        if self.finding_count == 0 and not self.passed:
            lines.append("no case passed, so nothing is proven:")
            for verdict in ("unsupported", "outside", "doubtful"):
                lines += [f"  {verdict} {count} times: {why}" for why, count in self.reasons(verdict).items()]
        return "\n".join(lines)

    def _some_findings(self):
        """The first of each case, of the first few cases."""
        first_of_case = {}
        for finding in self.findings:
            first_of_case.setdefault(finding.case, finding)
        return list(first_of_case.values())[:FINDINGS_TOLD]

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"<normcheck.Report {self.verdict}: {self.cases} cases, {self.finding_count} findings>"
