"""Prints the figures of the sources' structure, and fails where one is beyond its limit.

usage: Scripts/house            the figures with their limits
       Scripts/house --worst    the same, with the worst places of each figure
       Scripts/house --write    tightens the limits of figures that have improved; loosens none
       Scripts/house --test     runs the tests of the scripts

The limits stand in Scripts/house.limits. A limit is loosened by hand, and its commit says why.
"""

import pathlib
import sys
import unittest

from figures import all_figures
from limits import Limits
from swift_source import read_sources

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
PLACES = 12


def main(options):
    if options == ["--test"]:
        return run_tests()
    if not set(options) <= {"--worst", "--write"}:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    return measure(SCRIPTS.parent / "Sources", SCRIPTS / "house.limits", options)


def measure(sources, file, options):
    figures = all_figures(read_sources(sources))
    try:
        limits = Limits(file.read_text(encoding="utf-8") if file.exists() else "")
    except ValueError as error:
        print(f"error: {file.name}: {error}", file=sys.stderr)
        return 2
    if "--write" in options:
        for change in limits.tighten(figures):
            print(f"limit of {change}")
        file.write_text(limits.text(), encoding="utf-8")
    show(figures, limits, places=PLACES if "--worst" in options else 0)
    faults = limits.faults(figures)
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    if faults:
        print("Scripts/house --worst lists more places.", file=sys.stderr)
    return 1 if faults else 0


def show(figures, limits, places):
    for figure in figures:
        bound, limit = limits.values.get(figure.name, (figure.bound, None))
        allowed = "no limit" if limit is None else f"{bound} {figure.text(limit)}"
        print(f"{figure.name:24}{figure.text():>8}   {allowed}")
        for place in figure.places[:places]:
            print(f"    {place}")


def run_tests():
    tests = unittest.defaultTestLoader.discover(str(SCRIPTS / "Guards"), pattern="test_*.py")
    return 0 if unittest.TextTestRunner().run(tests).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
