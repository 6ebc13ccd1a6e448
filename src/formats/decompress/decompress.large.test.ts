import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { decompress } from './decompress.ts'
import { checkEncoding } from './encoding.ts'
import { inflateZstd } from './inflate.ts'

const cap = 1_000
const text = (value: string) => new TextEncoder().encode(value)
const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))
const changed = (bytes: Uint8Array, at: number, value: number) =>
  bytes.map((byte, index) => (index === at ? value : byte))

/** A frame that says how long its content is, and ends in a checksum: magic, descriptor 0x24, size, block, checksum. */
const checked = zstdCompressSync('hello hello hello', {
  params: { [constants.ZSTD_c_checksumFlag]: 1 },
  pledgedSrcSize: 17,
})
const skippable = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3)
/** Frame header only: no single segment, no content size, and the window descriptor that follows. */
const windowOf = (descriptor: number) =>
  Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, descriptor, 0x01, 0x00, 0x00)
const hello = text('hello')
const gzip = gzipSync(hello)
const zstd = zstdCompressSync(hello)

function outcome(run: () => Uint8Array): string {
  try {
    return new TextDecoder().decode(run())
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

describe('Content-Encoding', () => {
  const accepted: [header: string | undefined, meaning: string][] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['identity', 'identity'],
    ['Identity', 'identity'],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    [' gzip ', 'gzip'],
    ['x-gzip', 'gzip'],
    ['zstd', 'zstd'],
    ['ZSTD', 'zstd'],
  ]
  it.each(accepted)('%j is %s', (header, meaning) => {
    expect(checkEncoding(header, 'gzip_and_zstd')).toBe(meaning)
  })

  it.each([
    'br',
    'deflate',
    'compress',
    'gzip, br',
    'gzip,gzip',
    'identity, gzip',
    'x-zstd',
    'constructor',
    'g\u0000zip',
  ])('%j is refused, whatever the body is', (header) => {
    expect(outcome(() => decompress(gzip, header, 'gzip_and_zstd', cap))).toBe('bad_encoding')
    expect(outcome(() => decompress(new Uint8Array(), header, 'gzip_and_zstd', cap))).toBe('bad_encoding')
  })

  it('zstd is refused where only gzip is accepted', () => {
    expect(() => checkEncoding('zstd', 'gzip')).toThrow(
      expect.objectContaining({
        code: 'bad_encoding',
        detail: 'Content-Encoding: expected gzip, x-gzip or identity, found "zstd"',
      }),
    )
  })
})

describe('plain bodies', () => {
  it.each([
    ['plain text', hello, undefined, 'hello'],
    ['no bytes', new Uint8Array(), undefined, 'empty'],
    ['no bytes under gzip', new Uint8Array(), 'gzip', 'empty'],
    ['white space is not empty', text(' '), undefined, ' '],
    ['the cap exactly', new Uint8Array(cap).fill(0x61), 'identity', 'a'.repeat(cap)],
    ['one byte over the cap', new Uint8Array(cap + 1).fill(0x61), 'identity', 'too_large'],
    ['one byte that could begin a gzip stream', Uint8Array.of(0x1f), undefined, '\u001f'],
  ])('%s', (_name, body, encoding, expected) => {
    expect(outcome(() => decompress(body, encoding, 'gzip', cap))).toBe(expected)
  })
})

describe('gzip', () => {
  it.each([
    ['named', gzip, 'gzip', 'hello'],
    ['by its first bytes', gzip, undefined, 'hello'],
    ['by its first bytes under identity', gzip, 'identity', 'hello'],
    ['two members are one stream', join(gzip, gzip), 'gzip', 'hellohello'],
    ['zero padding', join(gzip, new Uint8Array(512)), 'gzip', 'hello'],
    ['no bytes inside', gzipSync(''), 'gzip', 'empty'],
    ['the cap exactly', gzipSync(new Uint8Array(cap).fill(0x61)), 'gzip', 'a'.repeat(cap)],
    ['one byte over the cap', gzipSync(new Uint8Array(cap + 1)), 'gzip', 'too_large'],
    ['the members together over the cap', join(gzipSync(new Uint8Array(cap)), gzip), 'gzip', 'too_large'],
    ['not compressed', hello, 'gzip', 'bad_encoding'],
    ['zstd instead', zstd, 'gzip', 'bad_encoding'],
    ['cut', gzip.subarray(0, -3), 'gzip', 'bad_encoding'],
    ['header only', gzip.subarray(0, 3), undefined, 'bad_encoding'],
    ['checksum wrong', changed(gzip, gzip.length - 8, 0), 'gzip', 'bad_encoding'],
    ['garbage behind', join(gzip, hello), 'gzip', 'bad_encoding'],
    ['garbage behind a zero byte', join(gzip, Uint8Array.of(0), hello), 'gzip', 'bad_encoding'],
    ['a member behind padding', join(gzip, Uint8Array.of(0), gzip), 'gzip', 'bad_encoding'],
    ['gzip inside', gzipSync(gzip), 'gzip', 'bad_encoding'],
    ['zstd inside', gzipSync(zstd), undefined, 'bad_encoding'],
  ])('%s', (_name, body, encoding, expected) => {
    expect(outcome(() => decompress(body, encoding, 'gzip', cap))).toBe(expected)
  })
})

describe('zstd', () => {
  it.each([
    ['named', zstd, 'zstd', 'hello'],
    ['by its first bytes', zstd, undefined, 'hello'],
    ['two frames are one stream', join(zstd, zstd), 'zstd', 'hellohello'],
    ['a skippable frame in front', join(skippable, zstd), undefined, 'hello'],
    ['a skippable frame behind', join(zstd, skippable), 'zstd', 'hello'],
    ['nothing but a skippable frame', skippable, 'zstd', 'empty'],
    ['no bytes inside', zstdCompressSync(''), 'zstd', 'empty'],
    ['the cap exactly', zstdCompressSync(new Uint8Array(cap).fill(0x61)), 'zstd', 'a'.repeat(cap)],
    [
      'an empty frame at the cap',
      join(zstdCompressSync('a'.repeat(cap)), zstdCompressSync('')),
      'zstd',
      'a'.repeat(cap),
    ],
    ['one byte over the cap', zstdCompressSync(new Uint8Array(cap + 1)), 'zstd', 'too_large'],
    [
      'a second frame over the cap',
      join(zstdCompressSync('a'.repeat(cap)), zstdCompressSync('a')),
      'zstd',
      'too_large',
    ],
    ['with a checksum', checked, 'zstd', 'hello hello hello'],
    [
      'checksum wrong',
      changed(checked, checked.length - 1, (checked.at(-1) ?? 0) ^ 0xff),
      'zstd',
      'bad_encoding',
    ],
    ['a byte flipped', changed(checked, 8, (checked[8] ?? 0) ^ 0xff), 'zstd', 'bad_encoding'],
    ['declared size wrong', changed(checked, 5, 18), 'zstd', 'bad_encoding'],
    ['window of 8 MB', windowOf((23 - 10) << 3), 'zstd', 'empty'],
    ['window of 16 MB', windowOf((24 - 10) << 3), 'zstd', 'bad_encoding'],
    ['window of 64 GB', windowOf((36 - 10) << 3), 'zstd', 'bad_encoding'],
    [
      'dictionary id',
      join(zstd.subarray(0, 4), Uint8Array.of(0x21, 7, 5), zstd.subarray(6)),
      'zstd',
      'bad_encoding',
    ],
    ['cut', zstd.subarray(0, -2), 'zstd', 'bad_encoding'],
    ['magic only', zstd.subarray(0, 4), undefined, 'bad_encoding'],
    ['garbage behind', join(zstd, hello), 'zstd', 'bad_encoding'],
    ['gzip behind', join(zstd, gzip), 'zstd', 'bad_encoding'],
    ['gzip instead', gzip, 'zstd', 'bad_encoding'],
    ['not compressed', hello, 'zstd', 'bad_encoding'],
    ['zstd inside', zstdCompressSync(zstd), 'zstd', 'bad_encoding'],
    ['gzip inside', zstdCompressSync(gzip), undefined, 'bad_encoding'],
  ])('%s', (_name, body, encoding, expected) => {
    expect(outcome(() => decompress(body, encoding, 'gzip_and_zstd', cap))).toBe(expected)
  })

  it('a frame cut anywhere is refused', () => {
    for (let length = 1; length < checked.length; length += 1) {
      expect(outcome(() => decompress(checked.subarray(0, length), 'zstd', 'gzip_and_zstd', cap))).toBe(
        'bad_encoding',
      )
    }
  })

  it('reads 1 000 frames and refuses the next one', () => {
    const frames = (count: number) => join(...Array.from({ length: count }, () => zstdCompressSync('a')))
    expect(outcome(() => decompress(frames(1_000), 'zstd', 'gzip_and_zstd', cap))).toBe('a'.repeat(1_000))
    expect(outcome(() => decompress(frames(1_001), 'zstd', 'gzip_and_zstd', 2_000))).toBe('bad_encoding')
  })

  it('stops at the frame that goes over the cap', () => {
    const bytes = join(zstdCompressSync('a'.repeat(cap)), zstdCompressSync('a'), hello)
    expect(() => inflateZstd(bytes, cap)).toThrow(expect.objectContaining({ code: 'too_large' }))
  })

  it('is refused without a header where only gzip is accepted', () => {
    expect(outcome(() => decompress(zstd, undefined, 'gzip', cap))).toBe('bad_encoding')
  })
})

describe('bombs', () => {
  const gigabyte = new Uint8Array(2 ** 30)
  const members = (member: Uint8Array) => {
    const bomb = Buffer.alloc(Math.floor(limits.bodySentBytes / member.length) * member.length)
    return bomb.fill(member)
  }
  it.each([
    ['1 GB of zeros in gzip', () => gzipSync(gigabyte, { level: 1 }), 'gzip', 'too_large'],
    ['1 GB of zeros in zstd', () => zstdCompressSync(gigabyte), 'zstd', 'too_large'],
    ['4 MB of empty gzip members', () => members(gzipSync('')), 'gzip', 'empty'],
    ['4 MB of empty zstd frames', () => members(zstdCompressSync('')), 'zstd', 'bad_encoding'],
  ])('%s cost less than two seconds of the processor', (_name, make, encoding, expected) => {
    const bomb = make()
    const before = process.threadCpuUsage()
    expect(outcome(() => decompress(bomb, encoding, 'gzip_and_zstd', limits.bodyDecompressedBytes))).toBe(
      expected,
    )
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(2)
  })
})

describe('any input', () => {
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(gzipSync(bytes))),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(zstdCompressSync(bytes))),
  )
  const headers = fc.constantFrom(undefined, 'gzip', 'zstd', 'identity')

  it('is read or refused with a code of the public interface', () => {
    const codes = ['bad_encoding', 'empty', 'too_large']
    fc.assert(
      fc.property(bodies, bodies, fc.nat(400), headers, (first, second, cutAt, header) => {
        const body = join(first, second).subarray(0, cutAt)
        try {
          expect(decompress(body, header, 'gzip_and_zstd', 100).length).toBeLessThanOrEqual(100)
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
          expect(codes).toContain(error.code)
        }
      }),
    )
  })

  it('comes back from both codings as it was', () => {
    const files = fc
      .uint8Array({ minLength: 1, maxLength: 500 })
      .filter((bytes) => bytes[0] !== 0x1f && bytes[0] !== 0x28)
    fc.assert(
      fc.property(files, (file) => {
        expect(Buffer.compare(decompress(gzipSync(file), 'gzip', 'gzip_and_zstd', 500), file)).toBe(0)
        expect(Buffer.compare(decompress(zstdCompressSync(file), 'zstd', 'gzip_and_zstd', 500), file)).toBe(0)
      }),
    )
  })
})
