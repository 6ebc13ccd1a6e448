import type { FastifyReply } from 'fastify'
import { checkedUrl } from '../html/checked-url.ts'
import { attributes, html, type Html } from '../html/html.ts'
import {
  countWorkspaces,
  listWorkspaces,
  type OperatedWorkspace,
} from '../views/operation/list-workspaces.ts'
import type { Operating } from './operating.ts'
import { sendOperatorPage } from './page-frame.ts'
import { stateChip } from './state-chip.ts'
import { cell } from './table-cell.ts'
import { bytesInWords, count, counted, time } from './words.ts'

const rowsOfPage = 50

/** Workspaces by slug, as `workspaces` of the command line lists them. */
export async function showWorkspaces(asked: Operating): Promise<FastifyReply> {
  const { deps, query, now } = asked
  const search = query('search').toLowerCase()
  const after = query('after')
  const found = await countWorkspaces(deps.db, search)
  const rows = await listWorkspaces(deps.db, now, { search, after, limit: rowsOfPage + 1 })
  const shown = rows.slice(0, rowsOfPage)
  const last = rows.length > rowsOfPage ? shown.at(-1)?.slug : undefined
  const body = html`<h1>Workspaces</h1>
    <form class="search" method="get" action="/operator/workspaces" role="search">
      <div>
        <label for="search">Find by slug</label>
        <input id="search" name="search" value="${search}" autocomplete="off" spellcheck="false" />
      </div>
      <button class="plain">Find</button>
    </form>
    <p class="quiet">${found === 0 ? noneWords(search) : foundWords(found, search)}</p>
    ${shown.length > 0 && table(shown, now)} ${turning({ search, after, last })}`
  return sendOperatorPage(asked, { title: 'Workspaces', section: 'workspaces', body })
}

function noneWords(search: string): Html {
  return search === ''
    ? html`There is no workspace. Create one with <code>provision</code>, the set-up link or sign-up.`
    : html`No workspace has “${search}” in its slug. <a href="/operator/workspaces">Show all</a>`
}

function foundWords(found: number, search: string): Html {
  if (search === '') return html`${counted(found, 'workspace')}`
  return html`${counted(found, 'workspace')} with “${search}” in the slug.
    <a href="/operator/workspaces">Show all</a>`
}

function table(rows: readonly OperatedWorkspace[], now: Date): Html {
  return html`<table class="stack">
    <thead>
      <tr>
        <th scope="col">Workspace</th>
        <th scope="col">Plan</th>
        <th scope="col">State</th>
        <th scope="col" class="number">Members</th>
        <th scope="col" class="number">Families</th>
        <th scope="col" class="number">Stored</th>
        <th scope="col" class="number">Uploads, 30 days</th>
        <th scope="col">Last activity</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            <th scope="row"><a href="/operator/workspaces/${row.slug}">${row.slug}</a></th>
            <td data-label="Plan">${row.plan}</td>
            <td data-label="State">${stateChip(row.state)}</td>
            <td class="number" data-label="Members">${count(row.members)}</td>
            <td class="number" data-label="Families">${count(row.families)}</td>
            <td class="number" data-label="Stored">${bytesInWords(row.bytes)}</td>
            <td class="number" data-label="Uploads, 30 days">${count(row.uploads30Days)}</td>
            ${cell('Last activity', row.lastActivityAt === null ? null : time(row.lastActivityAt, now))}
          </tr>`,
      )}
    </tbody>
  </table>`
}

type Turning = { search: string; after: string; last: string | undefined }

function turning({ search, after, last }: Turning): Html | null {
  if (after === '' && last === undefined) return null
  const link = (values: Record<string, string>, label: string, rel: string) => {
    const given = Object.entries(values).filter(([, value]) => value !== '')
    const query = new URLSearchParams(given).toString()
    const href = checkedUrl(`/operator/workspaces${query === '' ? '' : `?${query}`}`)
    return html`<a ${attributes({ href, rel })}>${label}</a>`
  }
  return html`<nav class="turn" aria-label="Pages of the list">
    ${after !== '' && link({ search }, '← First page', 'first')}
    ${last !== undefined && link({ search, after: last }, 'Next page →', 'next')}
  </nav>`
}
