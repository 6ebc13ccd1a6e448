import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newestModified, readModified } from './modified-index.ts'

const now = new Date('2026-01-01T00:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'index-'))
const path = join(folder, 'modified_id.csv')
afterAll(() => rmSync(folder, { recursive: true }))

const lines = [
  '2025-03-01T00:00:00.587279Z,ALSA-2025:3',
  '2025-02-01T00:00:00Z,OSV-2',
  '2025-02-01T00:00:00Z,OSV-3',
  '2025-01-01T00:00:00Z,OSV-1',
]

async function read(text: string, watermark: string | null): Promise<string[]> {
  writeFileSync(path, text)
  return (await readModified(path, watermark === null ? null : new Date(watermark))).map((line) => line.id)
}

test('the index is read down to the watermark, lines of its very time included', async () => {
  const text = lines.join('\r\n')
  expect(await read(text, null)).toEqual(['ALSA-2025:3', 'OSV-2', 'OSV-3', 'OSV-1'])
  expect(await read(text, '2025-02-01T00:00:00Z')).toEqual(['ALSA-2025:3', 'OSV-2', 'OSV-3'])
  expect(await read(text, '2025-03-01T00:00:00.587Z')).toEqual(['ALSA-2025:3'])
  expect(await newestModified(path, now)).toEqual(new Date('2025-03-01T00:00:00.587Z'))
  expect(await newestModified(path, new Date('2025-02-02T00:00:00Z'))).toEqual(
    new Date('2025-02-01T00:00:00Z'),
  )
})

test('an empty index is no index of changes, and is no mistake', async () => {
  expect(await read('', null)).toEqual([])
  expect(await newestModified(path, now)).toBeNull()
})

test.each([
  ['<html>Moved</html>', 'found an HTML page'],
  ['OSV-1\n', 'expected an index of times and ids'],
  ['2025-01-01T00:00:00Z,\n', 'expected an index of times and ids'],
  ['yesterday,OSV-1\n', 'expected an index of times and ids'],
  [`2025-01-01T00:00:00Z,${'x'.repeat(300)}`, 'expected an index of times and ids'],
  [`${lines.join('\n')}\n{"id":1}`, 'expected an index of times and ids'],
])('%j is refused', async (text, message) => {
  await expect(read(text, null)).rejects.toThrow(message)
})
