import { createHmac, timingSafeEqual } from 'node:crypto'
import { objectIn } from '../support/read-as.ts'

/**
 * The receiver's check, written from the public description alone (docs/alerts.md) without any code of the service. Returns why a request
 * is refused, or null.
 */
export function whyRefused(
  { header, body, secret }: { header: string; body: Buffer; secret: string },
  now: Date,
): string | null {
  const parts = new Map(
    header.split(',').map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  )
  const t = parts.get('t') ?? ''
  const v1 = parts.get('v1') ?? ''
  if (!/^\d+$/.test(t)) return 'no time'
  if (Math.abs(now.getTime() / 1000 - Number(t)) > 300) return 'too old or too new'
  const expected = createHmac('sha256', Buffer.from(secret, 'utf8'))
    .update(Buffer.concat([Buffer.from(`${t}.`), body]))
    .digest('hex')
  const given = Buffer.from(v1)
  if (given.length !== expected.length || !timingSafeEqual(given, Buffer.from(expected)))
    return 'wrong signature'
  return null
}

/** Checks the description's other promises about a request; returns those that are broken. */
export function whatDiffers(request: {
  method: string
  headers: Record<string, string | string[] | undefined>
  body: string
}): string[] {
  const problems: string[] = []
  const { method, headers, body } = request
  const parsed = objectIn(body)
  const expect = (name: string, isRight: boolean) => {
    if (!isRight) problems.push(name)
  }
  expect('method', method === 'POST')
  expect('one compact line', !body.includes('\n') && JSON.stringify(parsed) === body)
  expect('fields', Object.keys(parsed).join() === 'id,type,created,workspace,url,data')
  expect('content type', headers['content-type'] === 'application/json')
  expect('user agent', headers['user-agent'] === 'Service-Alerts/1.0')
  expect('id', /^evt_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(parsed['id'])))
  expect('id of the header', headers['service-event-id'] === parsed['id'])
  const created = String(parsed['created'])
  expect('created', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(created))
  const t = /^t=(?<t>\d+),v1=[0-9a-f]{64}$/.exec(String(headers['service-signature']))?.groups?.['t']
  expect('t is created in whole seconds', Number(t) === Math.floor(Date.parse(created) / 1000))
  return problems
}
