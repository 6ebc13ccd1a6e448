import { expect, it } from 'vitest'
import { bunzip2 } from './bunzip2.ts'

/** Written by bzip2 1.0.8. */
const written = {
  sentence:
    'QlpoOTFBWSZTWbM1tvIAAAVTgAAQQAEEAD////AgACMeJBoNGIbRtSFAAAAADgJDhSXt/m8yngx0tFnekYokFskasgHWN7/i7kinChIWZrbeQA==',
  runs: 'QlpoMTFBWSZTWdmepYgAAAHBAcQAPAAAgAAIIABQhgQFKpo2U2zg6ixFwwRfQt6pGosUjBL8XckU4UJDZnqWIA==',
  nothing: 'QlpoORdyRThQkAAAAAA=',
  oneLetter: 'QlpoMTFBWSZTWaN8F5wAAewBgMAAAEAACCAAMMwFKacYkq2CSrxdyRThQkKN8F5w',
  blocks:
    'QlpoMTFBWSZTWe7dAB8AWMLZAAAQUACABzgAIACQIAYBSqDJtTcBUPoCoZAVDkBUNwFQ81AVDICocgKhiBUMgKhuAqH5igrJMprIN7z+IAEcCsgAAIKABAA5wAEABIEAMApVAxqagKhuAqHMgKhkBUNwFQ1AVD2AqHICoZAVDECofQFQ/MUFZJlNZ/z9PVAB8RFkAABBQAIAHOAAgAJAgBgFKoMm1NwFQ+gKhkBUOIFQ3AVDUBUMgKh3yAqGQFQyAqHkBUPzFBWSZTWVF+8fEANV5ZAAAQUACABzgAIABwQAwClUGTam5SSfFJJkpJOFJJuUkmikkwpJOSkkwpJMKST3RSSfi7kinChIYRsIW4A=',
} as const

const file = (name: keyof typeof written) => Buffer.from(written[name], 'base64')

async function read(bytes: Buffer, max = 1_000_000): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of bunzip2(bytes, max)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('latin1')
}

const sentence = 'The quick brown fox jumps over the lazy dog.\n'

it.each<[name: keyof typeof written, content: string]>([
  ['sentence', sentence],
  ['runs', '\0'.repeat(1_000) + 'aaaaaaaabbbbccccd'.repeat(50)],
  ['nothing', ''],
  ['oneLetter', 'x'.repeat(250_000)],
  ['blocks', '<a b="c"/>\n'.repeat(30_000)],
])('%s is read as it was written', async (name, content) => {
  expect((await read(file(name))) === content).toBe(true)
})

it('files behind each other are one', async () => {
  expect(await read(Buffer.concat([file('sentence'), file('nothing'), file('sentence')]))).toBe(
    sentence.repeat(2),
  )
})

it('no beginning of a file is taken for the whole', async () => {
  for (const name of ['sentence', 'runs', 'blocks'] as const)
    for (let end = 0; end < file(name).length; end += 1)
      await expect(read(file(name).subarray(0, end))).rejects.toThrow(/^expected a complete bzip2 file/)
})

it('whatever bit is broken, what is read is right or refused', async () => {
  const whole = file('sentence')
  let refused = 0
  for (let bit = 0; bit < whole.length * 8; bit += 1) {
    const broken = Buffer.from(whole)
    broken.writeUInt8((broken[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7)), bit >> 3)
    const content = await read(broken).catch((error: unknown) => String(error))
    if (content === sentence) continue
    expect(content).toMatch(/^RefusedData: expected/)
    refused += 1
  }
  expect(refused).toBeGreaterThan(0)
})

it('what would be larger than anything real is refused while it is read', async () => {
  await expect(read(file('oneLetter'), 100_000)).rejects.toThrow('expected at most 100000 bytes, found more')
  await expect(read(file('blocks'), 200_000)).rejects.toThrow('expected at most 200000 bytes, found more')
})

it.each([
  ['another file', Buffer.from('<html></html>')],
  ['bytes behind the end', Buffer.concat([file('sentence'), Buffer.from('BZh9 and more')])],
])('%s is refused', async (_, bytes) => {
  await expect(read(bytes)).rejects.toThrow(/^expected a complete bzip2 file/)
})
