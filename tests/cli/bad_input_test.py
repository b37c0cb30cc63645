#!/usr/bin/env python3
"""Systems in formulas, [draw], and every key of a scenario, as a user or a broken disk might get them wrong.

Each is refused in one line that says where, which key, what value and what would be right, with exit code 2; nothing is
left behind. What goes wrong only later ends the run with exit code 3, and what was computed is kept.
errors_test.py has the same for the built-in systems and the methods.

usage: bad_input_test.py PROGRAM SOURCE_DIR
"""

import json
import random
import re
import shutil
import sys

import numpy as np

sys.dont_write_bytecode = True
from errors_test import place_of
from support import CaromTest, main

VALID = """\
title = "valid"
seed = 1
[system]
name = "expression"
coordinates = ["x", "y"]
parameters = { m = 2.0, k = 3.0 }
lagrangian = "T - V"
force = ["cos(t) - c", "0"]
let = { T = "0.5*m*(x'^2 + y'^2)", V = "k*r^2", r = "hypot(x, y)", c = "0.1*x'" }
gaps = { floor = "y", wall = "x + 1" }
momenta = { spin = "m*(x*y' - y*x')" }
[initial]
q = [0.5, 1.0]
v = [0.0, -0.25]
[method]
flow = "svc"
[time]
start = 0.0
step = 0.01
end = 0.5
[output]
every = 1
format = "npz"
[draw]
view = [-1.0, 1.0, -2.5, 2.0]
points = { a = ["x", "y"], b = ["0", "sin(t)"] }
lines = [["a", "b"]]
circles = [["a", "0.1"]]
boxes = [["a", "k", "2"]]
polygons = [["a", "b", "a"]]
ground = [["-m", "0", "m", "0"]]
curves = [["s", "s^2", "-1", "pi"]]
trails = ["a"]
"""

METHOD = 'flow = "svc"'
END = "end = 0.5"
LAGRANGIAN = 'lagrangian = "T - V"'
COORDINATES = 'coordinates = ["x", "y"]'
PARAMETERS = "parameters = { m = 2.0, k = 3.0 }"
GAPS = 'gaps = { floor = "y", wall = "x + 1" }'
LET = VALID.splitlines()[8]
FORCE = VALID.splitlines()[7]
MOMENTA = VALID.splitlines()[10]

# Lines of VALID as they might be wrong: (old, new, "key = value" as quoted, words of the reason). § stands before the
# place that the message points at, where that is not left to the program.
WRONG = [
    ('title = "valid"', "title = §['a']", 'title = ["a"]', ["must be a string"]),
    ("seed = 1", 'seed = §"one"', 'seed = "one"', ["whole number"]),
    ("seed = 1", "seed = §1.5", "seed = 1.5", ["whole number"]),
    ('name = "expression"', "name = §7", "system.name = 7", ["must be a string"]),
    ('name = "expression"', 'name = "expresion"', "system.coordinates", ['name = "expression"']),
    ('name = "expression"', 'name = "star"', "system.coordinates", ['name = "expression"']),

    (COORDINATES, "coordinates = §[]", "system.coordinates", ["must be given"]),
    (COORDINATES, "", "system.coordinates", ["must be given"]),
    (COORDINATES, 'coordinates = §"x"', 'system.coordinates = "x"', ["array of strings"]),
    (COORDINATES, 'coordinates = ["x", "x"]', 'system.coordinates.1 = "x"', ["taken"]),
    (COORDINATES, 'coordinates = ["x", "sin"]', 'system.coordinates.1 = "sin"', ["function"]),
    (COORDINATES, 'coordinates = ["x", "pi"]', 'system.coordinates.1 = "pi"', ["constant"]),
    (COORDINATES, 'coordinates = ["x", "t"]', 'system.coordinates.1 = "t"', ["time"]),
    (COORDINATES, 'coordinates = ["x", "m"]', 'system.parameters.m = "m"', ["taken"]),
    (COORDINATES, 'coordinates = ["x", "T"]', 'system.let.T = "T"', ["taken"]),
    (COORDINATES, """coordinates = ["x", "x'"]""", """system.coordinates.1 = "x'\"""", ["letters, digits"]),
    (COORDINATES, 'coordinates = ["x", ""]', 'system.coordinates.1 = ""', ["letters, digits"]),
    (COORDINATES, 'coordinates = ["x", "2y"]', 'system.coordinates.1 = "2y"', ["begins with a letter"]),
    (COORDINATES, 'coordinates = ["x", "a b"]', 'system.coordinates.1 = "a b"', ["letters, digits"]),
    (COORDINATES, 'coordinates = ["x", ["y"]]', 'system.coordinates.1 = ["y"]', ["must be a string"]),

    (PARAMETERS, "parameters = { m = §nan, k = 3.0 }", "system.parameters.m = nan", ["finite"]),
    (PARAMETERS, "parameters = { m = §-inf, k = 3.0 }", "system.parameters.m = -inf", ["finite"]),
    (PARAMETERS, 'parameters = { m = §"2", k = 3.0 }', 'system.parameters.m = "2"', ["must be a number"]),
    (PARAMETERS, "parameters = { m = §[2], k = 3.0 }", "system.parameters.m = [2]", ["number"]),
    (PARAMETERS, "parameters = { m = 2, k = 3, sin = §1 }", "system.parameters.sin", ["function"]),
    (PARAMETERS, "parameters = { m = 2, k = 3, t = §1 }", "system.parameters.t", ["time"]),
    (PARAMETERS, "parameters = { m = 2, k = 3, x = §1 }", "system.parameters.x", ["taken"]),
    (PARAMETERS, 'parameters = { m = 2, k = 3, "a b" = §1 }', 'system.parameters."a b"', ["letters, digits"]),
    (PARAMETERS, "parameters = §3", "system.parameters = 3", ["must be a table"]),
    (PARAMETERS, "parameters = { k = 3.0 }", "system.let.T", ["m"]),
    (PARAMETERS, "parameters = { m = 0, k = 3.0 }", "system.lagrangian", ["not positive definite"]),
    (PARAMETERS, "parameters = { m = -1, k = 3.0 }", "system.lagrangian", ["not positive definite"]),

    (LAGRANGIAN, "", "system.lagrangian", ["must be given"]),
    (LAGRANGIAN, "lagrangian = §[1]", "system.lagrangian = [1]", ["must be a string"]),
    (LAGRANGIAN, "lagrangian = §''", 'system.lagrangian = ""', ["column 1"]),
    (LAGRANGIAN, "lagrangian = §'T - W'", 'system.lagrangian = "T - W"', ["column 5", "W"]),
    (LAGRANGIAN, "lagrangian = §'T - V +'", 'system.lagrangian = "T - V +"', ["column 8"]),
    (LAGRANGIAN, "lagrangian = §'(T - V'", 'system.lagrangian = "(T - V"', ["column 7"]),
    (LAGRANGIAN, "lagrangian = §'T - V)'", 'system.lagrangian = "T - V)"', ["column 6"]),
    (LAGRANGIAN, "lagrangian = §'T - sin x'", 'system.lagrangian = "T - sin x"', ["column"]),
    (LAGRANGIAN, "lagrangian = §'T - sin(x, y)'", 'system.lagrangian = "T - sin(x, y)"', ["column", "sin"]),
    (LAGRANGIAN, "lagrangian = §'T - hypot(x)'", 'system.lagrangian = "T - hypot(x)"', ["column", "hypot"]),
    (LAGRANGIAN, "lagrangian = §'T - sinn(x)'", 'system.lagrangian = "T - sinn(x)"', ["sin"]),
    (LAGRANGIAN, "lagrangian = §\"T - z'\"", "system.lagrangian = \"T - z'\"", ["column 5"]),
    (LAGRANGIAN, "lagrangian = §\"T - x''\"", "system.lagrangian = \"T - x''\"", ["column"]),
    (LAGRANGIAN, "lagrangian = §'T $ V'", 'system.lagrangian = "T $ V"', ["column 3"]),
    (LAGRANGIAN, "lagrangian = §'T - 1e999'", 'system.lagrangian = "T - 1e999"', ["column 5"]),
    (LAGRANGIAN, "lagrangian = §'V'", "system.lagrangian", ["not positive definite"]),
    (LAGRANGIAN, "lagrangian = §\"x' + y' - V\"", "system.lagrangian", ["not positive definite"]),
    (LAGRANGIAN, "lagrangian = §\"x'*y' - V\"", "system.lagrangian", ["not positive definite"]),
    (LAGRANGIAN, "lagrangian = §\"0.5*x'^2 - V\"", "system.lagrangian", ["not positive definite"]),
    (LAGRANGIAN, "lagrangian = 'T - 1/(x - 0.5)'", "initial: H = inf", ["energy at the start is not finite"]),
    (LAGRANGIAN, "lagrangian = 'T - sqrt(x - 1)'", "initial: H = nan", ["energy at the start is not finite"]),
    (LAGRANGIAN, "lagrangian = 'T - log(x - 0.5)'", "initial: H = -inf", ["energy at the start is not finite"]),
    (LAGRANGIAN, "lagrangian = 'T - exp(1e4*x)'", "initial: H = inf", ["energy at the start is not finite"]),
    (LAGRANGIAN, "lagrangian = §'T*(x - 0.5)'", "system.lagrangian", ["not positive definite"]),
    (LAGRANGIAN, "lagrangian = §'T/(x - 0.5)'", "system.lagrangian", []),

    (FORCE, "force = §['0']", "system.force = an array of 1", ["must have 2"]),
    (FORCE, "force = §'x'", 'system.force = "x"', ["array of strings"]),
    (FORCE, "force = ['0', 'w']", 'system.force.1 = "w"', ["column 1"]),
    (FORCE, "force = ['0', true]", "system.force.1 = true", ["must be a string"]),
    (FORCE, "force = ['0', '1/t']", "system.force", ["finite at the start"]),
    (FORCE, "force = ['0', '1/0']", "system.force", ["finite"]),

    (LET, "let = §3", "system.let = 3", ['name = "formula"']),
    (LET, LET.replace("hypot(x, y)", "r + 1"), 'system.let.r = "r + 1"', ["defined by itself"]),
    (LET, LET.replace("hypot(x, y)", "V"), "system.let", ["defined by itself"]),
    (LET, LET.replace("r = ", "cos = "), "system.let.cos", ["function"]),
    (LET, LET.replace("r = ", '"r r" = '), 'system.let."r r"', ["letters, digits"]),
    (LET, LET.replace('"hypot(x, y)"', "[1]"), "system.let.r = [1]", ["must be a string"]),
    (LET, LET.replace("hypot(x, y)", "hypot(x, q)"), 'system.let.r = "hypot(x, q)"', ["column 10"]),

    (GAPS, "gaps = §['y']", 'system.gaps = ["y"]', ['name = "formula"']),
    (GAPS, "gaps = { floor = §true }", "system.gaps.floor = true", ["must be a string"]),
    (GAPS, "gaps = { floor = §'z' }", 'system.gaps.floor = "z"', ["column 1"]),
    (GAPS, "gaps = { floor = §\"y + x'\" }", "system.gaps.floor = \"y + x'\"", ["velocity x'"]),
    (GAPS, "gaps = { floor = 'y - 2' }", "initial.q = [0.5, 1]", ['behind the contact "floor"', "-1"]),
    (GAPS, "gaps = { floor = '1/(x - 0.5)' }", "initial.q = [0.5, 1]", ['contact "floor"']),
    (GAPS, "gaps = { floor = 'sqrt(x - 1)' }", "initial.q = [0.5, 1]", ['contact "floor" is not finite']),
    (GAPS, "gaps.a.b = §'y'", 'system.gaps.a.b = "y"', ["unknown key"]),
    (GAPS, "gaps = { floor = §'y - floor(x)' }", 'system.gaps.floor = "y - floor(x)"', ["jumps near x = ", "must be continuous"]),
    (GAPS, "gaps = { floor = §'y > 0' }", 'system.gaps.floor = "y > 0"', ["column 3", "if(a < b, x, y)"]),
    (GAPS, "gaps = { floor = 'y' }\ncontacts = { floor = §{ gap = 'y' } }", "system.contacts.floor", ["has this name already"]),
    (GAPS, "contacts = { floor = §'y' }", 'system.contacts.floor = "y"', ["must be a table", "system.gaps"]),
    (GAPS, "contacts = §['y']", 'system.contacts = ["y"]', ["must be a table"]),
    (GAPS, "contacts = { floor = §{} }", "system.contacts.floor", ["must have a gap"]),
    (GAPS, "contacts = { floor = { gap = §'z' } }", 'system.contacts.floor.gap = "z"', ["column 1"]),
    (GAPS, "contacts = { floor = { gap = §\"y + x'\" } }", "system.contacts.floor.gap = \"y + x'\"", ["velocity x'"]),
    (GAPS, "contacts = { floor = { gap = 'y - 2' } }", "initial.q = [0.5, 1]", ['behind the contact "floor"', "-1"]),
    (GAPS, "contacts = { floor = { gap = 'y', restitution = §1.5 } }", "system.contacts.floor.restitution = 1.5", ["from 0 to 1"]),
    (GAPS, "contacts = { floor = { gap = 'y', restitution = §true } }", "system.contacts.floor.restitution = true", ["from 0 to 1"]),
    (GAPS, "contacts = { floor = { gap = 'y', restitution = §'m' } }", 'system.contacts.floor.restitution = "m"', ["is 2; must be from 0 to 1"]),
    (GAPS, "contacts = { floor = { gap = 'y', restitution = §'x' } }", 'system.contacts.floor.restitution = "x"', ["formula of the parameters"]),
    (GAPS, "contacts = { floor = { gap = 'y', when = §'x' } }", 'system.contacts.floor.when = "x"', ["column 2", "expected <, >, <= or >="]),
    (GAPS, "contacts = { floor = { gap = 'y', when = §3 } }", "system.contacts.floor.when = 3", ["must be a string"]),
    (GAPS, "contacts = { floor = { gap = 'y', whem = §'x > 0' } }", 'system.contacts.floor.whem = "x > 0"', ['did you mean "when"']),
    (GAPS, "contacts = { floor = { gap = 'y', when.x = §'x > 0' } }", 'system.contacts.floor.when.x = "x > 0"', ["unknown key"]),

    (GAPS, "joints = { rod = 'x + y' }", "initial.q = [0.5, 1]", ['off the joint "rod"', "1.5 and must be 0", "initial.project"]),
    (GAPS, "joints = { rod = 'y - 1' }", "initial.v = [0, -0.25]", ['leaves the joint "rod"', "-0.25", "[0, 0] is near"]),
    (GAPS, "joints = { rod = '1/(x - 0.5)' }", "initial.q = [0.5, 1]", ['joint "rod" is not finite']),
    (GAPS, "joints = { rod = 'm - 2' }", "initial.q = [0.5, 1]", ['joint "rod" has no gradient']),
    (GAPS, "joints = { rod = §\"x + y'\" }", "system.joints.rod = \"x + y'\"", ["velocity y'"]),
    (GAPS, "joints = { rod = 'x', bar = 'y' }", "system.joints = 2 formulas", ["fewer than the 2 coordinates"]),
    (GAPS, "joints = { rod = §'x - sign(y)' }", 'system.joints.rod = "x - sign(y)"', ["jumps near y = ", "must be continuous"]),
    (GAPS, "joints = { rod = §'x + z' }", 'system.joints.rod = "x + z"', ["column 5"]),
    (GAPS, "joints = §1", "system.joints = 1", ['name = "formula"']),

    (MOMENTA, "momenta = §'x'", 'system.momenta = "x"', ['name = "formula"']),
    (MOMENTA, "momenta = { spin = §'m*z' }", 'system.momenta.spin = "m*z"', ["column 3"]),
    (MOMENTA, "momenta = { spin = '1/(x - 0.5)' }", "system.momenta.spin", ["finite at the start"]),

    (MOMENTA, "friction = §[\"-psi1*x'\"]", "system.friction = an array of 1", ["must have 2, one per coordinate"]),
    (MOMENTA, "friction = §[\"-psi1*x'\", '-psi3']", 'system.friction.1 = "-psi3"', ["column 2", "psi"]),
    (MOMENTA, "friction = §[\"-psi1*x'\", '-psi2*t']", 'system.friction.1 = "-psi2*t"', ["must not depend on t"]),
    (MOMENTA, "friction = §[\"-0.1*x'\", 0]", "system.friction.0 = \"-0.1*x'\"", ["must be 0 where psi1, psi2 are 0", "force"]),
    (MOMENTA, "friction = §'psi1'", 'system.friction = "psi1"', ["array of strings"]),
    (MOMENTA, "held_force = §'a controller'", 'system.held_force = "a controller"', ["no file holds", "neither be run again"]),
    (MOMENTA, "held_force = §1", "system.held_force = 1", ["must be a string"]),
    (MOMENTA, "psi = §['N']", "system.psi = an array of 1", ["must have 2", "each joint", "each contact"]),
    (MOMENTA, "psi = §['N', 'x']", 'system.psi.1 = "x"', ["taken already"]),
    *((MOMENTA, f"{key} = §['x', 'y']", f"system.{key}", ['a DAE in formulas, with name = "dae"']) for key in "zvpfr"),
    (MOMENTA, "energy = §'x'", "system.energy", ['a DAE in formulas, with name = "dae"']),

    ("q = [0.5, 1.0]", "q = §[0.5]", "initial.q = [0.5]", ["2 entries"]),
    ("q = [0.5, 1.0]", "q = §[0.5, 1, 2]", "initial.q = [0.5, 1, 2]", ["2 entries"]),
    ("q = [0.5, 1.0]", "q = §[0.5, inf]", "initial.q.1 = inf", ["finite"]),
    ("q = [0.5, 1.0]", "q = §[0.5, nan]", "initial.q.1 = nan", ["finite"]),
    ("q = [0.5, 1.0]", "q = §['x', 1]", 'initial.q.0 = "x"', ["must be a number"]),
    ("q = [0.5, 1.0]", "q = §0.5", "initial.q = 0.5", ["array of numbers"]),
    ("q = [0.5, 1.0]", "", "initial.q", ["must be given"]),
    ("v = [0.0, -0.25]", "v = §[0]", "initial.v = [0]", ["2 entries"]),
    ("v = [0.0, -0.25]", "v = §[0, -inf]", "initial.v.1 = -inf", ["finite"]),
    ("v = [0.0, -0.25]", "p = §[0, nan]", "initial.p.1 = nan", ["finite"]),
    ("v = [0.0, -0.25]", "p = §[]", "initial.p = []", ["at least one"]),
    ("v = [0.0, -0.25]", "v = [0, 0]\np = §[0, 0]", "initial.p = [0, 0]", ["initial.v"]),

    ("v = [0.0, -0.25]", "project = §1", "initial.project = 1", ["true or false"]),
    ("v = [0.0, -0.25]", "project = §true", "initial.project = true", ["needs joints"]),
    ("v = [0.0, -0.25]", "project = §'yes'", 'initial.project = "yes"', ["true or false"]),

    ("v = [0.0, -0.25]", "psi = §[0.5, 1.0]", "initial.psi = [0.5, 1]", ["starts without multipliers", '"dae-euler"']),
    ("v = [0.0, -0.25]", "psi = §0.5", "initial.psi = 0.5", ["array of numbers"]),

    (METHOD, "name = §1", "method.name = 1", ["must be a string"]),
    (METHOD, "stepper = §'shake'", 'method.stepper = "shake"', ["no stepper has this name"]),
    (METHOD, "flow = §'svx'", 'method.flow = "svx"', ["no flow has this name"]),
    (METHOD, "flow = 'yoshida4'\nbase = §'svx'", 'method.base = "svx"', []),
    (METHOD, "flow = 'gauss'\nstages = §0", "method.stages = 0", ["from 1 to 8"]),
    (METHOD, "flow = 'gauss'\nstages = §2.5", "method.stages = 2.5", ["whole number"]),
    (METHOD, "flow = 'gamma'\ngamma = §-0.1", "method.gamma = -0.1", ["from 0 to 1"]),
    (METHOD, "impact = §'mirror'", 'method.impact = "mirror"', ["no impact law has this name"]),
    (METHOD, "order = §-2", "method.order = -2", ["at least 1"]),
    (METHOD, "order = §99999999999", "method.order = 99999999999", ["whole number"]),
    (METHOD, "fraction = §'half'", 'method.fraction = "half"', ["composition"]),
    (METHOD, "name = 'mhc'\nwindow = §0", "method.window = 0", ["from 1 to 17"]),
    (METHOD, "restitution = §2", "method.restitution = 2", ["from 0 to 1"]),
    (METHOD, "restitution = §nan", "method.restitution = nan", ["from 0 to 1"]),
    (METHOD, "reflection = §'x'", 'method.reflection = "x"', ['"gvi" does']),
    (METHOD, "energy = §'x'", 'method.energy = "x"', ['"gvi" does']),
    (METHOD, "predictor = §'x'", 'method.predictor = "x"', ['"gvi" does']),
    (METHOD, "constraints = §'x'", 'method.constraints = "x"', ['"gvi" does']),
    (METHOD, "scheme = §'x'", 'method.scheme = "x"', ['"direct" or "dae-euler" does']),
    (METHOD, "alpha = §0.5", "method.alpha = 0.5", ['"dae-euler" does']),
    (METHOD, "reaction_at = §'z0'", 'method.reaction_at = "z0"', ['"dae-euler" does']),
    (METHOD, "stepper = 'dae-euler'\nalpha = §0", "method.alpha = 0", ["must not be 0"]),
    (METHOD, "stepper = 'dae-euler'\nalpha = §nan", "method.alpha = nan", ["must"]),
    (METHOD, "stepper = 'dae-euler'\nalpha = §'half'", 'method.alpha = "half"', ["must be a number"]),
    (METHOD, "stepper = 'dae-euler'\nscheme = §'newmark'", 'method.scheme = "newmark"', ["natural"]),
    (METHOD, "stepper = 'dae-euler'\nscheme = §true", "method.scheme = true", ["must be a string"]),
    (METHOD, "stepper = 'dae-euler'\nreaction_at = §'Z0'", 'method.reaction_at = "Z0"', ["no such choice"]),
    (METHOD, "stepper = 'dae-euler'\nreaction_at = §0", "method.reaction_at = 0", ["must be a string"]),
    (METHOD, "beta = §0.1", "method.beta = 0.1", ["Newmark"]),
    (METHOD, "stepper = 'gvi'\nreflection = §'x'", 'method.reflection = "x"', ["sequential"]),
    (METHOD, "stepper = 'gvi'\nreflection = §1", "method.reflection = 1", ["must be a string"]),
    (METHOD, "stepper = 'gvi'\nenergy = §'x'", 'method.energy = "x"', ["numerical"]),
    (METHOD, "stepper = 'gvi'\nenergy = §['shadow']", 'method.energy = ["shadow"]', ["must be a string"]),
    (METHOD, "stepper = 'gvi'\npredictor = §'x'", 'method.predictor = "x"', ["jointed"]),
    (METHOD, "stepper = 'gvi'\npredictor = §2.5", "method.predictor = 2.5", ["must be a string"]),
    (METHOD, "stepper = 'gvi'\nconstraints = §'x'", 'method.constraints = "x"', ["linearized"]),
    (METHOD, "stepper = 'gvi'\nconstraints = §0", "method.constraints = 0", ["must be a string"]),
    (METHOD, "stepper = 'gvi'\nscheme = §'newmark'", 'method.scheme = "newmark"', ['"direct" or "dae-euler" does']),
    (METHOD, "stepper = 'gvi'\nbeta = §0.1", "method.beta = 0.1", ["Newmark"]),
    (METHOD, "stepper = 'direct'\nscheme = §'x'", 'method.scheme = "x"', ["imex-newmark"]),
    (METHOD, "stepper = 'direct'\nscheme = §7", "method.scheme = 7", ["must be a string"]),
    (METHOD, "stepper = 'direct'\nscheme = 'newmark'\nbeta = §-0.1", "method.beta = -0.1", ["from 0 to 0.5"]),
    (METHOD, "stepper = 'direct'\nscheme = 'newmark'\nbeta = §nan", "method.beta = nan", ["from 0 to 0.5"]),
    (METHOD, "stepper = 'direct'\nscheme = 'newmark'\nbeta = §'1/4'", 'method.beta = "1/4"', ["must be a number"]),
    (METHOD, "stepper = 'direct'\nscheme = 'newmark'\ngamma = §2", "method.gamma = 2", ["from 0 to 1"]),
    (METHOD, "stepper = 'direct'\nbeta = §0.25", "method.beta = 0.25", ["Newmark"]),
    (METHOD, "tolerance = §0", "method.tolerance = 0", ["above 0"]),
    (METHOD, "longest_step = §0", "method.longest_step = 0", ["above 0"]),
    (METHOD, "longest_step = §0.01", "method.longest_step = 0.01", ["method.tolerance"]),

    ("start = 0.0", "start = §inf", "time.start = inf", ["finite"]),
    ("start = 0.0", "start = §'now'", 'time.start = "now"', ["must be a number"]),
    ("start = 0.0", "start = 3", "time.end = 0.5", ["time.start = 3"]),
    ("step = 0.01", "step = §nan", "time.step = nan", ["above 0"]),
    ("step = 0.01", "step = §inf", "time.step = inf", ["above 0"]),
    (END, "", "time.end", ["must be given", "time.until"]),
    (END, "end = §inf", "time.end = inf", ["finite"]),
    (END, "impacts = §-1", "time.impacts = -1", ["at least 1"]),
    (END, "until = §3", "time.until = 3", ["must be a string"]),
    (END, "until = §'z - 1'", 'time.until = "z - 1"', ["column 1"]),
    (END, "until = §'1/t'", 'time.until = "1/t"', ["at the start"]),
    (END, "until = §'x -'", 'time.until = "x -"', ["column"]),
    (END, "until = §''", 'time.until = ""', ["column 1"]),

    ("every = 1", "every = §0", "output.every = 0", ["at least 1"]),
    ("every = 1", "every = §1.5", "output.every = 1.5", ["whole number"]),
    ("every = 1", "every = 99999999999999999999", "", []),  # TOML itself has no such number
    ('format = "npz"', "format = §'cvs'", 'output.format = "cvs"', ['did you mean "csv"?']),
    ('format = "npz"', "format = §['npz']", 'output.format = ["npz"]', ["must be a string"]),
    ('format = "npz"', "format = 'npz'\nquantities = { a = §'x +' }", 'output.quantities.a = "x +"', ["column"]),

    ("view = [-1.0, 1.0, -2.5, 2.0]", "view = §[-1, 1]", "draw.view = [-1, 1]", ["xmin, xmax, ymin, ymax"]),
    ("view = [-1.0, 1.0, -2.5, 2.0]", "view = §[1, -1, 0, 1]", "draw.view = [1, -1, 0, 1]", ["smaller one first"]),
    ("view = [-1.0, 1.0, -2.5, 2.0]", "view = §[0, 1, 0, inf]", "draw.view.3 = inf", ["finite"]),
    ("view = [-1.0, 1.0, -2.5, 2.0]", "view = §'all'", 'draw.view = "all"', ["array of numbers"]),
    ('points = { a = ["x", "y"],', 'points = { a = §["x"],', "draw.points.a = an array of 1", ["[x, y]"]),
    ('points = { a = ["x", "y"],', 'points = { a = §["x", "y", "x"],', "draw.points.a = an array of 3", ["[x, y]"]),
    ('points = { a = ["x", "y"],', 'points = { a = §"x",', 'draw.points.a = "x"', ["array of strings"]),
    ('points = { a = ["x", "y"],', 'points = { a = §["x", "z"],', 'draw.points.a = "z"', ["column 1"]),
    ('points = { a = ["x", "y"],', "points = { a = §[\"x\", \"y'\"],", "draw.points.a = \"y'\"", ["velocities"]),
    ('points = { a = ["x", "y"], b = ["0", "sin(t)"] }', "points = §[1]", "draw.points = [1]", ['name = ["x", "y"]']),
    ('lines = [["a", "b"]]', 'lines = [["a"]]', "draw.lines.0 = an array of 1", ["at least 2"]),
    ('lines = [["a", "b"]]', 'lines = [["a", "c"]]', 'draw.lines.0 = "c"', ["no point has this name", "a, b"]),
    ('lines = [["a", "b"]]', "lines = §'a'", 'draw.lines = "a"', ["array of arrays"]),
    ('lines = [["a", "b"]]', "lines = ['a']", 'draw.lines.0 = "a"', ["array of strings"]),
    ('circles = [["a", "0.1"]]', 'circles = [["a"]]', "draw.circles.0 = an array of 1", ["[point, radius]"]),
    ('circles = [["a", "0.1"]]', 'circles = [["c", "1"]]', 'draw.circles.0 = "c"', ["no point has this name"]),
    ('circles = [["a", "0.1"]]', 'circles = [["a", "R"]]', 'draw.circles.0 = "R"', ["column 1"]),
    ('circles = [["a", "0.1"]]', 'circles = [["a", true]]', "draw.circles.0.1 = true", ["must be a string"]),
    ('boxes = [["a", "k", "2"]]', 'boxes = [["a", "k"]]', "draw.boxes.0 = an array of 2", ["[point, width, height]"]),
    ('boxes = [["a", "k", "2"]]', 'boxes = [["z", "k", "2"]]', 'draw.boxes.0 = "z"', ["no point has this name"]),
    ('boxes = [["a", "k", "2"]]', "boxes = [[\"a\", \"x'\", \"2\"]]", "draw.boxes.0 = \"x'\"", ["velocities"]),
    ('polygons = [["a", "b", "a"]]', 'polygons = [["a", "b"]]', "draw.polygons.0 = an array of 2", ["at least 3"]),
    ('polygons = [["a", "b", "a"]]', 'polygons = [["a", "b", "q"]]', 'draw.polygons.0 = "q"', ["no point"]),
    ('ground = [["-m", "0", "m", "0"]]', 'ground = [["0", "1", "2"]]', "draw.ground.0 = an array of 3", ["[x1, y1, x2, y2]"]),
    ('ground = [["-m", "0", "m", "0"]]', 'ground = [["x", "0", "1", "0"]]', 'draw.ground.0 = "x"', ["must not move"]),
    ('ground = [["-m", "0", "m", "0"]]', 'ground = [["1/0", "0", "1", "0"]]', "draw.ground.0", ["parameters only"]),
    ('curves = [["s", "s^2", "-1", "pi"]]', 'curves = [["s", "s"]]', "draw.curves.0 = an array of 2", ["[x(s), y(s), from, to]"]),
    ('curves = [["s", "s^2", "-1", "pi"]]', 'curves = [["s", "y", "0", "1"]]', 'draw.curves.0 = "y"', ["must not move"]),
    ('curves = [["s", "s^2", "-1", "pi"]]', 'curves = [["s", "s", "0", "x"]]', 'draw.curves.0 = "x"', ["must not move"]),
    ('curves = [["s", "s^2", "-1", "pi"]]', 'curves = [["s", "s", "0", "s"]]', 'draw.curves.0 = "s"', ["column 1"]),
    ('curves = [["s", "s^2", "-1", "pi"]]', 'curves = [["s", "s", "0", "1/0"]]', "draw.curves.0", ["parameters only"]),
    ('trails = ["a"]', 'trails = ["c"]', 'draw.trails.0 = "c"', ["no point has this name"]),
    ('trails = ["a"]', "trails = §'a'", 'draw.trails = "a"', ["array of strings"]),
    ('trails = ["a"]', "trials = §['a']", 'draw.trials = ["a"]', ["unknown key", '"draw.trails"']),
]

# What does not go together with joints, said of a pendulum: (lines of [method], what is quoted, words of the reason).
PENDULUM = """\
[system]
name = "expression"
coordinates = ["x", "y"]
lagrangian = "0.5*(x'^2 + y'^2) - 9.81*y"
gaps = { wall = "x + 0.2" }
joints = { rod = "x^2 + y^2 - 1" }
[initial]
q = [0.6, -0.8]
[method]
flow = "svc"
[time]
end = 0.1
"""
WITH_JOINTS = [
    ("flow = §'gauss'", 'method.flow = "gauss"', ["does not keep joints"]),
    ("flow = 'svc'\nimpact = §'modified-energy'", 'method.impact = "modified-energy"', ["shadow"]),
    ("flow = 'svc'\nimpact = §'stable-energy'", 'method.impact = "stable-energy"', ["shadow"]),
    ("flow = 'svc'\nfraction = §'polynomial'", 'method.fraction = "polynomial"', ["composition"]),
    ("stepper = 'gvi'\nflow = §'gauss'", 'method.flow = "gauss"', ["quadrature rules"]),
]

# Keys for the --set of a value that no key takes; a table takes its entries one by one.
TABLES = {"system.let", "system.gaps", "system.contacts", "system.joints", "system.momenta", "output.quantities", "draw.points"}


class BadInputTest(CaromTest):
    def all_keys(self):
        header = (self.source / "src/scenario/scenario_keys.hpp").read_text()
        keys = re.findall(r'^ *\{"([a-z_.]+)", \[\]\(Scenario', header, re.MULTILINE)
        self.assertGreater(len(keys), 40, "the table of keys is not where it was")
        return keys

    def refused(self, *arguments):
        """The line of a refusal with exit code 2: nothing on standard output, no folder."""
        result = self.carom("run", *arguments, "--out", "out")
        left = (self.folder / "out").exists()
        shutil.rmtree(self.folder / "out", ignore_errors=True)  # so that one mishap is not taken for many
        self.assertEqual((result.code, result.out), (2, ""), (arguments, result.err[-500:]))
        self.assertFalse(left, "a refused scenario leaves nothing behind")
        return self.one_line(result.err)


class WrongValues(BadInputTest):
    def test_the_valid_one_is(self):
        self.succeed("run", self.write(VALID), "--out", "out", "--quiet")

    def test_each_by_place_key_and_value(self):
        for old, new, quoted, words in WRONG:
            with self.subTest(new):
                self.assertIn(old, VALID)
                text, place = place_of(VALID.replace(old, new, 1))
                line = self.refused(self.write(text))
                self.assertRegex(line, rf"^my\.toml:{place or '[0-9]+:[0-9]+'}: ")
                self.assertIn(f": {quoted}", line)
                for word in words:
                    self.assertIn(word, line)
                self.assertEqual(self.fail_with(2, "check", "my.toml"), line)

    def test_what_does_not_keep_joints(self):
        self.succeed("run", self.write(PENDULUM), "--out", "out", "--quiet")
        shutil.rmtree(self.folder / "out")
        for new, quoted, words in WITH_JOINTS:
            with self.subTest(new):
                text, place = place_of(PENDULUM.replace(METHOD, new))
                line = self.refused(self.write(text))
                self.assertTrue(line.startswith(f"my.toml:{place}: {quoted}: "), line)
                for word in words:
                    self.assertIn(word, line)

    def test_every_key_of_the_program_is_in_the_table(self):
        said = [quoted.partition(" = ")[0] for _, _, quoted, _ in WRONG]
        for key in self.all_keys():
            self.assertTrue(any(name == key or name.startswith(key + ".") for name in said), f"{key} is not tried")

    def test_no_key_takes_a_date_or_a_truth(self):
        self.write(VALID)
        for key in self.all_keys():
            for value in ["true", "1979-05-27"]:
                if value == "true" and key in ("initial.project", "method.scheme"):  # where it is a value
                    continue
                with self.subTest(key=key, value=value):
                    line = self.refused("my.toml", "--set", f"{key}={value}")
                    self.assertTrue(line.startswith(f"--set {key}={value}: {key} = {value}: must be "), line)

    def test_no_key_takes_a_table_of_strangers(self):
        self.write(VALID)
        for key in set(self.all_keys()) - TABLES:
            line = self.refused("my.toml", "--set", f"{key}={{ strange = 1 }}")
            self.assertIn(f"{key}.strange = 1: unknown key", line)
        for key in TABLES:
            self.assertIn(f"{key}.strange = ", self.refused("my.toml", "--set", f"{key}={{ strange = true }}"))

    def test_long_and_hostile_names_and_formulas(self):
        for text in ["x" * 50_000, "θ" * 20_000, "\\u001b[31m", "a\\nb", "{}{0}%s%n", "'" * 500]:
            for key in ["system.lagrangian", "time.until", "system.name", "output.format"]:
                self.refused(self.write(VALID), "--set", f'{key}="{text}"')
            self.refused(self.write(VALID.replace(COORDINATES, f'coordinates = ["x", "{text} "]')))


class WrongFiles(BadInputTest):
    def test_empty(self):
        for text in ["", "\n\n", "# nothing\n", "\ufeff"]:
            self.assertIn("system.name", self.refused(self.write(text)))

    def test_garbage(self):
        chance = random.Random(3)
        for size in [1, 1000, 3_000_000, 10_000_000]:
            garbage = {"bytes": chance.randbytes(size), "text": bytes(chance.choices(b"abc =[]{}\"'.\n#1", k=size)),
                       "zeros": b"\0" * size, "brackets": b"[" * size, "dots": b"a." * (size // 2) + b"a = 1"}
            for name, content in garbage.items():
                with self.subTest(name=name, size=size):
                    (self.folder / "my.toml").write_bytes(content)
                    line = self.refused("my.toml")
                    self.assertRegex(line, r"^my\.toml: is larger" if size > 4 << 20 else r"^my\.toml:\d+:\d+: ")

    def test_deep_nesting(self):
        for value in ["[" * 10_000, "[" * 10_000 + "]" * 10_000, "{a=" * 10_000, "{a=" * 10_000 + "1" + "}" * 10_000]:
            self.assertRegex(self.refused(self.write(f"title = {value}\n")), r"^my\.toml:\d+:\d+: ")
        self.refused(self.write("[" + "a." * 100_000 + "a]\n"))
        self.refused(self.write("a" + ".a" * 100_000 + " = 1\n"))

    def test_deep_formulas(self):
        for deep in ["(" * 10_000 + "x" + ")" * 10_000, "(" * 10_000, "-" * 10_000 + "x", "sin(" * 10_000 + "x" + ")" * 10_000,
                     "^".join("x" * 10_000), "x" + "^-" * 10_000 + "1"]:
            line = self.refused(self.write(VALID.replace('"T - V"', f'"T - V + {deep}"')))
            self.assertRegex(line, r"^my\.toml:7:14: system\.lagrangian = .*: (column \d+: |its derivatives: )")
            self.refused(self.write(VALID), "--set", f"time.until={deep}")

    def test_long_formulas_run_or_are_refused(self):
        long = {"sum": "T - V" + " - 0.001*x^2" * 5000, "terms": "T - V" + "".join(f" - {i}e-9*sin({i}*x)" for i in range(3000)),
                "product": "T - V - 0*" + "*".join(["cos(x)"] * 8000), "spaces": "T" + " " * 60_000 + "- V"}
        for name, formula in long.items():
            with self.subTest(name):
                self.assertGreater(len(formula), 50_000)
                result = self.carom("run", self.write(VALID.replace("T - V", formula)), "--out", name, "--quiet",
                                    "--set", "time.end=0.02")
                self.assertIn(result.code, (0, 2), result.err[-500:])
                if result.code == 2:
                    self.assertIn("system.lagrangian", self.one_line(result.err))

    def test_definitions_that_double_each_other(self):
        # 2^60 terms if each were written out.
        doubled = ", ".join(f'a{i + 1} = "a{i}*x + a{i}*y"' for i in range(60))
        text = VALID.replace("let = {", f'let = {{ a0 = "x", {doubled},').replace('"T - V"', '"T - V - 1e-9*a60"')
        result = self.carom("run", self.write(text), "--out", "out", "--quiet", "--set", "time.end=0.02")
        self.assertIn(result.code, (0, 2), result.err[-500:])

    def test_places_where_no_folder_can_be(self):
        self.write(VALID)
        for out in ["my.toml", "my.toml/out", "my.toml/a/b", "/proc/out", "/proc/self/out", "/dev/null/out", "/sys/out",
                    "x" * 300, "a/" + "x" * 300, ""]:
            with self.subTest(out[:20]):
                if not out:
                    continue
                result = self.carom("run", "my.toml", "--out", out)
                self.assertEqual((result.code, result.out), (4, ""), result.err)
                self.assertIn(f"--out '{out}'"[:200], self.one_line(result.err))
        self.assertEqual((self.folder / "my.toml").read_text(), VALID)


# What works at the start and not later: (Lagrangian, more lines of [system], rows that are kept at least).
MOVING = """\
[system]
name = "expression"
coordinates = ["x"]
lagrangian = "LAGRANGIAN"
MORE
[initial]
q = [0.5]
v = [-1.0]
[method]
flow = "FLOW"
[time]
end = 2.0
"""
# The last of them can be started, but not stepped: its slope is infinite there.
LATER = [
    ("0.5*x'^2 - sqrt(x)", "", 5),
    ("0.5*x'^2 - log(x)*1e-3", "", 5),
    ("0.5*x'^2 + 1e-3*sqrt(x - 0.2)", "", 5),
    ("0.5*x'^2 + exp(2*x^2)", "", 5),
    ("0.5*x'^2", 'gaps = { hole = "1 + sqrt(x)" }', 5),
    ("0.5*x'^2", 'gaps = { hole = "1 + sqrt(x)", floor = "x + 9" }', 5),
    ("0.5*x'^2", 'force = ["sqrt(0.255 - t)"]', 5),
    ("0.5*x'^2", 'force = ["sqrt(x)"]', 5),
    ("0.5*(x - 0.2)*x'^2", "", 5),
    ("0.5*x'^2/sqrt(x)", "", 5),
    ("0.5*x'^2 - sqrt(x - 0.5)", "", 1),
]


class Later(BadInputTest):
    def check_failed(self, text, least):
        self.write(text)
        result = self.carom("run", "my.toml", "--out", "out", "--force")
        self.assertEqual(result.code, 3, result)
        line = self.one_line(result.err)
        self.assertRegex(line, r"step \d+ from t = [0-9.e+-]+: .*; what was computed until then is in out$")
        summary, rows = self.read("out")
        self.assertEqual((summary["status"], summary["final"]["t"]), ("failed", rows["t"][-1]))
        self.assertIn(summary["reason"], line)
        self.assertGreaterEqual(len(rows["t"]), least, "what was computed is kept")
        for name in "tqpH":
            self.assertTrue(np.isfinite(rows[name]).all(), f"{name}: {rows[name][-3:]}")
        self.assertTrue(np.isfinite(rows["gaps"]).all(), rows["gaps"][-3:])

    def test_ends_the_run_and_keeps_it(self):
        for lagrangian, more, least in LATER:
            for flow in ["svc", "sva", "midpoint"]:
                with self.subTest(lagrangian=lagrangian, more=more, flow=flow):
                    text = MOVING.replace("LAGRANGIAN", lagrangian).replace("MORE", more).replace("FLOW", flow)
                    self.check_failed(text, least)

    def test_what_is_only_watched_does_not_end_the_run(self):
        # A momentum that is not a number any more; the motion goes on, and the summary says null, with a word.
        text = MOVING.replace("LAGRANGIAN", "0.5*x'^2").replace("MORE", 'momenta = { odd = "sqrt(x)" }')
        result = self.carom("run", self.write(text.replace("FLOW", "svc")), "--out", "out", "--quiet")
        self.assertEqual(result.code, 0)
        self.assertIn('the momentum "odd" is no number all the way', self.one_line(result.err))
        summary, rows = self.read("out")
        self.assertEqual(summary["momenta"][0]["max_abs_error"], None)
        self.assertTrue(np.isfinite(rows["H"]).all())
        self.succeed("info", "out", "--json")


if __name__ == "__main__":
    main()
