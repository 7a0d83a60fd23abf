# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""debian_packages_test.py <build folder> <work folder>: `cpack -G DEB` makes packages that depend on the libraries of their
programs. Their commands run from the folder of the unpacked package."""

import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

BUILD = Path(sys.argv.pop(1)).resolve()
WORK = Path(sys.argv.pop(1)).resolve() / "packages"


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True, timeout=300,
                          env={**os.environ, "KARMAN_INSTALL_NATIVE": "1"}).stdout


class DebianPackages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        run("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", WORK)
        cls.packages = {run("dpkg-deb", "-f", package, "Package").strip(): package for package in WORK.glob("*.deb")}
        for package in cls.packages.values():
            run("dpkg-deb", "-x", package, WORK / "tree")

    def depends(self, package):
        words = run("dpkg-deb", "-f", self.packages[package], "Depends").split(",")
        return {word.split()[0] for word in words}

    def test_programs_name_their_libraries(self):
        for package, program in (("karman", "karman"), ("karman-perf", "karman-perf")):
            if package not in self.packages:
                continue
            libraries = run("ldd", WORK / "tree/usr/bin" / program)
            self.assertNotIn("not found", libraries)
            self.assertIn("libc6", self.depends(package))
            for library, owner in (("libfftw3.so", "libfftw3-double3"), ("libsuperlu", "libsuperlu"), ("libumfpack", "libumfpack"), ("libzmumps_seq", "libmumps-seq"), ("libmetis", "libmetis5")):
                if library in libraries:
                    self.assertTrue(any(name.startswith(owner) for name in self.depends(package)), owner)

    def test_the_command_finds_its_cases(self):
        listed = run(WORK / "tree/usr/bin/karman", "list")
        self.assertIn(f"The cases are in {WORK}/tree/usr/share/karman/cases/<application>;", listed)

    def test_other_packages_bring_the_licence(self):
        self.assertIn("libkarman-dev", self.packages)
        self.assertTrue((WORK / "tree/usr/share/doc/karman/LICENSE").is_file())
        for package in set(self.packages) - {"karman"}:
            self.assertIn("karman", self.depends(package))

    def test_every_package_has_its_copyright(self):
        for package in self.packages:
            notice = (WORK / "tree/usr/share/doc" / package / "copyright").read_text(encoding="utf-8")
            self.assertIn("Apache-2.0 WITH LLVM-exception", notice)
            self.assertIn("Sandia", notice)

    def test_a_copy_of_kokkos_is_whole(self):
        configuration = next((WORK / "tree/usr").glob("lib*/**/karman-config.cmake")).read_text(encoding="utf-8")
        copy = re.search(r'set\(karman_installed_kokkos "(.*)"\)', configuration)[1]
        if not copy:
            self.skipTest("this build installs none (KARMAN_INSTALL_KOKKOS)")
        folder = WORK / "tree/usr" / copy
        self.assertTrue((folder / "include/Kokkos_Core.hpp").is_file())
        for file in ("libkokkoscore.a", "KokkosConfig.cmake"):
            self.assertTrue(list(folder.glob(f"lib*/**/{file}")), file)
        # The place of the original is of no use on other machines.
        self.assertIn('set(karman_built_kokkos_dir "")', configuration)


if __name__ == "__main__":
    unittest.main()
