import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { zipOf } from '../../../test/vulndata/support.ts'
import { RefusedData } from './refused-data.ts'
import { openZip } from './zip-entries.ts'

const folder = mkdtempSync(join(tmpdir(), 'zip-'))
const path = join(folder, 'test.zip')
afterAll(() => rmSync(folder, { recursive: true }))

async function readAll(bytes: Buffer): Promise<Record<string, string>> {
  writeFileSync(path, bytes)
  const zip = await openZip(path)
  try {
    const files: Record<string, string> = {}
    for await (const { name, bytes: content } of zip.read()) files[name] = content.toString()
    return files
  } finally {
    await zip.close()
  }
}

const files = {
  'a.json': '{"a":1}',
  'b/c.json': 'x'.repeat(100_000),
  'readme.txt': 'no',
  'e.json': '',
}
const expected = { 'a.json': files['a.json'], 'b/c.json': files['b/c.json'], 'e.json': '' }

test('the JSON files of a zip file are read in their order', async () => {
  expect(Object.entries(await readAll(zipOf(files)))).toEqual(Object.entries(expected))
  expect(await readAll(zipOf({}))).toEqual({})
})

test('what is kept beside the data is left out', async () => {
  expect(await readAll(zipOf({ '.github/x.json': 'no', 'a/.b.json': 'no', './c.json': '{}' }))).toEqual({
    './c.json': '{}',
  })
})

test('more small files than fit one stretch are read', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`${index}.json`, String(index).repeat(50_000)]),
  )
  const read = await readAll(zipOf(many))
  expect(Object.keys(read)).toHaveLength(300)
  expect(read['299.json']).toBe(many['299.json'])
})

test('a part of the files can be read alone', async () => {
  writeFileSync(path, zipOf(files))
  const zip = await openZip(path)
  const names: string[] = []
  for await (const { name } of zip.read((index) => index === 1)) names.push(name)
  await zip.close()
  expect([zip.count, names]).toEqual([3, ['b/c.json']])
})

test('a zip file cut off anywhere is refused', async () => {
  const whole = zipOf(files)
  for (let length = 0; length < whole.length; length += 7) {
    await expect(readAll(whole.subarray(0, length))).rejects.toThrow(RefusedData)
  }
})

test('a zip file with any byte changed is refused or gives the same content', async () => {
  const whole = zipOf(files)
  for (let at = 0; at < whole.length; at += 1) {
    const damaged = Buffer.from(whole)
    damaged.writeUInt8((damaged.readUInt8(at) ^ 0x55) & 0xff, at)
    const read = await readAll(damaged).catch((error: unknown) => error)
    if (read instanceof Error) expect(read).toBeInstanceOf(RefusedData)
    else
      for (const content of Object.values(read as object)) expect(Object.values(expected)).toContain(content)
  }
})

test('a file that says it is small and inflates to more is refused', async () => {
  const whole = zipOf({ 'bomb.json': '0'.repeat(10_000_000) })
  const directory = whole.lastIndexOf('PK\u0001\u0002', undefined, 'latin1')
  whole.writeUInt32LE(10, directory + 24)
  await expect(readAll(whole)).rejects.toThrow('bomb.json, which does not inflate')
})

test('of small files that are inflated together the broken one is named', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `${index}.json`)
  const whole = zipOf(Object.fromEntries(names.map((name) => [name, JSON.stringify({ name })])))
  const second = whole.indexOf(
    'PK\u0001\u0002',
    whole.indexOf('PK\u0001\u0002', undefined, 'latin1') + 1,
    'latin1',
  )
  whole.writeUInt8(whole.readUInt8(second + 16) ^ 1, second + 16)
  await expect(readAll(whole)).rejects.toThrow('1.json, whose size or checksum is wrong')
})

test('what is no zip file is named', async () => {
  await expect(readAll(Buffer.from('<!DOCTYPE html>'))).rejects.toThrow(
    'expected a complete zip file, found an HTML page',
  )
  await expect(readAll(readFileSync(import.meta.filename))).rejects.toThrow('found content beginning "import')
})
