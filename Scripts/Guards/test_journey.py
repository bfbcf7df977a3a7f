"""Tests of the counting of functions by coverage."""
import unittest

import journey

SHOWN = """Counters:
  $s13CauldronGraph5SaverV3runyyF:
    Hash: 0x0000000000000018
    Counters: 2
    Function count: %d
  Saver.swift:$s13CauldronGraph5SaverV4nameSSvg:
    Hash: 0x0000000000000018
    Counters: 1
    Function count: 7
Instrumentation level: Front-end
"""


class JourneyTests(unittest.TestCase):
    def test_a_function_counts_whose_entries_grew(self):
        before, after = journey.counts(SHOWN % 3), journey.counts(SHOWN % 4)
        self.assertEqual(journey.entered(before, after), ['$s13CauldronGraph5SaverV3runyyF'])

    def test_a_private_function_loses_the_name_of_its_file(self):
        self.assertEqual(journey.counts(SHOWN % 1)['$s13CauldronGraph5SaverV4nameSSvg'], 7)

    def test_what_a_person_has_not_named_is_counted_apart(self):
        self.assertEqual(journey.kind('CauldronGraph.Saver.run() -> ()'), 'named')
        for text in ['closure #1 () -> () in CauldronGraph.Saver.run() -> ()',
                     'CauldronGraph.Saver.name.getter : Swift.String',
                     'CauldronGraph.Saver.init(Swift.Int) -> CauldronGraph.Saver']:
            self.assertEqual(journey.kind(text), 'other', text)


if __name__ == '__main__':
    unittest.main()
