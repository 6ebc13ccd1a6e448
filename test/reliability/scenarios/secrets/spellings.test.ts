import { expect, it } from 'vitest'
import { spellingsOf } from './spellings.ts'

const secret = 'svc_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE'
const random = Buffer.from(secret.slice(4), 'base64url')

it.each([
  ['as it is', `token=${secret}&`],
  ['in an address', encodeURIComponent('whsec_a+b/c d')],
  ['letter by letter', [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join('')],
  ['its bytes in a dump', `\\x00${Buffer.from(secret).toString('hex')}00`],
  ['the bytes that it was made of', `\\x${random.toString('hex')}`],
  ['the same as base64', random.toString('base64')],
  ...['', 'a', 'ab', 'abc'].map((before) => [
    `within base64, after "${before}"`,
    Buffer.from(`${before}${secret} and more`).toString('base64url'),
  ]),
])('finds %s', (name, text) => {
  const searched = name === 'in an address' ? 'whsec_a+b/c d' : secret
  expect(spellingsOf(searched).some((spelling) => text.includes(spelling))).toBe(true)
})

it('does not find another one', () => {
  const other = `svc_${'z'.repeat(43)}`
  expect(spellingsOf(other).some((spelling) => secret.includes(spelling))).toBe(false)
})
