"""What the tests of sweeps share: a scenario, a sweep of it, and what its folder holds."""

import itertools
import json

import numpy as np

from support import CaromTest

FILES = {"summary.json", "sweep.npz", "sweep.toml", "scenario.toml", "report.html"}

CART = """\
[system]
name = "cart-pendulum"
[initial]
q = [4.2, 0.0]
v = [0.0, 2.744]
[time]
step = 0.02
end = 2.0
"""

# Two axes, one of them words.
PRODUCT = """\
scenario = "cart.toml"
fields = ["final.q.0", "final.p.1", "impacts.count", "energy.max_abs_error", "gap.min"]
[grid]
method.flow = ["svc", "sva"]
"initial.q.0" = { from = 3.2, to = 5.2, count = 3 }
"""


class SweepTest(CaromTest):
    def setUp(self):
        super().setUp()
        self.write(CART, "cart.toml")

    def sweep(self, text, out="out", *words):
        self.succeed("sweep", self.write(text, "sweep.toml"), "--out", out, "--quiet", *words)
        return self.arrays(out)

    def arrays(self, out):
        folder = self.folder / out
        self.assertEqual({path.name for path in folder.iterdir()}, FILES)
        with np.load(folder / "sweep.npz", allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}

    def summary(self, out="out"):
        return json.loads((self.folder / out / "summary.json").read_text())

    def alone(self, *changes):
        """The summary of one run with these changes."""
        words = itertools.chain.from_iterable(("--set", change) for change in changes)
        return json.loads(self.succeed("run", "cart.toml", "--force", "--out", "one", "--json", *words).out)
