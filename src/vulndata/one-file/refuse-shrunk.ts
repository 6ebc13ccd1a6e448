import { RefusedData } from '../../source-files/refused-data.ts'

/** A list that has lost more than half of its entries is broken, even if it is well-formed. */
export function refuseShrunk(count: number, before: number): void {
  if (count * 2 < before) {
    throw new RefusedData(
      `expected about ${before} entries as before, found ${count}: less than half is not imported`,
    )
  }
}
