import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import type { SealingState } from '../../platform/sealing/sealing.ts'
import type { Process } from '../open-process.ts'
import type { Unusable } from './unusable.ts'

export async function packageVersion({ checkoutDir }: Config): Promise<{ version: string; node: string }> {
  const text = await readFile(join(checkoutDir, 'package.json'), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  return { version, node: process.version }
}

const sealed = 'destinations, reports, authenticator apps and client secrets of single sign-on'

const words: Record<SealingState, string> = {
  ready: 'the key is the one this database was written with',
  no_key: `there is no key: ${sealed} cannot be used until ENCRYPTION_KEYS holds it`,
  other_key: `the keys are not the one this database was written with: ${sealed} cannot be used until it is back`,
}

export type KeyState = Unusable & {
  state: SealingState
  meaning: string
  /** Where the keys come from. */
  from: 'ENCRYPTION_KEYS' | 'file' | null
  /** The id of the key that writes; the key cannot be told from it. */
  writingKey: number | null
}

/** Which key is in use and what it cannot open; no key. */
export async function keyState({ db, sealing, secrets, keyFile }: Process): Promise<KeyState> {
  const { countAllUnusable } = await import('./unusable.ts')
  const state = await sealing.state(db)
  const fromFile = keyFile === null ? null : 'file'
  return {
    state,
    meaning: words[state],
    from: secrets.encryptionKeys === null ? fromFile : 'ENCRYPTION_KEYS',
    writingKey: sealing.ring?.writing.id ?? null,
    ...(await countAllUnusable({ db, sealing })),
  }
}
