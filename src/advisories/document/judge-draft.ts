import type { AdvisoryProblem } from '../../contract/advisories/shapes.ts'
import { failedTests, judgeWithAdvice } from '../gate/gate.ts'
import type { FailedTest } from '../gate/messages.ts'
import { adviceOf, testName } from './advice.ts'
import { buildDocument, type DocumentInput } from './build-document.ts'
import { checkContent } from './check-content.ts'
import { sortedKeys } from '../../formats/json/sorted-keys.ts'
import { documentBytes } from './document-bytes.ts'
import type { FieldPlaces } from './field-places.ts'

/** What would be published, and everything that prevents it; only a draft without problems is published. */
export type JudgedDraft = { bytes: Buffer; problems: AdvisoryProblem[] }

/**
 * Builds the document of a draft and checks both: what the draft lacks, in words for its writer, and the mandatory tests of CSAF 2.0
 * on the exact values that are written.
 */
export async function judgeDraft(input: DocumentInput): Promise<JudgedDraft> {
  const { document, places } = builtDocument(input)
  const found = checkContent(input.content)
  const failed = await failedTests(document)
  return { bytes: documentBytes(document), problems: [...found, ...toProblems(failed, places)] }
}

/** As `judgeDraft`, with what the other tests of CSAF 2.0 advise; null: they are being loaded. */
export async function adviseDraft(
  input: DocumentInput,
): Promise<JudgedDraft & { advice: AdvisoryProblem[] | null }> {
  const { document, places } = builtDocument(input)
  const found = checkContent(input.content)
  const { failed, advice } = await judgeWithAdvice(document)
  return {
    bytes: documentBytes(document),
    problems: [...found, ...toProblems(failed, places)],
    advice: advice === null ? null : adviceOf(advice, places),
  }
}

function builtDocument(input: DocumentInput): { document: object; places: FieldPlaces } {
  const { document, places } = buildDocument(input)
  return { document: sortedKeys(document), places }
}

function toProblems(failed: readonly FailedTest[], places: FieldPlaces): AdvisoryProblem[] {
  return failed.map(({ test, pointer, message }) => ({
    field: places.fieldAt(pointer),
    message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
    test: testName(test),
    pointer,
  }))
}
