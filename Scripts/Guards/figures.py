"""The figures of the sources' structure. Totals are no figures: they grow with what is built."""

import collections
import dataclasses
import math
import re
import statistics

from graph import components
from swift_source import NESTED_TYPE, Function

SMALL_FILE = 40
SPREAD_TYPE = 3
UNLABELLED = 2
LONG_LIST = 5
PRONOUNS = 3
# The file whose type owns the state bits of an object.
STATE_FILE = "ObjectState.swift"


@dataclasses.dataclass
class Figure:
    name: str
    value: float
    #: The worst places first.
    places: list
    remedy: str
    unit: str = ""
    #: Whether a higher value is the better one.
    higher_is_better: bool = False

    def __post_init__(self):
        self.bound = "at least" if self.higher_is_better else "at most"

    def text(self, value=None):
        value = self.value if value is None else value
        return f"{value:g}{self.unit}"


def all_figures(files):
    types = Types(files)
    functions = [function for file in files for function in Function.all(file)]
    return [
        median_lines(files),
        largest_file(files),
        small_files(files),
        files_of_one_type(types),
        spread_types(types),
        call_cycle(types),
        mutable_fields(types),
        unlabelled_parameters(functions),
        long_parameter_lists(functions),
        hard_sentences(files),
        folders_in_circles(files),
        state_uses(files),
    ]


def share(part, whole):
    """A share in percent, rounded up to a tenth, so that a limit taken from it holds."""
    return math.ceil(1000 * part / whole) / 10 if whole else 0


# Files


def median_lines(files):
    smallest = sorted(files, key=lambda file: (file.lines, file.path))
    return Figure(
        "median-lines",
        int(statistics.median(file.lines for file in files)) if files else 0,
        [f"{file.lines:5} {file.path}" for file in smallest],
        "move a few lines that stand in a file alone into the file of their type",
        higher_is_better=True,
    )


def largest_file(files):
    largest = sorted(files, key=lambda file: (-file.lines, file.path))
    return Figure(
        "largest-file",
        largest[0].lines if files else 0,
        [f"{file.lines:5} {file.path}" for file in largest],
        "give a part of the type's state, with its rules, a type of its own",
    )


def small_files(files):
    small = [file for file in files if file.lines <= SMALL_FILE]
    small.sort(key=lambda file: (file.lines, file.path))
    return Figure(
        "small-files",
        share(len(small), len(files)),
        [f"{file.lines:5} {file.path}" for file in small],
        "move their lines into the files of the types that they extend",
        unit=" %",
    )


# Types


class Types:
    """The top-level types that the sources declare, and the files that each is spread over."""

    def __init__(self, files):
        self.files = {}
        self.public = set()
        for file in files:
            for name, is_public in file.declared_types():
                self.files.setdefault(name, []).append(file)
                if is_public:
                    self.public.add(name)
        for file in files:
            for name in file.extended_types():
                if name in self.files and file not in self.files[name]:
                    self.files[name].append(file)
        self.internal = sorted(
            (name for name in self.files if name not in self.public),
            key=lambda name: (-len(self.files[name]), name),
        )


def files_of_one_type(types):
    return Figure(
        "files-of-one-type",
        max((len(types.files[name]) for name in types.internal), default=0),
        [f"{len(types.files[name]):5} {name}" for name in types.internal],
        "join the files of the type, or give a part of its state a type of its own",
    )


def spread_types(types):
    spread = [name for name in types.internal if len(types.files[name]) > SPREAD_TYPE]
    return Figure(
        "spread-types",
        share(len(spread), len(types.internal)),
        [f"{len(types.files[name]):5} {name}" for name in reversed(spread)],
        f"keep an internal type in at most {SPREAD_TYPE} files",
        unit=" %",
    )


def call_cycle(types):
    cycles = []
    for name in types.internal:
        if len(types.files[name]) > SPREAD_TYPE:
            cycles += [(name, part) for part in components(calls(name, types.files[name]))]
    cycles = [(name, part) for name, part in cycles if len(part) > 1]
    cycles.sort(key=lambda cycle: (-len(cycle[1]), cycle[0]))
    return Figure(
        "call-cycle",
        len(cycles[0][1]) if cycles else 0,
        [f"{len(part):5} {name}: {' '.join(part)}" for name, part in cycles],
        "let calls among the files of a type go one way: what both need goes below both",
    )


def calls(name, files):
    """Which files of a type call functions and properties that other files of it declare."""
    member = re.compile(r"^  (?:[\w@()_, ]+ )?(?:func|var) `?(\w+)`?", re.MULTILINE)
    members = []
    for file in files:
        for body in file.bodies(name):
            found = list(member.finditer(body))
            ends = [match.start() for match in found[1:]] + [len(body)]
            members += [
                (match.group(1), file.name, body[match.end() : end])
                for match, end in zip(found, ends)
            ]
    homes = collections.defaultdict(set)
    for called, file, _ in members:
        homes[called].add(file)
    graph = {file: set() for _, file, _ in members}
    for caller, file, body in members:
        used = set(re.findall(r"(?<![.\w])(?:self\.|core\.)?(\w+)\s*[({]", body))
        used |= set(re.findall(r"\b(?:self|core)\.(\w+)", body))
        for called in used & homes.keys() - {caller}:
            graph[file] |= homes[called] - {file}
    return graph


def mutable_fields(types):
    stored = re.compile(
        r"^  (?:@\w+(?:\([^)]*\))? )*"
        r"(?:(?:package|final|private|fileprivate|internal|weak|lazy|unowned|nonisolated)"
        r"(?:\(\w+\))? )*var \w+([^\n]*)",
        re.MULTILINE,
    )
    counts = []
    for name in types.internal:
        bodies = [body for file in types.files[name] for body in file.bodies(name)]
        if not any(re.search(r"^  (?:\w+ )*mutating func", body, re.MULTILINE) for body in bodies):
            continue
        fields = [match.group(1) for body in bodies for match in stored.finditer(body)]
        computed = re.compile(r"[^{=]*\{(?!\s*(?:didSet|willSet))")
        counts.append((sum(1 for rest in fields if not computed.match(rest)), name))
    counts.sort(key=lambda count: (-count[0], count[1]))
    return Figure(
        "mutable-fields",
        counts[0][0] if counts else 0,
        [f"{count:5} {name}" for count, name in counts],
        "put fields that change together into a type with the functions that change them",
    )


# Functions


def unlabelled_parameters(functions):
    bare = [function for function in functions if function.unlabelled >= UNLABELLED]
    bare.sort(key=lambda function: (-function.unlabelled, function.file.path, function.name))
    return Figure(
        "unlabelled-parameters",
        share(len(bare), len(functions)),
        [f"{f.unlabelled:5} {f.file.path}: {f.name}" for f in bare],
        "label parameters unless the call reads as a sentence without",
        unit=" %",
    )


def long_parameter_lists(functions):
    internal = [function for function in functions if not function.is_public]
    long = [function for function in internal if len(function.parameters) >= LONG_LIST]
    long.sort(key=lambda function: (-len(function.parameters), function.file.path, function.name))
    return Figure(
        "long-parameter-lists",
        share(len(long), len(internal)),
        [f"{len(f.parameters):5} {f.file.path}: {f.name}" for f in long],
        "put parameters that travel together into a type",
        unit=" %",
    )


# Comments


def hard_sentences(files):
    pronoun = re.compile(
        r"\b(?:who|whom|whose|what|that|others?|nobody|somebody|anybody|whoever|whatever)\b",
        re.IGNORECASE,
    )
    count, hard = 0, []
    for file in files:
        for sentence in sentences(file.text):
            count += 1
            pronouns = len(pronoun.findall(sentence))
            if pronouns >= PRONOUNS:
                hard.append((pronouns, file.path, sentence))
    hard.sort(key=lambda place: (-place[0], place[1]))
    return Figure(
        "hard-sentences",
        share(len(hard), count),
        [f"{pronouns:5} {path}: {sentence[:150]}" for pronouns, path, sentence in hard],
        "say a noun for a thing, and one relative clause a sentence",
        unit=" %",
    )


def sentences(text):
    """The sentences of at least four words in the line comments of a file."""
    for block in re.findall(r"(?:^[ \t]*///?[^\n]*(?:\n|\Z))+", text, re.MULTILINE):
        prose = " ".join(re.sub(r"^\s*///?\s?", "", line) for line in block.split("\n"))
        for sentence in re.split(r"(?<=[.;:!?])\s+", prose):
            if len(sentence.split()) >= 4:
                yield sentence.strip()


# Floors


def folders_in_circles(files):
    homes = collections.defaultdict(set)
    for file in files:
        for name in NESTED_TYPE.findall(file.code):
            homes[name].add(file.path)
    folders = {file.path: file.folder for file in files}
    graph = {folder: set() for folder in folders.values()}
    for file in files:
        for word in set(re.findall(r"\b[A-Z]\w+\b", file.code)):
            if len(homes.get(word, ())) == 1:
                (home,) = homes[word]
                graph[file.folder].add(folders[home])
    circles = [part for part in components(graph) if len(part) > 1]
    circles.sort(key=lambda part: (-len(part), part))
    return Figure(
        "folders-in-circles",
        sum(len(part) for part in circles),
        [f"{len(part):5} {' '.join(part)}" for part in circles],
        "name no type of a folder that names one of yours: hand down a value or a closure",
    )


def state_uses(files):
    targets = {file.target for file in files if file.name == STATE_FILE}
    use = re.compile(r"(?<!\bself)\.state\b|^\s*(?:guard |if |return )?state\.(?:contains|is|raw|inter)")
    uses = collections.Counter()
    imported = re.compile(rf"^(?:\w+ )*import (?:{'|'.join(sorted(targets))})$", re.MULTILINE)
    for file in files:
        sees = file.target in targets or (targets and imported.search(file.code))
        if sees and file.name != STATE_FILE:
            uses[file.path] += sum(1 for line in file.code.split("\n") if use.search(line))
    return Figure(
        "state-uses",
        sum(uses.values()),
        [f"{count:5} {path}" for path, count in uses.most_common() if count],
        f"ask a property of the object; only {STATE_FILE} tests bits",
    )
