"""Prints what a build of the program consists of, as an SPDX 2.3 document.

    python3 packaging/sbom.py VERSION PROGRAM

Swift packages are those that Package.swift resolved to; libraries those that the program links against,
with the versions of the Debian packages that they come from. Run in the package's folder, on Linux.
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LICENCES = re.compile(r"^\| \[?([A-Za-z0-9-]+)\]?.*\| ([^|]+) \|$")
# Names of docs/dependencies.md whose licences are other than their words.
IDENTIFIERS = {"MIT": "MIT", "Apache 2.0": "Apache-2.0", "curl": "curl", "zlib": "Zlib",
               "Apache 2.0 with runtime exception": "Apache-2.0 WITH Swift-exception",
               "BSD 2-clause": "BSD-2-Clause", "BSD 3-clause": "BSD-3-Clause",
               "BSD 3-clause (or GPL 2)": "BSD-3-Clause", "public domain": "blessing"}


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def licences():
    """Licences by name, as docs/dependencies.md states them."""
    found = {}
    for line in (ROOT / "docs/dependencies.md").read_text().splitlines():
        match = LICENCES.match(line)
        if match:
            found[match[1].lower()] = IDENTIFIERS.get(match[2].strip(), "NOASSERTION")
    return found


def swift_packages():
    """Name and version of each Swift package, without the one that is built."""
    def walk(package):
        for dependency in package["dependencies"]:
            yield dependency["name"], dependency["version"]
            yield from walk(dependency)

    tree = json.loads(output("swift", "package", "show-dependencies", "--format", "json"))
    return sorted(set(walk(tree)))


def libraries(program):
    """Name and version of each Debian package whose libraries the program is linked against."""
    found = set()
    for path in re.findall(r"=> (/\S+)", output("ldd", program)):
        for place in (path, os.path.realpath(path), "/usr" + path):
            asked = subprocess.run(["dpkg-query", "--search", place], capture_output=True, text=True)
            if asked.returncode == 0:
                name = asked.stdout.split(": ")[0].split(",")[0]
                found.add((name.split(":")[0], output("dpkg-query", "--show", "--showformat",
                                                      "${Version}", name)))
                break
    return sorted(found)


def package(name, version, licence, kind):
    return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", f"{kind}-{name}"), "name": name,
            "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION"}


def main():
    version, program = sys.argv[1:]
    known = licences()
    made = datetime.datetime.fromtimestamp(int(output("git", "log", "-1", "--format=%ct")),
                                           datetime.timezone.utc)
    own = package("firstmile", version, "Apache-2.0", "program")
    parts = [package(name, number, known.get(name.lower().removesuffix(".swift"), "NOASSERTION"),
                     "swift") for name, number in swift_packages()]
    parts += [package(name, number, "NOASSERTION", "debian") for name, number in libraries(program)]
    print(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"firstmile-{version}",
        "documentNamespace": f"https://example.com/firstmile/{version}/"
                             + output("git", "rev-parse", "HEAD").strip(),
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: packaging/sbom.py"]},
        "packages": [own, *parts],
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                           "relatedSpdxElement": own["SPDXID"]}]
                         + [{"spdxElementId": own["SPDXID"], "relationshipType": "DEPENDS_ON",
                             "relatedSpdxElement": part["SPDXID"]} for part in parts],
    }, indent=1))


main()
