import { describe, expect, it } from 'vitest'
import { isEmailAddress, readEmailAddress } from './email-address.ts'

describe('an e-mail address', () => {
  it.each([
    'security@acme.example',
    'first.last+tag@sub.acme.example',
    "o'neil@acme.example",
    'käthe@bücher.example',
    'a@xn--bcher-kva.example',
    `${'x'.repeat(64)}@acme.example`,
  ])('%s', (address) => {
    expect(readEmailAddress(`  ${address} `)).toBe(address)
  })

  it.each([
    '',
    'nobody',
    '@acme.example',
    'x@',
    'x@localhost',
    'x@acme..example',
    'x@.example',
    'x@acme.example.',
    'x@-acme.example',
    'x@10.0.0.1',
    'x@[10.0.0.1]',
    'a,b@acme.example',
    'a@acme.example,b@acme.example',
    'a;b@acme.example',
    'a@b@acme.example',
    '.x@acme.example',
    'x.@acme.example',
    'x..y@acme.example',
    'Name <x@acme.example>',
    '"x y"@acme.example',
    'x y@acme.example',
    'x@acme.example\r\nBcc: y@acme.example',
    'x\u202e@acme.example',
    `${'x'.repeat(65)}@acme.example`,
    `x@${'a.'.repeat(130)}example`,
  ])('not %j', (text) => {
    expect(isEmailAddress(text)).toBe(false)
  })
})
