import type { Logger } from 'pino'
import type { ObjectStoreKeys } from '../platform/config/aws-variables.ts'
import type { Bucket } from '../platform/config/object-store.ts'
import { createS3 } from './objects/s3.ts'
import { createKeyRing, openKeyFile, type SealingKey } from '../platform/sealing/key-ring.ts'
import { createSealing, type Sealing } from '../platform/sealing/sealing.ts'
import { createOriginals, originalsInDatabase, type Originals, type StoreCall } from './originals.ts'

/** The object store as a process hands it to its children. */
export type OriginalsSettings = {
  place: Bucket
  keys: ObjectStoreKeys
  /** The operator's, else those in the file. */
  encryptionKeys: SealingKey[] | null
  keyFile: string | null
}

type Opening = {
  log: Pick<Logger, 'error'>
  sealing?: Sealing
  onFailure?: (call: StoreCall) => void
}

/** Null: no object store is configured. */
export function openOriginals(
  settings: OriginalsSettings | null,
  { log, sealing = settings === null ? undefined : sealingOf(settings), ...told }: Opening,
): Originals {
  if (settings === null || sealing === undefined) return originalsInDatabase
  const { place, keys } = settings
  const { prefix, takesNew, name: bucket } = place
  return createOriginals({ store: createS3(place, keys), sealing, log, takesNew, prefix, bucket, ...told })
}

function sealingOf({ encryptionKeys, keyFile }: OriginalsSettings): Sealing {
  if (encryptionKeys !== null) return createSealing(createKeyRing(encryptionKeys))
  return createSealing(keyFile === null ? null : openKeyFile(keyFile))
}
