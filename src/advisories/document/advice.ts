import type { AdvisoryProblem } from '../../contract/advisories/shapes.ts'
import type { FailedTest } from '../gate/messages.ts'
import type { FieldPlaces } from './field-places.ts'

/** Nobody reads more. */
const maxAdvice = 200

type Words = {
  /** What there is to do. */
  message: string
  /** The part of the draft, below the one that the test points into, where something is missing; null: of no draft. */
  part?: string | null
}

/** The tests that a document of ours can fail, in words for its writer; others keep the library's words. */
const words: Record<string, Words> = {
  '6.2.1': { message: 'A product is named by no vulnerability.' },
  '6.2.2': {
    message: 'Say what users can do: a remediation for what is affected or under investigation.',
    part: 'remediations',
  },
  '6.2.3': { message: 'Say how severe it is: a CVSS score for what is affected.', part: 'scores' },
  '6.2.11': {
    message:
      'It has no address in the feed that begins with https: only TLP:WHITE is in the feed of a service with https.',
    part: null,
  },
  '6.2.16': { message: 'Say what tools know it by: a package URL or a CPE name.', part: 'purl' },
  '6.2.17': { message: 'The ID is a CVE: it belongs in the field for it.' },
  '6.2.18': { message: 'A range of versions is not written as vers.' },
  '6.2.19': { message: 'A version that is fixed has a score: it is no longer vulnerable.' },
  '6.3.1': { message: 'CVSS 2.0 is the only score: add one of version 3.1.' },
  '6.3.2': { message: 'The score is of CVSS 3.0: one of version 3.1 is better understood.' },
  '6.3.3': { message: 'It has no CVE.', part: 'cve' },
  '6.3.4': { message: 'Say what kind of weakness it is: a CWE.', part: 'cwe' },
  '6.3.9': { message: 'A product is not below company, family and version.' },
  '6.3.10': { message: 'A range of versions is used: tools compare listed versions more reliably.' },
  '6.3.11': { message: 'The name of the version begins with "v".' },
}

/** What the optional and informative tests find, once for each test and field, with how often. */
export function adviceOf(found: readonly FailedTest[], places: FieldPlaces): AdvisoryProblem[] {
  const advice = found.map(({ test, pointer, message }): AdvisoryProblem => {
    const name = testName(test)
    const known = words[name]
    const field = partOf(places.fieldAt(pointer), known?.part)
    return { field, message: known?.message ?? `${sentence(message)}.`, test: name, pointer }
  })
  const groups = [...Map.groupBy(advice, ({ test, field }) => `${test} ${field}`).values()]
  const sorted = groups.toSorted(([a], [b]) => compareTests(a?.test ?? '', b?.test ?? ''))
  return sorted.slice(0, maxAdvice).flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const times = others.length === 0 ? '' : ` (${others.length + 1} times)`
    return [{ ...first, message: `${first.message}${times}` }]
  })
}

/** `vulnerabilities.0.statuses` with the part `cwe` → `vulnerabilities.0.cwe`. */
function partOf(field: string | null, part: string | null | undefined): string | null {
  if (part === null) return null
  const entry = /^(?:vulnerabilities|products)\.\d+/.exec(field ?? '')?.[0]
  return part === undefined || entry === undefined ? field : `${entry}.${part}`
}

/** 6.2.3 before 6.2.16. */
function compareTests(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`
}

/** `mandatoryTest_6_1_27_9` → `6.1.27.9`, as the standard numbers it. */
export function testName(test: string): string {
  const [, numbers] = /^[a-z]+Test_(\d[\d_]*)$/.exec(test) ?? []
  return numbers === undefined ? 'schema' : numbers.replaceAll('_', '.')
}
