import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { parsePurl } from './purl.ts'

type Expected = [
  type: string,
  namespace: string | null,
  name: string,
  version: string | null,
  qualifiers: Record<string, string>,
  subpath: string | null,
]

const readable: [string, Expected][] = [
  ['pkg:npm/foo@1.0.0', ['npm', null, 'foo', '1.0.0', {}, null]],
  ['pkg:npm/%40babel/core@7.1.0', ['npm', '@babel', 'core', '7.1.0', {}, null]],
  ['pkg:npm/@babel/core@7.1.0', ['npm', '@babel', 'core', '7.1.0', {}, null]],
  ['pkg:npm/@babel/core', ['npm', '@babel', 'core', null, {}, null]],
  ['pkg:npm/%40babel%2Fcore@7.1.0', ['npm', null, '@babel/core', '7.1.0', {}, null]],
  ['pkg:npm/JSONStream@1.0.3', ['npm', null, 'JSONStream', '1.0.3', {}, null]],
  ['PKG:NPM/foo@1', ['npm', null, 'foo', '1', {}, null]],
  ['  pkg:npm/foo@1  ', ['npm', null, 'foo', '1', {}, null]],
  ['pkg://npm/foo@1', ['npm', null, 'foo', '1', {}, null]],
  ['pkg:/npm//foo@1', ['npm', null, 'foo', '1', {}, null]],
  ['pkg:npm/foo@', ['npm', null, 'foo', null, {}, null]],
  ['pkg:golang/github.com%2Fa%2Fb@v1.0.0', ['golang', null, 'github.com/a/b', 'v1.0.0', {}, null]],
  ['pkg:golang/a.b/c@v1.0.0+incompatible', ['golang', 'a.b', 'c', 'v1.0.0+incompatible', {}, null]],
  ['pkg:golang/a.b/c@(devel)', ['golang', 'a.b', 'c', '(devel)', {}, null]],
  ['pkg:golang/a.b/c@v2.1.0#v2/./../x/', ['golang', 'a.b', 'c', 'v2.1.0', {}, 'v2/x']],
  ['pkg:pypi/Django_Rest@1', ['pypi', null, 'django-rest', '1', {}, null]],
  ['pkg:composer/Laravel/Framework@1', ['composer', 'laravel', 'framework', '1', {}, null]],
  ['pkg:nuget/Newtonsoft.Json@13.0.1', ['nuget', null, 'Newtonsoft.Json', '13.0.1', {}, null]],
  [
    'pkg:deb/debian/librtmp1@2.4+20151223.gitfa8646d.1-2+b2?upstream=rtmpdump%402.4+20151223.gitfa8646d.1-2&distro=debian-11',
    [
      'deb',
      'debian',
      'librtmp1',
      '2.4+20151223.gitfa8646d.1-2+b2',
      { upstream: 'rtmpdump@2.4+20151223.gitfa8646d.1-2', distro: 'debian-11' },
      null,
    ],
  ],
  [
    'pkg:rpm/amzn/x@1?distro=amazon-2%20%28Karoo%29',
    ['rpm', 'amzn', 'x', '1', { distro: 'amazon-2 (Karoo)' }, null],
  ],
  ['pkg:rpm/redhat/bind@32%3A9.11-5.el8', ['rpm', 'redhat', 'bind', '32:9.11-5.el8', {}, null]],
  ['pkg:npm/x@1?a=&A=1&a=2&novalue&&b=%26', ['npm', null, 'x', '1', { a: '1', b: '&' }, null]],
  ['pkg:npm/x@1?__proto__=1', ['npm', null, 'x', '1', { ['__proto__']: '1' }, null]],
  [
    'pkg:npm/x@1?vcs_url=git+https://h/x?y#sub',
    ['npm', null, 'x', '1', { vcs_url: 'git+https://h/x?y' }, 'sub'],
  ],
  ['pkg:none/x', ['none', null, 'x', null, {}, null]],
  // what tools write in place of a type
  ['pkg:dotnet-core/Serilog@2.10.0', ['nuget', null, 'Serilog', '2.10.0', {}, null]],
  ['pkg:rustbinary/adler@1.0.2', ['cargo', null, 'adler', '1.0.2', {}, null]],
  ['pkg:crates/adler@0.2.3', ['cargo', null, 'adler', '0.2.3', {}, null]],
  ['pkg:pip/Flask_Login@0.6.3', ['pypi', null, 'flask-login', '0.6.3', {}, null]],
  ['pkg:uv/aiofiles@23.2.1', ['pypi', null, 'aiofiles', '23.2.1', {}, null]],
  ['pkg:rubygems/rack@3.0.8', ['gem', null, 'rack', '3.0.8', {}, null]],
  ['pkg:go/github.com/a/b@v1.0.0', ['golang', 'github.com/a', 'b', 'v1.0.0', {}, null]],
  [
    'pkg:SBT/org.typelevel/cats-core_2.13@2.9.0',
    ['maven', 'org.typelevel', 'cats-core_2.13', '2.9.0', {}, null],
  ],
  // an escaped `@` before the version
  [
    'pkg:nuget/Microsoft.Sbom.DotNetTool%400.3.0',
    ['nuget', null, 'Microsoft.Sbom.DotNetTool', '0.3.0', {}, null],
  ],
  ['pkg:npm/%40babel/core%407.1.0?a=1', ['npm', '@babel', 'core', '7.1.0', { a: '1' }, null]],
  ['pkg:npm/%40babel%2Fcore%407.1.0', ['npm', null, '@babel/core', '7.1.0', {}, null]],
  ['pkg:golang/a.b/c%40v1.0.0#d', ['golang', 'a.b', 'c', 'v1.0.0', {}, 'd']],
  ['pkg:npm/%407zip/core', ['npm', '@7zip', 'core', null, {}, null]],
  ['pkg:npm/%407zip%2Fcore', ['npm', null, '@7zip/core', null, {}, null]],
  ['pkg:generic/a%402@1', ['generic', null, 'a@2', '1', {}, null]],
  ['pkg:generic/a%40b', ['generic', null, 'a@b', null, {}, null]],
  // part of the name: Homebrew calls an older line of a formula so, and a generic name may be any
  ['pkg:brew/openssl%403', ['brew', null, 'openssl@3', null, {}, null]],
  [
    'pkg:brew/homebrew/core/python%403.11?a=1',
    ['brew', 'homebrew/core', 'python@3.11', null, { a: '1' }, null],
  ],
  ['pkg:generic/Pump%402', ['generic', null, 'Pump@2', null, {}, null]],
  // a release in the name
  ['pkg:deb/debian:buster:apt@1.8.2.2', ['deb', 'debian', 'apt', '1.8.2.2', { distro: 'buster' }, null]],
  [
    'pkg:deb/ubuntu:jammy:libssl3@3.0.2?arch=amd64',
    ['deb', 'ubuntu', 'libssl3', '3.0.2', { arch: 'amd64', distro: 'jammy' }, null],
  ],
  ['pkg:deb/libc6:amd64@2.36-9', ['deb', null, 'libc6:amd64', '2.36-9', {}, null]],
  ['pkg:npm/debian:buster:apt@1', ['npm', null, 'debian:buster:apt', '1', {}, null]],
]

const unreadable: [string, string][] = [
  ['empty', ''],
  ['no purl', 'npm/foo@1.0.0'],
  ['a plain URL', 'https://example.com/foo.zip'],
  ['no type', 'pkg:foo@1'],
  ['no name', 'pkg:npm/'],
  ['a version instead of a name', 'pkg:maven/@1.3.4'],
  ['a namespace instead of a name', 'pkg:swift/github.com/Alamofire/@5.4.3'],
  ['a type that begins with a number', 'pkg:3gpp/x'],
  ['a type with a space', 'pkg:n pm/x'],
  ['user and password', 'pkg://user:pass@host/npm/x'],
  ['a broken escape in the name', 'pkg:npm/%zz@1'],
  ['an escape that is no UTF-8', 'pkg:npm/x@%ff'],
  ['a broken escape in a qualifier', 'pkg:npm/x@1?a=%zz'],
  ['a space in a qualifier key', 'pkg:npm/x@1?in%20production=true'],
  ['NUL behind an escape', 'pkg:npm/x%00y@1'],
  ['the key separator behind an escape', 'pkg:npm/x%1Fy@1'],
  ['a line feed', 'pkg:npm/x\ny@1'],
  ['NUL in a qualifier', 'pkg:npm/x@1?a=%00'],
  ['more than 4 096 characters', `pkg:npm/${'x'.repeat(4089)}`],
]

describe('parsePurl', () => {
  it.each(readable)('reads %s', (text, [type, namespace, name, version, qualifiers, subpath]) => {
    const purl = parsePurl(text)
    expect(purl).toEqual({
      type,
      namespace,
      name,
      version,
      qualifiers: new Map(Object.entries(qualifiers)),
      subpath,
    })
  })

  it.each(unreadable)('refuses %s', (_name, text) => {
    expect(parsePurl(text)).toBeUndefined()
  })

  it('reads exactly 4 096 characters', () => {
    expect(parsePurl(`pkg:npm/${'x'.repeat(4088)}`)?.name).toHaveLength(4088)
  })

  it('never throws and never lets a control character through', () => {
    const piece = fc.constantFrom(
      'pkg:',
      'npm',
      '/',
      '@',
      '?',
      '#',
      '&',
      '=',
      '%',
      '%00',
      '%2F',
      '%40',
      ':',
      '+',
      ' ',
    )
    const hostile = fc.array(fc.oneof(piece, fc.string({ unit: anyCharacter, maxLength: 4 })), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(hostile, (pieces) => {
        const purl = parsePurl(`pkg:${pieces.join('')}`)
        const texts =
          purl === undefined ? [] : [purl.type, purl.namespace, purl.name, purl.version, purl.subpath]
        expect(texts.some((text) => text !== null && /\p{Cc}/u.test(text))).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it('reads a plain purl as the library does', () => {
    const part = fc.constantFrom(
      'npm',
      'Pypi',
      'a_b',
      'A.b',
      'x-y',
      '~',
      '.',
      '..',
      '/',
      '//',
      '@',
      '%40',
      '+',
      ':',
      '1',
      'é',
      '%2F',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = `pkg:${parts.join('')}`
        // An empty subpath says nothing, but such a purl is not read as plain.
        expect(parsePurl(text)).toEqual(parsePurl(`${text}#`))
      }),
      { numRuns: 5_000 },
    )
  })

  it('gives back what an encoded purl says', () => {
    const part = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((text) => /^[^\p{Cc}\s/@.]+$/u.test(text))
    fc.assert(
      fc.property(part, part, part, part, (namespace, name, version, value) => {
        const encoded = [namespace, name, version, value].map((text) => encodeURIComponent(text))
        const purl = parsePurl(
          `pkg:generic/${encoded[0] ?? ''}/${encoded[1] ?? ''}@${encoded[2] ?? ''}?key=${encoded[3] ?? ''}`,
        )
        expect(purl).toEqual({
          type: 'generic',
          namespace,
          name,
          version,
          qualifiers: new Map([['key', value]]),
          subpath: null,
        })
      }),
    )
  })
})
