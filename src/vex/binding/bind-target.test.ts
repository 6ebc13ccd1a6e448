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

describe('a purl names', () => {
  const yes = [
    ['every version when it gives none', 'pkg:npm/left', 'pkg:npm/left@1.0.0'],
    ['its version', 'pkg:npm/left@1.0.0', 'pkg:npm/left@1.0.0'],
    ['a scoped package, however the scope is written', 'pkg:npm/%40babel/core', 'pkg:npm/@babel/core@7.0.0'],
    ['a scope without its @', 'pkg:npm/babel/core', 'pkg:npm/%40babel/core@7.0.0'],
    ['a scope written into the name', 'pkg:npm/%40babel%2Fcore', 'pkg:npm/%40babel/core@7.0.0'],
    ['a Python package by its normalised name', 'pkg:pypi/Zope_Interface', 'pkg:pypi/zope.interface@5.0'],
    ['a Python version that is equal in its order', 'pkg:pypi/flask@1.0', 'pkg:pypi/flask@1.0.0'],
    ['a Go version without its v', 'pkg:golang/github.com/a/b@1.2.3', 'pkg:golang/github.com/a/b@v1.2.3'],
    [
      'the standard library of Go by its other name, as govulncheck writes it',
      'pkg:golang/stdlib@v1.21.3',
      'pkg:golang/std@go1.21.3?goos=linux&type=module',
    ],
    [
      'the standard library of Go, the other way round',
      'pkg:golang/std@go1.21.3',
      'pkg:golang/stdlib@1.21.3',
    ],
    [
      'the release that a toolchain was built from',
      'pkg:golang/stdlib@v1.21.3',
      'pkg:golang/stdlib@go1.21.3%20X:boringcrypto',
    ],
    [
      'a toolchain by its module',
      'pkg:golang/toolchain@v1.21.3',
      'pkg:golang/golang.org/toolchain@v0.0.1-go1.21.3.linux-amd64',
    ],
    [
      'the packages of the standard library by their module',
      'pkg:golang/stdlib@v1.21.3',
      'pkg:golang/crypto/x509@go1.21.3?type=package',
    ],
    [
      'a Go module in lower case, as purl libraries write it',
      'pkg:golang/github.com%2FBurntSushi%2Ftoml@v1.0.0',
      'pkg:golang/github.com/burntsushi/toml@v1.0.0',
    ],
    [
      'a Go module as the module cache writes it',
      'pkg:golang/github.com/BurntSushi/toml',
      'pkg:golang/github.com/%21burnt%21sushi/toml@v1.0.0',
    ],
    ['a crate with the other dash', 'pkg:cargo/serde-json@1.0.0', 'pkg:cargo/Serde_json@1.0.0'],
    ['a NuGet package in any case', 'pkg:nuget/newtonsoft.json', 'pkg:nuget/Newtonsoft.Json@13.0.1'],
    ['a GitHub repository in any case', 'pkg:github/Acme/Tool', 'pkg:github/acme/tool@v1'],
    [
      'every architecture when it gives none',
      'pkg:deb/debian/openssl@3.0.1',
      'pkg:deb/debian/openssl@3.0.1?arch=amd64',
    ],
    [
      'its architecture',
      'pkg:deb/debian/openssl?arch=amd64',
      'pkg:deb/debian/openssl@3.0.1?arch=amd64&distro=debian-12',
    ],
    [
      'the distribution by another of its names',
      'pkg:rpm/amazon/curl@8.0-1',
      'pkg:rpm/amzn/curl@8.0-1?arch=x86_64',
    ],
    ['the distribution, the other way round', 'pkg:rpm/ol/curl@8.0-1', 'pkg:rpm/oracle/curl@8.0-1'],
    ['an epoch beside its version', 'pkg:deb/debian/git@2.30.2-1?epoch=1', 'pkg:deb/debian/git@1:2.30.2-1'],
    [
      'an epoch in its version',
      'pkg:rpm/redhat/bind@32:9.16-1.el9',
      'pkg:rpm/redhat/bind@9.16-1.el9?epoch=32',
    ],
    ['an epoch of zero as none', 'pkg:rpm/redhat/bash@5.1-6.el9?epoch=0', 'pkg:rpm/redhat/bash@5.1-6.el9'],
    [
      'any epoch when it gives none',
      'pkg:rpm/redhat/bind@9.16-1.el9',
      'pkg:rpm/redhat/bind@9.16-1.el9?epoch=32',
    ],
    ['every part when it gives no subpath', 'pkg:golang/a.b/c', 'pkg:golang/a.b/c@v1.0.0#cmd/x'],
  ] as const
  it.each(yes)('%s', (_rule, target, component) => {
    expect(binds({ purl: target }, { purl: component })).toBe(true)
  })

  const no = [
    ['another version', 'pkg:npm/left@1.0.0', 'pkg:npm/left@1.0.1'],
    ['another release of the standard library', 'pkg:golang/stdlib@v1.21.3', 'pkg:golang/std@go1.21.4'],
    ['a prerelease of it', 'pkg:golang/stdlib@v1.21.0', 'pkg:golang/std@go1.21rc2'],
    ['the standard library by one of its packages', 'pkg:golang/net/http', 'pkg:golang/std@go1.21.3'],
    [
      'packages of the toolchain by the standard library',
      'pkg:golang/stdlib@v1.21.3',
      'pkg:golang/cmd/go@go1.21.3?type=package',
    ],
    [
      'another package of the standard library',
      'pkg:golang/net/http@go1.21.3',
      'pkg:golang/crypto/x509@go1.21.3',
    ],
    ['the toolchain by the standard library', 'pkg:golang/stdlib', 'pkg:golang/toolchain@go1.21.3'],
    ['a module that ends like the standard library', 'pkg:golang/example.com/std', 'pkg:golang/std@go1.21.3'],
    ['another build of a version', 'pkg:npm/left@1.0.0+a', 'pkg:npm/left@1.0.0+b'],
    ['a component without version', 'pkg:npm/left@1.0.0', 'pkg:npm/left'],
    ['another type', 'pkg:pypi/left', 'pkg:npm/left@1.0.0'],
    ['another namespace', 'pkg:maven/org.a/b', 'pkg:maven/org.c/b@1'],
    ['a package without the namespace', 'pkg:maven/org.a/b', 'pkg:maven/b@1'],
    ['a longer name', 'pkg:npm/left', 'pkg:npm/left-pad@1.0.0'],
    ['another case where the registry knows case', 'pkg:maven/org.a/B', 'pkg:maven/org.a/b@1'],
    ['another architecture', 'pkg:deb/debian/openssl?arch=arm64', 'pkg:deb/debian/openssl@3?arch=amd64'],
    [
      'a component that names no architecture',
      'pkg:deb/debian/openssl?arch=arm64',
      'pkg:deb/debian/openssl@3',
    ],
    ['another distribution', 'pkg:rpm/redhat/curl@8.0-1', 'pkg:rpm/almalinux/curl@8.0-1'],
    ['a vendor that is no distribution', 'pkg:rpm/acme/curl@8.0-1', 'pkg:rpm/amzn/curl@8.0-1'],
    ['a vendor of another registry', 'pkg:golang/ol/curl', 'pkg:golang/oracle/curl@v1.0.0'],
    ['another epoch', 'pkg:deb/debian/git@2.30.2-1?epoch=2', 'pkg:deb/debian/git@1:2.30.2-1'],
    ['an epoch that is not there', 'pkg:deb/debian/git@2.30.2-1?epoch=1', 'pkg:deb/debian/git@2.30.2-1'],
    ['another version of an epoch', 'pkg:deb/debian/git@2.30.3-1?epoch=1', 'pkg:deb/debian/git@1:2.30.2-1'],
    ['another part', 'pkg:golang/a.b/c#cmd/x', 'pkg:golang/a.b/c@v1.0.0#cmd/y'],
  ] as const
  it.each(no)('never %s', (_rule, target, component) => {
    expect(binds({ purl: target }, { purl: component })).toBe(false)
  })

  it('the version that the component states beside its purl', () => {
    const beside = { purl: 'pkg:npm/left?vcs_url=x', version: '1.0.0' }
    expect(binds({ purl: 'pkg:npm/left@1.0.0' }, beside)).toBe(true)
    expect(binds({ purl: 'pkg:npm/left@2.0.0' }, beside)).toBe(false)
    expect(binds({ purl: 'pkg:npm/left@2.0.0' }, { purl: 'pkg:npm/left@1.0.0', version: '2.0.0' })).toBe(
      false,
    )
  })

  it('nothing when it cannot be read', () => {
    expect(binds({ purl: 'pkg:' }, { purl: 'pkg:npm/left@1' })).toBe(false)
  })
})

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
