# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files are mutated, and which tests belong to a file."""
import pathlib

# Tests of the program that take seconds; only what the unit tests do not see comes to them.
PROGRAM = ['tests/eval/evaluation/test_retrieval_outcome.sh', 'tests/eval/measures/test_gain_area.sh', 'tests/cli/commands/test_compare_places.sh',
           'tests/cli/commands/test_equivalence.sh', 'tests/cli/test_choice.sh', 'tests/house/test_evaluation_examples.sh', 'tests/cli/test_draws.sh',
           'tests/cli/commands/test_replicates.sh', 'tests/cli/commands/test_compare_screen.sh', 'tests/cli/commands/test_eval_units.sh',
           'tests/cli/commands/test_hash_seeds.sh', 'tests/cli/commands/test_eval_notes.sh', 'tests/cli/commands/test_eval_mcnemar.sh', 'tests/cli/test_robustness.sh',
           'tests/cli/test_scores_arm.sh', 'tests/cli/commands/test_decision.sh',
           'tests/cli/commands/test_eval_empty.sh', 'tests/cli/commands/test_hash_seeds_parts.sh',
           'tests/cli/commands/test_strata.sh', 'tests/eval/evaluation/test_negatives.sh', 'tests/cli/test_cli.sh']
# Unit tests of the rooms that rest on the evaluator.
ABOVE = ['eval/evaluation', 'eval/units', 'eval/analyses', 'eval/judging', 'eval/tuning', 'eval/experiment']
# For each room: the rooms of unit tests that are asked, the nearest three first, and tests of the program.
ROOMS = {
    'eval/measures': (['eval/measures', 'eval/statistics', *ABOVE], PROGRAM),
    'eval/statistics': (['eval/statistics', *ABOVE], PROGRAM),
    'algorithms/kernels': (['algorithms/kernels', 'algorithms/kernels/pairs', 'algorithms/kernels/tally', 'algorithms', 'algorithms/arms', 'base', 'eval/experiment'],
                           ['tests/algorithms/test_minhash_vectors.sh']),
    'eval/evaluation': (['eval/evaluation', 'eval/statistics', *ABOVE], PROGRAM),
    'eval/analyses': (['eval/analyses', 'eval/evaluation', 'eval/statistics', *ABOVE], PROGRAM),
}


def FILES():
    return sorted(str(file) for room in ROOMS for file in pathlib.Path(room).glob('*.c'))


def unit_tests(source, near=False):
    rooms = list(dict.fromkeys(ROOMS[str(pathlib.Path(source).parent)][0]))
    return [str(test) for room in (rooms[:3] if near else rooms) for test in sorted(pathlib.Path('tests', room).glob('test_*.c'))]


def belongs(test, source):
    """Whether the test bears the name of the file, and is asked first."""
    return pathlib.Path(test).stem == 'test_' + pathlib.Path(source).stem


def shell_tests(source):
    return ROOMS[str(pathlib.Path(source).parent)][1]
