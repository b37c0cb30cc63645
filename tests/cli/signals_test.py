#!/usr/bin/env python3
"""SIGTERM and Ctrl-C are answered within a second, whatever the program does.

usage: signals_test.py PROGRAM SOURCE_DIR
"""

import json
import resource
import signal
import subprocess
import time

from support import CART, CaromTest, main, setting

# Hundreds of impacts in a step: one of seconds.
DISCS = """\
[system]
name = "box-of-discs"
parameters = {{ discs = {discs}, width = {width}, height = {width}, speed = 5, g = 0 }}
[method]
stepper = "contact"
impact = "continuous-energy"
[time]
step = {step}
end = {end}
"""
SWEEP = 'scenario = "my.toml"\nfields = ["final.q.0"]\n[grid]\n"initial.q.0" = { from = 3.2, to = 5.2, count = 50 }\n'
# What it takes to read and differentiate them is more than a second.
TERMS = " + ".join(f"sin({k}*x)*cos({k + 1}*y)^2/(2 + cos({k + 2}*x*y))" for k in range(400))
FORMULAS = f"""\
[system]
name = "expression"
coordinates = ["x", "y"]
lagrangian = "0.5*(x'^2 + y'^2) - ({TERMS})"
[initial]
q = [0.1, 0.2]
[time]
step = 1e-4
end = 1e6
"""


def ring(n):
    """Springs of fourth order around a ring, and a wall for each."""
    return f"""\
[system]
name = "expression"
coordinates = {json.dumps([f"x{i}" for i in range(n)])}
lagrangian = "{' + '.join(f"0.5*x{i}'^2 - 0.5*x{i}^2 - 0.1*(x{i} - x{(i + 1) % n})^4" for i in range(n))}"
[system.gaps]
{chr(10).join(f'g{i} = "x{i} + 1 - 0.1*sin(x{(i + 1) % n})"' for i in range(n))}
[initial]
q = {[0.1 + 0.001 * i for i in range(n)]}
v = {[1.0] * n}
[time]
step = 0.001
end = 0.003
"""


def pairs(n, end):
    """Coordinates that fall, joined in pairs but for the last two, and land all at once."""
    x = range(n)
    return f"""\
[system]
name = "expression"
coordinates = {json.dumps([f"x{i}" for i in x])}
lagrangian = "{' + '.join(f"0.5*x{i}'^2 - 5*x{i} - 0.3*x{i}^2" for i in x)}"
gaps = {{ {', '.join(f'g{i} = "x{i}", h{i} = "2 - x{i}"' for i in x)} }}
joints = {{ {', '.join(f'j{k} = "x{2 * k} - x{2 * k + 1}"' for k in range(n // 2 - 1))} }}
[initial]
q = {[0.5] * n}
v = {[0.1] * n}
[method]
stepper = "dae-euler"
[time]
step = 0.01
end = {end}
"""


class Signals(CaromTest):
    def answered(self, delay, *words):
        """The answer to a signal that comes `delay` seconds after the start. A machine that is busy with other tests may
        be late once; who is late twice does not listen."""
        for how in [signal.SIGTERM, signal.SIGINT]:
            took = self.time_to_answer(how, delay, words)
            if took > 1:
                took = self.time_to_answer(how, delay, words)
            self.assertLess(took, 1 + SLACK, words)

    def time_to_answer(self, how, delay, words):
        process = subprocess.Popen(self.command(*words), cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        time.sleep(delay)
        self.assertIsNone(process.poll(), process.poll() is not None and process.stderr.read())
        begin = time.monotonic()
        process.send_signal(how)
        code = process.wait(60)
        took = time.monotonic() - begin
        self.assertEqual(code, 130, process.stderr.read())
        return took

    def test_runs(self):
        self.write(CART.replace("end = 5.0", "end = 1e6"))
        for name, words in enumerate([setting(output__every=1000), setting(method__stepper="contact", output__every=1000),
                                      setting(method__stepper="gvi", output__every=1000),
                                      setting(method__tolerance=1e-9, output__every=1000)]):
            self.answered(0.5, "run", "my.toml", "--out", f"out-{name}", "--force", *words)

    def test_within_a_step(self):
        self.write(DISCS.format(discs=200, width=6, step=0.05, end=1e6))
        self.answered(1.5, "run", "my.toml", "--out", "out", "--force")
        summary = json.loads(self.bytes_of("out", "summary.json"))
        self.assertEqual((summary["status"], summary["time"]["steps"]), ("stopped", 0))

    def test_goes_on_from_where_the_step_began(self):
        self.write(DISCS.format(discs=100, width=4, step=0.02, end=0.08))
        self.succeed("run", "my.toml", "--out", "straight", "--quiet")
        for delay in [0.2, 0.5]:
            process = subprocess.Popen(self.command("run", "my.toml", "--out", "parts", "--force", "--quiet"), cwd=self.folder)
            time.sleep(delay)
            process.terminate()
            code = process.wait(60)
            if code == 130 and json.loads(self.bytes_of("parts", "summary.json"))["status"] == "stopped":
                self.succeed("run", "--resume", "parts", "--quiet")
            if code < 0:  # it had not begun
                continue
            for name in ["trajectory.npz", "impacts.csv", "scenario.toml", "checkpoint"]:
                self.assertEqual(self.bytes_of("parts", name), self.bytes_of("straight", name), name)

    def test_formulas_that_take_long_to_read_and_to_compile(self):
        self.write(FORMULAS)
        for delay in [0.1, 0.4, 1, 2]:
            self.answered(delay, "run", "my.toml", "--out", "out", "--force", "--native")

    def test_many_coordinates(self):
        self.write(ring(400))
        for delay in [0.2, 1, 3]:
            self.answered(delay, "run", "my.toml", "--out", "out", "--force", *setting(time__end=1e6))

    # Reading them, their frequencies and their masses takes time with each bond, not with the cube of their number.
    def test_what_many_coordinates_cost_before_the_first_step(self):
        seconds = []
        for n in [100, 400]:
            self.write(ring(n))
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            self.succeed("run", "my.toml", "--out", "out", "--force", "--quiet", "--no-native")
            seconds.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        self.assertLess(seconds[1], 16 * seconds[0] + 0.2, seconds)

    def test_many_landings_of_a_dae(self):
        self.write(pairs(100, 5.0))
        self.answered(3, "run", "my.toml", "--out", "out", "--force")
        self.write(pairs(30, 0.55))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.succeed("run", "my.toml", "--out", "straight", "--force", "--quiet")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 5)
        for delay in [0.1, 0.2, 0.3]:
            process = subprocess.Popen(self.command("run", "my.toml", "--out", "parts", "--force", "--quiet"), cwd=self.folder)
            time.sleep(delay)
            process.terminate()
            if process.wait(60) == 130 and (self.folder / "parts" / "checkpoint").exists():
                self.succeed("run", "--resume", "parts", "--quiet")
                for name in ["trajectory.npz", "impacts.csv", "checkpoint"]:
                    self.assertEqual(self.bytes_of("parts", name), self.bytes_of("straight", name), name)

    def test_derivatives_and_orbits(self):
        self.write(CART.replace("end = 5.0", "end = 300.0").replace("step = 0.01", "step = 1e-4"))
        self.answered(0.5, "sensitivity", "my.toml", "--out", "sensitivity", "--force")
        self.answered(0.5, "orbit", "my.toml", "--out", "orbit", "--force")

    def test_sweeps(self):
        self.write(CART.replace("end = 5.0", "end = 1e6"))
        self.write(SWEEP.replace("initial.q.0", "initial.q.0"), "sweep.toml")
        (self.folder / "my.toml").write_text((self.folder / "my.toml").read_text() + "[initial]\nq = [4.2, 0.0]\nv = [0.0, 2.7]\n")
        self.answered(0.5, "sweep", "sweep.toml", "--out", "out", "--force")
        (self.folder / "my.toml").write_text((self.folder / "my.toml").read_text() + '[method]\nflow = "midpoint"\n')
        self.answered(0.5, "sweep", "sweep.toml", "--out", "out", "--force")

    def test_comparisons_and_studies(self):
        self.write(CART.replace("end = 5.0", "end = 1e5"))
        self.answered(0.5, "compare", "my.toml", "--method", "cva", "--method", "shadow", "--out", "out", "--force",
                      *setting(output__every=1000))
        self.answered(0.5, "converge", "my.toml", "--step", "0.01,0.005,0.0025", "--out", "other", "--force")


SLACK = 1.0  # of a machine that is busy with other tests

if __name__ == "__main__":
    main()
