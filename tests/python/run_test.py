#!/usr/bin/env python3
"""Runs from Python are the program's: arrays, files, impacts, threads, signals."""

import pickle
import signal
import threading

import numpy as np
from support import PythonTest, main

import carom

BALL = dict(coordinates=["y"], lagrangian="0.5*m*y'^2 - m*g*y", parameters={"m": 1.0, "g": 9.81}, gaps={"floor": "y"})


def ball():
    return carom.System(**BALL).simulate(q=[1.0], v=[0.0], end=2.0, step=0.01, quantities={"height": "y"})


class Runs(PythonTest):
    def test_files_are_those_of_the_program_byte_for_byte(self):
        for name in ("cart-pendulum", "bouncing-to-rest", "charged-particle", "dae-exponential", "stick-slip"):
            with self.subTest(scenario=name):
                run = carom.scenario(name).simulate()
                self.program("run", name, "--quiet", "--out", name)
                run.save(self.folder / (name + "-python"))
                ours, theirs = ({path.name for path in (self.folder / folder).iterdir()} for folder in (name + "-python", name))
                self.assertEqual(ours, theirs)
                for file in theirs & {"trajectory.npz", "impacts.csv", "contacts.csv", "scenario.toml", "checkpoint"}:
                    self.assertEqual((self.folder / (name + "-python") / file).read_bytes(), (self.folder / name / file).read_bytes(), file)
                self.same(run, carom.load(self.folder / name))

    def test_a_saved_run_goes_on_by_the_program(self):
        carom.scenario("cart-pendulum").simulate(end=2.0).save(self.folder / "run")
        self.program("run", "--resume", "run", "--quiet", "--set", "time.end=5.0")
        self.same(carom.load(self.folder / "run"), carom.scenario("cart-pendulum").simulate())

    def test_every_format_is_loaded(self):
        run = carom.scenario("double-pendulum").simulate()
        for form in ("npz", "csv", "hdf5"):
            self.program("run", "double-pendulum", "--quiet", "--out", form, "--set", f"output.format={form}")
            loaded = carom.load(self.folder / form)
            self.same(run, loaded)
            self.assertEqual(loaded.impacts.tolist()[1][:3], run.impacts.tolist()[1][:3])

    def test_arrays_are_the_memory_of_the_run(self):
        run = ball()
        begin = run.t.__array_interface__["data"][0]
        row = run.t.strides[0]
        self.assertEqual(run["q"].__array_interface__["data"][0], begin + 8)
        self.assertEqual(run["y"].__array_interface__["data"], (begin + 8, True))
        self.assertEqual(run["p.y"].__array_interface__["data"][0], run.p.__array_interface__["data"][0])
        self.assertEqual(run["y"].strides, (row,))
        for name in run:
            self.assertFalse(run[name].flags.writeable or run[name].flags.owndata, name)
        y, expected = run["y"], run["y"].copy()
        del run
        self.assertTrue((y == expected).all(), "the arrays keep their memory alive")

    def test_keys_of_a_method_count_however_they_are_given(self):
        ball = carom.System(coordinates=["y"], lagrangian="0.5*y'^2 - 10*y", gaps={"floor": "y"})
        for given in ({"restitution": 0.5}, {"method": {"restitution": 0.5}}, {"method": {"restitution": 1.0}, "restitution": 0.5},
                      {"method": {"tolerance": 1e-8, "restitution": 0.5}}):  # fmt: skip
            run = ball.simulate(q=[1.0], end=0.6, step=0.01, **given)
            self.assertAlmostEqual(run.energy[-1], 2.5, places=6)
            self.assertEqual("gauss" in run.summary.method, "tolerance" in given.get("method", {}))
        with self.assertRaisesRegex(carom.ScenarioError, "restitution"):
            ball.simulate(q=[1.0], end=0.6, method={"restitution": 7})

    def test_names(self):
        run = ball()
        for name in ("y", "q.y", "height", "quantities.height"):
            self.assertTrue((run[name] == run.q[:, 0]).all(), name)
        self.assertTrue((run.energy == run["H"]).all() and (run.gaps[:, 0] == run["gaps.floor"]).all())
        self.assertIn("height", run)
        with self.assertRaisesRegex(KeyError, "'z': the run has t, q, v"):
            run["z"]
        with self.assertRaisesRegex(AttributeError, 'stepper="contact"'):
            run.forces
        self.assertEqual(carom.System(**BALL).simulate(q=[1.0], end=1.0, stepper="contact").forces.shape, (101, 1))

    def test_energy_by_name_beside_a_coordinate_of_its_name(self):
        run = carom.System(coordinates=["H"], lagrangian="0.5*H'^2 - H").simulate(q=[3.0], end=1.0)
        self.assertEqual(list(run).count("H"), 1)
        self.assertEqual((run["H"] is run["energy"], run["q.H"][0]), (True, 3.0))
        with self.assertRaisesRegex(KeyError, 'did you mean "energy"'):
            run["enrgy"]

    def test_what_is_left_out_is_what_the_scenario_says(self):
        run = carom.scenario("demo").simulate(end=1e4, every=1000)
        self.assertEqual((len(run.impacts), run.summary.ended_by), (1000, "impacts"))

    def test_impacts_are_records(self):
        hits = ball().impacts
        self.assertEqual(hits.dtype.names, ("t", "step", "contact", "q", "p_before", "p_after", "impulse", "rate_before", "rate_after"))
        np.testing.assert_allclose(hits.t, np.sqrt(2 / 9.81) * np.array([1, 3]), rtol=1e-12)
        self.assertEqual((hits.contact.tolist(), hits.step.dtype.kind), (["floor"] * 2, "i"))
        with self.assertRaises(ValueError):
            hits.t[0] = 7
        rest = carom.scenario("bouncing-to-rest").simulate()
        self.assertEqual(rest.contacts.event.tolist(), ["begins"])

    def test_dense_output(self):
        run = ball()
        t = np.linspace(0, 2, 777)
        self.assertLess(np.abs(run(t).q[:, 0] - exact(t)).max(), 1e-12)
        hit = run.impacts[0]
        self.assertEqual((run(hit.t, "left").p[0], run(hit.t).p[0]), (hit.p_before[0], hit.p_after[0]))
        self.assertAlmostEqual(run(hit.t - 1e-9).v[0], hit.p_before[0], 6)
        self.assertEqual(run(run.t).q.tobytes(), run.q.tobytes())
        self.assertEqual(run(0.5).q.shape, (1,))
        for outside in (-0.1, 2.1, np.nan):
            with self.assertRaises(IndexError):
                run(outside)

    def test_eight_threads_same_bits(self):
        systems = [carom.System("double-pendulum"), carom.System(**BALL)]
        alone = [s.simulate(q=[0.3, 0.2] if s.name[0] == "d" else [1.0], end=20.0) for s in systems]
        found = [[] for _ in range(8)]

        def work(i):
            for k, s in enumerate(systems):
                found[i].append((k, s.simulate(q=[0.3, 0.2] if k == 0 else [1.0], end=20.0)))

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        [t.start() for t in threads], [t.join() for t in threads]
        for runs in found:
            self.assertEqual(len(runs), 2)
            for k, run in runs:
                self.same(run, alone[k])

    def test_pickles_are_bit_identical(self):
        for run in (ball(), carom.scenario("bouncing-to-rest").simulate()):
            again = pickle.loads(pickle.dumps(run))
            self.same(run, again)
            self.assertEqual(again.to_toml(), run.to_toml())
            self.assertEqual(again.impacts.tobytes(), run.impacts.tobytes())
            self.assertEqual(again.summary, run.summary)
        system = carom.System(**BALL)
        self.assertEqual(pickle.loads(pickle.dumps(system)).to_toml(), system.to_toml())
        self.same(carom.System.from_toml(run.to_toml()).simulate(), run)

    def test_interrupt_returns_what_was_reached(self):
        signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs tests in the background ignores it
        timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
        timer.start()
        run = carom.System("double-pendulum").simulate(end=1e6)
        self.assertEqual(run.status, "stopped")
        self.assertGreater(len(run.t), 100)
        self.assertIn("stopped on request", run.reason)

    def test_a_failed_run_is_a_result(self):
        system = carom.System("cart-pendulum")
        run = system.simulate(end=100.0, step=2.0)
        self.assertEqual(run.status, "failed")
        self.assertTrue(run.reason)
        with self.assertRaises(carom.RunFailed) as caught:
            system.simulate(end=100.0, step=2.0, check=True)
        self.same(caught.exception.run, run)

    def test_progress_is_told_and_may_raise(self):
        told = []
        carom.System("double-pendulum").simulate(end=5000.0, progress=lambda *x: told.append(x))
        self.assertTrue(told and told[-1][1:] == (500000, "steps"))

        def refuse(*_):
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            carom.System("double-pendulum").simulate(end=1e6, progress=refuse)

    def test_html(self):
        page = ball()._repr_html_()
        self.assertTrue(page.startswith("<iframe srcdoc=") and "carom-data" in page)


def exact(t):
    hit = np.sqrt(2 / 9.81)
    s = (t + hit) % (2 * hit) - hit
    return 1 - 9.81 / 2 * s**2


if __name__ == "__main__":
    main()
