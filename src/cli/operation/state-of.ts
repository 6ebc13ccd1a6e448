import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import type { SealingState } from '../../platform/sealing/sealing.ts'
import type { Process } from '../open-process.ts'

export async function packageVersion({ checkoutDir }: Config): Promise<{ version: string; node: string }> {
  const text = await readFile(join(checkoutDir, 'package.json'), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  return { version, node: process.version }
}

const words: Record<SealingState, string> = {
  ready: 'the key is the one this database was written with',
  no_key: 'there is no key: destinations and reports cannot be used until ENCRYPTION_KEYS holds it',
  other_key:
    'the keys are not the one this database was written with: destinations and reports cannot be used until it is back',
}

export type KeyState = {
  state: SealingState
  meaning: string
  /** Where the keys come from. */
  from: 'ENCRYPTION_KEYS' | 'file' | null
  /** The id of the key that writes; the key cannot be told from it. */
  writingKey: number | null
  unusableDestinations: number
  unusableReports: number
}

/** Which key is in use and what it cannot open; no key. */
export async function keyState({ db, sealing, secrets, keyFile }: Process): Promise<KeyState> {
  const { countUnusable } = await import('../../platform/sealing/count-unusable.ts')
  const { sealedColumns } = await import('../../alerts/destinations/sealed-places.ts')
  const { inboxSealedColumns } = await import('../../disclosure/sealed-places.ts')
  const state = await sealing.state(db)
  const ofReports = inboxSealedColumns.filter(({ table }) => table === 'inbox_report')
  const fromFile = keyFile === null ? null : 'file'
  return {
    state,
    meaning: words[state],
    from: secrets.encryptionKeys === null ? fromFile : 'ENCRYPTION_KEYS',
    writingKey: sealing.ring?.writing.id ?? null,
    unusableDestinations: await countUnusable(db, sealing, sealedColumns),
    unusableReports: await countUnusable(db, sealing, ofReports),
  }
}
