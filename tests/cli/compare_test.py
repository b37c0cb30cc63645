"""carom compare and converge, as a user runs them: what they print, what they leave, what they refuse."""

import json
import math

from support import CART, SCENARIO, CaromTest, main

LAWS = ["continuous-energy", "discrete-energy", "shadow"]


def methods(*names):
    return [word for name in names for word in ("--method", name)]


class Compare(CaromTest):
    def compared(self, *arguments):
        result = self.succeed("compare", self.write(CART), "--out", "out", "--json", *arguments)
        comparison = json.loads(result.out)
        self.assertEqual(comparison, json.loads((self.folder / "out/comparison.json").read_text()))
        return comparison["runs"]

    def test_every_method_has_a_folder_and_a_row(self):
        rows = self.compared(*methods(*LAWS))
        self.assertEqual([row["label"] for row in rows], LAWS)
        for row in rows:
            summary = json.loads((self.folder / "out" / row["folder"] / "summary.json").read_text())
            self.assertEqual(summary["energy"]["max_abs_error"], row["energy_error"])
            self.assertEqual((summary["status"], summary["impacts"]["count"]), ("completed", 3))
            self.assertIn(row["label"], summary["method"])
        page = (self.folder / "out/report.html").read_text()
        self.assertLess(len(page), 3_000_000)
        self.assertIn('"kind":"compare"', page)

    def test_a_flow_replaces_the_flow_and_a_law_the_law(self):
        rows = self.compared(*methods("yoshida4", "discrete-energy", "cva"), "--set", "method.flow=sva",
                             "--set", "method.impact=continuous-energy")
        self.assertEqual([row["method"] for row in rows],
                         ["yoshida4 on sva, continuous-energy", "sva, discrete-energy", "svc, continuous-energy"])

    def test_single_keys_of_a_method(self):
        rows = self.compared(*methods("flow=sva,impact=shadow,order=10", "flow=gauss,stages=3"))
        self.assertEqual([row["method"] for row in rows],
                         ["sva, shadow of order 10 (composition)", "gauss with 3 stages, continuous-energy"])

    def test_single_keys_replace_a_name(self):
        rows = self.compared(*methods("flow=yoshida4,impact=shadow", "flow=sva"), "--set", "method.name=cva")
        self.assertEqual([row["method"] for row in rows],
                         ["yoshida4 on sva, shadow of order 8 (composition)", "sva, shadow of order 8 (composition)"])

    def test_steps_make_a_row_each(self):
        rows = self.compared(*methods("shadow"), "--step", "0.01,0.02")
        self.assertEqual([(row["label"], row["step"]) for row in rows],
                         [("shadow, h = 0.01", 0.01), ("shadow, h = 0.02", 0.02)])
        self.assertLess(rows[0]["energy_error"], rows[1]["energy_error"])

    def test_an_accurate_method_follows_the_motion_longer(self):
        self.rough = True
        rows = self.compared(*methods("flow=gauss,stages=5", "flow=se1,impact=continuous-energy"), "--set", "time.end=20")
        self.assertGreater(rows[0]["followed_until"], 19)
        self.assertLess(rows[1]["followed_until"], 10)

    def test_the_table(self):
        out = self.succeed("compare", self.write(CART), *methods(*LAWS), "--out", "out").out
        for law in LAWS:
            self.assertRegex(out, rf"(?m)^{law} +\d\.\d\de-\d\d ")
        self.assertIn("out/report.html", out)
        self.assertNotIn("\x1b", out)

    def test_what_is_refused(self):
        for arguments, words in [(methods("shadow"), "method"), (methods("shadow", "shadwo"), 'did you mean "shadow"?'),
                                 (methods("shadow", "flow=svd"), 'did you mean "svc"?'),
                                 (methods("shadow", "cva") + ["--step", "0"], "0"),
                                 (methods("shadow", "cva") + ["--step", "0.1,x"], "x")]:
            self.assertIn(words, self.fail_with(2, "compare", self.write(CART), "--out", "no", *arguments))
            self.assertFalse((self.folder / "no").exists())

    def test_a_method_that_fails_is_named_and_the_others_stand(self):
        result = self.carom("compare", self.write(CART), *methods("smooth", "shadow"), "--out", "out", "--json")
        self.assertEqual(result.code, 3)
        self.assertIn("no impact law", result.err)
        self.assertEqual([row["status"] for row in json.loads(result.out)["runs"]], ["failed", "completed"])


class Converge(CaromTest):
    def study(self, *arguments, scenario=SCENARIO):
        result = self.succeed("converge", self.write(scenario), "--out", "out", "--json", *arguments)
        study = json.loads(result.out)
        self.assertEqual(study, json.loads((self.folder / "out/convergence.json").read_text()))
        return study["convergence"]

    def test_orders_are_those_of_the_flows(self):
        study = self.study(*methods("svc", "yoshida4", "se1"), "--step", "0.05,0.025,0.0125,0.00625,0.003125",
                           "--set", "time.end=1")
        for series in study["series"]:
            self.assertEqual(len(series["h"]), 4, "the finest is the reference")
        slopes = {series["label"]: series["slope"] for series in study["series"]}
        self.assertAlmostEqual(slopes["svc"], 2, delta=0.2)
        self.assertAlmostEqual(slopes["yoshida4"], 4, delta=0.3)
        self.assertAlmostEqual(slopes["se1"], 1, delta=0.2)

    def test_through_impacts_and_against_a_reference_from_a_file(self):
        self.run_to("fine", self.write(CART), "--set", "method.flow=gauss", "--set", "method.stages=6")
        study = self.study("--reference", "fine/summary.json", "--step", "0.02,0.01,0.005", "--set", "method.flow=svc",
                           scenario=CART)
        self.assertEqual(len(study["series"][0]["h"]), 3)
        self.assertAlmostEqual(study["series"][0]["slope"], 2, delta=0.25)
        self.assertIn("svg", (self.folder / "out/convergence.svg").read_text())
        self.assertIn('"kind":"converge"', (self.folder / "out/report.html").read_text())

    def test_the_table(self):
        out = self.succeed("converge", self.write(SCENARIO), "--step", "0.05,0.025,0.0125", "--out", "out").out
        self.assertRegex(out, r"fitted order \d\.\d\d, the flow's own is 2")

    def test_what_is_refused(self):
        (self.folder / "bad.json").write_text("{")
        (self.folder / "other.json").write_text(json.dumps({"t": 7.0, "q": [1.0], "p": [1.0]}))
        for arguments, words in [(["--step", "0.05,0.03,0.01"], "does not divide"), (["--step", "0.05"], "step"),
                                 (["--step", "0.1,0.05,0.025", "--reference", "none.json"], "cannot be read"),
                                 (["--step", "0.1,0.05,0.025", "--reference", "bad.json"], "must be the summary.json"),
                                 (["--step", "0.1,0.05,0.025", "--reference", "other.json"], "t = 7")]:
            self.assertIn(words, self.fail_with(2, "converge", self.write(SCENARIO), "--out", "no", *arguments))


class InfoAndReport(CaromTest):
    def test_info_tells_what_a_folder_holds(self):
        summary, rows = self.run_to("run", self.write(CART))
        info = json.loads(self.succeed("info", "run", "--json").out)
        self.assertEqual((info["kind"], info["run"]["status"], info["run"]["rows"]), ("run", "completed", 501))
        self.assertEqual(info["run"]["summary"], summary)
        shapes = {column["name"]: tuple(column["shape"]) for column in info["run"]["columns"]}
        self.assertEqual(shapes, {name: rows[name].shape for name in rows})
        text = self.succeed("info", "run").out
        for word in ["completed", "501, the last at t = 5", "trajectory.npz", "report.html"]:
            self.assertIn(word, text)

    def test_a_report_can_be_made_again(self):
        self.run_to("run", self.write(CART))
        page = self.folder / "run/report.html"
        first = page.read_text()
        page.unlink()
        self.assertEqual(self.succeed("report", "run").out, "run/report.html\n")
        data = [json.loads(text.split('id="carom-data">')[1].split("</script>")[0]) for text in (first, page.read_text())]
        for one in data:
            one.pop("created")
        self.assertEqual(data[0], data[1])

    def test_the_numbers_of_the_report(self):
        summary, rows = self.run_to("run", self.write(CART))
        page = (self.folder / "run/report.html").read_text()
        data = json.loads(page.split('id="carom-data">')[1].split("</script>")[0])
        run = data["runs"][0]
        self.assertEqual(len(run["series"]["t"]), len(rows["t"]))
        for k in (0, 100, 500):
            self.assertTrue(math.isclose(run["series"]["q"][0][k], rows["q"][k, 0], rel_tol=1e-6, abs_tol=1e-12))
            self.assertAlmostEqual(run["series"]["H_error"][k], rows["H"][k] - rows["H"][0], places=8)
        self.assertEqual(run["impacts"]["count"], summary["impacts"]["count"])
        self.assertEqual(data["drawing"]["trails"], ["bob"])

    def test_folders_that_hold_no_run(self):
        (self.folder / "empty").mkdir()
        for command in ["info", "report"]:
            for folder in ["empty", "nowhere"]:
                self.assertIn("holds no run", self.fail_with(4, command, folder))


if __name__ == "__main__":
    main()
