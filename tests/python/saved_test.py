#!/usr/bin/env python3
"""What a run leaves behind: folders that go on as the program's do, pickles that do, and records of forces that no file holds."""

import pickle
import shutil
import subprocess

from support import PROGRAM, PythonTest, main

import carom

CART = carom.System(coordinates=["x"], lagrangian="0.5*x'^2")


def steered():
    return CART.simulate(q=[1.0], end=5.0, step=0.01, force=lambda t, q, v: -4 * q)


class Saved(PythonTest):
    def goes_on(self, run, name, end):
        """The rows of the saved run, when it has gone on, are those of one that never stopped."""
        shutil.rmtree(self.folder / "run", ignore_errors=True)
        run.save(self.folder / "run")
        self.program("run", "--resume", "run", "--quiet", "--set", f"time.end={end}")
        self.same(carom.load(self.folder / "run"), carom.scenario(name).simulate(end=end))

    def test_an_end_between_rows(self):
        for name, end, later in (("henon-heiles-box", 0.3, 0.6), ("henon-heiles-box", 0.28, 0.56), ("kepler-wall", 0.3, 0.6), ("bouncing-to-rest", 2.003, 4.0)):
            with self.subTest(name=name, end=end):
                run = carom.scenario(name).simulate(end=end)
                self.goes_on(run, name, later)
                self.goes_on(pickle.loads(pickle.dumps(run)), name, later)

    def test_the_checkpoint_is_the_programs(self):
        carom.scenario("henon-heiles-box").simulate(end=0.31).save(self.folder / "ours")
        self.program("run", "henon-heiles-box", "--set", "time.end=0.31", "--out", "theirs", "--quiet")
        ours, theirs = ((self.folder / name / "checkpoint").read_bytes() for name in ("ours", "theirs"))
        self.assertEqual(ours, theirs)

    def test_a_stopped_run_goes_on(self):
        cart, calls = carom.scenario("cart-pendulum"), []

        def told(*done):
            calls.append(done)
            if len(calls) == 2:
                raise KeyboardInterrupt

        run = cart.simulate(end=1e5, every=7, progress=told)
        self.assertEqual(run.status, "stopped")
        run.save(self.folder / "run")
        end = round(float(run.t[-1]) + 3, 2)
        self.program("run", "--resume", "run", "--quiet", "--set", f"time.end={end}")
        self.same(carom.load(self.folder / "run"), cart.simulate(end=end, every=7))


class Steered(PythonTest):
    def refused(self, act):
        with self.assertRaises(carom.ScenarioError) as caught:
            act()
        self.assertEqual((caught.exception.key, caught.exception.value), ("force", "'a function in Python'"))

    def test_a_force_in_python_is_not_written_down(self):
        run = steered()
        run.save(self.folder / "run")
        self.assertNotIn("checkpoint", {path.name for path in (self.folder / "run").iterdir()})
        loaded = carom.load(self.folder / "run")
        self.same(loaded, run)
        self.assertEqual(loaded(0.505).q, run(0.505).q)
        for one in (run, loaded):
            self.refused(one.to_toml)
            self.refused(lambda: one.system)
            self.refused(lambda: pickle.dumps(one))
            self.assertIn("carom-data", one.report())
        with self.assertRaisesRegex(carom.ScenarioError, "system.held_force"):
            carom.scenario(self.folder / "run/scenario.toml")
        loaded.save(self.folder / "again")
        self.assertEqual((self.folder / "again/scenario.toml").read_bytes(), (self.folder / "run/scenario.toml").read_bytes())

    def test_the_program_neither_repeats_it_nor_goes_on(self):
        steered().save(self.folder / "run")
        before = {path.name: path.read_bytes() for path in (self.folder / "run").iterdir()}
        for command in (["--resume", "run"], ["--resume", "run", "--set", "time.end=6"], ["run/scenario.toml", "--out", "again"]):
            done = subprocess.run([PROGRAM, "run", *command], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn('system.held_force = "a function in Python"', done.stderr)
        self.assertEqual({path.name: path.read_bytes() for path in (self.folder / "run").iterdir()}, before)
        self.assertFalse((self.folder / "again").exists())

    def test_a_failed_one_is_pickled_without_its_run(self):
        with self.assertRaises(carom.RunFailed) as caught:
            CART.simulate(q=[1.0], end=1e3, step=1.0, force=lambda t, q, v: 1e99 * q, check=True)
        self.assertIsNotNone(caught.exception.run)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(again), again.run), (str(caught.exception), None))


if __name__ == "__main__":
    main()
