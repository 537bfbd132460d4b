"""hexproof as a stranger has it: from `pip install .` without a network, and from the Debian package that cpack makes, taken apart
below a folder, without this source tree."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python/support"))
import package  # noqa: E402

PYTHON = "/usr/bin/python3.11"
PARTS = [f"/usr/lib/python3/dist-packages/{name}" for name in ("pip", "setuptools", "wheel")]
USE = """
import hexproof as hp, pathlib
assert pathlib.Path(hp.__file__).parent.parent == pathlib.Path({folder!r})
assert (pathlib.Path(hp.__file__).parent / "py.typed").exists()
assert "def split(" in (pathlib.Path(hp.__file__).parent / "__init__.pyi").read_text()
assert hp.check("def main(A: T.Buffer((8,), 'int32')):\\n    for i in range(8):\\n        A[i] = 1\\n")
"""


class Install(unittest.TestCase):
    def test_offline(self):
        for part in PARTS:
            self.assertTrue(os.path.isdir(part), f"the package python3-{os.path.basename(part)}, which ./dev installs, is not here")
        build = os.path.dirname(os.path.realpath("/proc/self/exe"))
        before = sorted(p.name for p in ROOT.iterdir())
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(os.path.realpath(folder), "site")
            environment = {"PATH": "/usr/bin:/bin", "HOME": folder, "HEXPROOF_BUILD": build, "PIP_NO_INDEX": "1",
                           "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
            ran = subprocess.run([PYTHON, "-m", "pip", "install", "--target", target, str(ROOT)], capture_output=True, text=True,
                                 env=environment, cwd=folder)
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
            use = subprocess.run([PYTHON, "-c", USE.format(folder=target)], capture_output=True, text=True, cwd=folder,
                                 env={"PATH": "/usr/bin:/bin", "HOME": folder, "PYTHONPATH": target})
            self.assertEqual(use.returncode, 0, use.stderr)
        self.assertEqual(sorted(p.name for p in ROOT.iterdir()), before)  # nothing is left in the source


def said(*words, code=0, **more):
    """What the command prints, if it ends so."""
    ran = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    assert ran.returncode == code, f"{words}: exit code {ran.returncode}\n{ran.stdout}"
    return ran.stdout


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.deb, cls.root = package.made()
        cls.prefix = cls.root / "usr"
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.clean = {"PATH": "/usr/bin:/bin", "HOME": folder.name, "XDG_CACHE_HOME": f"{folder.name}/cache", "LC_ALL": "C.UTF-8"}

    def said(self, *words, **more):
        return said(*words, env=self.clean, cwd=self.folder, **more)

    def field(self, name):
        return self.said("dpkg-deb", "-f", self.deb, name).strip()

    def binaries(self):
        return [self.prefix / "bin/hexproof", self.prefix / "bin/hexproof-check", *self.prefix.glob("lib/hexproof/python/hexproof/*.so")]

    def test_the_control_fields(self):
        version = re.search(r"\d+\.\d+\.\d+", self.said(self.prefix / "bin/hexproof", "--version"))[0]
        for name, value in {"Package": "hexproof", "Version": version, "Section": "devel", "Priority": "optional",
                            "Recommends": "cvc5, qemu-user", "Architecture": self.said("dpkg", "--print-architecture").strip()}.items():
            self.assertEqual(self.field(name), value)
        self.assertIn("proved steps", self.field("Description"))
        self.assertTrue(self.field("Maintainer"))
        size = sum(path.stat().st_size for path in self.root.rglob("*") if path.is_file()) / 1024
        self.assertAlmostEqual(int(self.field("Installed-Size")), size, delta=size / 50)
        self.assertIn("Depends: libc6", self.said("dpkg-deb", "-I", self.deb))

    def test_it_depends_on_the_libraries_that_its_programs_name(self):
        depends = {re.sub(r"[ :(].*", "", one) for one in self.field("Depends").split(", ")}
        self.assertEqual(len(self.binaries()), 3)
        owners = {}
        for binary in self.binaries():
            found = dict(re.findall(r"(\S+) => (/\S+)", self.said("ldd", binary)))
            for library in re.findall(r"\(NEEDED\).*\[(.*)\]", self.said("readelf", "-d", binary)):
                path = pathlib.Path(found.get(library, f"/lib64/{library}")).resolve()
                names = (str(path), str(path).removeprefix("/usr"))  # (dpkg knows a file by one of them)
                owner = next(ran.stdout.split(":")[0] for name in names
                             for ran in [subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)] if ran.returncode == 0)
                owners[owner] = library
        self.assertLessEqual(set(owners), depends, owners)
        self.assertLessEqual({"libz3-4", "libllvm19", "libsqlite3-0", "libssl3", "libfmt9", "libpython3.11"}, set(owners))
        for name in depends:
            self.assertIn("install ok installed", self.said("dpkg-query", "-W", "-f=${Status}", name))

    def test_the_files(self):
        listed = {}
        for line in self.said("dpkg-deb", "-c", self.deb).splitlines():
            mode, owner, _, _, _, path = line.split(None, 5)
            self.assertEqual(owner, "root/root")
            self.assertNotIn("w", mode[4:], path)
            if not path.endswith("/"):
                listed[path.removeprefix("./usr/")] = mode
        expected = {"bin/hexproof", "bin/hexproof-check", "share/man/man1/hexproof.1", "share/bash-completion/completions/hexproof",
                    "share/zsh/vendor-completions/_hexproof", "share/fish/vendor_completions.d/hexproof.fish"}
        expected |= {f"include/hexproof/{path.name}" for path in (ROOT / "include/hexproof").iterdir()}
        expected |= {f"lib/cmake/hexproof/hexproof-{name}.cmake" for name in
                     ("config", "config-version", "targets", "targets-release", "dependencies", "certify")}
        expected |= {f"lib/libhexproof_{name}.a" for name in ("api", "ir", "verify", "rewrite", "backend", "python")}
        expected |= {f"lib/hexproof/python/hexproof/{path.name}" for path in (package.BUILD / "python/hexproof").iterdir() if path.is_file()}
        self.assertEqual(set(listed), expected)  # (/usr/bin/python, for one, is not hexproof's)
        self.assertEqual({path for path, mode in listed.items() if mode.startswith("-rwx")}, {"bin/hexproof", "bin/hexproof-check"})
        self.said("dpkg-deb", "-e", self.deb, self.folder / "control")
        said("md5sum", "--quiet", "-c", self.folder / "control/md5sums", cwd=self.root)

    def test_the_commands_run(self):
        command, made = self.prefix / "bin/hexproof", self.folder / "made"
        embed = ROOT / "examples/embed"
        self.said(command, "certify", embed / "scale.py", embed / "scale.schedule.py", "--target", "host", "-o", made)
        self.said(self.prefix / "bin/hexproof-check", made)
        served = self.said(command, "python", "-c", "import hexproof; print(hexproof.__file__, hexproof.check('def f(A: T.Buffer((8,), \"int32\")):\\n    A[0] = 1\\n').verdict)")
        self.assertIn(str(self.prefix / "lib/hexproof/python/hexproof/__init__.py"), served)
        use = subprocess.run([PYTHON, "-c", "import hexproof; print(hexproof.__file__); hexproof.read"], capture_output=True, text=True, cwd=self.folder,
                             env={**self.clean, "PYTHONPATH": str(self.prefix / "lib/hexproof/python")})
        self.assertEqual(use.returncode, 0, use.stderr)
        self.assertIn(str(self.prefix), use.stdout)

    def test_what_shells_and_readers_have(self):
        subcommands = re.findall(r"(?m)^  ([a-z]+) {2,}", self.said(self.prefix / "bin/hexproof", "--help").partition("Subcommands:")[2])
        self.assertGreater(len(subcommands), 15)
        for file in ("man/man1/hexproof.1", "bash-completion/completions/hexproof", "zsh/vendor-completions/_hexproof",
                     "fish/vendor_completions.d/hexproof.fish"):
            text = (self.prefix / "share" / file).read_text()
            for name in subcommands:
                self.assertIn(name, text, file)
        self.said("bash", "-n", self.prefix / "share/bash-completion/completions/hexproof")

    def test_headers_are_the_public_ones_and_include_no_others(self):
        for header in (self.prefix / "include").rglob("*.h"):
            for name in re.findall(r'#include "([^"]*)"', header.read_text()):
                self.assertTrue(name.startswith("hexproof/"), f"{header}: {name}")

    def test_the_package_names_no_place_of_the_machine_that_built_it(self):
        files = list(self.prefix.rglob("*.cmake"))
        self.assertGreaterEqual(len(files), 4)
        for file in files:
            text = file.read_text()
            for place in (ROOT, package.BUILD, "/usr/lib", "/usr/include", self.prefix):
                self.assertNotIn(str(place), text, file)

    def test_the_example_builds_against_it_and_runs(self):
        build = self.folder / "embed"
        sanitize = re.search(r"(?m)^HEXPROOF_SANITIZE:\w+=(.*)$", (package.BUILD / "CMakeCache.txt").read_text())
        flags = f"-fsanitize={sanitize[1]}" if sanitize and sanitize[1] else ""
        self.said("cmake", "-G", "Ninja", "-S", ROOT / "examples/embed", "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_FLAGS={flags}")
        self.said("cmake", "--build", build)
        text = self.said(build / "embed")
        for line in ("def matmul", "proved: matmul of matmul.py under schedule.py", "C: 256 of 256 elements bit-equal to the interpreter's",
                     "C[0, 0] = 48"):
            self.assertIn(line, text)
        # The kernel that the build has certified, and its audit as a test.
        self.assertIn("b[21] = 63", self.said(build / "use"))
        self.assertIn("scale.audit", self.said("ctest", "--test-dir", build, "--output-on-failure"))

    def test_a_kernel_for_hexagon(self):
        """TARGET_ARCH hexagon: a library of an object for it, and the audit of its certificate."""
        source, build = self.folder / "for_hexagon", self.folder / "for_hexagon/build"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(kernel LANGUAGES C)\nfind_package(hexproof REQUIRED)\nenable_testing()\n"
            "hexproof_certify(TARGET scale PROGRAM scale.py SCHEDULE scale.schedule.py TARGET_ARCH hexagon)\n")
        for name in ("scale.py", "scale.schedule.py"):
            shutil.copy(ROOT / "examples/embed" / name, source)
        self.said("cmake", "-G", "Ninja", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.assertIn("certifying scale for hexagon", self.said("cmake", "--build", build))
        certificate = json.loads((build / "scale.certificate/certificate.json").read_text())
        self.assertEqual((certificate["verdict"], certificate["made"]["target"]), ("proved", "hexagon"))
        self.assertEqual(self.said("ar", "t", build / "libscale.a").split(), ["kernel.o"])
        self.assertIn("QUALCOMM DSP6", self.said("readelf", "-h", build / "scale.certificate/kernel.o"))
        self.assertIn("100% tests passed", self.said("ctest", "--test-dir", build, "--output-on-failure"))

    def test_a_kernel_is_built_again_when_its_schedule_imports_something_else(self):
        source = self.folder / "kernel"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(kernel LANGUAGES C)\nfind_package(hexproof REQUIRED)\n"
            "hexproof_certify(TARGET scale PROGRAM scale.py SCHEDULE scale.schedule.py OPTIONS --no-run)\n")
        shutil.copy(ROOT / "examples/embed/scale.py", source)
        (source / "scale.schedule.py").write_text("import helper\n")
        for generator in ("Ninja", "Unix Makefiles"):
            with self.subTest(generator):
                build = source / generator.split()[0]
                (source / "helper.py").write_text("factor = 8\n")
                self.said("cmake", "-G", generator, "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
                self.assertIn("certifying scale", self.said("cmake", "--build", build))
                self.assertNotIn("certifying scale", self.said("cmake", "--build", build))
                time.sleep(1)  # (make knows seconds)
                (source / "helper.py").write_text("import nothing_of_this_name\n")
                ran = subprocess.run(["cmake", "--build", build], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self.clean)
                self.assertNotEqual(ran.returncode, 0)
                self.assertIn("nothing_of_this_name", ran.stdout)


if __name__ == "__main__":
    unittest.main()
