import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Adds up the reports of all test runs. Names what failed and what passed only when it was tried again, and ends with one line:
 * N passed, N failed, N skipped.
 */
const folder = process.argv[2]
const total = { passed: 0, failed: 0, skipped: 0 }
for (const name of readdirSync(folder)) {
  const report = JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const fallenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  for (const file of fallenFiles) tell('FAILED', name, file, '', file.message)
  for (const file of report.testResults) {
    for (const test of file.assertionResults) {
      const [message] = test.failureMessages
      if (test.status === 'failed') tell('FAILED', name, file, test.fullName, message)
      else if (message !== undefined)
        tell('PASSED AT THE SECOND TRY', name, file, test.fullName, message)
    }
  }
  total.passed += report.numPassedTests
  total.failed += report.numFailedTests + fallenFiles.length
  total.skipped += report.numPendingTests + report.numTodoTests
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.passed > 0 && total.failed === 0 ? 0 : 1)

function tell(outcome, report, file, test, message = '') {
  const lines = message.split('\n').slice(0, 12)
  console.log(`${outcome} (${report}) ${relative(process.cwd(), file.name)} ${test}\n  ${lines.join('\n  ')}`)
}
