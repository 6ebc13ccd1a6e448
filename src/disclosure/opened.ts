import { SealError, type SealedPlace } from '../platform/sealing/envelope.ts'
import type { Sealing } from '../platform/sealing/sealing.ts'

/** The text of a sealed value; null where there is none, or where it cannot be opened: its key may come back. */
export function openedText(sealing: Sealing, place: SealedPlace, envelope: Buffer | null): string | null {
  if (envelope === null) return null
  try {
    return sealing.open(place, envelope)
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}
