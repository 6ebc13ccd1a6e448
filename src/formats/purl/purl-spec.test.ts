import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parsePurl, type Purl } from './purl.ts'

/** The official vectors of package-url/purl-spec (folder `tests`, MIT). */
const suite = '../shared/data/suites/purl-spec'
/** A skipped suite is collected, too. */
const isAbsent = !existsSync(suite)

type Vector = {
  description: string
  test_type: string
  input: string
  expected_output: Record<string, unknown> | null
  expected_failure: boolean
}

/** Types that no vulnerability data is bound to keep the spelling they came with; only their splitting is tested here. */
const unmappedTypes = new Set(
  [
    'alpm bazel bitbucket brew chrome-extension cocoapods conda cpan docker generic git huggingface luarocks mlflow oci',
    'otp qpkg swid vcpkg vscode-extension yocto',
  ].flatMap((line) => line.split(' ')),
)

/** Every deviation of a mapped type, with its reason. */
const exceptions = new Map([
  [
    'pkg:gem/jruby-launcher@1.1.2?Platform=java',
    'upper-case qualifier keys are refused here and accepted by the maven vectors; real SBOMs have them, so they are read',
  ],
  ['pkg:Rpm/fedora/curl@7.50.3-1.fc25?Arch=i386&Distro=fedora-25', 'upper-case qualifier keys, as above'],
  ['pkg:julia/Dates', 'the uuid qualifier is required here; advisories name a Julia package without it'],
  [
    'pkg:swift/Alamofire@5.4.3',
    'a missing namespace leaves a readable name; identify() says that it is not covered',
  ],
])

function vectors(file: string): Vector[] {
  const text = readFileSync(`${suite}/${file}`, 'utf8')
  return (JSON.parse(text) as { tests: Vector[] }).tests.filter((test) => test.test_type === 'parse')
}

function plain(purl: Purl | undefined): Record<string, unknown> | null {
  if (purl === undefined) return null
  const qualifiers = purl.qualifiers.size === 0 ? null : Object.fromEntries(purl.qualifiers)
  return { ...purl, qualifiers }
}

describe.skipIf(isAbsent)('purl-spec parse vectors (skipped where ../shared/data is absent)', () => {
  const files = isAbsent ? [] : readdirSync(`${suite}/types`)
  const mapped = files.filter((file) => !unmappedTypes.has(file.replace('-test.json', '')))
  const suites = isAbsent ? [] : [...mapped.map((file) => `types/${file}`), 'spec/specification-test.json']
  const cases = suites.flatMap(vectors)

  it('covers every mapped type of the suite', () => {
    expect(mapped.length).toBe(files.length - unmappedTypes.size)
    expect(cases.length).toBeGreaterThan(100)
  })

  it.each(cases.filter((test) => !exceptions.has(test.input)))('$description: $input', (test) => {
    expect(plain(parsePurl(test.input))).toEqual(test.expected_failure ? null : test.expected_output)
  })

  it.each([...exceptions.keys()])('still deviates, else the exception goes: %s', (input) => {
    const test = cases.find((candidate) => candidate.input === input)
    expect(test?.expected_failure).toBe(true)
    expect(parsePurl(input)).toBeDefined()
  })
})
