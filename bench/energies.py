#!/usr/bin/env python3
"""What keeps the energy: 003's Figs. 8.3 and 8.5 with gvi and every energy that its reflections may keep, and
with the contact stepper, to ten times their horizon.

    bench/energies.py PROGRAM [--quick] [--contact]

Prints a table: the range of H over its start, the drift from the second to the last sixth of the run, and that
drift over the band within a sixth ("no trend" means below 0.1). --quick stops at the paper's own horizon, --contact
leaves gvi out.
"""
import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np

CONTACT = ["stepper=contact,impact=shadow,order=8"]
ENERGIES = ["energy=hamiltonian", "energy=numerical", "energy=shadow,order=4", "energy=shadow,order=8"]


def energies(program, scenario, settings):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        command = [program, "run", scenario, "--quiet", "--out", str(out)]
        for setting in settings:
            command += ["--set", setting]
        code = subprocess.run(command, capture_output=True, text=True).returncode
        with np.load(out / "trajectory.npz") as table:
            return code, table["t"], table["H"]


def row(label, code, t, H, end):
    sixths = [H[(t >= end * k / 6) & (t <= end * (k + 1) / 6)] for k in range(6)]
    if code != 0 or any(len(part) == 0 for part in sixths):
        return f"| {label} | {H.min():.4g} to {H.max():.4g} | failed at t = {t[-1]:.4g} | |"
    band = max(part.max() - part.min() for part in sixths)
    drift = sixths[5].mean() - sixths[1].mean()
    low, high = 100 * (H.min() / H[0] - 1), 100 * (H.max() / H[0] - 1)
    return f"| {label} | {low:+.2f} % to {high:+.2f} % | {100 * drift / H[0]:+.2f} % | {abs(drift) / band:.2f} |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--contact", action="store_true")
    options = parser.parse_args()
    horizon = 1 if options.quick else 10
    methods = CONTACT if options.contact else ENERGIES + CONTACT
    print("| problem | H, over its start | drift | drift over band |\n|---|---|---|---|")
    for flow in ("midpoint", "svc"):
        for h in (0.5, 0.25, 0.1):
            for energy in methods:
                end = 1000 * horizon
                settings = [f"method.{key}" for key in energy.split(",")]
                settings += [f"method.flow={flow}", f"time.step={h}", f"time.end={end}"]
                print(row(f"8.3, {flow}, h = {h}, {energy}", *energies(options.program, "spring-and-sphere", settings), end),
                      flush=True)
    for epsilon in (1, 0.36):
        for energy in methods:
            end = 2000 * horizon
            settings = [f"method.{key}" for key in energy.split(",")]
            settings += [f"time.end={end}", "time.step=0.01", "output.every=20", f"system.parameters.epsilon={epsilon}"]
            print(row(f"8.5, svc, epsilon = {epsilon}, {energy}",
                      *energies(options.program, "lennard-jones-chain", settings), end), flush=True)


if __name__ == "__main__":
    main()
