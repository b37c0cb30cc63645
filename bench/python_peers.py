#!/usr/bin/env python3
"""Beside peers from their Python packages: the cart-pendulum of 000 through its impacts, to 1e-10, wall time from Python.

    ./carom python bench/python_peers.py      by Debian's packages
    python bench/python_peers.py              in an environment with carom (pip install .) and PyPI's scipy, heyoka and mujoco

Contestants take turns and the least time of several rounds counts; each has the cheapest of its tolerances, in quarters of a decade,
that reaches the error. The reference is tests/golden/cart_pendulum.json. What is not installed is skipped by name. MuJoCo's own contacts
are springs with a fixed step, which reach no such error: it takes its RK4, whose step is the fourth root of the tolerance, up to the
floor, which is found by steps of other lengths.
"""

import importlib.util
import json
import pathlib
import time

import numpy as np

import carom

TARGET, END, ROUNDS = 1e-10, 5.0, 7
GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "tests/golden/cart_pendulum.json").read_text())["cases"]["4.2"]
START = [4.2, 0.0, 0.0, 3.5 - 0.18 * 4.2]
m1, m2, L, g = 1.0, 0.2, 2.0, 10.0


def acceleration(y, th, w, sin, cos):
    """Of the height and the angle."""
    s, c = sin(th), cos(th)
    r1, r2 = -(m1 + m2) * g - m2 * L * c * w * w, -m2 * g * L * s
    det = (m1 + m2) * m2 * L * L - (m2 * L * s) ** 2
    return (m2 * L * L * r1 - m2 * L * s * r2) / det, ((m1 + m2) * r2 - m2 * L * s * r1) / det


def reflected(state):
    """Elastic, at the floor: an impulse on the height turns its rate around."""
    s = np.sin(state[1])
    slope = np.array([m2 * L * L, -m2 * L * s])  # of M^-1 e_y, but for a factor
    return -2 * state[2] * slope / slope[0]


class Carom:
    def __init__(self):
        self.system = carom.System("cart-pendulum")

    def run(self, tolerance):
        run = self.system.simulate(q=START[:2], v=START[2:], end=END, step=END, tolerance=tolerance)
        return run.q[-1]


class SciPy:
    def run(self, tolerance):
        from scipy.integrate import solve_ivp

        def slope(t, x):
            return [x[2], x[3], *acceleration(x[0], x[1], x[3], np.sin, np.cos)]

        def floor(t, x):
            return x[0]

        floor.terminal, floor.direction = True, -1
        t, x = 0.0, np.array(START)
        while t < END:
            found = solve_ivp(slope, (t, END), x, method="DOP853", rtol=tolerance, atol=tolerance, events=floor)
            t, x = found.t[-1], found.y[:, -1].copy()
            if found.status == 1:
                x[2:] += reflected(x)
                x[0] = max(x[0], 0.0)
        return x[:2]


class Heyoka:
    made = {}

    def stepper(self, tolerance):
        import heyoka as hy

        y, th, vy, w = hy.make_vars("y", "th", "vy", "w")
        ay, aw = acceleration(y, th, w, hy.sin, hy.cos)

        def bounce(ta, sign):
            ta.state[2:] += reflected(ta.state)
            return True

        falls = hy.t_event(y, direction=hy.event_direction.negative, callback=bounce)
        return hy.taylor_adaptive([(y, vy), (th, w), (vy, ay), (w, aw)], START, tol=tolerance, t_events=[falls])

    def run(self, tolerance):  # its compilation is not timed
        if tolerance not in self.made:
            self.made[tolerance] = self.stepper(tolerance)
        ta = self.made[tolerance]
        ta.time = 0.0
        ta.state[:] = START
        ta.reset_cooldowns()
        ta.propagate_until(END)
        return ta.state[:2].copy()


class MuJoCo:
    def __init__(self):
        import mujoco

        self.mujoco, self.model = mujoco, mujoco.MjModel.from_xml_string(
            f'''<mujoco><option gravity="0 0 -{g}" integrator="RK4"/><worldbody><body>
            <joint type="slide" axis="0 0 1"/><inertial pos="0 0 0" mass="{m1}" diaginertia="1 1 1"/><body>
            <joint type="hinge" axis="0 -1 0"/><inertial pos="0 0 -{L}" mass="{m2}" diaginertia="1e-14 1e-14 1e-14"/>
            </body></body></worldbody></mujoco>'''
        )  # fmt: skip
        self.data = mujoco.MjData(self.model)

    def step(self, state, h):
        self.data.qpos, self.data.qvel, self.model.opt.timestep = state[:2], state[2:], h
        self.mujoco.mj_step(self.model, self.data)
        return np.concatenate([self.data.qpos, self.data.qvel])

    def run(self, tolerance):
        data, step = self.data, self.mujoco.mj_step
        t, h = 0.0, tolerance**0.25
        data.qpos, data.qvel = START[:2], START[2:]
        while t < END:
            self.model.opt.timestep = h = min(h, END - t)
            before = np.concatenate([data.qpos, data.qvel])
            step(self.model, data)
            t += h
            if data.qpos[0] < 0:
                t += self.bounce(before, h) - h
                h = tolerance**0.25
        return data.qpos.copy()

    def bounce(self, before, h):
        """By Newton's method on the length of the step; returns it."""
        tau = h
        for _ in range(20):
            at = self.step(before, tau)
            change = at[0] / at[2]
            tau -= change
            if abs(change) < 1e-15:
                break
        at = self.step(before, tau)
        at[2:] += reflected(at)
        self.data.qpos, self.data.qvel = [max(at[0], 0.0), at[1]], at[2:]
        return tau


def error(contestant, tolerance):
    return float(np.abs(contestant.run(tolerance) - GOLDEN["states"][-1]["q"]).max())


def cheapest(contestant):
    """The largest tolerance that reaches the error, and so does the next."""
    tolerances = [10.0 ** (-k / 4) for k in range(24, 61)]
    for loose, tight in zip(tolerances, tolerances[1:]):
        if error(contestant, loose) <= TARGET and error(contestant, tight) <= TARGET:
            return loose
    return None


def main():
    contestants = {"carom": Carom()}
    for name, peer in (("scipy", SciPy), ("heyoka", Heyoka), ("mujoco", MuJoCo)):
        if importlib.util.find_spec(name):
            contestants[name] = peer()
        else:
            print(f"{name:8} is not installed: skipped")
    settings = {name: cheapest(contestant) for name, contestant in contestants.items()}
    best = dict.fromkeys(contestants, np.inf)
    for _ in range(ROUNDS):
        for name, contestant in contestants.items():
            if settings[name] is None:
                continue
            begin = time.perf_counter()
            contestant.run(settings[name])
            best[name] = min(best[name], time.perf_counter() - begin)
    for name, contestant in contestants.items():
        if settings[name] is None:
            print(f"{name:8} does not reach {TARGET:.0e}")
            continue
        print(f"{name:8} {1e6 * best[name]:9.0f} us   error {error(contestant, settings[name]):.1e} at tolerance {settings[name]:.1e}   "
              f"{best[name] / best['carom']:.2f} of carom's time")  # fmt: skip


if __name__ == "__main__":
    main()
