import './trust-schemas.ts'
import * as basicTests from '@secvisogram/csaf-validator-lib/basic.js'
import * as schemaTests from '@secvisogram/csaf-validator-lib/schemaTests.js'
import validate from '@secvisogram/csaf-validator-lib/validate.js'
import { blindSpots } from './blind-spots.ts'
import type { FailedTest } from './messages.ts'

export type DocumentTest = (typeof basicTests)[string]

/**
 * The tests of CSAF 2.0 that a document fails: its schema, all mandatory tests, those of the VEX profile, and what the library leaves out. Takes
 * the processor for as long as it runs: on a thread of its own.
 */
export async function judgeDocument(document: unknown): Promise<FailedTest[]> {
  const schemas = testsOf(schemaTests)
  // other tests throw on what is no document
  const broken = await failedOf(schemas, document)
  if (broken.length > 0) return broken
  const others = testsOf(basicTests).filter((test) => !schemas.includes(test))
  return [...(await failedOf(others, document)), ...blindSpots(document as object)]
}

/** What a module of the library exports that is a test. */
export function testsOf(module: Record<string, DocumentTest>): DocumentTest[] {
  return Object.values(module).filter((test) => typeof test === 'function')
}

async function failedOf(tests: readonly DocumentTest[], document: unknown): Promise<FailedTest[]> {
  const { tests: results } = await validate(tests, document)
  return results.flatMap(({ name, isValid, errors }) =>
    isValid ? [] : errors.map((found) => toFailed(name, found)),
  )
}

export function toFailed(
  test: string,
  { instancePath, message }: { instancePath: string; message?: string },
): FailedTest {
  return { test, pointer: instancePath, message: message ?? 'the test fails' }
}
