import { RefusedData, refuseUnlessOk } from '../../../source-files/refused-data.ts'
import type { RefreshTurn } from '../source.ts'

export async function fetchText(turn: RefreshTurn, name: string, maxBytes: number): Promise<Buffer> {
  const body = await fetchIfThere(turn, name, maxBytes)
  if (body === undefined) throw new RefusedData(`${name}: expected status 200, found 404`)
  return body
}

/** undefined: its publisher says that there is no such file. */
export async function fetchIfThere(
  { outbound, address }: RefreshTurn,
  name: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const { status, body } = await outbound.ask({ url: `${address}/${name}`, purpose: 'feed', maxBytes })
  if (status === 404) return undefined
  refuseUnlessOk(status, name)
  return body
}
