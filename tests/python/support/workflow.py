"""Runs a job of a GitHub workflow here: each `run:` in the shell that a runner starts, and of the actions what they read and keep.

An action that is not known, and an expression that is not, is an error: a workflow that asks for more is not called run.
"""
import contextlib
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import time

import yaml


class Failed(Exception):
    """A step that a runner would call failed."""


class Workflow:
    """The workflow at `path` of the folder `repository`; what its caches keep between runs stands in the folder `store`."""

    def __init__(self, repository, path, store):
        self.repository, self.store = pathlib.Path(repository), pathlib.Path(store)
        self.says = yaml.safe_load((self.repository / path).read_text())

    def run(self, work, path):
        """The one job, in a fresh checkout in `work`, with commands found in `path`. What became of it."""
        (job,) = self.says["jobs"].values()
        return Run(self, job, pathlib.Path(work), path)


class Run:
    def __init__(self, workflow, job, work, path):
        self.workflow, self.job, self.work = workflow, job, work
        self.environment = {"PATH": path, "HOME": str(work.parent), "CI": "true", "GITHUB_ACTIONS": "true", "LC_ALL": "C.UTF-8",
                            **workflow.says.get("env", {}), **job.get("env", {})}
        self.failed = ""        # the step that did
        self.said = {}          # of each step what it printed, by its name
        self.seconds = {}       # of each step the processor's (the clock tells of the machine's other work)
        self.clock = {}
        self.logs, self.artifacts, self.after = [], {}, []
        for step in job["steps"]:
            name = step.get("name") or step["uses"]
            condition = step.get("if", "success()")
            assert condition in ("success()", "always()"), condition
            if self.failed and condition != "always()":
                continue
            try:
                if "run" in step:
                    self.shell(name, step)
                else:
                    self.action(step["uses"], step.get("with", {}))
            except Failed as why:
                self.failed = self.failed or f"{name}: {why}"
        if not self.failed:  # (a cache is kept where the job went well)
            for keep in self.after:
                keep()

    def shell(self, name, step):
        assert not set(step) - {"name", "run", "env", "if"}, step
        # Of a job in a container; elsewhere it would be bash.
        shell = ["sh", "-e"] if "container" in self.job else ["bash", "-e"]
        script = self.work.parent / "step.sh"
        script.write_text(self.text(step["run"]))
        environment = {**self.environment, **{key: self.text(value) for key, value in step.get("env", {}).items()}}
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        ran = subprocess.run([*shell, script], cwd=self.work, env=environment, text=True, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds[name] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.clock[name] = time.monotonic() - start
        self.said[name] = ran.stdout
        if ran.returncode != 0:
            raise Failed(f"exit code {ran.returncode}")

    def action(self, uses, given):
        action, _, version = uses.partition("@")
        assert re.fullmatch(r"v\d+", version), uses
        {"actions/checkout": self.checkout, "actions/cache": self.cache, "github/codeql-action/upload-sarif": self.upload_sarif,
         "actions/upload-artifact": self.upload_artifact}[action](**{key.replace("-", "_"): value for key, value in given.items()})

    def text(self, value):
        """With its expressions as what they are."""
        def of(match):
            files = re.fullmatch(r"hashFiles\('([^']+)'\)", match[1])
            assert files, f"the expression {match[1]!r} is not known"
            found = sorted(p for p in self.work.glob(files[1].replace("**", "**/*")) if p.is_file())
            assert found, f"{match[1]}: there is no such file"
            return hashlib.sha256(b"".join(hashlib.sha256(p.read_bytes()).digest() for p in found)).hexdigest()
        return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", of, str(value))

    def checkout(self):
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(self.work)
        shutil.copytree(self.workflow.repository, self.work)

    def cache(self, path, key, restore_keys=""):
        """That of the same key or, without one, the last whose key begins as a restore key; kept under the key afterwards."""
        key = self.text(key)
        kept = sorted(self.workflow.store.glob("*"), key=lambda folder: folder.stat().st_mtime_ns, reverse=True)
        found = [folder for start in [key, *self.text(restore_keys).split()] for folder in kept
                 if (folder.name == key if start == key else folder.name.startswith(start))]
        self.restored = found[0].name if found else ""
        if found:
            shutil.copytree(found[0], self.work / path, symlinks=True)
        if self.restored != key:
            def keep():
                assert (self.work / path).exists(), f"{path}: there is nothing to keep"
                shutil.copytree(self.work / path, self.workflow.store / key, symlinks=True)
                os.utime(self.workflow.store / key)
            self.after.append(keep)

    def upload_sarif(self, sarif_file):
        assert self.workflow.says["permissions"]["security-events"] == "write"
        place = self.work / sarif_file
        files = sorted(place.rglob("*.sarif")) if place.is_dir() else [place]
        if not files or not all(file.is_file() for file in files):
            raise Failed(f"{sarif_file}: no SARIF file is there")
        self.logs = [json.loads(file.read_text()) for file in files]
        # Two with one category would replace each other, and are refused.
        categories = [run["automationDetails"]["id"].rpartition("/")[0] for log in self.logs for run in log["runs"]]
        if len(set(categories)) != len(categories):
            raise Failed(f"one category twice: {categories}")

    def upload_artifact(self, name, path):
        place = self.work / path
        # (Hidden ones are left out by the action.)
        files = sorted(str(p.relative_to(place)) for p in place.rglob("*") if p.is_file() and "/." not in f"/{p.relative_to(place)}")
        if not files:
            raise Failed(f"{path}: nothing is there")
        self.artifacts[name] = files
