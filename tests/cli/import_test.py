#!/usr/bin/env python3
"""Robots in MJCF and URDF: what becomes of masses, places, joints and contacts, what is said of the rest, and what bad files end with.

usage: import_test.py PROGRAM SOURCE_DIR
"""

import math
import sys
import tomllib

import numpy as np

sys.dont_write_bytecode = True
from support import CaromTest, main


def matrix(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def about(axis, angle):
    axis = np.array(axis) / np.linalg.norm(axis)
    return matrix([math.cos(angle / 2), *(math.sin(angle / 2) * axis)])


def capsule(radius, half, mass=None, density=1000):
    """Mass, inertia along the axis and across it: a tube and two half balls, each 3/8 r beyond its face."""
    tube, ends = math.pi * radius**2 * 2 * half, 4 / 3 * math.pi * radius**3
    scale = density if mass is None else mass / (tube + ends)
    tube, ends = tube * scale, ends * scale
    across = tube * (radius**2 / 4 + half**2 / 3) + ends * (0.4 * radius**2 + half**2 + 0.75 * half * radius)
    return tube + ends, tube * radius**2 / 2 + 0.4 * ends * radius**2, across


class ImportTest(CaromTest):
    def scene(self, name, *options):
        """The scene of a file in tests/import, by the names of its bodies and joints."""
        path = name if "/" in str(name) else self.source / "tests" / "import" / name
        result = self.carom("import", path, *options)
        self.assertEqual(result.code, 0, result.err)
        scene = tomllib.loads(result.out)
        self.notes = result.err
        return scene, {b["name"]: b for b in scene["body"]}, {j.get("name"): j for j in scene.get("joint", [])}

    def robot(self, text, name="robot.xml"):
        self.write(text, name)
        return str(self.folder / name)

    def inertia(self, body):
        i = body["inertia"]
        return np.array([[i[0], i[3], i[4]], [i[3], i[1], i[5]], [i[4], i[5], i[2]]])

    def near(self, a, b, delta=1e-12):
        np.testing.assert_allclose(a, b, rtol=0, atol=delta)


class InThePlane(ImportTest):
    def test_a_pendulum(self):
        """Mass and inertia in closed form; a spring that rests elsewhere, a damper, a rotor on the axis, a motor."""
        scene, bodies, joints = self.scene("pendulum.xml")
        rod = bodies["rod"]
        mass, _, across = capsule(0.03, 0.25, mass=0.8)
        ball = 500 * 4 / 3 * math.pi * 0.1**3
        centre = (mass * np.array([0.15, -0.2]) + ball * np.array([0.3, -0.4])) / (mass + ball)
        inertia = (across + mass * np.sum((centre - [0.15, -0.2])**2) + 0.4 * ball * 0.1**2
                   + ball * np.sum((centre - [0.3, -0.4])**2))
        self.near([rod["mass"], rod["inertia"], *rod["centre"]], [mass + ball, inertia + 0.01, *centre])
        self.assertEqual((joints["pivot"]["hinge"], joints["pivot"]["at"]), (["ground", "rod"], [0.0, 1.0]))
        self.assertEqual((scene["world"], scene["system"]), ({"dimension": 2, "gravity": [0.0, -9.81]}, {"parameters": {"u_turn": 0.0}}))

    def test_its_motion(self):
        """Against the equation of the pendulum: it turns about -y of the file, so its angle is against that of the scene."""
        from scipy.integrate import solve_ivp
        _, bodies, _ = self.scene("pendulum.xml")
        rod = bodies["rod"]
        x, y = rod["centre"]
        whole = rod["inertia"] + rod["mass"] * (x * x + y * y)

        def rate(_, z):
            arm = x * math.cos(z[0]) - y * math.sin(z[0])
            return [z[1], (-9.81 * rod["mass"] * arm - 0.3 * (z[0] - 0.3) - 0.05 * z[1] - 2 * 0.4) / whole]

        summary, rows = self.run_to("out", self.source / "tests/import/pendulum.xml", "--set", "time.end=1", "--set", "method.flow=kahan-li6",
                                    "--set", "system.parameters.u_turn=0.4")
        true = solve_ivp(rate, (0, 1), [0, 0], rtol=1e-12, atol=1e-12).y[:, -1]
        self.near([rows["q"][-1][2], rows["v"][-1][2]], true, 1e-8)

    def test_a_cart_and_a_pole(self):
        scene, bodies, joints = self.scene("cart-pole.xml")
        self.assertEqual(joints["slide"]["slider"], ["ground", "cart"])
        self.near(joints["slide"]["limits"], [-1.8, 1.8])
        self.assertEqual(joints["hinge"]["hinge"], ["cart", "pole"])
        self.near(np.degrees(joints["hinge"]["limits"]), [-170, 170], 1e-9)
        mass, _, across = capsule(0.045, 0.5, mass=0.1)
        self.near([bodies["cart"]["mass"], bodies["pole"]["mass"], bodies["pole"]["inertia"]], [1, mass, across])
        self.near(bodies["cart"]["inertia"], (0.4**2 + 0.2**2) / 12)
        self.assertIn("fixed shapes that touch nothing are ignored", self.notes)
        _, rows = self.run_to("out", self.source / "tests/import/cart-pole.xml", "--set", "time.end=0.05", "--set", "system.parameters.u_push=2")
        # The motor gives 10 times what its range leaves of 2; the pole, upright at first, turns freely about its foot.
        whole = 1 + 0.1 - (0.1 * 0.5)**2 / (bodies["pole"]["inertia"] + 0.1 * 0.25)
        self.assertAlmostEqual(rows["q"][-1][0], 0.5 * 10 / whole * 0.05**2, delta=2e-4)

    def test_a_planar_root_is_free(self):
        """Two slides and a hinge; what falls has the acceleration of gravity, whatever hangs on it."""
        scene, bodies, joints = self.scene("hopper.xml")
        self.assertEqual(set(joints), {"hip", "knee", "ankle"})
        self.assertIn('joint "knee" starts at 0, which is out of its range; 0.0897972 is taken', self.notes)
        shin, _, _ = capsule(0.03, 0.15)
        self.near(bodies["shin"]["mass"], shin + 0.1)
        self.near([bodies["shin"]["position"][1], joints["ankle"]["at"][1]], [0.6, 0.6 - 0.4 * math.cos(math.radians(5.145))])
        self.near(scene["contact"]["mu"], 0.9)
        self.assertEqual(bodies["floor"]["shape"], {"half-space": [0.0, 1.0]})
        _, rows = self.run_to("out", self.source / "tests/import/hopper.xml", "--set", "time.end=0.1")
        moving = [b for b in scene["body"] if "mass" in b]
        weights = np.array([b["mass"] for b in moving])
        centre = [weights @ q[1::3] / weights.sum() for q in (rows["q"][0], rows["q"][-1])]
        self.near(centre[1] - centre[0], -0.5 * 9.81 * 0.01, 1e-9)


class InSpace(ImportTest):
    def test_an_arm(self):
        """Places by the product of the rotations, inertias turned, a mesh as its hull, friction by pairs."""
        scene, bodies, joints = self.scene("arm.xml")
        base = about([0, 0, 1], 0.4)
        upper = base @ matrix(np.array([0.9, 0.1, 0.2, 0.3]) / math.sqrt(0.95))
        self.near(matrix(bodies["upper_arm"]["quaternion"]), upper)
        self.near(joints["shoulder"]["at"], [0, 0, 0.3] + upper @ [0, 0, 0.05])
        self.near(joints["shoulder"]["axis"], upper @ [math.sqrt(0.5), math.sqrt(0.5), 0])
        self.near(self.inertia(bodies["upper_arm"]), np.diag([0.015, 0.02, 0.03]))
        elbow = [0, 0, 0.3] + upper @ [0, 0.05, 0.5]
        forearm = upper @ about([0, 1, 0], 0.5)
        self.near(joints["elbow"]["at"], elbow)
        self.near(matrix(bodies["forearm"]["quaternion"]), forearm)
        mass = 400 * 4 / 3 * math.pi * 0.05 * 0.06 * 0.2
        self.near(bodies["forearm"]["mass"], mass)
        self.near(self.inertia(bodies["forearm"])[2, 2], mass / 5 * (0.05**2 + 0.06**2))
        self.assertEqual(joints["wrist"]["ball"], ["forearm", "hand"])
        hull = next(part["polyhedron"] for part in bodies["hand_2"]["shape"]["compound"])
        self.assertEqual(sorted(hull), sorted([[0, 0, 0], [0.4, 0, 0], [0.4, 0.1, 0], [0, 0.1, 0], [0, 0, 0.1], [0, 0.1, 0.1]]))
        self.assertIn("not convex are taken as their hulls", self.notes)
        # The hand is two halves: its tip rubs otherwise than its plate.
        self.near(bodies["hand"]["mass"] + bodies["hand_2"]["mass"], 0.3)
        self.near(self.inertia(bodies["hand"]) + self.inertia(bodies["hand_2"]),
                  [[0.001, 0.0001, -0.0002], [0.0001, 0.0012, 0.00005], [-0.0002, 0.00005, 0.0008]])
        self.assertIn({"fixed": ["hand", "hand_2"]}, scene["joint"])
        mu = {frozenset(pair["of"]): pair["mu"] for pair in scene["contact"]["pair"]}
        self.near([mu[frozenset(("hand_2", "table"))], mu[frozenset(("hand", "table"))], scene["contact"]["mu"]], [1.2, 0.7, 1])
        touching = {frozenset(pair) for pair in scene["contact"]["between"]}
        self.assertNotIn(frozenset(("upper_arm", "cube")), touching)
        self.near(matrix(bodies["cube"]["quaternion"]) @ [0, 0, 1], [0, math.sqrt(0.5), math.sqrt(0.5)])
        # The elbow's spring rests at 0.3: a constant torque beside one that rests at the start.
        self.assertEqual([f["torque"] for f in scene["force"]], ["0.12", "3*u_elbow"])

    def test_a_keyframe(self):
        _, bodies, joints = self.scene("arm.xml", "--key", "bent")
        upper = about([0, 0, 1], 0.4) @ matrix(np.array([0.9, 0.1, 0.2, 0.3]) / math.sqrt(0.95)) @ about([1, 1, 0], 0.2)
        self.near(matrix(bodies["upper_arm"]["quaternion"]), upper)
        self.near(matrix(bodies["forearm"]["quaternion"]), upper @ about([0, 1, 0], 0.5 + 1.1))
        self.near(joints["elbow"]["limits"], [-1.6, 0.9])
        self.near(bodies["cube"]["position"], [0.5, 0, 0.1])

    def test_a_tree(self):
        """Three hinges in one place are a ball, two crossed ones a universal joint, and nothing rubs."""
        scene, bodies, joints = self.scene("tree.xml")
        kinds = {name: next(iter(j)) for name, j in joints.items()}
        self.assertEqual(kinds, {"waist": "hinge", "right hip": "ball", "right knee": "hinge", "left hip x": "ball", "left knee": "hinge",
                                 "right shoulder 1": "universal"})
        self.near(joints["right shoulder 1"]["axis"], [[1, 0, 0], [0, 1, 0]])
        self.near([joints["waist"]["stiffness"], joints["waist"]["damping"]], [10, 1])
        self.assertNotIn("mu", scene["contact"])
        tube, _, across = capsule(0.08, 0.1)
        ball = 4000 / 3 * math.pi * 0.1**3
        z = ball * 0.25 / (tube + ball)
        self.near(bodies["trunk"]["centre"], [0, 0, z])
        self.near(self.inertia(bodies["trunk"])[0, 0], across + tube * z * z + 0.4 * ball * 0.01 + ball * (0.25 - z)**2)


class Urdf(ImportTest):
    def test_an_arm(self):
        scene, bodies, joints = self.scene("arm.urdf")
        self.assertEqual(set(bodies), {"turret", "beam"})
        turret = about([0, 0, 1], 0.5)
        turn = about([1, 0, 0], 0.3)
        own = np.array([[0.02, 0.001, 0], [0.001, 0.03, -0.002], [0, -0.002, 0.025]])
        self.near(self.inertia(bodies["turret"]), turn @ own @ turn.T)
        self.near(bodies["turret"]["centre"], [0, 0, 0.1])
        rpy = about([0, 0, 1], 0.3) @ about([0, 1, 0], 0.2) @ about([1, 0, 0], 0.1)
        self.near(matrix(bodies["beam"]["quaternion"]), turret @ rpy)
        self.near(joints["pitch"]["at"], [0, 0, 0.3] + turret @ [0.1, 0, 0.2])
        self.near(joints["pitch"]["axis"], turret @ rpy @ [0, 1, 0])
        # A tool that is fixed to the beam is part of it.
        self.near([bodies["beam"]["mass"], *bodies["beam"]["centre"]], [1.5, (0.25 + 0.5 * 0.5) / 1.5, 0, 0])
        self.near(self.inertia(bodies["beam"])[2, 2], 0.02 + (0.25 - 1 / 3)**2 + 0.001 + 0.5 * (0.5 - 1 / 3)**2)
        self.assertEqual(set(joints), {"yaw", "pitch"})
        self.assertNotIn("limits", joints["yaw"])
        for words in ["dry friction in joints", "links without mass and shape at the ends of the tree are ignored", "visual shapes are ignored",
                      "gravity is 9.81 along -z"]:
            self.assertIn(words, self.notes)

    def test_a_root_that_floats(self):
        text = '<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link></robot>'
        self.assertIn("nothing moves", self.fail_with(2, "import", self.robot(text, "r.urdf")))
        _, bodies, joints = self.scene(self.robot(text, "r.urdf"), "--floating")
        self.assertEqual((set(bodies), joints), ({"a"}, {}))

    def test_links_without_mass_between_joints(self):
        """A gimbal of three hinges and two rings without mass is a ball joint."""
        heavy = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
        axes = ["1 0 0", "0 1 0", "0 0 1"]
        text = "<robot name='r'><link name='l0'/>" + "".join(
            f"<link name='l{k + 1}'>{heavy if k == 2 else ''}</link><joint name='j{k}' type='continuous'><parent link='l{k}'/><child link='l{k + 1}'/>"
            f"<axis xyz='{axes[k]}'/></joint>" for k in range(3)) + "</robot>"
        _, bodies, joints = self.scene(self.robot(text, "r.urdf"))
        self.assertEqual((set(bodies), joints["j0"]["ball"]), ({"l3"}, ["ground", "l3"]))


class AsACommand(ImportTest):
    ROBOT = ('<mujoco><worldbody><body name="a"><joint name="j" axis="0 1 0"/><geom name="g" size="0.1"/></body>'
             '<body name="b" pos="1 0 0"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>')

    def test_to_a_file_or_standard_output(self):
        path = self.robot(self.ROBOT)
        shown = self.carom("import", path, "--quiet")
        self.assertEqual((shown.code, shown.err), (0, ""))
        self.succeed("import", path, "--quiet", "--out", "scene.toml")
        self.assertEqual((self.folder / "scene.toml").read_text(), shown.out)
        self.assertIn("exists already", self.fail_with(4, "import", path, "--quiet", "--out", "scene.toml"))
        self.succeed("import", path, "--quiet", "--out", "scene.toml", "--force")
        self.fail_with(4, "import", path, "--quiet", "--out", "no/folder/scene.toml")

    def test_the_plane_by_choice(self):
        self.assertEqual(self.scene(self.source / "tests/import/pendulum.xml", "--dimension", "3")[0]["world"]["dimension"], 3)
        self.assertIn("leads out of the plane", self.fail_with(2, "import", self.robot(self.ROBOT), "--dimension", "2"))

    def test_every_command_takes_a_robot(self):
        path = self.source / "tests" / "import" / "pendulum.xml"
        self.assertIn("100 steps", self.succeed("check", path, "--set", "time.end=1").out)
        self.succeed("compare", path, "--method", "sva", "--method", "svc", "--set", "time.end=0.1", "--quiet", "--out", "compared")
        self.write(f'scenario = "{path}"\nfields = ["final.q.2"]\n[grid]\n"system.parameters.u_turn" = [0, 1]\n[base]\n"time.end" = 0.1\n', "sweep.toml")
        self.assertNotEqual(self.carom("check", self.source / "tests/import/no.xml").code, 0)

    def test_bodies_that_overlap_do_not_touch(self):
        _, _, _ = self.scene(self.robot(self.ROBOT.replace('pos="1 0 0"', 'pos="0.15 0 0"')))
        self.assertIn("a and b overlap at the start, so they are taken not to touch", self.notes)

    def test_a_rope(self):
        text = ('<mujoco><worldbody><site name="up" pos="0 0 1"/><body name="a"><freejoint/><geom size="0.1"/><site name="s" pos="0 0 0.1"/></body>'
                '</worldbody><tendon><spatial name="rope" range="0 1.5"><site site="up"/><site site="s"/></spatial></tendon></mujoco>')
        _, _, joints = self.scene(self.robot(text))
        self.assertEqual(joints["rope"], {"distance": ["ground", "a"], "name": "rope", "at": [[0, 0, 1], [0, 0, 0.1]], "limits": [0, 1.5]})

    def test_equalities_and_masses(self):
        text = ('<mujoco><compiler settotalmass="6"/><worldbody><body name="a"><freejoint/><geom size="0.1" mass="1"/></body>'
                '<body name="b" pos="0 0 1"><freejoint/><geom size="0.1" mass="2"/></body></worldbody><equality><connect name="c" body1="a" body2="b" '
                'anchor="0 0 0.5"/><weld body1="a" body2="b" active="false"/></equality></mujoco>')
        _, bodies, joints = self.scene(self.robot(text))
        self.near([bodies["a"]["mass"], bodies["b"]["mass"]], [2, 4])
        self.assertEqual(joints["c"], {"ball": ["a", "b"], "name": "c", "at": [0, 0, 0.5]})


def mjcf(inside, worldbody=""):
    return f'<mujoco>\n{inside}\n<worldbody>\n<body name="a">\n<joint name="j"/>\n<geom size="0.1"/>\n{worldbody}\n</body>\n</worldbody>\n</mujoco>'


def urdf(*parts):
    return '<robot name="r">\n' + "\n".join(parts) + "\n</robot>"


HEAVY = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
LINKS = f'<link name="a"/>\n<link name="b">{HEAVY}</link>'
JOINT = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'

# (text, line, words of the reason); each ends in one line "file:line: ..." and exit code 2.
WRONG = [
    ("", 1, "is empty"), ("no xml", 1, "is no XML"), ("<mujoco>", 1, "is no XML"), ("<mujoco>\n<a b=c/></mujoco>", 2, "is no XML"),
    ("<sdf/>", 1, "the root element is <sdf>"), ("\n<mujoco/>", 2, "nothing moves"), ("<mujoco><option timestep='1' timestep='1'/></mujoco>", 1, "twice"),
    ('<!DOCTYPE x [<!ENTITY a "aa">\n<!ENTITY b "&a;&a;">]>\n<mujoco>&b;</mujoco>', 1, "defines words of its own"),
    ("<mujoco>" + "<body>" * 200 + "</body>" * 200 + "</mujoco>", 1, "nested deeper than 100"),
    (mjcf('<option density="1000"/>'), 2, "is that of a fluid"), (mjcf('<option timestep="nan"/>'), 2, '"nan" is no finite number'),
    (mjcf('<option timestep="0"/>'), 2, "must be above 0"), (mjcf('<option gravity="0 0"/>'), 2, "must be 3 numbers"),
    (mjcf('<compiler coordinate="global"/>'), 2, "is not supported"), (mjcf('<compiler angel="radian"/>'), 2, 'did you mean "angle"'),
    (mjcf('<compiler eulerseq="abc"/>'), 2, "must be three of"), (mjcf("<extension/>"), 2, "<extension> is not supported"),
    (mjcf('<include file="no.xml"/>'), 2, 'no.xml" cannot be read'), (mjcf('<include/>'), 2, "must have a file"),
    (mjcf("", '<body name="a"/>'), 7, "is taken already, at"), (mjcf("", '<joint name="j"/>'), 7, "is taken already, at"),
    (mjcf("", '<joint type="screw"/>'), 7, "is not known here"), (mjcf("", '<joint axis="0 0 0"/>'), 7, "is no direction"),
    (mjcf("", '<joint axis="0 0 1" pos="1 0 0"/>'), 7, "has several joints (j, one without a name)"),
    (mjcf("", '<freejoint/>'), 7, "must be the one joint"), (mjcf("", '<joint range="1 0"/>'), 7, "the smaller first"),
    (mjcf("", '<joint springdamper="1 1"/>'), 7, "is not supported"), (mjcf("", '<geom type="box" size="1 1"/>'), 7, "must be 3 numbers"),
    (mjcf("", '<geom type="box" size="1 1 0"/>'), 7, "must be above 0"), (mjcf("", '<geom size="1e999"/>'), 7, "is no finite number"),
    (mjcf("", '<geom size="1" quat="0 0 0 0"/>'), 7, "is no rotation"), (mjcf("", '<geom size="1" quat="1 0 0 0" euler="0 0 0"/>'), 7, "a second orientation"),
    (mjcf("", '<geom size="1" mass="-1"/>'), 7, "must not be negative"), (mjcf("", '<geom type="hfield"/>'), 7, "is not supported"),
    (mjcf("", '<geom type="mesh" mesh="m"/>'), 7, "names no mesh"), (mjcf("", '<geom size="1" class="c"/>'), 7, 'no default class is called "c"'),
    (mjcf("", '<geom type="plane" size="1 1 1"/>'), 7, "on a body that may move"), (mjcf("", '<composite/>'), 7, "<composite> is not supported"),
    (mjcf("", '<inertial mass="1" diaginertia="1 1 3"/>'), 4, "no body has the inertia"), (mjcf("", '<inertial mass="1"/>'), 7, "diaginertia"),
    (mjcf("", '<inertial mass="0" diaginertia="1 1 1"/>'), 4, "has no mass"), (mjcf("", '<inertial mass="1" diaginertia="0 1 1"/>'), 4, "must be above 0"),
    (mjcf("", '<body mocap="true"/>'), 7, "is not supported"), (mjcf("", '<frame pos="x"/>'), 7, "is no finite number"),
    (mjcf('<asset><mesh name="m" file="m.dae"/></asset>', '<geom type="mesh" mesh="m"/>'), 2, "of a kind that is not read"),
    (mjcf('<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 1 1 0"/></asset>', '<geom type="mesh" mesh="m"/>'), 2, "lies in a plane"),
    (mjcf('<default><default/></default>'), 2, "must have a class"), (mjcf('<tendon><spatial stiffness="1"/></tendon>'), 2, "stiffness of a tendon"),
    (mjcf('<equality><joint joint1="j"/></equality>'), 2, "an equality of kind <joint>"), (mjcf('<equality><weld body1="x"/></equality>'), 2, "names no body"),
    (mjcf('<contact><exclude body1="a" body2="bb"/></contact>'), 2, "names no body"), (mjcf('<actuator><motor joint="k"/></actuator>'), 2, "names no joint"),
    (urdf(), 1, "has no link"), (urdf("<link/>"), 2, "must be given"), (urdf('<link name="a"/>', '<link name="a"/>'), 3, "is taken already"),
    (urdf(LINKS, '<joint name="j" type="fixed"><parent link="a"/><child link="c"/></joint>'), 4, "names no link"),
    (urdf(LINKS), 3, "no joint leads to link"), (urdf(LINKS, JOINT, JOINT.replace('"j"', '"k"')), 5, "has a joint to a parent already"),
    (urdf(LINKS, JOINT, JOINT.replace('"j"', '"k"').replace('parent link="a"', 'parent link="b"').replace('child link="b"', 'child link="a"')), 1, "go in a circle"),
    (urdf(LINKS, JOINT.replace("continuous", "planar")), 4, "is not supported"), (urdf(LINKS, JOINT.replace("continuous", "revolute")), 4, "must have a <limit>"),
    (urdf(LINKS, JOINT.replace("<parent", '<mimic joint="k"/><parent')), 4, "<mimic> is not supported"),
    (urdf(LINKS.replace("</link>", '<collision><geometry><capsule radius="1" length="1"/></geometry></collision></link>'), JOINT), 3, "<capsule> is no shape of URDF"),
    (urdf(LINKS.replace(HEAVY, '<collision><geometry><sphere radius="1"/></geometry></collision>'), JOINT), 3, "moves and has no mass"),
    (urdf(LINKS.replace('izz="1"', 'izz="5"'), JOINT), 3, "no body has the inertia"), (urdf("<xacro:macro/>"), 2, "is not URDF yet"),
    (urdf("<lnik/>"), 2, 'did you mean "link"'),
]


class BadFiles(ImportTest):
    def test_each_ends_in_one_line_with_its_place(self):
        for text, line, why in WRONG:
            path = self.robot(text)
            for command in ("import", "run"):
                with self.subTest(text, command=command):
                    told = self.fail_with(2, command, path)
                    self.assertIn(f"robot.xml:{line}: ", told)
                    self.assertIn(why, told)

    def test_files_that_are_none(self):
        self.assertIn("cannot be read", self.fail_with(2, "import", "no.xml"))
        self.assertIn("is a directory", self.fail_with(2, "import", str(self.folder)))
        self.robot("<mujoco>" + " " * (17 << 20) + "</mujoco>")
        self.assertIn("is larger than 16 MB", self.fail_with(2, "import", "robot.xml"))
        self.robot('<mujoco><include file="robot.xml"/></mujoco>')
        self.assertIn("includes", self.fail_with(2, "import", "robot.xml"))

    def test_keys_that_do_not_fit(self):
        path = self.robot(AsACommand.ROBOT)
        self.assertIn("no keyframe has this name", self.fail_with(2, "import", path, "--key", "home"))
        self.assertIn("--floating is for URDF", self.fail_with(2, "import", path, "--floating"))


if __name__ == "__main__":
    main()
