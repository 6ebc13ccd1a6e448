import { OwnedBytes } from '../../parser/owned-bytes.ts'
import { selectIdentifiedEarlier } from '../../sbom/components/identify-again.ts'
import { selectOriginal } from '../../sbom/select-sbom.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { readStoredAgain, startRounds, type ReadingAgain } from './read-stored-again.ts'

const words = {
  done: 'SBOMs of an earlier release were identified again',
  failed: 'SBOMs of an earlier release could not be identified again',
  later: 'SBOMs of an earlier release are identified again later',
  ids: 'sbomIds',
}

/** Has the parser children identify again, one after the other, the components of SBOMs that an earlier release stored. */
export function startIdentifying(process: Omit<ReadingAgain, 'signal' | 'unreadable'>): {
  stop: () => Promise<void>
} {
  return startRounds(process, { round: identifyEarlier, later: words.later })
}

/** One round. Returns how many SBOMs were read. */
export async function identifyEarlier(process: ReadingAgain): Promise<number> {
  const { db, now } = process
  return readStoredAgain(process, {
    select: (after) => selectIdentifiedEarlier(db, { after, now: now() }),
    idOf: ({ sbomId }) => sbomId,
    read: (sbom) => readAgain(process, sbom),
    words,
  })
}

async function readAgain(
  { db, originals, parser, signal }: ReadingAgain,
  sbom: FamilyKey & { sbomId: string },
): Promise<'read' | 'stopped'> {
  const { workspaceId, sbomId } = sbom
  const { raw, encoding } = await selectOriginal({ db, originals }, workspaceId, sbomId)
  // the parser may be closing
  if (signal.aborted) return 'stopped'
  await parser.run({
    kind: 'identify_again',
    workspaceId,
    upload: { ...sbom, encoding },
    body: new OwnedBytes(Uint8Array.from(raw).buffer),
  })
  return 'read'
}
