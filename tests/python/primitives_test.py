"""Each primitive of the table: an example that fires and is right, one that is refused, its conditions with their tests, and its place
in campaigns; docs/primitives.md shows them (HEXPROOF_UPDATE_DOCS=1 writes it)."""
import contextlib
import difflib
import io
import os
import pathlib
import re
import unittest

import hexproof as hp

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "primitives.md"
EXAMPLES = ROOT / "tests" / "python" / "support" / "primitive_examples.txt"
#: There is nothing that it could be given wrong.
NEVER_REFUSED = {"show"}
#: Of modules: what they make is a module, and not compared as a function is.
OF_MODULES = {"work_on", "hoist_stage", "expose", "permit"}
#: What a joint step of several functions needs, and the tests with a program that breaks without it.
JOINT = (
    ("The layouts of arguments and parameters agree at each call.", ("ModuleScheduleTest.AChangeOfOneSideAloneLeavesACallThatIsRefused",)),
    ("Every function that the module is entered by, linked with what it calls, is free of errors, with every assume of a callee proved at its call.",
     ("ModuleScheduleTest.AStepThatNeedsValuesInEveryCellIsCaughtInTheLinkedModule", "Expose.WhatTheStageDidNotLeaveIsRefusedAtTheCall")),
    ("It refines the one before, under the relation of an argument whose layout changes.",
     ("ModuleScheduleTest.AnotherProgramIsNoJointStep", "Permit.CellsThatAreReliedOnStay")),
)
HEAD = """# The primitives, one by one

What each one does, on a program: the schedule, and what it changes; a call that is refused, and the answer; and what is proved. This page is made from
`tests/python/support/primitive_examples.txt`, the table of primitives and the heads of the rules, by `tests/python/primitives_test.py`, which runs all of it: each result is compared
with the program before by [equiv](equiv.md). The rules and their names are in [rules.md](rules.md); behind each condition stand the tests with a program that breaks without it.
[schedules.md](schedules.md) says how the primitives fit together.
"""


def table():
    """name, parameters, help, rules"""
    text = (ROOT / "rewrite" / "schedule" / "primitives.def").read_text()
    rows = re.findall(r'^PRIMITIVE\((\w+), "(.*)", "((?:[^"\\]|\\.)*)", "([^"]*)"\)$', text, re.M)
    assert len(rows) == text.count("\nPRIMITIVE("), "a row does not read"
    return [(name, parameters, words, rules.split(", ") if rules else []) for name, parameters, words, rules in rows]


def examples():
    """Programs by name; (primitive, refused, program, schedule) in their order."""
    programs, cases, program = {}, [], None
    parts = re.split(r"^== (.*)\n", EXAMPLES.read_text(), flags=re.M)[1:]
    for head, text in zip(parts[::2], parts[1::2]):
        words = head.split()
        if words[0] == "program":
            programs[words[1]] = text
            continue
        if "on" in words:
            program = words[words.index("on") + 1]
        cases.append((words[0], "refuses" in words, program, text))
    return programs, cases


def conditions(rule):
    """The numbered side conditions in the head of a rule's source, and its suite of tests."""
    source, = (ROOT / "rewrite" / "rules").rglob(rule.replace("-", "_") + ".cpp")
    out, within = [], False
    for line in source.read_text().splitlines():
        if not line.startswith("//"):
            break
        numbered = re.match(r"//  ?(\d+)\. (.*)", line)
        if numbered:
            assert int(numbered[1]) == len(out) + 1, f"{source.name}: condition {numbered[1]} stands at {len(out) + 1}"
            out.append(numbered[2])
            within = True
        elif within and re.match(r"//     ", line):
            out[-1] += " " + line[2:].strip()
        else:
            assert not within or re.match(r"// \S|//$", line), f"{source.name}: neither condition nor paragraph: {line}"
            within = False
    return out, "".join(word.capitalize() for word in rule.split("-"))


def breaking(suite):
    """The tests of a rule's suite with a program that breaks without a condition, by the number of the condition."""
    text = "".join(path.read_text() for path in sorted((ROOT / "tests" / "rewrite").rglob("*_test.cpp")))
    out = {}
    for name, number in re.findall(rf"TEST(?:_F)?\({suite}, (Condition(\d+)[A-Z]\w*)", text):
        out.setdefault(int(number), []).append(f"{suite}.{name}")
    return out


def run(program, schedule):
    with contextlib.redirect_stdout(io.StringIO()):
        return hp.apply(program, schedule, name="s.py")


def body(program):
    """The functions of the text, without what each has in front."""
    lines = program.script().splitlines()
    start = next(k for k, line in enumerate(lines) if "class " in line or line.startswith("@T.prim_func"))
    return lines[start:]


def changed(before, after):
    """The lines that differ, with the one around each, or nothing."""
    lines = list(difflib.unified_diff(body(before), body(after), n=1, lineterm=""))[2:]
    return "\n".join("..." if line.startswith("@@") else line for line in lines)


def fenced(text, kind):
    return f"```{kind}\n{text.rstrip()}\n```\n"


class Primitives(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.programs, cls.cases = examples()
        cls.parsed = {name: hp.parse(text) for name, text in cls.programs.items()}
        cls.results, cls.refusals = {}, {}
        for k, (name, refused, program, schedule) in enumerate(cls.cases):
            try:
                cls.results[k] = run(cls.parsed[program], schedule)
            except hp.Error as e:
                cls.refusals[k] = e

    def test_each_has_an_example_that_fires_and_one_that_is_refused(self):
        for name, _, _, rules in table():
            mine = [k for k, case in enumerate(self.cases) if case[0] == name]
            fires = [k for k in mine if not self.cases[k][1]]
            refused = [k for k in mine if self.cases[k][1]]
            self.assertTrue(fires, f"{name}: no example")
            self.assertTrue(refused or name in NEVER_REFUSED, f"{name}: no example that is refused")
            for k in mine:
                self.assertIn(f"sch.{name}(", self.cases[k][3])
            for k in fires:
                self.assertIn(k, self.results, f"{name}: {self.refusals.get(k)}")
                if rules:
                    self.assertTrue(changed(self.parsed[self.cases[k][2]], self.results[k]), f"{name} changes nothing")
            for k in refused:
                self.assertIn(k, self.refusals, f"{name} goes through:\n{self.cases[k][3]}")
                # The place is that of the last line, which calls it.
                self.assertEqual(self.refusals[k].line, len(self.cases[k][3].splitlines()), f"{name}: {self.refusals[k]}")
        names = {row[0] for row in table()}
        self.assertEqual({case[0] for case in self.cases} - names, set())

    def test_what_fires_is_right(self):
        for k, after in self.results.items():
            name, _, program, _ = self.cases[k]
            before = self.parsed[program]
            if name in OF_MODULES or not changed(before, after) or program == "padded" and name == "transform_layout":
                continue
            layouts = {"transform_layout": {"B": "lambda i: [i // 3, i % 3]"} if program == "padded" else {},
                       "suggest_pad_value": {"A": "lambda i: [i // 4, i % 4]"}}.get(name, {})
            if name == "sequential_buffer_access":
                layouts = {"C": "lambda i, j: [j, i]"}
            self.assertIn(hp.equiv(before, after, layouts=layouts, pads={"A": 0} if name == "suggest_pad_value" else {}).verdict,
                          ("proved",), name)

    def test_each_condition_has_its_test(self):
        for rule in sorted({rule for row in table() for rule in row[3]}):
            known, suite = conditions(rule)
            self.assertEqual(set(breaking(suite)), set(range(1, len(known) + 1)), f"{rule}: conditions with a program that breaks without them")

    def test_each_condition_of_a_joint_step_has_its_test(self):
        text = "".join(path.read_text() for path in (ROOT / "tests" / "rewrite").rglob("*_test.cpp"))
        for _, tests in JOINT:
            for test in tests:
                self.assertRegex(text, r"TEST(?:_F)?\(" + test.replace(".", ", ") + r"\)")

    def test_campaigns_call_what_changes_programs(self):
        steps = ROOT / "fuzz" / "steps"
        listed = re.search(r"others = \{(.*?)\}", (steps / "primitive_steps.cpp").read_text(), re.S)[1]
        of_modules = re.search(r"names = \{(.*?)\}", (steps / "module_steps.cpp").read_text(), re.S)[1]
        self.assertEqual(set(re.findall(r'"(\w+)"', of_modules)), OF_MODULES)
        others = set(re.findall(r'"(\w+)"', listed)) | OF_MODULES
        for k, after in self.results.items():
            name, _, program, schedule = self.cases[k]
            alone = [call for call in re.findall(r"sch\.(\w+)\(", schedule) if not call.startswith("get_")] == [name]
            if name == "apply_pass" or not alone or not changed(self.parsed[program], after):
                continue
            rules = next(row[3] for row in table() if row[0] == name)
            self.assertTrue(rules or name in others, f"{name} is in no campaign")

    def test_the_page(self):
        text = HEAD
        for name, program in self.programs.items():
            users = [case[0] for case in self.cases if case[2] == name]
            if users:
                text += f"\n## Program `{name}`\n" + fenced(program, "python")
        for name, parameters, words, rules in table():
            text += f"\n## `{name}`\n`{name}({parameters})`: {words}.\n"
            for k, (of, refused, program, schedule) in enumerate(self.cases):
                if of != name:
                    continue
                if refused:
                    said = str(self.refusals[k]).splitlines()[0].split(": ", 1)[1]
                    text += f"\nRefused on `{program}`:\n" + fenced(schedule, "python") + fenced(said, "text")
                    continue
                difference = changed(self.parsed[program], self.results[k])
                text += f"\nOn `{program}`:\n" + fenced(schedule, "python")
                text += fenced(difference, "diff") if difference else "It changes nothing.\n"
            if name in OF_MODULES - {"work_on"}:
                text += "\nProved: the [conditions of a joint step](#conditions-of-joint-steps).\n"
            elif not rules:
                text += "\nNothing is proved for it" + (".\n" if name not in ("apply_pass", "separate_conditions", "simplify_conditions") else
                                                      " beside what the rules ask that it finds places for.\n")
            if rules:
                text += "\nProved: the conditions of " + ", ".join(f"[`{rule}`](#rule-{rule})" for rule in rules) + ".\n"
        text += "\n# Conditions of joint steps\nOf what changes several functions of a [module](modules.md#joint-steps).\n\n"
        for number, (condition, tests) in enumerate(JOINT, 1):
            text += f"{number}. {condition} Without it: " + ", ".join(f"`{name}`" for name in tests) + ".\n"
        text += "\n# Conditions of the rules\nAs the heads of their sources number them.\n"
        for rule in sorted({rule for row in table() for rule in row[3]}):
            known, suite = conditions(rule)
            text += f"\n## Rule `{rule}`\n"
            text += "\n" if known else "It has none.\n"
            tests = breaking(suite)
            for number, condition in enumerate(known, 1):
                text += f"{number}. {condition} Without it: " + ", ".join(f"`{name}`" for name in tests.get(number, [])) + ".\n"
        if os.environ.get("HEXPROOF_UPDATE_DOCS"):
            PAGE.write_text(text)
        self.assertEqual(PAGE.read_text(), text, "HEXPROOF_UPDATE_DOCS=1 writes docs/primitives.md")


if __name__ == "__main__":
    unittest.main()
