"""Random systems in formulas whose parameters have units, so that they can be written in others.

Numbers in the formulas have no unit; m, l, k, g and w do. With all of them near 1 energies, speeds and times are, too."""

import dataclasses

import numpy as np

from reference import Reference
from support import formulas, scenario

# Exponents of mass, length and time.
UNITS = {"m": (1, 0, 0), "l": (0, 1, 0), "k": (1, 0, -2), "g": (0, 1, -2), "w": (0, 0, -1)}


def unit(exponents, scales):
    return float(np.prod([scale**power for scale, power in zip(scales, exponents)]))


@dataclasses.dataclass
class Mechanical:
    """A system, where it starts, and the units of its parameters and coordinates."""
    system: dict
    units: dict
    lengths: list  # 1 for a coordinate that is a length, 0 for an angle
    q: np.ndarray
    v: np.ndarray | None
    p: np.ndarray | None = None

    def position(self, scales):
        return np.array([unit((0, power, 0), scales) for power in self.lengths])

    def momentum(self, scales):
        return np.array([unit((1, 2 - power, -1), scales) for power in self.lengths])

    def scaled(self, scales):
        """The same in other units of mass, length and time."""
        parameters = {name: value * unit(self.units[name], scales) if name in self.units else value
                      for name, value in self.system["parameters"].items()}
        moved = {"v": None if self.v is None else self.v * self.position(scales) / scales[2],
                 "p": None if self.p is None else self.p * self.momentum(scales)}
        return dataclasses.replace(self, system=self.system | {"parameters": parameters}, q=self.q * self.position(scales), **moved)

    def text(self, method, step, end):
        start = {"q": self.q, "v": self.v} if self.p is None else {"q": self.q, "p": self.p}
        return scenario(self.system, start, None, method, step, end)


class Maker:
    """Draws the formulas of one system."""

    def __init__(self, rng, coordinates=(1, 4), angles=True, curved_mass=0.5, force=0.4, gaps=(0, 3), moving=0.0):
        self.rng, self.moving = rng, moving
        self.curved = rng.random() < curved_mass
        n = int(rng.integers(coordinates[0], coordinates[1] + 1))
        self.lengths = [0 if angles and rng.random() < 0.3 else 1 for _ in range(n)]
        self.names = [f"{'x' if length else 'a'}{i + 1}" for i, length in enumerate(self.lengths)]
        self.parameters = {"m": self.draw(0.5, 2), "l": self.draw(0.5, 2), "k": self.draw(1, 8), "g": self.draw(0, 10),
                           "w": self.draw(0.5, 3)}
        self.q = np.array([self.draw(-0.5, 0.5) * (self.parameters["l"] if length else 1) for length in self.lengths])
        self.v = np.array([self.draw(-1.5, 1.5) for _ in range(n)]) if rng.random() < 0.85 else None
        self.forced = rng.random() < force
        self.number_of_gaps = int(rng.integers(gaps[0], gaps[1] + 1))

    def draw(self, low, high):
        return float(np.round(self.rng.uniform(low, high), 3))

    def pick(self, *choices):
        return choices[self.rng.integers(len(choices))]

    def angle_of(self, i):
        """The coordinate without its unit."""
        return f"{self.names[i]}/l" if self.lengths[i] else self.names[i]

    def length_of(self, i):
        return self.names[i] if self.lengths[i] else f"l*{self.names[i]}"

    def speed_of(self, i):
        return f"{self.names[i]}'" if self.lengths[i] else f"l*{self.names[i]}'"

    def kinetic(self, i):
        factor = f"*(1 + {self.draw(-0.4, 0.4)}*{self.pick('sin', 'cos')}({self.angle_of(i)}))" if self.curved else ""
        term = f"0.5*{self.draw(0.8, 2)}*m*({self.speed_of(i)})^2{factor}"
        if i and self.curved and self.rng.random() < 0.5:
            term += f" + {self.draw(-0.15, 0.15)}*m*({self.speed_of(i)})*({self.speed_of(i - 1)})*cos({self.angle_of(i)})"
        return term

    def potential(self, i):
        x = self.length_of(i)
        terms = [f"{self.draw(0.5, 1.5)}*m*g*{x}" if self.lengths[i] else f"-{self.draw(0.5, 1.5)}*m*g*l*cos({self.names[i]})",
                 f"0.5*{self.draw(0.3, 1.5)}*k*({x})^2", f"{self.draw(0.1, 0.5)}*k*({x})^4/l^2"]
        V = self.pick(*terms)
        if i and self.rng.random() < 0.5:
            V += f" + 0.5*{self.draw(0.3, 1)}*k*({x} - {self.length_of(i - 1)})^2"
        return V

    def push(self, i):
        unit_of_force = "m*w" if self.lengths[i] else "m*w*l^2"
        drag = f"-{self.draw(0.05, 0.4)}*{unit_of_force}*{self.names[i]}'"
        drive = f"{self.draw(-0.5, 0.5)}*{unit_of_force}*w{'*l' if self.lengths[i] else ''}*cos({self.draw(1, 3)}*w*t)"
        return self.pick("0", drag, drive, f"{drag} + {drive}")

    def surface(self, i):
        """A function of place that is 0 somewhere near; the gap is it, or what is left of it."""
        x = self.length_of(i)
        other = self.rng.integers(len(self.names))
        shapes = [x, f"-{x}", x]
        if other != i:
            y = self.angle_of(other)
            shapes += [f"{x} - {self.length_of(other)}", f"{x} - {self.draw(0.1, 0.4)}*l*sin({y})",
                       f"-{x} - {self.draw(0.1, 0.3)}*l*({y})^2"]
        shape = self.pick(*shapes)
        return f"{shape} - {self.draw(0.05, 0.2)}*l*sin({self.draw(1, 4)}*w*t)" if self.rng.random() < self.moving else shape

    def make(self):
        n = len(self.names)
        L = " + ".join(self.kinetic(i) for i in range(n)) + " - (" + " + ".join(self.potential(i) for i in range(n)) + ")"
        force = [self.push(i) for i in range(n)] if self.forced else None
        system = formulas(self.names, L, force=force, parameters=self.parameters)
        gaps = {}
        for j in range(self.number_of_gaps):
            surface = self.surface(int(self.rng.integers(n)))
            here = Reference(system | {"gaps": {"g": surface}}).gaps["g"]
            now = Reference(system).number(here, 0.0, self.q, self.q * 0)
            gaps[f"g{j}"] = f"{surface} + ({self.draw(0.05, 0.6) - round(now / self.parameters['l'], 3):.6g})*l"
        return Mechanical(system | {"gaps": gaps or None}, UNITS, self.lengths, self.q, self.v)
