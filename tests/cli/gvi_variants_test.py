#!/usr/bin/env python3
"""GVI's variants on the nonlinear oscillator (003, Fig. 8.2), and a stepper chosen by --set.

usage: gvi_variants_test.py PROGRAM SOURCE_DIR
"""

import json
import sys

sys.dont_write_bytecode = True
from support import CaromTest, main, setting

OSCILLATOR = ("run", "nonlinear-oscillator", "--json", "--force", "--out", "out",
              *setting(method__stepper="gvi", time__step=0.1, time__end=10000, output__every=10))


class Variants(CaromTest):
    def summary(self, *options):
        return json.loads(self.succeed(*OSCILLATOR, *options).out)

    def test_exact_and_linearized_constraints_keep_the_angular_momentum(self):
        for constraints in ("exact", "linearized"):  # Fig. 8.2 (d) says otherwise of the second
            summary = self.summary(*setting(method__constraints=constraints))
            self.assertAlmostEqual(summary["energy"]["initial"], 4.612672, delta=1e-12)
            self.assertLess(summary["energy"]["max_abs_error"], 0.112)  # E in [4.502, 4.613]
            self.assertLess(summary["momenta"][0]["max_abs_error"], 1e-12)

    def test_gradients_ahead_break_it(self):
        summary = self.summary(*setting(method__constraints="predicted"))
        self.assertGreater(summary["momenta"][0]["max_abs_error"], 1)


class ChosenBySet(CaromTest):
    def test_what_the_file_says_for_another_stepper_goes(self):
        for scenario, stepper, short in [("pogo-stick", "gvi", "svc, gvi with"), ("point-mass", "direct", "direct substitution"),
                                         ("newton-cradle-gvi", "direct", "direct substitution"),
                                         ("disc", "event-driven", "svc, shadow of order 8")]:
            line = self.succeed("check", scenario, *setting(method__stepper=stepper)).out
            self.assertIn(short, line)

    def test_what_is_set_beside_it_stays_and_is_refused(self):
        line = self.fail_with(2, "check", "pogo-stick", *setting(method__stepper="gvi", method__impact="shadow"))
        self.assertIn('--set method.impact=shadow: method.impact = "shadow": the stepper "gvi" has no such choice', line)

    def test_losses_are_not_dropped(self):
        line = self.fail_with(2, "check", "bouncing-with-loss", *setting(method__stepper="gvi"))
        self.assertIn("method.restitution", line)


if __name__ == "__main__":
    main()
