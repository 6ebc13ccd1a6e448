import { expect, it } from 'vitest'
import { errorWithoutContent, redactLine, redactPath } from './redact.ts'

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

it.each([
  ['the source did not answer', 'the source did not answer'],
  ["doesn't answer", "doesn't answer"],
  ['first line\nof two', 'first line'],
  [
    'duplicate key value violates unique constraint "job_pkey"',
    'duplicate key value violates unique constraint job_pkey',
  ],
  ['column "name" of relation "family" does not exist', 'column name of relation family does not exist'],
  ['invalid input syntax for type uuid: "Pump"', 'invalid input syntax for type uuid: “…”'],
  [
    `Unexpected token 'P', ..."a": "Pump", "b"... is not valid JSON`,
    'Unexpected token “…”, ...“…”... is not valid JSON',
  ],
  ['cannot read "Pump', 'cannot read “…”'],
  ['cannot read `Pump`, nor `Valve`', 'cannot read “…”'],
  [`503 of https://hooks.example/T1/B2?key=x, ${token}`, '503 of https://hooks.example/… [redacted]'],
  ['no answer '.repeat(40), 'no answer '.repeat(30)],
])('shows of the error %j: %j', (message, shown) => expect(errorWithoutContent(message)).toBe(shown))
