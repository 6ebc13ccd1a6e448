import { hash } from '@node-rs/argon2'

/** Password hashing for scenes: argon2id like the service, with the lowest accepted cost. */
export function quickHash(password: string): Promise<string> {
  return hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
}
