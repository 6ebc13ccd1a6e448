import { OwnedBytes } from '../../parser/owned-bytes.ts'
import { selectOriginalDocument } from '../../vex/documents/list-documents.ts'
import { selectReadEarlier } from '../../vex/documents/read-again.ts'
import { readStoredAgain, startRounds, type ReadingAgain } from './read-stored-again.ts'

type Document = Awaited<ReturnType<typeof selectReadEarlier>>[number]

/** A worker of the earlier release may still be at work, and would work out the findings as it binds statements. */
const restMs = 15 * 60_000

const words = {
  done: 'VEX documents of an earlier release were read again',
  failed: 'VEX documents of an earlier release could not be read again, and count as they were read',
  later: 'VEX documents of an earlier release are read again later',
  ids: 'documentIds',
}

/** Has the parser children read again, one after the other, the VEX documents in force that an earlier release stored. */
export function startReadingVex(process: Omit<ReadingAgain, 'signal' | 'unreadable'>): {
  stop: () => Promise<void>
} {
  return startRounds(process, { round: readVexEarlier, later: words.later, restMs })
}

/** One round. Returns how many documents were read. */
export async function readVexEarlier(process: ReadingAgain): Promise<number> {
  const { db, now } = process
  return readStoredAgain(process, {
    select: (after) => selectReadEarlier(db, { after, now: now() }),
    idOf: ({ documentId }) => documentId,
    read: (document) => readAgain(process, document),
    words,
  })
}

async function readAgain(
  { db, originals, parser, signal }: ReadingAgain,
  document: Document,
): Promise<'read' | 'stopped'> {
  const { workspaceId, documentId } = document
  const { raw, encoding } = await selectOriginalDocument({ db, originals }, workspaceId, documentId)
  // the parser may be closing
  if (signal.aborted) return 'stopped'
  await parser.run({
    kind: 'read_vex_again',
    workspaceId,
    upload: { ...document, encoding },
    body: new OwnedBytes(Uint8Array.from(raw).buffer),
  })
  return 'read'
}
