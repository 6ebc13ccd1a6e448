import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Verdict, VexTarget, VexVersionRange } from '../../contract/vex/shapes.ts'
import {
  bindsTo,
  keysOfComponent,
  keysOfTarget,
  readComponent,
  readTarget,
  type StatedComponent,
} from './bind-target.ts'

type Component = { purl?: string; cpe?: string; version?: string }
type Target = Pick<VexTarget, 'purl' | 'cpe' | 'versions'>

function binds(target: Target, { purl, cpe, version }: Component, verdict: Verdict = 'affected'): boolean {
  const read = readComponent({ purl: purl ?? null, cpe: cpe ?? null, version: version ?? null })
  return bindsTo(readTarget(target), read, verdict)
}

describe('a CPE names', () => {
  const openssl = 'cpe:2.3:a:openssl:openssl:3.0.1:*:*:*:*:*:*:*'
  const yes = [
    ['every version when it is ANY', 'cpe:2.3:a:openssl:openssl:*:*:*:*:*:*:*:*', openssl],
    ['its version', openssl, openssl],
    ['in the binding of 2.2', 'cpe:/a:openssl:openssl:3.0.1', openssl],
    ['in any case', 'cpe:2.3:a:OpenSSL:OpenSSL:*:*:*:*:*:*:*:*', openssl],
    ['versions that begin so', 'cpe:2.3:a:openssl:openssl:3.0.*:*:*:*:*:*:*:*', openssl],
    ['one character of any kind', 'cpe:2.3:a:openssl:openssl:3.0.?:*:*:*:*:*:*:*', openssl],
    [
      'an escaped character as it is',
      'cpe:2.3:a:a\\&b:c:1:*:*:*:*:*:*:*',
      'cpe:2.3:a:a\\&b:c:1:*:*:*:*:*:*:*',
    ],
    ['its part, left open by the component', openssl, openssl.replace(':a:', ':*:')],
    ['any part', openssl.replace(':a:', ':*:'), openssl],
    [
      'any vendor where the component has any',
      'cpe:2.3:*:*:b:*:*:*:*:*:*:*:*',
      'cpe:2.3:*:*:b:1:*:*:*:*:*:*:*',
    ],
    ['NA as NA', 'cpe:2.3:a:a:b:1:-:*:*:*:*:*:*', 'cpe:2.3:a:a:b:1:-:*:*:*:*:*:*'],
  ] as const
  it.each(yes)('%s', (_rule, target, component) => {
    expect(binds({ cpe: target }, { cpe: component })).toBe(true)
  })

  const no = [
    ['another version', 'cpe:2.3:a:openssl:openssl:3.0.2:*:*:*:*:*:*:*', openssl],
    ['a component that leaves open what it gives', openssl, 'cpe:2.3:a:openssl:openssl:*:*:*:*:*:*:*:*'],
    ['another environment', 'cpe:2.3:a:a:b:1:*:*:*:*:node.js:*:*', 'cpe:2.3:a:a:b:1:*:*:*:*:wordpress:*:*'],
    [
      'two characters for one',
      'cpe:2.3:a:openssl:openssl:3.0.?:*:*:*:*:*:*:*',
      'cpe:2.3:a:openssl:openssl:3.0.11:*:*:*:*:*:*:*',
    ],
    ['any vendor', 'cpe:2.3:a:*:b:1:*:*:*:*:*:*:*', 'cpe:2.3:a:a:b:1:*:*:*:*:*:*:*'],
    [
      'one vendor where the component has any',
      'cpe:2.3:a:a:b:1:*:*:*:*:*:*:*',
      'cpe:2.3:*:*:b:1:*:*:*:*:*:*:*',
    ],
    [
      'anything when its product is open',
      'cpe:2.3:o:redhat:*:*:*:*:*:*:*:*:*',
      'cpe:2.3:o:redhat:linux:8:*:*:*:*:*:*:*',
    ],
    [
      'an operating system as an application',
      'cpe:2.3:a:a:b:*:*:*:*:*:*:*:*',
      'cpe:2.3:o:a:b:1:*:*:*:*:*:*:*',
    ],
  ] as const
  it.each(no)('never %s', (_rule, target, component) => {
    expect(binds({ cpe: target }, { cpe: component })).toBe(false)
  })
})

describe('of purl and CPE', () => {
  const cpe = 'cpe:2.3:a:left:left:*:*:*:*:*:*:*:*'
  it('the purl decides where both have one', () => {
    expect(binds({ purl: 'pkg:npm/right', cpe }, { purl: 'pkg:npm/left@1', cpe })).toBe(false)
  })
  it('the CPE decides where one has no purl, or none that can be read', () => {
    expect(binds({ purl: 'pkg:npm/right', cpe }, { cpe })).toBe(true)
    expect(binds({ cpe }, { purl: 'pkg:npm/right@1', cpe })).toBe(true)
    expect(binds({ purl: 'no purl', cpe }, { purl: 'pkg:npm/right@1', cpe })).toBe(true)
  })
})

describe('a CPE that leaves its version open', () => {
  const cpe = 'cpe:2.3:a:acme:left:*:*:*:*:*:*:*:*'
  it.each<[string, Target, Component, boolean]>([
    ['by itself names every version', { cpe }, { cpe, version: '2' }, true],
    ['beside a purl only its version', { cpe, purl: 'pkg:npm/left@1' }, { cpe, version: '2' }, false],
    ['beside a purl its version', { cpe, purl: 'pkg:npm/left@1.0' }, { cpe, version: '1.0.0' }, true],
    ['beside a purl without one every version', { cpe, purl: 'pkg:npm/left' }, { cpe, version: '2' }, true],
    ['beside a purl none where none is known', { cpe, purl: 'pkg:npm/left@1' }, { cpe }, false],
    [
      'beside a purl that of the CPE',
      { cpe, purl: 'pkg:npm/left@1' },
      { cpe: 'cpe:2.3:a:acme:left:1:*:*:*:*:*:*:*' },
      true,
    ],
  ])('%s', (_rule, target, component, expected) => {
    expect(binds(target, component)).toBe(expected)
  })
})

describe('the versions a target lists', () => {
  const affected = (...texts: string[]): VexVersionRange[] =>
    texts.map((text) =>
      text.startsWith('vers:') ? { range: text, status: 'affected' } : { version: text, status: 'affected' },
    )
  const cases: [string, VexVersionRange[], string, boolean][] = [
    ['none: hold for none', [], 'pkg:npm/left@1.0.0', false],
    ['a version', affected('1.0.0'), 'pkg:npm/left@1.0.0', true],
    ['another version', affected('1.0.1'), 'pkg:npm/left@1.0.0', false],
    ['one of several', affected('0.9.0', '1.0.0'), 'pkg:npm/left@1.0.0', true],
    ['inside a range', affected('vers:npm/>=1.0.0|<2.0.0'), 'pkg:npm/left@1.5.0', true],
    ['at an included bound', affected('vers:npm/>=1.0.0|<2.0.0'), 'pkg:npm/left@1.0.0', true],
    ['at an excluded bound', affected('vers:npm/>=1.0.0|<2.0.0'), 'pkg:npm/left@2.0.0', false],
    ['below a range', affected('vers:npm/>=1.0.0|<2.0.0'), 'pkg:npm/left@0.9.0', false],
    ['between two ranges', affected('vers:npm/>=1.0.0|<2.0.0|>=3.0.0|<4.0.0'), 'pkg:npm/left@2.5.0', false],
    ['in the second range', affected('vers:npm/>=1.0.0|<2.0.0|>=3.0.0|<4.0.0'), 'pkg:npm/left@3.5.0', true],
    ['an open beginning', affected('vers:npm/<2.0.0'), 'pkg:npm/left@0.0.1', true],
    ['an open end', affected('vers:npm/>2.0.0'), 'pkg:npm/left@9.0.0', true],
    ['a version taken out', affected('vers:npm/>=1.0.0|!=1.5.0|<2.0.0'), 'pkg:npm/left@1.5.0', false],
    [
      'a version beside the one taken out',
      affected('vers:npm/>=1.0.0|!=1.5.0|<2.0.0'),
      'pkg:npm/left@1.6.0',
      true,
    ],
    ['single versions of a range', affected('vers:npm/1.0.0|1.2.0'), 'pkg:npm/left@1.2.0', true],
    ['every version', affected('vers:npm/*'), 'pkg:npm/left@1.2.0', true],
    ['in the order of the scheme, not of texts', affected('vers:npm/>=1.9.0'), 'pkg:npm/left@1.10.0', true],
    ['percent-encoded', affected('vers:deb/%3C2'), 'pkg:deb/debian/left@1', false],
    ['of a distribution', affected('vers:deb/<2:1.0'), 'pkg:deb/debian/left@1:9.0', true],
    ['a range nobody can order', affected('vers:unknown/>=1.0.0'), 'pkg:npm/left@1.5.0', false],
    ['a version that has no order', affected('vers:npm/>=1.0.0'), 'pkg:npm/left@what', false],
    ['text that is no range', affected('vers:npm'), 'pkg:npm/left@1.0.0', false],
    ['unknown', [{ version: '1.0.0', status: 'unknown' }], 'pkg:npm/left@1.0.0', false],
    [
      'unaffected, out of an affected range',
      [...affected('vers:npm/>=1.0.0'), { version: '1.5.0', status: 'unaffected' }],
      'pkg:npm/left@1.5.0',
      false,
    ],
  ]
  it.each(cases)('%s', (_rule, versions, purl, expected) => {
    expect(binds({ purl: purl.slice(0, purl.indexOf('@')), versions }, { purl })).toBe(expected)
  })

  it('hold without purl, by the version of the component', () => {
    const cpe = 'cpe:2.3:a:left:left:*:*:*:*:*:*:*:*'
    expect(binds({ cpe, versions: affected('1.0') }, { cpe, version: '1.0' })).toBe(true)
    expect(binds({ cpe, versions: affected('1.0') }, { cpe, version: '1.1' })).toBe(false)
    expect(binds({ cpe, versions: affected('1.0') }, { cpe })).toBe(false)
  })

  const fixed: VexVersionRange[] = [...affected('1.0.0'), { version: '1.1.0', status: 'unaffected' }]
  it.each([
    ['fixed', '1.0.0', false],
    ['fixed', '1.1.0', true],
    ['not_affected', '1.1.0', true],
    ['not_affected', '1.0.0', false],
    ['affected', '1.0.0', true],
    ['affected', '1.1.0', false],
    ['under_investigation', '1.0.0', true],
  ] as const)('%s holds for %s: %s', (verdict, version, expected) => {
    expect(
      binds({ purl: 'pkg:npm/left', versions: fixed }, { purl: `pkg:npm/left@${version}` }, verdict),
    ).toBe(expected)
  })
})

describe('whatever the texts are', () => {
  const piece = fc.stringMatching(/^[a-z]{1,3}$/)
  const purl = fc
    .record({
      type: fc.constantFrom('npm', 'pypi', 'maven', 'deb'),
      namespace: fc.option(piece),
      name: piece,
      version: fc.option(fc.constantFrom('1', '1.0', '2')),
      arch: fc.option(fc.constantFrom('amd64', 'arm64')),
    })
    .map(({ type, namespace, name, version, arch }) =>
      [
        `pkg:${type}/`,
        namespace === null ? '' : `${namespace}/`,
        name,
        version === null ? '' : `@${version}`,
        arch === null ? '' : `?arch=${arch}`,
      ].join(''),
    )

  it('a purl names itself, and leaving something out names no less', () => {
    fc.assert(
      fc.property(purl, (text) => {
        expect(binds({ purl: text }, { purl: text })).toBe(true)
        const [package_ = ''] = text.split(/[@?]/)
        expect(binds({ purl: package_ }, { purl: text })).toBe(true)
      }),
    )
  })

  it('what binds shares a key', () => {
    fc.assert(
      fc.property(purl, purl, (target, component) => {
        const keys = keysOfTarget(readTarget({ purl: target }))
        const others = keysOfComponent(readComponent({ purl: component, cpe: null, version: null }))
        if (binds({ purl: target }, { purl: component }))
          expect(keys.some((key) => others.includes(key))).toBe(true)
      }),
    )
  })

  it('nothing throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (a, b, c) => {
        const versions: VexVersionRange[] = [
          { version: c, status: 'affected' },
          { range: `vers:${c}`, status: 'affected' },
        ]
        const names = [a, `pkg:npm/${a}`, `cpe:2.3:a:${a}:${b}:${c}`, `vers:npm/${b}`]
        for (const name of names) {
          binds(
            { purl: name, cpe: name, versions },
            { purl: names[1] ?? '', cpe: names[2] ?? '', version: b },
          )
        }
      }),
    )
  })

  it('wildcards cost no more than linear time', () => {
    const text = `cpe:2.3:a:a:b:${'a'.repeat(1900)}:*:*:*:*:*:*:*`
    const started = performance.now()
    expect(binds({ cpe: `cpe:2.3:a:a:b:*${'a'.repeat(900)}b*:*:*:*:*:*:*:*` }, { cpe: text })).toBe(false)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

describe('of several names', () => {
  const cpe = (product: string, version: string) => `cpe:2.3:a:acme:${product}:${version}:*:*:*:*:*:*:*`
  const ofPurls = { purl: 'pkg:npm/left@1.0.0', other_names: ['pkg:npm/right', 'pkg:generic/deep@2.0'] }
  const ofCpes = (version: string | null, ...names: string[]) => ({ version, cpe: null, other_names: names })
  it.each<[string, Target, Partial<StatedComponent>, boolean]>([
    ['a further purl', { purl: 'pkg:generic/deep@2.0' }, ofPurls, true],
    ['a further purl by the version beside it', { purl: 'pkg:npm/right@3.0.0' }, ofPurls, true],
    ['another version of a further purl', { purl: 'pkg:generic/deep@3.0' }, ofPurls, false],
    [
      'the versions of the name that is meant',
      { purl: 'pkg:generic/deep', versions: [{ version: '2.0', status: 'affected' }] },
      ofPurls,
      true,
    ],
    [
      'and not those of another name',
      { purl: 'pkg:generic/deep', versions: [{ version: '1.0.0', status: 'affected' }] },
      ofPurls,
      false,
    ],
    ['a further CPE', { cpe: cpe('b', '1.0') }, ofCpes('1.0', cpe('a', '1.0'), cpe('b', '1.0')), true],
    [
      'a CPE of another version',
      { cpe: cpe('b', '*') },
      ofCpes('1.0', cpe('a', '1.0'), cpe('b', '2.0')),
      false,
    ],
    [
      'the first where none has its version',
      { cpe: cpe('a', '*') },
      ofCpes(null, cpe('a', '1'), cpe('b', '2')),
      true,
    ],
    ['and no other one', { cpe: cpe('b', '*') }, ofCpes(null, cpe('a', '1'), cpe('b', '2')), false],
    ['one without a version', { cpe: cpe('b', '*') }, ofCpes('1.0', cpe('a', '1.0'), cpe('b', '*')), true],
    [
      'a concluded CPE',
      { cpe: cpe('c', '1.0') },
      { ...ofCpes('1.0'), concluded_cpes: [cpe('c', '1.0')] },
      true,
    ],
    [
      'a CPE beside purls that are not meant',
      { purl: 'pkg:npm/x', cpe: cpe('c', '1') },
      { ...ofPurls, cpe: cpe('c', '1') },
      false,
    ],
  ])('%s', (_rule, target, component, isBound) => {
    const read = readComponent({ purl: null, cpe: null, version: '3.0.0', ...component })
    expect(bindsTo(readTarget(target), read, 'affected')).toBe(isBound)
  })
})
