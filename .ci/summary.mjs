import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Adds up the reports of all test runs, names what failed, and ends with one line: N passed, N failed, N skipped. */
const folder = process.argv[2]
const total = { passed: 0, failed: 0, skipped: 0 }
for (const name of readdirSync(folder)) {
  const report = JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const fallenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  const tests = report.testResults.flatMap((file) =>
    file.assertionResults.map((test) => ({ ...test, file: file.name })),
  )
  for (const file of fallenFiles) tell(name, { file: file.name, failureMessages: [file.message] })
  for (const test of tests) if (test.status === 'failed') tell(name, test)
  total.passed += report.numPassedTests
  total.failed += report.numFailedTests + fallenFiles.length
  total.skipped += report.numPendingTests + report.numTodoTests
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.passed > 0 && total.failed === 0 ? 0 : 1)

function tell(run, { file, fullName = '', failureMessages }) {
  const lines = (failureMessages[0] ?? '').split('\n').slice(0, 12)
  console.log(`FAILED (${run}) ${relative(process.cwd(), file)} ${fullName}\n  ${lines.join('\n  ')}`)
}
