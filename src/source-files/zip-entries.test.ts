import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readZip, withZip } from '../../test/vulndata/read-zip.ts'
import { zipOf } from '../../test/vulndata/support.ts'

const files = {
  'a.json': '{"a":1}',
  'b/c.json': 'x'.repeat(100_000),
  'readme.txt': 'no',
  'e.json': '',
}
const expected = { 'a.json': files['a.json'], 'b/c.json': files['b/c.json'], 'e.json': '' }

test('the JSON files of a zip file are read in their order', async () => {
  expect(Object.entries(await readZip(zipOf(files)))).toEqual(Object.entries(expected))
  expect(await readZip(zipOf({}))).toEqual({})
})

test('what is kept beside the data is left out', async () => {
  expect(await readZip(zipOf({ '.github/x.json': 'no', 'a/.b.json': 'no', './c.json': '{}' }))).toEqual({
    './c.json': '{}',
  })
})

test('more small files than fit one stretch are read', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`${index}.json`, String(index).repeat(50_000)]),
  )
  const read = await readZip(zipOf(many))
  expect(Object.keys(read)).toHaveLength(300)
  expect(read['299.json']).toBe(many['299.json'])
})

test('a part of the files can be read alone', async () => {
  const part = await withZip(zipOf(files), async (zip) => {
    const names: string[] = []
    for await (const { name } of zip.read((index) => index === 1)) names.push(name)
    return [zip.count, names]
  })
  expect(part).toEqual([3, ['b/c.json']])
})

test('a file that says it is small and inflates to more is refused', async () => {
  const whole = zipOf({ 'bomb.json': '0'.repeat(10_000_000) })
  const directory = whole.lastIndexOf('PK\u0001\u0002', undefined, 'latin1')
  whole.writeUInt32LE(10, directory + 24)
  await expect(readZip(whole)).rejects.toThrow('bomb.json, which does not inflate')
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
  await expect(readZip(whole)).rejects.toThrow('1.json, whose size or checksum is wrong')
})

test('a zip file in a zip file is read', async () => {
  const inner = zipOf(files)
  expect(await readZip(zipOf({ 'cves.zip': inner, 'notes.txt': 'no' }))).toEqual(expected)
  expect(await readZip(zipOf({ 'a.zip': inner, 'b.zip': inner }))).toEqual({})
  expect(await readZip(zipOf({ 'cves.zip': inner, 'x.json': '{}' }))).toEqual({ 'x.json': '{}' })
  expect(await readZip(zipOf({ 'a.zip': zipOf({ 'b.zip': inner }) }))).toEqual({})
})

test.each<[string, (whole: Buffer, directory: number) => void, string]>([
  [
    'a wrong checksum',
    (whole, at) => whole.writeUInt8(whole.readUInt8(at + 16) ^ 1, at + 16),
    'checksum is wrong',
  ],
  ['more than it says', (whole, at) => whole.writeUInt32LE(10, at + 24), 'larger than it says'],
  ['no content', (whole, at) => whole.writeUInt16LE(99, at + 10), 'compressed in an unknown way'],
])('one in it with %s is refused', async (_, change, message) => {
  const whole = zipOf({ 'cves.zip': zipOf(files) })
  change(whole, whole.lastIndexOf('PK\u0001\u0002', undefined, 'latin1'))
  await expect(readZip(whole)).rejects.toThrow(message)
})

test('a file that is not a zip file is named', async () => {
  await expect(readZip(Buffer.from('<!DOCTYPE html>'))).rejects.toThrow(
    'expected a complete zip file, found an HTML page',
  )
  await expect(readZip(readFileSync(import.meta.filename))).rejects.toThrow('found content beginning "import')
})
