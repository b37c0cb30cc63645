#!/usr/bin/env python3
"""What Python costs: a long run beside the program's, both measured in turn, and a short one beside its steps.

Times are those of the processor, on which others may work, too.
"""

import resource
import time

from support import PythonTest, main

import carom


def seconds(act):
    begin = time.process_time()
    act()
    return time.process_time() - begin


def childs_seconds(act):
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    act()
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime


class Speed(PythonTest):
    def test_a_million_steps_take_as_long_as_the_program_does(self):
        system = carom.scenario("double-pendulum")
        command = ("run", "double-pendulum", "--quiet", "--force", "--out", "run", "--set", "time.end=10000.0")
        ours, theirs, ratio = [], [], 2.0
        while ratio >= 1.05 and len(ours) < 5:  # again, where something came between
            ours.append(seconds(lambda: system.simulate(end=10000.0)))
            theirs.append(childs_seconds(lambda: self.program(*command)))
            ratio = min(ours) / min(theirs)
        print(f"1e6 steps: {min(ours):.2f} s from Python, {min(theirs):.2f} s by the program: {ratio:.2f}")
        self.assertLess(ratio, 1.05)

    def test_a_short_run_costs_little_beside_its_steps(self):
        ball = carom.System(coordinates=["x"], lagrangian="0.5*x'^2 - 0.5*x^2")
        for system, start in ((carom.System("cart-pendulum"), None), (ball, [1.0])):
            hundred = [seconds(lambda: [system.simulate(q=start, end=0.01, step=0.01) for _ in range(100)]) for _ in range(5)]
            cost = min(hundred) / 100
            print(f"a run of one step: {1e6 * cost:.0f} us")
            self.assertLess(cost, 200e-6)


if __name__ == "__main__":
    main()
