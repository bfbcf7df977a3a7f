"""Counts the functions of the library that one save of one property through three levels enters.

  Scripts/journey          the number for each target
  Scripts/journey --list   the functions, too

Two runs of a small program, built with coverage in .build/coverage, differ by that one save. Closures, accessors,
initializers and functions made by the compiler are counted apart.
"""
import collections
import os
import re
import shutil
import subprocess
import sys

SCRATCH = '.build/coverage'
PROGRAM = SCRATCH + '/debug/soak'
# The one that came with the compiler: another version cannot read the profiles.
TOOLCHAIN = os.path.dirname(os.path.realpath(shutil.which('swift') or 'swift'))
PROFDATA = os.path.join(TOOLCHAIN, 'llvm-profdata')
UNNAMED = re.compile(
    r'closure #|implicit closure|variable initialization|default argument'
    r'|\.(getter|setter|modify|read|init)|\.deinit|__deallocating|\.unsafe(Mutable)?Address')


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, **options)


def counts(shown):
    """The entries of each function in the text that llvm-profdata shows."""
    result, name = {}, None
    for line in shown.splitlines():
        if match := re.match(r'  ([^ ].*):$', line):
            name = match.group(1).split(':')[-1] if match.group(1).count(':') else match.group(1)
        elif match := re.match(r'    Function count: (\d+)', line):
            result[name] = result.get(name, 0) + int(match.group(1))
    return result


def entered(before, after):
    """The functions that the second run has entered more often than the first."""
    return sorted(name for name, count in after.items() if count > before.get(name, 0))


def kind(demangled):
    """Whether a function is one that a person has written and named."""
    return 'other' if UNNAMED.search(demangled) else 'named'


def measured(saves):
    """The entries of all functions in a run with so many saves of the same edits."""
    profile = f'{SCRATCH}/{saves}.profraw'
    run(PROGRAM, 'journey', '--edits', '4', '--saves', str(saves), stdout=subprocess.DEVNULL,
        env={**os.environ, 'LLVM_PROFILE_FILE': profile})
    run(PROFDATA, 'merge', '-sparse', profile, '-o', profile + '.data')
    shown = run(PROFDATA, 'show', '--all-functions', profile + '.data', stdout=subprocess.PIPE)
    return counts(shown.stdout)


def demangled(names):
    """The functions of the library by their targets."""
    text = run('swift', 'demangle', '--compact', input='\n'.join(names), stdout=subprocess.PIPE)
    found = collections.defaultdict(list)
    for mangled, name in zip(names, text.stdout.splitlines()):
        if match := re.match(r'\$s(\d+)(Cauldron.*)', mangled):
            found[match.group(2)[:int(match.group(1))]].append(name)
    return found


def line(title, names):
    named = sum(kind(name) == 'named' for name in names)
    return (f'{title:24}{named:5} functions, '
            f'{len(names) - named:5} closures, accessors and initializers')


def main(arguments):
    # The macros, which the compiler runs, are built with coverage as well.
    run('swift', 'build', '--enable-code-coverage', '--scratch-path', SCRATCH, '--product', 'soak',
        env={**os.environ, 'LLVM_PROFILE_FILE': SCRATCH + '/macros.profraw'})
    found = demangled(entered(measured(3), measured(4)))
    for target in sorted(found):
        print(line(target, found[target]))
    everything = [name for names in found.values() for name in names]
    print(line('all', everything))
    if '--list' in arguments:
        print('\n'.join('  ' + name for name in everything if kind(name) == 'named'))


if __name__ == '__main__':
    main(sys.argv[1:])
