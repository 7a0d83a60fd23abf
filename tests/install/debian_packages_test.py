# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""debian_packages_test.py <build folder> <work folder>: `cpack -G DEB` makes packages that depend on the libraries of their
programs. Their commands run from the folder of the unpacked package. Packages of a build with MPI have names of their own."""

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
        cls.mpi = "-mpi" if re.search("^KARMAN_ENABLE_MPI:BOOL=ON", (BUILD / "CMakeCache.txt").read_text(), re.M) else ""

    def field(self, package, name):
        return run("dpkg-deb", "-f", self.packages[package], name).strip()

    def depends(self, package):
        return {word.split()[0] for word in self.field(package, "Depends").split(",")}

    def test_packages_with_mpi_take_the_place_of_those_without(self):
        names = {"karman": f"karman{self.mpi}", "karman-perf": f"karman-perf{self.mpi}", "libkarman-dev": f"libkarman{self.mpi}-dev"}
        self.assertLessEqual(set(self.packages), set(names.values()))
        for plain, package in names.items():
            if package in self.packages:
                version = self.field(package, "Version")
                expected = (f"{plain} (= {version})", plain, plain) if self.mpi else ("", "", "")
                self.assertEqual(tuple(self.field(package, name) for name in ("Provides", "Conflicts", "Replaces")), expected)
        if self.mpi:
            libraries = run("ldd", WORK / "tree/usr/bin/karman")
            self.assertRegex(libraries, r"libmpi(ch)?[.]so")
            self.assertTrue(any(re.match("libopenmpi|libmpich", name) for name in self.depends("karman-mpi")))
            self.assertTrue(any(re.match("libopenmpi-dev|libmpich-dev|mpi-default-dev", name) for name in self.depends("libkarman-mpi-dev")))
            headers = [path.name for path in (WORK / "tree/usr/include/karman/core").glob("mpi.hpp")]
            self.assertEqual(headers, ["mpi.hpp"])

    def test_programs_name_their_libraries(self):
        for program in ("karman", "karman-perf"):
            package = program + self.mpi
            if package not in self.packages:
                continue
            libraries = run("ldd", WORK / "tree/usr/bin" / program)
            self.assertNotIn("not found", libraries)
            self.assertIn("libc6", self.depends(package))
            # Its own libraries; those have others of theirs.
            needed = run("readelf", "-d", WORK / "tree/usr/bin" / program)
            for library, owner in (("libfftw3.so", "libfftw3-double3"), ("libsuperlu", "libsuperlu"), ("libumfpack", "libumfpack"), ("libzmumps_seq", "libmumps-seq"), ("libmetis", "libmetis5")):
                if library in needed:
                    self.assertTrue(any(name.startswith(owner) for name in self.depends(package)), owner)

    def test_the_command_finds_its_cases(self):
        listed = run(WORK / "tree/usr/bin/karman", "list")
        self.assertIn(f"The cases are in {WORK}/tree/usr/share/karman/cases/<application>;", listed)

    def test_other_packages_bring_the_licence(self):
        self.assertIn(f"libkarman{self.mpi}-dev", self.packages)
        self.assertTrue((WORK / "tree/usr/share/doc/karman/LICENSE").is_file())
        for package in set(self.packages) - {f"karman{self.mpi}"}:
            self.assertIn(f"karman{self.mpi}", self.depends(package))

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
