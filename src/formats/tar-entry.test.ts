import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tarEnd, tarHeader, tarPadding } from './tar-entry.ts'

const modifiedAt = new Date('2026-01-31T12:00:00Z')
const long = `${'folder/'.repeat(20)}${'n'.repeat(99)}`
const files: [string, string][] = [
  ['empty.json', ''],
  ['a/small.json', '{"a":1}\n'],
  ['a/block.bin', 'x'.repeat(512)],
  ['a/more.bin', 'y'.repeat(513)],
  [`${'a'.repeat(96)}.csv`, 'a name of 100 letters'],
  [long, 'in many folders'],
]

const archive = Buffer.concat([
  ...files.flatMap(([name, text]) => [
    tarHeader({ name, sizeBytes: text.length, modifiedAt }),
    Buffer.from(text),
    tarPadding(text.length),
  ]),
  tarEnd(),
])

const hasTar = spawnSync('tar', ['--version']).status === 0

describe('a tar archive', () => {
  it('has whole blocks of 512 bytes, and two empty ones at its end', () => {
    expect(archive.length % 512).toBe(0)
    expect(archive.subarray(-1024).every((byte) => byte === 0)).toBe(true)
    expect(tarPadding(512)).toHaveLength(0)
    expect(tarPadding(0)).toHaveLength(0)
    expect(tarPadding(1)).toHaveLength(511)
  })

  it('has the fields of ustar where they belong', () => {
    const header = tarHeader({ name: 'a.json', sizeBytes: 8, modifiedAt })
    const text = (from: number, to: number) => header.toString('ascii', from, to)
    expect(text(0, 7)).toBe('a.json\0')
    expect(text(100, 108)).toBe('0000644\0')
    expect(text(124, 136)).toBe('00000000010\0')
    expect(Number.parseInt(text(136, 147), 8)).toBe(modifiedAt.getTime() / 1000)
    expect(text(257, 265)).toBe('ustar\x0000')
    const summed = Buffer.from(header).fill(' ', 148, 156)
    expect(Number.parseInt(text(148, 154), 8)).toBe(summed.reduce((sum, byte) => sum + byte, 0))
  })

  it.runIf(hasTar)('is listed and unpacked by tar', () => {
    const listed = execFileSync('tar', ['-tf', '-'], { input: archive, encoding: 'utf8' })
    expect(listed.trim().split('\n')).toEqual(files.map(([name]) => name))
    const folder = mkdtempSync(join(tmpdir(), 'tar-'))
    try {
      execFileSync('tar', ['-xf', '-', '-C', folder], { input: archive })
      for (const [name, text] of files) expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.each([
    ['a name of 101 letters without a folder', 'a'.repeat(101)],
    ['a last part of 101 letters', `folder/${'a'.repeat(101)}`],
    ['folders of more than 155 letters', `${'a'.repeat(156)}/b${'c'.repeat(50)}`],
    ['letters that are not ASCII', 'Prüfung.json'],
    ['no letter', ''],
  ])('refuses %s', (_what, name) => {
    expect(() => tarHeader({ name, sizeBytes: 1, modifiedAt })).toThrow()
  })
})
