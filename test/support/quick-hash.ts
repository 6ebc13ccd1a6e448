import { hash } from '@node-rs/argon2'

/** What a scene hashes passwords with: argon2id as the service, at the least that it takes. */
export function quickHash(password: string): Promise<string> {
  return hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
}
