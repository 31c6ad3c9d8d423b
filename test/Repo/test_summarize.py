"""What `./dev test` says at its end agrees with what ran."""

import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from summarize import main, summarize  # noqa: E402

CTEST = """<testsuite>
<testcase name="unit" status="run"><system-out>skipped: runsPtxas, since there is no ptxas\n</system-out></testcase>
<testcase name="cases" status="run"><system-out>many  0.10 s  SKIPPED: needs two devices
cases: 7 passed, 0 failed, 1 skipped, of 8\n</system-out></testcase>
<testcase name="gpu" status="notrun"><system-out>no GPU\n</system-out></testcase>
<testcase name="lit/Dialect" status="run"><system-out/></testcase>
{more}</testsuite>"""
LIT = {"tests": [{"name": "a", "code": "PASS", "output": ""}, {"name": "b", "code": "UNSUPPORTED", "output": "needs gpu"}]}


class SummarizeTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.write("")
        (self.root / "Dialect.json").write_text(json.dumps(LIT))

    def tearDown(self):
        self.folder.cleanup()

    def write(self, more):
        (self.root / "ctest.xml").write_text(CTEST.format(more=more))

    def test_counts_and_names(self):
        summary = summarize(self.root)
        self.assertEqual(summary.count, {"passed": 9, "failed": 0, "skipped": 4})
        self.assertEqual(
            summary.skipped,
            ["unit: runsPtxas, since there is no ptxas", "cases: many: needs two devices", "gpu: no GPU", "b: needs gpu"],
        )
        self.assertEqual(main(self.root), 0)

    def test_a_failure_is_a_failure(self):
        self.write('<testcase name="x" status="fail"><system-out>x: 3 passed, 0 failed, 0 skipped\n</system-out></testcase>')
        self.assertEqual(summarize(self.root).count["failed"], 1)
        self.assertEqual(main(self.root), 1)

    def test_nothing_run_is_a_failure(self):
        (self.root / "ctest.xml").write_text("<testsuite/>")
        self.assertEqual(main(self.root), 1)


if __name__ == "__main__":
    unittest.main()
