import { Readable } from 'node:stream'

/** How long the reader may take: for the next piece, and for all of them. */
type ReadersPatience = { stallMs: number; maxMs: number }

export type Holding = { held: AsyncDisposableStack; onFailure: (error: unknown) => void }

/**
 * A stream of pieces, produced as they are taken. `held` (a slot, a transaction) is released before the reader sees the end, so that the reader
 * may ask for another stream at once. A stream that is closed early, by an error, by a reader that stops or because the reader is too slow,
 * releases it once no piece is being read. `onFailure`: something could not be released.
 */
export function heldStream(
  pieces: AsyncIterable<string | Buffer>,
  { held, onFailure, stallMs, maxMs }: Holding & ReadersPatience,
): Readable {
  const giveUp = () => stream.destroy(new Error('an export was not taken in time'))
  const stall = setTimeout(giveUp, stallMs)
  const end = setTimeout(giveUp, maxMs)
  const giveBack = () => held.disposeAsync().catch(onFailure)
  const stream = Readable.from(noting(pieces, { onTaken: () => stall.refresh(), giveBack }), {
    objectMode: false,
  })
  stream.once('close', () => {
    clearTimeout(stall)
    clearTimeout(end)
    void giveBack()
  })
  return stream
}

type Noting = {
  /** The reader has taken a piece. */
  onTaken: () => void
  giveBack: () => Promise<void>
}

async function* noting(pieces: AsyncIterable<string | Buffer>, { onTaken, giveBack }: Noting) {
  for await (const piece of pieces) {
    yield piece
    onTaken()
  }
  await giveBack()
}
