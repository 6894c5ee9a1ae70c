"""What the program that has everything inside is made of, and on which terms.

    python3 packaging/inside.py LINKED_FROM FOLDER     copies the licences of all parts into a folder

LINKED_FROM lists the archives whose parts are inside, a path a line, as `script/link-program --static`
writes it: the toolchain's, those of Debian's packages, and those that script/static-libraries built. Run in
the package's folder, on Linux.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILT = ROOT / ".build-static"


class Part(typing.NamedTuple):
    kind: str  # swift: a package of Swift or the toolchain; debian
    name: str
    version: str
    licences: list  # files


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def swift_packages():
    """The packages that Package.swift resolved to, without the one that is built."""
    def walk(package):
        for dependency in package["dependencies"]:
            folder = pathlib.Path(dependency["path"])
            licences = sorted(path for path in folder.iterdir()
                              if re.match("licen[cs]e|notice", path.name, re.IGNORECASE))
            yield dependency["name"], Part("swift", dependency["name"], dependency["version"], licences)
            yield from walk(dependency)

    tree = json.loads(output("swift", "package", "show-dependencies", "--format", "json"))
    return list(dict(walk(tree)).values())


def debian_package(path):
    """The package that a file comes from."""
    # A package may say /lib for what lies in /usr/lib.
    for place in (path, path.resolve(), pathlib.Path("/usr" + str(path))):
        asked = subprocess.run(["dpkg-query", "--search", place], capture_output=True, text=True)
        if asked.returncode == 0:
            full = asked.stdout.split(": ")[0].split(",")[0]
            name = full.split(":")[0]
            version = output("dpkg-query", "--show", "--showformat", "${Version}", full)
            return Part("debian", name, version, [pathlib.Path("/usr/share/doc", name, "copyright")])
    raise SystemExit(f"inside: no Debian package has {path}")


def libraries(linked_from):
    """The packages whose archives are linked into the program."""
    versions = dict(line.split() for line in (BUILT / "versions").read_text().splitlines())
    toolchain = json.loads(output("swift", "-print-target-info"))
    swift = pathlib.Path(toolchain["paths"]["runtimeResourcePath"]).parents[1]
    found = {}
    for path in map(pathlib.Path, pathlib.Path(linked_from).read_text().splitlines()):
        if path.parent.resolve() == BUILT:
            name = {"libcurl": "curl", "libisal": "libisal"}[path.stem]
            part = Part("debian", name, versions[name], [BUILT / f"{name}.copyright"])
        elif path.is_relative_to(swift):
            version = re.search(r"Swift version (\S+)", toolchain["compilerVersion"])[1]
            part = Part("swift", "swift", version, [swift / "share/swift/LICENSE.txt"])
        else:
            part = debian_package(path)
        found[part.name] = part
    return list(found.values())


def parts(linked_from):
    return sorted(swift_packages() + libraries(linked_from))


def main():
    linked_from, folder = sys.argv[1:]
    for part in parts(linked_from):
        if not part.licences:
            raise SystemExit(f"inside: {part.name} has no licence that could be shipped")
        for path in part.licences:
            ending = "" if len(part.licences) == 1 else "." + path.stem.lower()
            shutil.copyfile(path, pathlib.Path(folder, part.name.lower() + ending))


if __name__ == "__main__":
    main()
