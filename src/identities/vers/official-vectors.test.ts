import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readVers } from './vers.ts'
import { orderingOf, type VersionScheme } from '../../versions/ordering.ts'

/** The public vectors of the VERS specification (package-url/vers-spec, tests/). */
const folder = join(import.meta.dirname, '../../../../shared/data/suites/vers-spec')
const isAbsent = !existsSync(folder)
const where = isAbsent ? ' (skipped: ../shared/data/suites/vers-spec is absent)' : ''

type Vector =
  | { test_type: 'comparison'; input: { versions: [string, string] }; expected_output: [string, string] }
  | { test_type: 'equality'; input: { versions: [string, string] }; expected_output: boolean }
  | { test_type: 'containment'; input: { vers: string; version: string }; expected_output: boolean }

function readVectors(file: string): Vector[] {
  return (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { tests: Vector[] }).tests
}

type Suite = { scheme: VersionScheme; file: string; count: number; exceptions: Map<string, string> }

const beforeMaven387 = 'the rule before Maven 3.8.7; Maven 3.8.7, 3.9 and 4 say otherwise'

const suites: Suite[] = [
  { scheme: 'apk', file: 'alpine_version_cmp_test.json', count: 716, exceptions: new Map() },
  { scheme: 'conan', file: 'conan_version_cmp_test.json', count: 47, exceptions: new Map() },
  { scheme: 'nuget', file: 'nuget_version_cmp_test.json', count: 33, exceptions: new Map() },
  {
    scheme: 'maven',
    file: 'maven_version_cmp_test.json',
    count: 977,
    exceptions: new Map([
      ['2-1 < 2.0.a', beforeMaven387],
      ['2-1 < 2.0.0.a', beforeMaven387],
      ['2.0.a < 2.0.0.a', beforeMaven387],
    ]),
  },
  { scheme: 'semver', file: 'npm_range_containment_test.json', count: 1, exceptions: new Map() },
  { scheme: 'pep440', file: 'pypi_range_containment_test.json', count: 10, exceptions: new Map() },
]

describe('vers-spec', () => {
  it.skipIf(isAbsent).each(suites)(`$scheme: $file${where}`, ({ scheme, file, count, exceptions }) => {
    const vectors = readVectors(file)
    const failures = new Set(vectors.filter((vector) => !holds(scheme, vector)).map(nameOf))
    // Neither an unlisted failure nor a listed one that no longer fails.
    expect([...failures].toSorted()).toEqual([...exceptions.keys()].toSorted())
    expect(vectors).toHaveLength(count)
  })
})

function nameOf(vector: Vector): string {
  switch (vector.test_type) {
    case 'comparison':
      return vector.expected_output.join(' < ')
    case 'equality':
      return vector.input.versions.join(vector.expected_output ? ' = ' : ' ≠ ')
    case 'containment':
      return `${vector.input.version} in ${vector.input.vers}`
  }
}

function holds(scheme: VersionScheme, vector: Vector): boolean {
  const { compare } = orderingOf(scheme)
  switch (vector.test_type) {
    case 'comparison':
      return compare(...vector.expected_output) === -1
    case 'equality':
      return (compare(...vector.input.versions) === 0) === vector.expected_output
    case 'containment':
      return readVers(vector.input.vers)?.(vector.input.version) === vector.expected_output
  }
}
