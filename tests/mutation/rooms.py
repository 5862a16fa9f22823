# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files are mutated, and which tests belong to a file."""
import pathlib

# Tests of the program that take seconds; only what the unit tests do not see comes to them.
PROGRAM = ['tests/eval/outcome/test_retrieval_outcome.sh', 'tests/cli/commands/test_hash_seeds.sh', 'tests/cli/commands/test_replicates.sh', 'tests/cli/commands/test_eval_notes.sh',
           'tests/cli/test_choice.sh', 'tests/cli/commands/test_strata.sh', 'tests/cli/test_cli.sh']
# For each room: the rooms of unit tests that are asked, the cheapest first, and tests of the program.
ROOMS = {
    'eval/measures': (['eval/measures', 'eval/statistics', 'eval/outcome', 'eval/evaluation'], PROGRAM),
    'eval/statistics': (['eval/statistics', 'eval/outcome', 'eval/evaluation'], PROGRAM),
    'algorithms/kernels': (['algorithms/kernels', 'algorithms', 'base'], []),
    'eval/outcome': (['eval/outcome', 'eval/evaluation', 'eval/statistics'], PROGRAM),
}


def FILES():
    return sorted(str(file) for room in ROOMS for file in pathlib.Path(room).glob('*.c'))


def unit_tests(source):
    return [str(test) for room in ROOMS[str(pathlib.Path(source).parent)][0] for test in sorted(pathlib.Path('tests', room).glob('test_*.c'))]


def belongs(test, source):
    """Whether the test bears the name of the file, and is asked first."""
    return pathlib.Path(test).stem == 'test_' + pathlib.Path(source).stem


def shell_tests(source):
    return ROOMS[str(pathlib.Path(source).parent)][1]
