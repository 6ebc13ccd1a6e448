import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { portOf } from '../support/port-of.ts'

type Parts = Record<string, unknown>

/** A security update as returned by Bodhi: the fields that are read, and some others. */
export function update(alias: string, nvr: string, parts: Parts = {}): Parts {
  const release = /\.fc(\d+)/.exec(nvr)?.[1] ?? '40'
  return {
    alias,
    updateid: alias,
    title: nvr,
    display_name: '',
    notes: 'Security update',
    type: 'security',
    status: 'stable',
    severity: 'medium',
    suggest: 'unspecified',
    date_submitted: '2025-03-20 10:00:00',
    date_modified: null,
    date_stable: '2025-03-29 12:00:00',
    date_pushed: '2025-03-29 12:00:00',
    url: `https://bodhi.fedoraproject.org/updates/${alias}`,
    release: { name: `F${release}`, long_name: `Fedora ${release}`, version: release, id_prefix: 'FEDORA' },
    bugs: [],
    builds: [{ nvr, type: 'rpm', epoch: 0, signed: true, release_id: 40 }],
    comments: [{ id: 1, text: 'works', user: { name: 'somebody' } }],
    user: { name: 'maintainer' },
    ...parts,
  }
}

export const bug = (title: string, number = 2_000_001): Parts => ({ bug_id: number, security: true, title })

/** One page of the list of updates. */
export function pageOf(updates: readonly Parts[], page = 1, pages = 1, total = updates.length): string {
  return JSON.stringify({ updates, page, pages, rows_per_page: 100, total, chrome: true, display_user: true })
}

export type Bodhi = {
  url: string
  /** Newest first. */
  updates: Parts[]
  /** Replaces answers, by page number. */
  instead: Map<number, { status: number; body: string }>
  asked: string[]
  close: () => void
}

/** A server that answers like Bodhi, with as many updates per page as requested, or fewer. */
export async function startBodhi(perPage = 100): Promise<Bodhi> {
  const bodhi: Bodhi = { url: '', updates: [], instead: new Map(), asked: [], close: () => undefined }
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://bodhi')
    bodhi.asked.push(`${url.pathname}?${url.searchParams.toString()} ${request.headers.accept ?? ''}`)
    const page = Number(url.searchParams.get('page'))
    const since = url.searchParams.get('pushed_since')
    const found = bodhi.updates.filter(({ date_pushed: at }) => since === null || String(at) >= since)
    const pages = Math.max(1, Math.ceil(found.length / perPage))
    const body = pageOf(found.slice((page - 1) * perPage, page * perPage), page, pages, found.length)
    const instead = bodhi.instead.get(page)
    response.writeHead(instead?.status ?? 200).end(instead?.body ?? body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  bodhi.url = `http://127.0.0.1:${portOf(server)}/updates`
  bodhi.close = () => void server.close()
  return bodhi
}
