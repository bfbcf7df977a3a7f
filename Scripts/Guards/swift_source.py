"""Swift files read as text: enough to count with, and no parser.

A figure can be off by a few where the code is unusual; it is compared with itself over time.
"""

import pathlib
import re

STRINGS_AND_COMMENTS = re.compile(
    r'"""(?:\\.|[^\\])*?"""'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|//[^\n]*"
    r"|/\*.*?\*/",
    re.DOTALL,
)
MODIFIERS = (
    r"(?:@\w+(?:\([^)]*\))?\s+)*"
    r"(?:(?:public|package|open|internal|private|fileprivate|final|indirect|nonisolated)"
    r"(?:\([\w]+\))?\s+)*"
)
TYPE = re.compile(
    r"^(" + MODIFIERS + r")(?:class|struct|enum|actor|protocol)\s+(\w+)", re.MULTILINE
)
EXTENSION = re.compile(r"^" + MODIFIERS + r"extension\s+(\w+)", re.MULTILINE)
NESTED_TYPE = re.compile(
    r"^\s*" + MODIFIERS + r"(?:class|struct|enum|actor|protocol|typealias)\s+([A-Z]\w+)",
    re.MULTILINE,
)


class SwiftFile:
    """One file: its text, and its code, which is the text with strings and comments blanked."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.code = STRINGS_AND_COMMENTS.sub(blank, text)

    @property
    def name(self):
        return pathlib.PurePosixPath(self.path).name

    @property
    def folder(self):
        return str(pathlib.PurePosixPath(self.path).parent)

    @property
    def target(self):
        return self.path.split("/")[0]

    @property
    def lines(self):
        return self.text.count("\n")

    def declared_types(self):
        """The top-level types that the file declares: (name, whether it is public)."""
        for match in TYPE.finditer(self.code):
            is_public = re.search(r"\b(public|open)\b", match.group(1)) is not None
            yield match.group(2), is_public

    def extended_types(self):
        for match in EXTENSION.finditer(self.code):
            yield match.group(1)

    def bodies(self, name):
        """The text between the braces of each declaration and extension of a type."""
        start = re.compile(
            r"^" + MODIFIERS + r"(?:class|struct|enum|actor|extension)\s+" + name + r"\b[^{]*\{",
            re.MULTILINE,
        )
        for match in start.finditer(self.code):
            yield self.code[match.end() : closing(self.code, match.end()) - 1]


class Function:
    """One `func` of a file, with its parameters as they are written."""

    HEAD = re.compile(r"^([^\n]*)\bfunc\s+([^\s(<]+)(?:<[^>\n]*>)?\(", re.MULTILINE)

    def __init__(self, file, match):
        self.file = file
        self.name = match.group(2)
        self.is_public = re.search(r"\b(public|open)\b", match.group(1)) is not None
        end = closing(file.code, match.end())
        self.parameters = split_parameters(file.code[match.end() : end - 1])

    @classmethod
    def all(cls, file):
        return [cls(file, match) for match in cls.HEAD.finditer(file.code)]

    @property
    def unlabelled(self):
        return sum(1 for parameter in self.parameters if re.match(r"\s*_\s", parameter))


def read_sources(root):
    """All Swift files below a folder, by their paths in it."""
    root = pathlib.Path(root)
    return [
        SwiftFile(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))
        for path in sorted(root.rglob("*.swift"))
    ]


def blank(match):
    """Spaces for a string or comment, line ends kept, so that places stay places."""
    return re.sub(r"[^\n]", " ", match.group(0))


def closing(code, start):
    """The index behind the bracket that closes the one before `start`."""
    depth = 1
    index = start
    while depth and index < len(code):
        if code[index] in "([{":
            depth += 1
        elif code[index] in ")]}":
            depth -= 1
        index += 1
    return index


def split_parameters(text):
    """The parameters of a list: commas between brackets, generic ones included, split nothing."""
    parameters, depth, start = [], 0, 0
    for index, character in enumerate(text):
        is_arrow = character == ">" and text[index - 1 : index] == "-"
        if character in "([{<":
            depth += 1
        elif character in ")]}>" and not is_arrow:
            depth -= 1
        elif character == "," and depth == 0:
            parameters.append(text[start:index])
            start = index + 1
    if text[start:].strip():
        parameters.append(text[start:])
    return parameters
