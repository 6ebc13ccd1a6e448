import type { Outbound } from '../../platform/outbound/outbound.ts'
import { hashOf } from '../../records/compiled-record.ts'

/** A hash of what a server says about a file without sending it; null: nothing that would change with the file. */
export async function statedContent(outbound: Outbound, url: string): Promise<string | null> {
  const { status, headers } = await outbound.ask({ url, purpose: 'feed', method: 'HEAD' })
  const [tag, modified] = [headers.get('etag'), headers.get('last-modified')]
  if (status !== 200 || (tag === undefined && modified === undefined)) return null
  return hashOf(JSON.stringify([tag, modified, headers.get('content-length')]))
}
