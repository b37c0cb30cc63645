#!/usr/bin/env python3
"""Processes that fork, end, or are interrupted while runs go on."""

from support import PythonTest, main

SWING = """
import carom, os, signal, sys, threading, time
swing = carom.System(coordinates=["x"], lagrangian="0.5*x'^2 - 0.5*x^2")
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs tests in the background ignores it
def later(seconds):
    threading.Thread(target=lambda: (time.sleep(seconds), os.kill(os.getpid(), signal.SIGINT)), daemon=True).start()
"""


class Interrupts(PythonTest):
    def said(self, text):
        done = self.python(SWING + text)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_in_a_force(self):
        self.assertEqual(self.said("""
later(0.4)
run = swing.simulate(q=[1.0], end=1e7, step=0.01, every=10**4, force=lambda t, q, v: 0.0)
alone = swing.simulate(q=[1.0], end=float(run.t[-1]), step=0.01, every=10**4, force=lambda t, q, v: 0.0)
print(run.status, len(run.t) > 1, run.q[-1] == alone.q[-1])
"""), "stopped True [ True]\n")  # fmt: skip

    def test_in_a_progress_function(self):
        self.assertEqual(self.said("""
def told(*_):
    raise KeyboardInterrupt
print(swing.simulate(q=[1.0], end=1e7, step=0.01, every=10**5, progress=told).status)
print(carom.sweep(swing, {"initial.q.0": [0.1 * k for k in range(10000)]}, ["final.t"], q=[1.0], end=1e3, progress=told).stopped)
"""), "stopped\nTrue\n")  # fmt: skip

    def test_in_a_sweep_of_long_runs(self):
        self.assertEqual(self.said("""
later(0.4)
begin = time.monotonic()
found = carom.sweep(swing, {"initial.q.0": [0.1 * k for k in range(100)]}, ["final.t"], q=[1.0], end=1e8)
print(found.stopped, time.monotonic() - begin < 10)
"""), "True True\n")  # fmt: skip

    def test_while_events_are_looked_for(self):
        self.assertEqual(self.said("""
seen = []
def event(t, y):
    seen.append(t)
    if len(seen) == 1000:
        raise KeyboardInterrupt
    return y[0]
found = carom.solve_ivp(swing, (0, 100), [1.0, 0.0], events=event)
print(found.status, found.success, found.message, len(found.t))
"""), "-1 False stopped on request while events were looked for 10001\n")  # fmt: skip


    def test_in_derivatives(self):
        self.assertEqual(self.said("""
def asked(act):
    later(0.3)
    begin = time.monotonic()
    try:
        found = act()
        print(getattr(found, "status", None) or found.ended, end=" ")
    except (KeyboardInterrupt, carom.RunFailed) as error:
        print(repr(error), end=" ")
    print(time.monotonic() - begin < 6)
    time.sleep(0.1)
hold = carom.System(coordinates=["x"], parameters={"k": 1.0}, lagrangian="x'^2/2 - k*x^2/2", time={"step": 0.001, "end": 3.0})
long = dict(q=[1.0], v=[0.0], end=1e5, step=0.01)
asked(lambda: carom.lyapunov(hold, **long))
asked(lambda: carom.orbit(hold, [0.1], [0.0], along="k", to=3.0, by=1e-5))
objective = carom.objective(swing, "q.x", ["initial.q.x"], **long)
asked(lambda: objective([1.0]))
cart = dict(controls=["u"], cost={"running": "u^2"}, end={"x": 1.0, "a": 3.0, "x'": 0.0, "a'": 0.0})
asked(lambda: [carom.optimise(carom.scenario("cart-pole"), **cart, steps=50 + n) for n in range(100)])
"""), "stopped True\nstopped on request True\nKeyboardInterrupt() True\nRunFailed('stopped on request') True\n")  # fmt: skip


class Memory(PythonTest):
    def test_a_run_that_would_fill_it_ends_before(self):
        done = self.python(SWING + """
import resource
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
run = swing.simulate(q=[1.0], end=1e9, step=0.01)
print(run.status, len(run.t) > 10**5, run.reason.split(" at t")[0], run.reason.split("; ")[1])
""", OPENBLAS_NUM_THREADS="1")  # fmt: skip
        self.assertEqual(done.stdout, "stopped True its records fill the memory every=1000 keeps fewer\n", done.stderr)


class Forks(PythonTest):
    def test_a_child_sweeps_after_its_parent_has(self):
        done = self.python(SWING + """
def sweep():
    return carom.sweep(swing, {"initial.q.0": [0.5, 0.7]}, ["final.q.0"], q=[1.0], end=0.5)["final.q.0"].tobytes()
ours = sweep()
child = os.fork()
if child == 0:
    os._exit(7 if sweep() == ours else 1)
for _ in range(2000):
    pid, status = os.waitpid(child, os.WNOHANG)
    if pid:
        print(os.waitstatus_to_exitcode(status))
        break
    time.sleep(0.01)
else:
    os.kill(child, signal.SIGKILL)
""")  # fmt: skip
        self.assertEqual((done.returncode, done.stdout), (0, "7\n"), done.stderr)


class Ends(PythonTest):
    def test_the_interpreter_ends_while_threads_are_inside(self):
        for work in ("swing.simulate(q=[1.0], end=1e9, step=0.01, every=10**6)",
                     "swing.simulate(q=[1.0], end=1e9, step=0.01, every=10**6, force=lambda t, q, v: 0.0)",
                     "carom.sweep(swing, {'initial.q.0': [0.1 * k for k in range(100)]}, ['final.t'], q=[1.0], end=1e7)",
                     "carom.solve_ivp(swing, (0, 1e4), [1.0, 0.0], events=lambda t, y: y[0])"):  # fmt: skip
            for end in ("", "sys.exit(3)") if "force" in work else ("",):
                with self.subTest(work=work, end=end):
                    done = self.python(SWING + f"""
def work():
    while True:
        {work}
[threading.Thread(target=work, daemon=True).start() for _ in range(2)]
time.sleep(0.2)
{end}
""")  # fmt: skip
                    self.assertEqual(done.returncode, 3 if end else 0, done.stderr)
                    self.assertNotIn("terminate", done.stderr)


if __name__ == "__main__":
    main()
