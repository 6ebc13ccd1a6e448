import { destinationSealedColumns } from '../../alerts/destinations/sealed-places.ts'
import { inboxSealedColumns } from '../../disclosure/sealed-places.ts'
import { openOriginals } from '../../originals/configured.ts'
import { resealObjects } from '../../originals/move.ts'
import { companySealedColumns } from '../../people/company-sign-in/company-settings.ts'
import { signInSealedColumns } from '../../people/factors/sealed-places.ts'
import { linkSealedColumns } from '../../people/links/one-time-link.ts'
import { addKeyToFile, openKeyFile } from '../../platform/sealing/key-ring.ts'
import { resealColumns, type Resealed } from '../../platform/sealing/reseal.ts'
import { createSealing, type Sealing } from '../../platform/sealing/sealing.ts'
import { UsageError } from '../command.ts'
import type { Process } from '../open-process.ts'
import { movingOf } from './objects.ts'

const columns = [
  ...destinationSealedColumns,
  ...inboxSealedColumns,
  ...signInSealedColumns,
  ...companySealedColumns,
  ...linkSealedColumns,
]

/**
 * Reseals with the first key what an earlier one has sealed. Where the keys are in a file of the embedded database, a new one is
 * made and put first.
 */
export async function rotateKeys(process: Process): Promise<Resealed & { madeKey: boolean }> {
  const { db, sealing, secrets } = process
  const ownFile = secrets.encryptionKeys === null ? process.keyFile : null
  if (ownFile === null && sealing.ring === null)
    throw new UsageError('there is no key: put one into ENCRYPTION_KEYS')
  if ((await sealing.state(db)) === 'other_key')
    throw new UsageError('the keys are not the ones this database was written with: nothing was changed')
  if (ownFile !== null) addKeyToFile(ownFile)
  const current = ownFile === null ? sealing : createSealing(openKeyFile(ownFile))
  const rows = await resealColumns(db, current, columns)
  const objects = await resealOriginals(process, current)
  return {
    madeKey: ownFile !== null,
    resealed: rows.resealed + objects.resealed,
    unreadable: rows.unreadable + objects.unreadable,
  }
}

/** What is in the object store, where there is one. */
async function resealOriginals(
  { db, log, now, originalsSettings }: Process,
  sealing: Sealing,
): Promise<Resealed> {
  if (originalsSettings === null) return { resealed: 0, unreadable: 0 }
  const originals = openOriginals(originalsSettings, { log, sealing })
  try {
    const { moved, unreadable } = await resealObjects(db, await movingOf({ originals, sealing, now }))
    return { resealed: moved, unreadable }
  } finally {
    await originals.store?.close()
  }
}
