import { createHmac } from 'node:crypto'

/**
 * The `Service-Signature` of a body: `t=<unix seconds>,v1=<hex>`, HMAC-SHA256 of `<t>.<body>` under the whole secret as UTF-8 text, its prefix
 * included (docs/public-api.md, "Events"). `t` is `created` in whole seconds, rounded down.
 */
export function signatureOf({
  secret,
  body,
  created,
}: {
  secret: string
  body: string
  created: Date
}): string {
  const t = Math.floor(created.getTime() / 1000)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`, 'utf8').digest('hex')}`
}
