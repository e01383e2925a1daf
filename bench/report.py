"""What a run found: a table for people, JSON for programs."""

import json
import os
import platform
import time
from pathlib import Path


class Report:
    def __init__(self, scale):
        self.scale = scale
        self.rows = []
        self.started = time.strftime("%Y-%m-%d %H:%M")

    def add(self, benchmark, what, ours, peer, ratio, unit="", at_least=None, at_most=None):
        """One comparison. A limit is for the full scale; without one the figure is only told."""
        met = None
        if at_least is not None:
            met = ratio >= at_least
        if at_most is not None:
            met = ratio <= at_most
        self.rows.append(
            {
                "benchmark": benchmark,
                "what": what,
                "ours": ours,
                "peer": peer,
                "unit": unit,
                "ratio": float(ratio),
                "at_least": at_least,
                "at_most": at_most,
                "met": None if met is None else bool(met),
                "load": os.getloadavg()[0],
            }
        )

    def print(self):
        header = ["benchmark", "what", "ours", "peer", "unit", "ratio", "limit", "met"]
        table = [header, *map(cells, self.rows)]
        widths = [max(len(line[i]) for line in table) for i in range(len(header))]
        right = {2, 3, 5}
        for line in table:
            print("  ".join(c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(line, widths))).rstrip())
        judged = [row for row in self.rows if row["met"] is not None]
        print(f"{sum(row['met'] for row in judged)} of {len(judged)} limits met")
        if self.scale != 1:
            print(f"At scale {self.scale} the limits are shown for orientation only; they hold for scale 1.")

    def write(self, path: Path):
        path.parent.mkdir(parents=True, exist_ok=True)
        content = {
            "started": self.started,
            "scale": self.scale,
            "machine": machine(),
            "rows": self.rows,
        }
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def cells(row):
    limit = ""
    if row["at_least"] is not None:
        limit = f"≥ {row['at_least']}"
    if row["at_most"] is not None:
        limit = f"≤ {row['at_most']}"
    met = {None: "", True: "yes", False: "NO"}[row["met"]]
    return [row["benchmark"], row["what"], number(row["ours"]), number(row["peer"]), row["unit"], f"{row['ratio']:.2f}", limit, met]  # fmt: skip


def number(value):
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def machine():
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"cores": os.cpu_count(), "memory_gb": round(memory / 2**30), "system": f"{platform.system()} {platform.machine()}"}
