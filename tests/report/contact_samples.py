#!/usr/bin/python3
"""Data for reports of runs whose contacts last: a ball that comes to rest, is lifted, and leans against a wall.

    contact_samples.py FOLDER      writes one .html a sample
"""

import copy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from assemble import write_report  # noqa: E402
from sample import REPORT, Particle, make_report, make_run  # noqa: E402

NORMALS = [(1, 1), (0, 1), (0, -1)]  # axis and sign, of floor, left and right wall


class RestingParticle(Particle):
    """Thrown up from rest at two instants; a wind presses it against the left wall from t = 8.5 on."""

    def acceleration(self, t, q, v):
        lifted = any(start <= t < start + 0.25 for start in (3.0, 6.0))
        return [-3.0 if t >= 8.5 else 0.0, 15.0 if lifted else -self.g]


def integrate_resting(system, h, end, restitution, slowest=0.35):
    """Steps of the symplectic Euler method; a contact that is left more slowly than `slowest` begins to last."""
    q, v = map(list, system.start)
    lasting, impacts, changes = set(), [], []
    rows = [(0.0, q, v)]
    for n in range(int(end / h + 1e-9)):
        t, a = n * h, system.acceleration(n * h, q, v)
        for k in sorted(lasting):
            axis, sign = NORMALS[k]
            if sign * a[axis] > 0:
                lasting.remove(k)
                changes.append((t, k, False))
            else:
                a[axis] = 0.0
        v = [x + h * y for x, y in zip(v, a)]
        q = [x + h * y for x, y in zip(q, v)]
        for k, gap in enumerate(system.gap(q)):
            axis, sign = NORMALS[k]
            if gap >= 0 or sign * v[axis] >= 0 or k in lasting:
                continue
            impacts.append((t + h, k, (1 + restitution) * abs(v[axis]), q))
            v[axis] *= -restitution
            q[axis] -= sign * gap
            if abs(v[axis]) < slowest:
                v[axis] = 0.0
                lasting.add(k)
                changes.append((t + h, k, True))
        rows.append((t + h, q, v))
    t_list, q_list, v_list = map(list, zip(*rows))
    zeros = [0.0] * len(rows)
    return {"t": t_list, "q": q_list, "v": v_list, "impacts": impacts, "loss": zeros, "work": zeros}, changes


def spans_of(changes, names):
    """The field `contacts` of a run."""
    spans, begun = [], {}
    for t, k, begins in changes:
        if begins:
            begun[k] = len(spans)
            spans.append([k, t, None, False])
        else:
            spans[begun.pop(k)][2:] = [t, True]
    contact, start, to, released = map(list, zip(*spans)) if spans else ([], [], [], [])
    return {"names": names, "count": len(spans), "contact": contact, "from": start, "to": to, "settled": [t + 0.2 for t in start],
            "released": released}


def contact_run(h=0.005, end=12.0, restitution=0.6, label="contact"):
    system = RestingParticle()
    grid, changes = integrate_resting(system, h, end, restitution)
    run = make_run(system, "euler", h, end, label, restitution, grid=grid)
    contacts = run["contacts"] = spans_of(changes, system.gaps)
    lasting = [system.gaps[k] for k, to in zip(contacts["contact"], contacts["to"]) if to is None]
    released = sum(contacts["released"])
    run["summary"]["contacts"] = {"begun": contacts["count"], "released": released, "lasting": lasting,
                                  "rest": contacts["settled"][-1]}
    return run


def contacts_sample():
    return make_report("run", "A ball comes to rest and is lifted again", RestingParticle(), [contact_run()])


def compared_sample():
    """Two runs with lasting contacts, and one of a program that did not know of them."""
    bouncing = make_run(Particle(), "rk4", 0.005, 12.0, "event-driven", 0.93)
    runs = [contact_run(label="e = 0.6"), contact_run(restitution=0.3, label="e = 0.3"), bouncing]
    return make_report("compare", "Contact, two ways and not at all", RestingParticle(), runs)


def many_contacts():
    """More contacts than lanes, more spans than a report holds, and most of them at once."""
    report = contacts_sample()
    names, count = [f"ball {k + 1} and a long name" for k in range(40)], 2000
    start = [11.0 * i / count for i in range(count)]
    report["gaps"] = names
    report["runs"][0]["contacts"] = {
        "names": names, "count": 54321, "contact": [i * i % 40 for i in range(count)], "from": start,
        "to": [t + 0.5 for t in start], "settled": start, "released": [True] * count}
    return report


def odd_contacts():
    """Holes, unknown contacts, spans that end before they begin, lists of different lengths, text for numbers."""
    report = contacts_sample()
    report["runs"][0]["contacts"] = {
        "names": ["<b>floor</b>", "wall"], "contact": [0, 7, None, 1, 0], "from": [1.0, 2.0, 3.0, None, 4.0, 5.0],
        "to": [0.5, 2.5, "late"], "released": [True]}
    report["runs"][0]["summary"]["contacts"] = {}
    return report


def without_impacts():
    """At rest from the start, to the end."""
    report = contacts_sample()
    run = report["runs"][0]
    run["impacts"] = {"count": 0, "t": [], "contact": [], "impulse": []}
    run["contacts"] = spans_of([(0.0, 0, True)], ["floor"])
    return report


def without_contacts():
    """The same motion, told by a program that did not know of contacts."""
    report = contacts_sample()
    for field in (report["runs"][0], report["runs"][0]["summary"]):
        del field["contacts"]
    return report


def without_states():
    """Contacts, but nothing else that was recorded."""
    report = contacts_sample()
    run = report["runs"][0]
    report["runs"] = [{"label": "bare", "contacts": copy.deepcopy(run["contacts"])}]
    return report


CONTACT_SAMPLES = {
    "contacts": contacts_sample, "contacts-compared": compared_sample, "many-contacts": many_contacts,
    "odd-contacts": odd_contacts, "contacts-only": without_impacts, "no-contacts": without_contacts,
    "no-states": without_states,
}


def write_contact_samples(folder):
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, make in CONTACT_SAMPLES.items():
        write_report(REPORT, make(), Path(folder) / f"{name}.html")


if __name__ == "__main__":
    write_contact_samples(sys.argv[1])
