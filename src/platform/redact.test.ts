import { expect, it } from 'vitest'
import { redactLine, redactPath } from './redact.ts'

const secret = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789_-AbCdE'
const token = `svc_${secret}`

it.each([
  ['a token', JSON.stringify({ msg: `sent ${token}.` }), '{"msg":"sent [redacted]."}'],
  ['a header', JSON.stringify({ a: { Authorization: 'Basic "x"' } }), '{"a":{"Authorization":"[redacted]"}}'],
  ['a list of cookies', JSON.stringify({ 'set-cookie': ['a=b', 'c=d'] }), '{"set-cookie":"[redacted]"}'],
  ['a cookie', JSON.stringify({ cookie: 'a=b' }), '{"cookie":"[redacted]"}'],
  ['credentials of an address', '{"url":"https://me:pass@ci.example/7"}', '{"url":"https://ci.example/7"}'],
  [
    'nothing',
    '{"path":"/api/v1/sboms","mail":"a@b.example"}',
    '{"path":"/api/v1/sboms","mail":"a@b.example"}',
  ],
])('leaves out %s', (_what, line, expected) => expect(redactLine(line)).toBe(expected))

it.each([
  [`/${token}`, '/[redacted]'],
  [`/app/setup/${secret}`, '/app/setup/[redacted]'],
  [`/x/${token}/y`, '/x/[redacted]/y'],
  [`/svc%5F${secret}`, '/svc%[redacted]'],
  [`/${Array.from(token, (c) => `%${c.charCodeAt(0).toString(16)}`).join('')}`, '/[redacted]'],
  [`/${encodeURIComponent(`%73vc_${secret.slice(0, 9)}%4A${secret.slice(10)}`)}`, '/[redacted]'],
  [
    '/api/v1/sboms/01890a5d-ac96-774b-bcce-b302099a8057',
    '/api/v1/sboms/01890a5d-ac96-774b-bcce-b302099a8057',
  ],
  ['/a%20b%zz', '/a%20b%zz'],
])('shows %s as %s', (path, shown) => expect(redactPath(path)).toBe(shown))
