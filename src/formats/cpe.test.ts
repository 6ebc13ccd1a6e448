import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  concreteText,
  cpePackageKey,
  isConcrete,
  isWellFormedCpe,
  parseCpe,
  writtenCpe,
  type Cpe,
  type CpeValue,
} from './cpe.ts'

/** `*` for ANY, `-` for NA, `text~` for a text with a wildcard: enough to write a table. */
function short(value: CpeValue): string {
  if (value.kind === 'any') return '*'
  if (value.kind === 'na') return '-'
  return value.hasWildcard ? `${value.text}~` : `'${value.text}'`
}

function row(cpe: Cpe | undefined): string | undefined {
  return cpe && Object.values(cpe).map(short).join(' ')
}

const readable: [string, string][] = [
  ['cpe:2.3:a:openssl:openssl:1.1.1k:*:*:*:*:*:*:*', "'a' 'openssl' 'openssl' '1.1.1k' * * * * * * *"],
  ['CPE:2.3:A:OpenSSL:OpenSSL:1.1.1K:*:*:*:*:*:*:*', "'a' 'openssl' 'openssl' '1.1.1k' * * * * * * *"],
  ['cpe:2.3:o:acme:pump_firmware:-:*:*:*:*:*:*:*', "'o' 'acme' 'pump_firmware' - * * * * * * *"],
  ['cpe:2.3:a:acme:http\\:\\:daemon:1.0:*:*:*:*:*:*:*', "'a' 'acme' 'http::daemon' '1.0' * * * * * * *"],
  ['cpe:2.3:a:acme:a\\\\:1.0:*:*:*:*:*:*:*', "'a' 'acme' 'a\\' '1.0' * * * * * * *"],
  ['cpe:2.3:a:acme:a_b\\-c:1\\.0\\+2:*:*:*:*:*:*:*', "'a' 'acme' 'a_b-c' '1.0+2' * * * * * * *"],
  ['cpe:2.3:a:acme:\\-:1.0:*:*:*:*:*:*:*', "'a' 'acme' '-' '1.0' * * * * * * *"],
  ['cpe:2.3:a:acme:\\*:1.0:*:*:*:*:*:*:*', "'a' 'acme' '*' '1.0' * * * * * * *"],
  ['cpe:2.3:a:acme:tool*:1.?:*:*:*:*:*:*:*', "'a' 'acme' tool*~ 1.?~ * * * * * * *"],
  ['cpe:2.3:*:*:*:*:*:*:*:*:*:*:*', '* * * * * * * * * * *'],
  ['cpe:2.3:a:acme:tool:1.0', "'a' 'acme' 'tool' '1.0' * * * * * * *"],
  [
    'cpe:2.3:a:acme:tool:1.0:rc1:*:en:*:wordpress:x64:-',
    "'a' 'acme' 'tool' '1.0' 'rc1' * 'en' * 'wordpress' 'x64' -",
  ],
  ['cpe:/a:openssl:openssl:1.1.1k', "'a' 'openssl' 'openssl' '1.1.1k' * * * * * * *"],
  ['cpe:/a:acme:http%3a%3adaemon:1.0', "'a' 'acme' 'http::daemon' '1.0' * * * * * * *"],
  ['cpe:/o:acme:pump_firmware:-', "'o' 'acme' 'pump_firmware' - * * * * * * *"],
  ['cpe:/a:acme:tool::sp1', "'a' 'acme' 'tool' * 'sp1' * * * * * *"],
  ['cpe:/a:acme:to%02ol:1.%01', "'a' 'acme' to*ol~ 1.?~ * * * * * * *"],
  [
    'cpe:/a:acme:tool:1:sp1:~ed~home~android~x64~x:en',
    "'a' 'acme' 'tool' '1' 'sp1' 'ed' 'en' 'home' 'android' 'x64' 'x'",
  ],
  ['cpe:/a:acme:tool:1::~~~wordpress~~', "'a' 'acme' 'tool' '1' * * * * 'wordpress' * *"],
]

const unreadable: [string, string][] = [
  ['empty', ''],
  ['another scheme', 'pkg:npm/a@1'],
  ['no product', 'cpe:2.3:a:acme'],
  ['an unknown part', 'cpe:2.3:x:acme:tool:1:*:*:*:*:*:*:*'],
  ['NA as a whole', 'cpe:/'],
  ['too many attributes', 'cpe:2.3:a:acme:tool:1:*:*:*:*:*:*:*:*'],
  ['too many attributes of a URI', 'cpe:/a:a:b:c:d:e:f:g'],
  ['a broken escape of a URI', 'cpe:/a:acme:%zz'],
  ['a control character', 'cpe:2.3:a:ac\u0000me:tool:1'],
  ['a control character behind an escape', 'cpe:/a:acme:to%00ol'],
  ['more than 2 048 characters', `cpe:2.3:a:acme:${'x'.repeat(2048)}`],
]

describe('parseCpe', () => {
  it.each(readable)('reads %s', (text, expected) => {
    expect(row(parseCpe(text))).toBe(expected)
  })

  it.each(unreadable)('refuses %s', (_name, text) => {
    expect(parseCpe(text)).toBeUndefined()
  })

  it('reads back any escaped value', () => {
    const value = fc
      .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 })
      .filter((text) => text.trim() === text)
    fc.assert(
      fc.property(value, value, (vendor, product) => {
        const escape = (text: string): string => text.replaceAll(/[^a-zA-Z0-9_]/g, '\\$&')
        const cpe = parseCpe(`cpe:2.3:a:${escape(vendor)}:${escape(product)}:1:*:*:*:*:*:*:*`)
        expect(cpe && [concreteText(cpe.vendor), concreteText(cpe.product)]).toEqual([
          vendor.toLowerCase(),
          product.toLowerCase(),
        ])
      }),
    )
  })

  it('never throws', () => {
    const piece = fc.constantFrom(':', '\\', '*', '?', '-', '%01', '%', '~', 'a', 'cpe:/', '2.3')
    fc.assert(
      fc.property(
        fc.constantFrom('cpe:2.3:', 'cpe:/', ''),
        fc.array(piece, { maxLength: 30 }),
        (prefix, pieces) => {
          expect(() => parseCpe(prefix + pieces.join(''))).not.toThrow()
        },
      ),
    )
  })
})

describe('cpePackageKey', () => {
  const keys: [string, string | undefined][] = [
    ['cpe:2.3:a:OpenSSL:OpenSSL:1.1.1k:*:*:*:*:*:*:*', 'cpe\u001fa:openssl:openssl'],
    ['cpe:/a:openssl:openssl:1.1.1k', 'cpe\u001fa:openssl:openssl'],
    ['cpe:2.3:a:acme:a_b\\-c:1.0:*:*:*:*:*:*:*', 'cpe\u001fa:acme:a_b-c'],
    ['cpe:2.3:a:*:tool:1.0:*:*:*:*:*:*:*', undefined],
    ['cpe:2.3:a:acme:*:1.0:*:*:*:*:*:*:*', undefined],
    ['cpe:2.3:a:acme:-:1.0:*:*:*:*:*:*:*', undefined],
    ['cpe:2.3:a:acme:tool*:1.0:*:*:*:*:*:*:*', undefined],
    ['cpe:2.3:*:acme:tool:1.0:*:*:*:*:*:*:*', undefined],
    ['cpe:/a:acme', undefined],
  ]

  it.each(keys)('%s', (text, expected) => {
    const cpe = parseCpe(text)
    expect(cpe && cpePackageKey(cpe)).toBe(expected)
    expect(cpe !== undefined && isConcrete(cpe)).toBe(expected !== undefined)
  })
})

describe('a CPE name as it is written for others', () => {
  it.each<[cpe: string, written: string]>([
    ['cpe:2.3:a:Acme:pump:1.0:*:*:*:*:*:*:*', 'cpe:2.3:a:Acme:pump:1.0:*:*:*:*:*:*:*'],
    ['cpe:2.3:a:acme:c\\+\\+:1.*:*:*:*:*:*:*:*', 'cpe:2.3:a:acme:c\\+\\+:1.*:*:*:*:*:*:*:*'],
    ['cpe:/a:acme:pump:1.0', 'cpe:/a:acme:pump:1.0'],
    ['cpe:2.3:a:acme:pump', 'cpe:2.3:a:acme:pump:*:*:*:*:*:*:*:*'],
    ['cpe:2.3:a:acme:pump:-', 'cpe:2.3:a:acme:pump:-:*:*:*:*:*:*:*'],
    ['CPE:2.3:A:Acme:Pump:1.0:*:*:*:*:*:*:*', 'cpe:2.3:a:acme:pump:1.0:*:*:*:*:*:*:*'],
    ['CPE:/a:acme:pump', 'cpe:2.3:a:acme:pump:*:*:*:*:*:*:*:*'],
    ['cpe:2.3:a:acme:c++:1.0@2:*:*:*:*:*:*:*', 'cpe:2.3:a:acme:c\\+\\+:1.0\\@2:*:*:*:*:*:*:*'],
  ])('%s is written %s, which means the same', (cpe, written) => {
    expect(writtenCpe(cpe)).toBe(written)
    expect(isWellFormedCpe(written)).toBe(true)
    expect(parseCpe(written)).toEqual(parseCpe(cpe))
  })

  it.each(['cpe:2.3:a:acme:pümp:1:*:*:*:*:*:*:*', 'cpe:2.3:a:acme:p*p*p', 'cpe:2.3:a:acme:big pump'])(
    '%s has no other spelling',
    (cpe) => {
      expect(writtenCpe(cpe)).toBe(cpe)
      expect(isWellFormedCpe(cpe)).toBe(false)
    },
  )
})
