import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Adds up the reports of all test runs and ends with one line: N passed, N failed, N skipped. */
const folder = process.argv[2]
const total = { passed: 0, failed: 0, skipped: 0 }
for (const file of readdirSync(folder)) {
  const report = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  total.passed += report.numPassedTests
  total.failed +=
    report.numFailedTests +
    report.testResults.filter((r) => r.status === 'failed' && r.assertionResults.length === 0).length
  total.skipped += report.numPendingTests + report.numTodoTests
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.passed > 0 && total.failed === 0 ? 0 : 1)
