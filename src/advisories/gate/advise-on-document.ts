import * as informativeTests from '@secvisogram/csaf-validator-lib/informativeTests.js'
import * as optionalTests from '@secvisogram/csaf-validator-lib/optionalTests.js'
import validate from '@secvisogram/csaf-validator-lib/validate.js'
import { testsOf, toFailed } from './judge-document.ts'
import type { FailedTest } from './messages.ts'

/** They fetch addresses that the document names (6.3.6, 6.3.7), or start a program (6.3.8). */
const outward = new Set(['informativeTest_6_3_6', 'informativeTest_6_3_7', 'informativeTest_6_3_8'])

/**
 * What the optional and informative tests of CSAF 2.0 (6.2, 6.3) find in a document that its schema allows: worth fixing, but no obstacle
 * to publishing. They are loaded once somebody has asked for advice, after the answer: nobody waits for them.
 */
export async function adviseOnDocument(document: unknown): Promise<FailedTest[]> {
  const tests = [...testsOf(optionalTests), ...testsOf(informativeTests)].filter(
    ({ name }) => !outward.has(name),
  )
  const { tests: results } = await validate(tests, document)
  return results.flatMap(({ name, warnings, infos }) =>
    [...warnings, ...infos].map((found) => toFailed(name, found)),
  )
}
