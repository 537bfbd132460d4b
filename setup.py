"""pip install . : the package for Python, offline, by Debian's setuptools and the packages that ./dev build installs.

The compiled part is built by CMake in the folder build/, or in HEXPROOF_BUILD; what is up to date there is taken as it is.
(There is no pyproject.toml, since pip would fetch what it builds with.)
"""
import atexit
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
SCRATCH = tempfile.mkdtemp()  # build/ is CMake's
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)


class Build(build_py):
    def run(self):
        folder = pathlib.Path(os.environ.get("HEXPROOF_BUILD", HERE / "build"))
        if not (folder / "build.ninja").exists():
            subprocess.run(["cmake", "--preset", "release", "-B", str(folder)], cwd=HERE, check=True, stdout=sys.stderr)
        subprocess.run(["cmake", "--build", str(folder), "--target", "hexproof_extension"], cwd=HERE, check=True, stdout=sys.stderr)
        super().run()
        package = pathlib.Path(self.build_lib, "hexproof")
        for compiled in (folder / "python" / "hexproof").glob("_hexproof.*.so"):
            shutil.copy(compiled, package)
        stubs = [sys.executable, "-m", "hexproof.stubs", str(package.parent)]
        subprocess.run(stubs, check=True, env={**os.environ, "PYTHONPATH": str(package.parent)})
        (package / "py.typed").touch()
        shutil.rmtree(package / "__pycache__", ignore_errors=True)


class Compiled(Distribution):
    def has_ext_modules(self):
        return True


setup(
    name="hexproof",
    version="0.1.0",
    description="Tensor programs, transformed by rules, every step proved",
    packages=["hexproof"],
    package_dir={"hexproof": "tools/python/package/hexproof"},
    python_requires=">=3.11,<3.12",
    cmdclass={"build_py": Build},
    distclass=Compiled,
    zip_safe=False,
    options={"build": {"build_base": SCRATCH}, "egg_info": {"egg_base": SCRATCH}, "bdist_wheel": {"bdist_dir": SCRATCH + "/wheel"}},
)
