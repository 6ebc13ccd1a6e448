import { expect, test } from 'vitest'
import { readZip } from '../../test/vulndata/read-zip.ts'
import { zipOf } from '../../test/vulndata/support.ts'
import { RefusedData } from './refused-data.ts'

const files = {
  'a.json': '{"a":1}',
  'b/c.json': 'x'.repeat(100_000),
  'readme.txt': 'no',
  'e.json': '',
}
const expected = { 'a.json': files['a.json'], 'b/c.json': files['b/c.json'], 'e.json': '' }

test('a zip file cut off anywhere is refused', async () => {
  const whole = zipOf(files)
  for (let length = 0; length < whole.length; length += 7) {
    await expect(readZip(whole.subarray(0, length))).rejects.toThrow(RefusedData)
  }
})

test('a zip file with any byte changed is refused or gives the same content', async () => {
  const whole = zipOf(files)
  for (let at = 0; at < whole.length; at += 1) {
    const damaged = Buffer.from(whole)
    damaged.writeUInt8((damaged.readUInt8(at) ^ 0x55) & 0xff, at)
    const read = await readZip(damaged).catch((error: unknown) => error)
    if (read instanceof Error) expect(read).toBeInstanceOf(RefusedData)
    else
      for (const content of Object.values(read as object)) expect(Object.values(expected)).toContain(content)
  }
})
