"""The drivers of examples/cluster: GNU parallel on this machine, and an array of Slurm, whose `sbatch` is stood in for. A shard is
killed half-way, and the same is started again."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python/support"))
from needed import needed  # noqa: E402

HEXPROOF = pathlib.Path(os.path.realpath("/proc/self/exe"))
CLUSTER = ROOT / "examples/cluster"
#: hexproof, of which the shard 2/3 is killed once it has answered something; until then no other shard begins.
KILLED = """#!/bin/sh
case "$*" in
  *"--shard 2/3"*)
    if [ ! -e {mark} ]; then
      {hexproof} "$@" &
      until [ "$(ls {answers} | wc -l)" -ge 5 ]; do kill -0 $! || exit 70; sleep 0.01; done
      kill -KILL $!
      wait $!
      touch {mark}
      exit 137
    fi ;;
  "discharge "*) until [ -e {mark} ]; do sleep 0.01; done ;;
esac
exec {hexproof} "$@"
"""
#: sbatch --wait --array=1-N SCRIPT ARGUMENTS: the tasks one after the other, each from a copy of the script, as Slurm runs it.
SBATCH = """#!/bin/bash
[ "$1" = --wait ] || exit 70
[[ $2 =~ ^--array=1-([0-9]+)$ ]] || exit 71
count=${{BASH_REMATCH[1]}} worst=0
cpus=$(sed -n 's/^#SBATCH --cpus-per-task=//p' "$3")
cp "$3" {spool}/slurm_script || exit 72
for task in {order}; do
  [ "$task" -le "$count" ] || continue
  SLURM_JOB_ID=7$task SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=$count \\
    SLURM_ARRAY_TASK_COUNT=$count SLURM_CPUS_PER_TASK=$cpus bash {spool}/slurm_script "${{@:4}}" || worst=$?
done
exit $worst
"""


class Cluster(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.proofs, self.bin = self.folder / "proofs", self.folder / "bin"
        self.bin.mkdir()
        self.environment = {"PATH": f"{self.bin}:/usr/bin:/bin", "HOME": folder.name, "XDG_CACHE_HOME": f"{folder.name}/cache", "LC_ALL": "C.UTF-8"}
        self.command("hexproof", KILLED.format(hexproof=HEXPROOF, answers=self.proofs / "answers", mark=self.folder / "killed"))
        shutil.copy(ROOT / "examples/conv1d_padded/conv1d.py", self.folder / "kernel.py")
        shutil.copy(ROOT / "examples/conv1d_padded/schedule.py", self.folder)

    def command(self, name, text):
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)

    def run_line(self, line):
        ran = subprocess.run(["bash", "-c", line], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             stdin=subprocess.DEVNULL, text=True, timeout=300)
        return ran.returncode, ran.stdout

    def formulas(self):
        return len(json.loads((self.proofs / "index.json").read_text())["formulas"])

    def answers(self):
        # (Not what a process that was killed left half-written.)
        return {path.name: path.stat().st_mtime_ns for path in (self.proofs / "answers").iterdir() if re.fullmatch(r"[0-9a-f]+\.json", path.name)}

    def assert_part(self, before):
        """The two shards that were not killed answered all of theirs, and the other one some of its own."""
        self.assertGreater(self.formulas(), 60)
        self.assertLess(len(before), self.formulas())
        self.assertGreaterEqual(len(before), 2 * (self.formulas() // 3) + 1)

    def assert_whole(self, before):
        """Each formula is answered, and what was answered before is what it was."""
        after = self.answers()
        self.assertEqual(len(after), self.formulas())
        whole = {name: time for name, time in after.items() if name in before}
        self.assertEqual({name for name, time in whole.items() if time != before[name]}, set())
        self.assertGreater(len(whole), 5)

    def test_parallel(self):
        path = shutil.which("parallel", path="/usr/bin:/bin")
        gnu = path and "GNU parallel" in subprocess.run([path, "--version"], capture_output=True, text=True).stdout
        needed([] if gnu else ["GNU parallel"], "no shards run at once")
        self.assertEqual(self.run_line("hexproof obligations kernel.py schedule.py --out proofs")[0], 0)
        line = f"{CLUSTER}/parallel.sh proofs 3"
        code, said = self.run_line(line)
        self.assertEqual(code, 5, said)
        self.assertIn("some shards did not end well", said)
        before = self.answers()
        self.assert_part(before)
        code, said = self.run_line(line)
        self.assertEqual(code, 0, said)
        self.assertNotIn("did not end well", said)
        self.assert_whole(before)
        # With nothing left to ask, and another number of shards.
        code, said = self.run_line(f"{CLUSTER}/parallel.sh proofs 2")
        self.assertEqual(code, 0, said)
        self.assertEqual(self.run_line(f"{CLUSTER}/parallel.sh proofs")[0], 1)
        self.assertNotEqual(self.run_line(f"{CLUSTER}/parallel.sh none 2")[0], 0)

    def test_slurm(self):
        """The three lines that slurm.sh shows, over a folder of this test."""
        script = CLUSTER / "slurm.sh"
        self.assertEqual(self.run_line(f"bash -n {script}"), (0, ""))
        text = script.read_text()
        # What sbatch reads stands before the first command, and is of its options.
        head = text[:text.index("set -euo")]
        options = re.findall(r"(?m)^#SBATCH (\S+)$", text)
        self.assertEqual(options, re.findall(r"(?m)^#SBATCH (\S+)$", head))
        self.assertEqual([option.partition("=")[0] for option in options], ["--job-name", "--cpus-per-task", "--requeue"])
        lines = re.findall(r"(?m)^#   (\S.*)$", head)
        self.assertEqual([line.split()[0] for line in lines], ["hexproof", "sbatch", "hexproof"])
        self.assertEqual([line.count("/shared/proofs") for line in lines], [1, 1, 1])
        self.assertIn("--array=1-64", lines[1])
        make, array, merge = (line.replace("/shared/proofs", str(self.proofs)).replace("1-64", "1-3") for line in lines)
        spool = self.folder / "spool"
        spool.mkdir()
        self.command("sbatch", SBATCH.format(spool=spool, order="2 1 3"))
        shutil.copy(script, self.folder)
        code, said = self.run_line(make)
        self.assertEqual(code, 0, said)
        code, said = self.run_line(array)
        self.assertEqual(code, 137, said)
        before = self.answers()
        self.assert_part(before)
        self.assertEqual(self.run_line(merge)[0], 5)
        code, said = self.run_line(array)
        self.assertEqual(code, 0, said)
        self.assert_whole(before)
        code, said = self.run_line(merge)
        self.assertEqual(code, 0, said)
        # Without an array, or without a folder, it asks nothing.
        self.assertNotEqual(self.run_line(f"bash {script} proofs")[0], 0)
        self.assertEqual(self.run_line(f"SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=1 bash {script}")[0], 1)


if __name__ == "__main__":
    unittest.main()
