#!/usr/bin/env python3
"""What is made of runs: events, sweeps, plots and films; errors with their keys."""

import math
import os
import pickle
import subprocess
import sys

import numpy as np
from support import PythonTest, main

os.environ["MPLBACKEND"] = "Agg"

import carom

CUBIC = dict(coordinates=["y"], lagrangian="0.5*y'^2", force=["6*t + 12"])
SWING = dict(coordinates=["a"], lagrangian="0.5*a'^2 + cos(a)")


class Events(PythonTest):
    def test_scipys_issue_9228_all_roots(self):
        cubic = carom.System(**CUBIC)
        for step in (0.01, 1.0, 4.0, 12.0):
            found = carom.solve_ivp(cubic, (-8, 4), [-120, 92], events=lambda t, y: y[0], step=step, method="gauss")
            np.testing.assert_allclose(found.t_events[0], [-6, -2, 2], atol=1e-9)
            np.testing.assert_allclose(found.y_events[0][:, 0], 0, atol=1e-7)
            self.assertEqual((found.status, found.success, found.y.shape[0]), (0, True, 2))

    def test_dips_and_touches(self):
        swing = carom.System(**SWING)
        for depth in (1e-3, 1e-6, 1e-9):
            found = carom.solve_ivp(swing, (0, 30), [1.0, 0.0], events=lambda t, y: y[0] - (1 - depth), step=0.02, method="gauss")
            self.assertEqual(len(found.t_events[0]), 1 + 2 * math.floor(30 / 6.6998), depth)  # returns to its highest point

    def test_direction_and_terminal(self):
        def event(t, y):
            return y[0]

        swing = carom.System(**SWING)
        both = carom.solve_ivp(swing, (0, 20), [1.0, 0.0], events=event).t_events[0]
        event.direction = 1
        up = carom.solve_ivp(swing, (0, 20), [1.0, 0.0], events=[event]).t_events[0]
        np.testing.assert_allclose(up, both[1::2], atol=1e-12)
        event.terminal = True
        cut = carom.solve_ivp(swing, (0, 20), [1.0, 0.0], events=[event])
        self.assertEqual((cut.status, cut.t[-1]), (1, up[0]))
        self.assertAlmostEqual(cut.y[0, -1], 0, 9)
        grid = carom.solve_ivp(swing, (0, 2), [1.0, 0.0], t_eval=[0.5, 1.5])
        self.assertEqual((grid.t.tolist(), grid.y.shape, grid.t_events), ([0.5, 1.5], (2, 2), []))

    def test_a_jump_through_zero_counts(self):
        ball = carom.System(coordinates=["y"], lagrangian="0.5*y'^2 - 9.81*y", gaps={"floor": "y"})
        found = carom.solve_ivp(ball, (0, 2), [1.0, 0.0], events=lambda t, y: y[1], step=0.01)
        hit = math.sqrt(2 / 9.81)
        np.testing.assert_allclose(found.t_events[0], [0, hit, 2 * hit, 3 * hit, 4 * hit], atol=1e-9)


class Sweeps(PythonTest):
    def test_members_are_single_runs(self):
        cart = carom.scenario("cart-pendulum")
        angles = np.linspace(3.8, 4.4, 5)
        for threads in (1, 4):
            found = carom.sweep(cart, {"initial.q.0": angles, "method.flow": ["svc", "sva"]}, ["final.q.1", "impacts.count"], threads=threads)
            self.assertEqual((found.dims, found["final.q.1"].shape), (("initial.q.0", "method.flow"), (5, 2)))
            for i, angle in enumerate(angles):
                for k, flow in enumerate(("svc", "sva")):
                    run = cart.simulate(q=[angle, 0.0], method={"flow": flow})
                    self.assertEqual(found["final.q.1"][i, k], run.q[-1, 1])

    def test_refused_and_failed_members_say_why(self):
        found = carom.sweep(carom.System("double-pendulum"), {"initial.q.0": [0.1, -1.5, 0.2]}, ["final.t"], q=[0.1, 0.1], end=1.0)
        self.assertEqual(found.status.tolist(), [0, 2, 0])
        self.assertTrue(np.isnan(found["final.t"][1]))
        self.assertIn("initial", found.reasons[(1,)])

    def test_ranks_of_mpi_share_a_sweep(self):
        text = """if True:
            import carom, numpy as np
            from mpi4py import MPI
            comm = MPI.COMM_WORLD
            given = dict(grid={"initial.q.0": np.linspace(3.8, 4.4, 9)}, fields=["final.q.0"], threads=1)
            found = carom.sweep(carom.scenario("cart-pendulum"), comm=comm, **given)
            alone = carom.sweep(carom.scenario("cart-pendulum"), **given)
            assert found["final.q.0"].tobytes() == alone["final.q.0"].tobytes(), comm.rank
            try:
                carom.sweep(carom.scenario("double-pendulum"), {"initial.q.0": []}, ["final.t"], comm=comm)
            except (carom.ScenarioError, RuntimeError) as error:
                assert "one value" in str(error), error
                open(f"rank-{comm.rank}-of-{comm.size}", "w").close()
        """
        done = self.mpirun(3, text)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), [f"rank-{i}-of-3" for i in range(3)])

    def test_bad_sweeps(self):
        cart = carom.scenario("cart-pendulum")
        for grid, fields, what in (({}, ["final.t"], "one key"), ({"initial.q.0": []}, ["final.t"], "one value"),
                                   ({"initial.w.0": [1.0]}, ["final.t"], "initial.w"), ({"initial.q.0": [4.0]}, ["final.x"], "final.x")):  # fmt: skip
            with self.assertRaisesRegex(carom.ScenarioError, what):
                carom.sweep(cart, grid, fields)


class Looks(PythonTest):
    def test_five_lines(self):
        text = "import carom\nimport matplotlib\nmatplotlib.use('Agg')\nrun = carom.System('double-pendulum').simulate(end=5.0)\nrun.plot()[0].figure.savefig('run.png')"
        self.assertEqual(len(text.splitlines()), 5)
        done = self.python(text)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater((self.folder / "run.png").stat().st_size, 10000)

    def test_plot(self):
        run = carom.System("double-pendulum").simulate(end=5.0)
        axes = run.plot("θ1", "v.θ2", "H")
        self.assertEqual([ax.get_ylabel() for ax in axes], ["θ1", "v.θ2", "energy"])
        self.assertEqual([len(ax.lines) for ax in axes], [1 + len(run.impacts)] * 3)
        with self.assertRaises(KeyError):
            run.plot("nothing")

    def test_plots_of_many_curves(self):
        run = carom.System("newton-cradle").simulate(end=0.1)
        self.assertEqual(len(run.coordinates), 5)
        (ax,) = run.plot("q")
        self.assertEqual([text.get_text() for text in ax.get_legend().get_texts()], run.coordinates)
        shared = run.plot(run.coordinates[0], "energy", ax=ax)
        self.assertEqual((len(shared), shared[0] is shared[1]), (2, True))
        with self.assertRaises(carom.ScenarioError):
            run.plot("q", ax=ax, axes=[ax])
        names = [f"x{i}" for i in range(30)]
        many = carom.System(coordinates=names, lagrangian="+".join(f"0.5*{x}'^2" for x in names)).simulate(q=[0.0] * 30, end=0.1)
        axes = many.plot()
        self.assertEqual((len(axes), axes[0].get_title()), (9, "the first 8 of 30 coordinates; plot(name, ...) draws others"))
        self.assertIn("first 12 of 30", many.plot("q")[0].get_title())

    def test_films(self):
        run = carom.System("double-pendulum").simulate(end=1.0)
        for name, codec in (("run.mp4", "h264"), ("run.gif", "gif")):
            film = run.animate(self.folder / name, width=320, fps=10)
            asked = ["ffprobe", "-loglevel", "error", "-count_frames", "-show_entries", "stream=codec_name,width,nb_read_frames", "-of", "csv=p=0", film]
            self.assertEqual(subprocess.run(asked, capture_output=True, text=True).stdout.strip(), f"{codec},320,11")
        run.save(self.folder / "run")
        render = [sys.executable, "-m", "carom", "render", self.folder / "run"]
        subprocess.run([*render, self.folder / "again.gif", "--width", "320", "--fps", "10"], check=True)
        self.assertEqual((self.folder / "again.gif").read_bytes(), (self.folder / "run.gif").read_bytes())
        refused = subprocess.run([*render, "run.avi"], capture_output=True, text=True)
        self.assertEqual((refused.returncode, refused.stderr.count("\n")), (4, 1), refused.stderr)
        with self.assertRaisesRegex(ValueError, ".mp4 or .gif"):
            run.animate("run.avi")
        done = self.python("import carom\ncarom.System('pendulum').simulate(end=1.0).animate('x.gif')", PATH="/nowhere")
        self.assertIn("RuntimeError: animate() needs chromium", done.stderr)


class Errors(PythonTest):
    def test_key_and_value(self):
        system = carom.System("cart-pendulum")
        for arguments, key, value in (({"step": 0}, "time.step", "0"), ({"method": "svk"}, "method.name", '"svk"'), ({"q": [1]}, "initial.q", "[1]"),
                                      ({"restitution": 2.0}, "method.restitution", "2.0"), ({"every": 0}, "output.every", "0")):  # fmt: skip
            with self.assertRaises(carom.ScenarioError) as caught:
                system.simulate(end=1.0, **arguments)
            self.assertEqual((caught.exception.key, caught.exception.value), (key, value))
            self.assertIn(caught.exception.why, str(caught.exception))
            again = pickle.loads(pickle.dumps(caught.exception))
            self.assertEqual((type(again), str(again), again.key), (carom.ScenarioError, str(caught.exception), key))

    def test_files(self):
        (self.folder / "bad.toml").write_text("[system]\nname = 'pendulum'\nlength = 2\n")
        with self.assertRaisesRegex(carom.ScenarioError, r"bad.toml:3:10: system.length = 2: unknown key"):
            carom.scenario(str(self.folder / "bad.toml"))
        with self.assertRaisesRegex(carom.ScenarioError, "neither a file nor a shipped scenario"):
            carom.scenario("nothing-like-it")
        with self.assertRaisesRegex(carom.FolderError, "is not a folder"):
            carom.load(self.folder / "nothing")
        with self.assertRaisesRegex(OSError, "holds no run"):
            carom.load(self.folder)
        run = carom.System("pendulum").simulate(end=0.1)
        run.save(self.folder / "run")
        with self.assertRaisesRegex(carom.FolderError, "exists already"):
            run.save(self.folder / "run")
        run.save(self.folder / "run", force=True)
        (self.folder / "run/trajectory.npz").write_bytes(b"PK broken")
        with self.assertRaises(carom.RecordError):
            carom.load(self.folder / "run")

    def test_sympy(self):
        import sympy
        from sympy.physics.mechanics import dynamicsymbols

        x = dynamicsymbols("x")
        k, t = sympy.Symbol("k"), dynamicsymbols._t
        lagrangian = x.diff(t) ** 2 / 2 - k * sympy.cos(x) ** 2 - sympy.Rational(1, 3) * sympy.Abs(x) - sympy.pi * sympy.exp(-x)
        made = carom.System(coordinates=["x"], lagrangian=lagrangian, parameters={"k": 2})
        stated = carom.System(coordinates=["x"], lagrangian="0.5*x'^2 - k*cos(x)^2 - abs(x)/3 - pi*exp(-x)", parameters={"k": 2})
        np.testing.assert_allclose(made.simulate(q=[1.0], end=1.0).q, stated.simulate(q=[1.0], end=1.0).q, rtol=1e-12)
        for given, formula in ((sympy.Piecewise((x**2, x < 0), (3 * x**2, sympy.And(x >= 0, x < 2)), (12 * x - 12, True)), "if(x < 0, x^2, if(x < 2, 3*x^2, 12*x - 12))"),
                               (sympy.cos(sympy.pi * sympy.Mod(x, 2)), "cos(pi*mod(x, 2))"), ((x + 9) ** 2 * sympy.Heaviside(x + 9), "if(x + 9 > 0, (x + 9)^2, 0)"), (sympy.sec(x / 9), "1/cos(x/9)"),
                               (sympy.cot(x + 1), "1/tan(x + 1)"), (sympy.asinh(x) ** 2, "log(x + sqrt(x^2 + 1))^2"), (sympy.acosh(x + 3), "log(x + 3 + sqrt((x + 3)^2 - 1))"),
                               (sympy.atanh(x / 9) ** 2, "log((1 + x/9)/(1 - x/9))^2/4"), (sympy.GoldenRatio * x**2, "(1 + sqrt(5))/2*x^2")):  # fmt: skip
            with self.subTest(given=given):
                ours, theirs = ({"coordinates": ["x"], "lagrangian": L} for L in (x.diff(t) ** 2 / 2 - given, f"0.5*x'^2 - ({formula})"))
                q = [carom.System(**stated).simulate(q=[0.5], end=0.3).q for stated in (ours, theirs)]
                np.testing.assert_allclose(*q, rtol=1e-9)
        for number in (sympy.Integer(2), sympy.Float(2.0), sympy.Rational(4, 2), sympy.sqrt(4)):
            system = carom.System(coordinates=["x"], lagrangian="0.5*m*x'^2 - x^2", parameters={"m": number})
            self.assertEqual(system.parameters, {"m": 2.0})
            self.assertEqual(len(system.simulate(q=[number], end=number / 2, step=sympy.Rational(1, 100)).t), 101)
        with self.assertRaises(carom.ScenarioError) as caught:
            carom.System(coordinates=["x"], lagrangian=x * sympy.I)
        self.assertEqual((caught.exception.key, caught.exception.value), ("system.lagrangian", "I*x(t)"))
        with self.assertRaisesRegex(ValueError, "formulas have no function gamma"):
            carom.System(coordinates=["x"], lagrangian=sympy.gamma(x))
        with self.assertRaisesRegex(ValueError, "velocities"):
            carom.System(coordinates=["x"], lagrangian=x.diff(t, 2))


if __name__ == "__main__":
    main()
