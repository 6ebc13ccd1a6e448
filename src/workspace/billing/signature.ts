import { createHmac, timingSafeEqual } from 'node:crypto'

type Signed = {
  /** As it arrived. */
  body: Uint8Array
  /** The header `Stripe-Signature`. */
  header: string
  /** Of the endpoint, `whsec_…`: the whole text is the key. */
  secret: string
  now: Date
}

/** As the provider's own libraries have it: older ones may be sent again by somebody else. */
const toleranceSeconds = 300
/** A header has one signature, or two while a secret is being replaced. */
const maxSignatures = 16

/**
 * Whether the payment provider has signed the body: the header is `t=<unix seconds>,v1=<signature>,…`, and one `v1` is the lower-case hex
 * HMAC-SHA256 of `<t>.<body>` (https://docs.stripe.com/webhooks, "Verify webhook signatures manually"). Other schemes are left out.
 */
export function isSignedByStripe({ body, header, secret, now }: Signed): boolean {
  const parts = header.split(',', maxSignatures).map((part) => part.trim().split('='))
  const times = parts.filter(([name]) => name === 't').map(([, value = '']) => value)
  const [time] = times
  if (time === undefined || times.length !== 1 || !/^\d{1,12}$/.test(time)) return false
  if (Math.abs(now.getTime() / 1000 - Number(time)) > toleranceSeconds) return false
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
  return parts
    .filter(([name, value = '']) => name === 'v1' && /^[0-9a-f]{64}$/.test(value))
    .some(([, value = '']) => timingSafeEqual(Buffer.from(value, 'hex'), expected))
}
