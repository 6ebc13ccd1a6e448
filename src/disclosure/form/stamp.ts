import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { derivedKey, derivedKeyOf } from '../../platform/sealing/derive-key.ts'
import type { KeyRing } from '../../platform/sealing/key-ring.ts'
import { dayMs } from '../../contract/durations.ts'

const purpose = 'form stamp'
const nonceBytes = 16
/** A form that was open for longer has to be sent again. */
const maxMs = dayMs
/** Nobody reads and fills in a form faster. */
export const quickestMs = 3_000
/** Clocks of several processes differ a little. */
const skewMs = 60_000

/** The form that a stamp is valid for: one form's stamp counts in no other. */
export type FormKind = 'report' | 'message'
type Form = { workspaceId: string; kind: FormKind }

export type JudgedStamp = { kind: 'valid'; ageMs: number; nonce: Buffer } | { kind: 'stale' | 'unknown' }

/** When a form was handed out, signed: key id, time and a number used once. */
export function newStamp(ring: KeyRing, form: Form, now: Date): string {
  const { id, key } = derivedKey(ring, purpose)
  const issued = now.getTime().toString(36)
  const nonce = randomBytes(nonceBytes).toString('base64url')
  const head = `${id.toString(36)}.${issued}.${nonce}`
  return `${head}.${macOf(key, form, head)}`
}

/** `unknown`: it is no stamp of this form, or the key that signed it is not there any more. */
export function judgeStamp(
  ring: KeyRing,
  stamp: string,
  { now, ...form }: Form & { now: Date },
): JudgedStamp {
  const parts = /^([0-9a-z]{1,8})\.([0-9a-z]{1,10})\.([\w-]{22})\.([\w-]{43})$/.exec(stamp)
  const [, id = '', issued = '', nonce = '', mac = ''] = parts ?? []
  const key = parts === null ? undefined : derivedKeyOf(ring, Number.parseInt(id, 36), purpose)
  if (key === undefined) return { kind: 'unknown' }
  // As text: several spellings of base64url decode to the same bytes, and one of them was handed out.
  const expected = Buffer.from(macOf(key, form, `${id}.${issued}.${nonce}`))
  const given = Buffer.from(mac)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { kind: 'unknown' }
  const ageMs = now.getTime() - Number.parseInt(issued, 36)
  if (ageMs > maxMs || ageMs < -skewMs) return { kind: 'stale' }
  return { kind: 'valid', ageMs, nonce: Buffer.from(nonce, 'base64url') }
}

function macOf(key: Buffer, { workspaceId, kind }: Form, head: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([workspaceId, kind, head]))
    .digest('base64url')
}
