import { Secret, TOTP } from 'otpauth'

/** The values that every authenticator app knows (RFC 6238, and the key URI format). */
const form = { algorithm: 'SHA1', digits: 6, period: 30 }
/** Clocks of telephones differ: the code before and the one after are accepted too (RFC 6238 §5.2). */
const window = 1

/** 160 random bits in base32, as RFC 4226 §4 recommends. */
export function newAppSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The address that a QR code carries to an authenticator app. */
export function appUri({ secret, issuer, email }: { secret: string; issuer: string; email: string }): string {
  return new TOTP({ ...form, issuer, label: email, secret: Secret.fromBase32(secret) }).toString()
}

/** The time step whose code this is; undefined when it is none of those that are accepted now. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const timestamp = now.getTime()
  const delta = TOTP.validate({ ...form, token: code, secret: Secret.fromBase32(secret), timestamp, window })
  return delta === null ? undefined : stepAt(now) + delta
}

export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / 1000 / form.period)
}
