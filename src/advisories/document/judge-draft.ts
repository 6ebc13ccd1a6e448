import type { AdvisoryProblem } from '../../contract/advisories.ts'
import { failedTests } from '../gate/gate.ts'
import type { FailedTest } from '../gate/messages.ts'
import { buildDocument, type DocumentInput } from './build-document.ts'
import { checkContent } from './check-content.ts'
import { documentBytes } from './document-bytes.ts'

/** What would be published, and everything that keeps it from being published; published is only what has no problem. */
export type JudgedDraft = { bytes: Buffer; problems: AdvisoryProblem[] }

/**
 * Builds the document of a draft and judges both: what the draft lacks in the words of its writer, and the mandatory tests of CSAF 2.0
 * on the very values that are written.
 */
export async function judgeDraft(input: DocumentInput): Promise<JudgedDraft> {
  const { document, places } = buildDocument(input)
  const found = checkContent(input.content)
  const failed = await failedTests(document)
  const tested = failed.map((test) => toProblem(test, places.fieldAt(test.pointer)))
  return { bytes: documentBytes(document), problems: [...found, ...tested] }
}

function toProblem({ test, pointer, message }: FailedTest, field: string | null): AdvisoryProblem {
  return {
    field,
    message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
    test: testName(test),
    pointer,
  }
}

/** `mandatoryTest_6_1_27_9` → `6.1.27.9`, as the standard numbers it. */
function testName(test: string): string {
  const [, numbers] = /^mandatoryTest_(\d[\d_]*)$/.exec(test) ?? []
  return numbers === undefined ? 'schema' : numbers.replaceAll('_', '.')
}
