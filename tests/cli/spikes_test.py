#!/usr/bin/env python3
"""001, Fig. 1 right: the modified Hamiltonian that 001 prints, evaluated along motions of svc, as there, and of sva.

usage: spikes_test.py PROGRAM SOURCE_DIR
"""

import sys

import numpy as np

sys.dont_write_bytecode = True
from support import CaromTest, main, setting

H_STEP = 0.058
SCENARIO = f"""\
[system]
name = "double-pendulum"
parameters = {{ wall = -3.0 }}
[initial]
q = [0.2, -1.5]
p = [3.0, -1.8]
[time]
step = {H_STEP}
end = {170 * H_STEP}
"""


def hamiltonian(z):
    """Of 001's double pendulum with m1 = m2 = L1 = L2 = 1 and g = 10, over states in the last axis."""
    a, b, p, r = np.moveaxis(z, -1, 0)
    c = np.cos(b)
    kinetic = 0.5 * (p**2 - 2 * (1 + c) * p * r + (3 + 2 * c) * r**2) / (2 - c**2)
    return kinetic + 20 * (1 - np.cos(a)) + 10 * (1 - np.cos(a + b))


def along(f, z, d, e, width=1e-4):
    """The second derivative of f in the directions d and e."""
    d, e = width * d, width * e
    return (f(z + d + e) - f(z + d - e) - f(z - d + e) + f(z - d - e)) / (4 * width**2)


def printed(z, h):
    """H + h²/24 (2 H_qq(H_p, H_p) + 2 H_qp(H_p, H_q) - H_pp(H_q, H_q)): 001, III-A."""
    width = 1e-5
    slope = np.stack([(hamiltonian(z + width * d) - hamiltonian(z - width * d)) / (2 * width) for d in np.eye(4)], axis=-1)
    none = np.zeros_like(slope[..., :2])
    in_q = np.concatenate([slope[..., 2:], none], axis=-1)
    in_p = np.concatenate([none, slope[..., :2]], axis=-1)
    A, B, C = (along(hamiltonian, z, *pair) for pair in [(in_q, in_q), (in_q, in_p), (in_p, in_p)])
    return hamiltonian(z) + h * h / 24 * (2 * A + 2 * B - C)


class Spikes(CaromTest):
    rough = True

    def ranges(self, flow):
        """How far H, 001's energy and the shadow energy of order 8 range over 170 steps."""
        _, rows = self.run_to(flow, self.write(SCENARIO), *setting(method__flow=flow))
        self.assertEqual(len(rows["t"]), 171)
        z = np.concatenate([rows["q"], rows["p"]], axis=1)
        np.testing.assert_allclose(hamiltonian(z), rows["H"], rtol=1e-12)
        return [np.ptp(energy) for energy in (rows["H"], printed(z, H_STEP), rows["shadow_energy"])]

    def test_the_printed_energy_is_that_of_sva(self):
        H, of_001, shadow = self.ranges("svc")
        self.assertAlmostEqual(H, 1.05, delta=0.005)
        self.assertAlmostEqual(of_001, 1.45, delta=0.005)
        self.assertAlmostEqual(shadow, 0.75, delta=0.005)
        _, of_001, _ = self.ranges("sva")
        self.assertAlmostEqual(of_001, 0.31, delta=0.005)


if __name__ == "__main__":
    main()
