"""The limits of the figures: a line each, `name  at most | at least  number`, and comments."""

import re

LINE = re.compile(r"^(\S+)(\s+)(at most|at least)(\s+)([\d.]+)(.*)$")


class Limits:
    def __init__(self, text):
        self.lines = text.splitlines()
        self.values = {}
        for number, line in enumerate(self.lines, 1):
            if not line.strip() or line.startswith("#"):
                continue
            match = LINE.match(line)
            if not match:
                raise ValueError(
                    f"line {number} is not understood: {line!r}."
                    " Write: name, 'at most' or 'at least', a number."
                )
            self.values[match.group(1)] = (match.group(3), float(match.group(5)))

    def text(self):
        return "".join(line + "\n" for line in self.lines)

    def faults(self, figures):
        """One line for each figure that is beyond its limit or has none, and for strange lines."""
        faults = []
        for figure in figures:
            if figure.name not in self.values:
                faults.append(f"{figure.name} has no limit: Scripts/house --write adds it.")
                continue
            bound, limit = self.values[figure.name]
            if bound != figure.bound:
                faults.append(f"{figure.name} needs a limit of the form '{figure.bound}'.")
            elif is_beyond(figure, limit):
                worst = "; ".join(" ".join(place.split()) for place in figure.places[:3])
                faults.append(
                    f"{figure.name} is {figure.text()}, and must be {bound} {figure.text(limit)}:"
                    f" {figure.remedy}. Worst: {shortened(worst)}"
                )
        strange = sorted(self.values.keys() - {figure.name for figure in figures})
        faults += [f"{name} is no figure: take its limit out." for name in strange]
        return faults

    def tighten(self, figures):
        """Brings limits to the figures that are better, never looser, and adds missing ones."""
        changes = []
        for figure in figures:
            if figure.name not in self.values:
                self.lines.append(f"{figure.name:24}{figure.bound:8} {figure.value:8g}")
                changes.append(f"{figure.name}: {figure.bound} {figure.text()}, new")
                continue
            bound, limit = self.values[figure.name]
            if bound != figure.bound or figure.value == limit or is_beyond(figure, limit):
                continue
            self.lines = [self.replaced(line, figure) for line in self.lines]
            changes.append(f"{figure.name}: {bound} {figure.text()}, before {figure.text(limit)}")
        self.values = Limits(self.text()).values
        return changes

    @staticmethod
    def replaced(line, figure):
        match = LINE.match(line)
        if not match or match.group(1) != figure.name:
            return line
        old = match.group(4) + match.group(5)
        new = f"{figure.value:g}".rjust(len(old) - 1)
        return f"{match.group(1)}{match.group(2)}{match.group(3)} {new}{match.group(6)}"


def is_beyond(figure, limit):
    return figure.value < limit if figure.higher_is_better else figure.value > limit


def shortened(text, length=300):
    return text if len(text) <= length else text[: length - 1] + "…"
