import { hash, verify } from '@node-rs/argon2'
import { ServiceError } from '../contract/errors.ts'

/** argon2id with 19 MiB, 2 passes, 1 lane (OWASP's minimum); the work runs off the event loop. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Compared against when an address is unknown, so that unknown and known take the same time. */
export const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$x0mJGYt3VTdRa5d1y3tYlVYyRcvFZ5j3eDXYzYKF3nU'

/** Codes: `invalid_request` for passwords outside 12 to 200 characters, with the field's name. */
export function refuseWeakPassword(password: string, field: string): void {
  const length = [...password].length
  if (length >= 12 && length <= 200) return
  throw new ServiceError('invalid_request', {
    fields: { [field]: 'A password of 12 to 200 characters is required.' },
  })
}

/** Refuses passwords outside 12 to 200 characters (`invalid_request`, field `password`). */
export async function hashPassword(password: string): Promise<string> {
  refuseWeakPassword(password, 'password')
  return hash(password, cost)
}

/** True when the password is the person's; null means an unknown person and costs the same time. */
export async function isPasswordRight(password: string, passwordHash: string | null): Promise<boolean> {
  const isRight = await verify(passwordHash ?? nobodysHash, password.slice(0, 1000))
  return isRight && passwordHash !== null
}
