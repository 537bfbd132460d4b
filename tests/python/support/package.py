"""The Debian package of the build folder: made by cpack once for all tests, as long as what it holds is the same, and taken apart."""
import fcntl
import hashlib
import json
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.path.realpath("/proc/self/exe")).parent


def contents():
    """What tells one state of the files that the package is made of from another."""
    files = [BUILD / name for name in ("hexproof", "hexproof-check", "CPackConfig.cmake", "cmake_install.cmake", "hexproof-config.cmake")]
    for folder, pattern in [(BUILD, "*.a"), (BUILD / "python/hexproof", "*"), (BUILD / "manual", "*"), (BUILD / "CMakeFiles/Export", "**/*"),
                            (ROOT / "include", "**/*"), (ROOT / "tools/cmake", "*")]:
        files += sorted(path for path in folder.glob(pattern) if path.is_file())
    # (What CMake configures again without need has the same bytes.)
    of = [[str(path), path.stat().st_mtime_ns if path.stat().st_size > 100_000 else hashlib.sha256(path.read_bytes()).hexdigest()] for path in files]
    return hashlib.sha256(json.dumps(of).encode()).hexdigest()


def made():
    """The package's file, and the folder that it was taken apart in."""
    place = BUILD / "tests/package"
    place.mkdir(parents=True, exist_ok=True)
    with open(place / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # (tests run at once)
        mark, now = place / "contents", contents()
        if not mark.exists() or mark.read_text() != now:
            mark.unlink(missing_ok=True)
            for folder in ("deb", "root"):
                shutil.rmtree(place / folder, ignore_errors=True)
            ran = subprocess.run(["cpack", "-G", "DEB", "-B", place / "deb"], cwd=BUILD, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            assert ran.returncode == 0, ran.stdout
            shutil.rmtree(place / "deb/_CPack_Packages")
            package, = (place / "deb").glob("*.deb")
            subprocess.run(["dpkg-deb", "-x", package, place / "root"], check=True)
            mark.write_text(now)
    package, = (place / "deb").glob("*.deb")
    return package, place / "root"
