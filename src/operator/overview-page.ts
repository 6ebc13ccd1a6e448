import type { FastifyReply } from 'fastify'
import { html, type Html } from '../html/html.ts'
import { countLateMail, countMail } from '../notices/mail/list-mail.ts'
import {
  selectFailingDestinations,
  type FailingDestinations,
} from '../alerts/deliveries/failing-destinations.ts'
import { countJobs, type KindCounts } from '../queue/count.ts'
import { keyState, type KeyState } from '../views/operation/key-state.ts'
import { countWorkspaces } from '../views/operation/list-workspaces.ts'
import { objectStoreState } from '../views/operation/object-store-state.ts'
import { unusableKinds } from '../views/operation/unusable.ts'
import { listSourceStates } from '../vulndata/source-states.ts'
import { countOperatorSessions } from '../workspace/operator/operator-session.ts'
import { attentionList, type Attention } from './attention.ts'
import { factsList } from './facts-list.ts'
import { objectStoreSection } from './object-store-section.ts'
import type { Operating } from './operating.ts'
import { sendOperatorPage } from './page-frame.ts'
import { sourcesTable } from './sources-table.ts'
import { cell } from './table-cell.ts'
import { count, distance } from './words.ts'

/** What an operator looks at first: what needs attention, then how everything is. */
export async function showOverview(asked: Operating): Promise<FastifyReply> {
  const { deps, settings, now } = asked
  const { db, sealing, originals, switchedOff } = deps
  const jobs = await countJobs(db)
  const keys = await keyState({ db, sealing, keysFrom: settings.keysFrom })
  const mail = await countMail(db)
  const sources = await listSourceStates(db, switchedOff)
  const objectStore = await objectStoreState(db, originals, now)
  const failing = await selectFailingDestinations(db, now)
  const facts = {
    Version: settings.version,
    Node: process.version,
    Workspaces: count(await countWorkspaces(db)),
    'Waiting jobs': count(total(jobs, 'waiting')),
    'Running jobs': count(total(jobs, 'running')),
    'Failed jobs': count(total(jobs, 'failed')),
    'Messages kept': count(mail.kept ?? 0),
    'Open sessions of operators': count(await countOperatorSessions(db, now)),
  }
  const attention: Attention = {
    takesWrites: (await deps.storeState()).writable,
    failedJobs: total(jobs, 'failed'),
    failedMail: mail.failed ?? 0,
    lateMail: deps.sendsMail ? await countLateMail(db, now) : 0,
    sendsMail: deps.sendsMail,
    keys,
    degraded: await deps.degraded(),
    objectStore: objectStore?.failing?.words ?? null,
    failingDestinations: failing.reduce((sum, { destinations }) => sum + destinations, 0),
    failingSources: sources.filter(({ state }) => state === 'failing').length,
  }
  const body = html`<h1>Overview</h1>
    ${attentionList(attention)} ${factsList(Object.entries(facts))}
    <h2>Sources of vulnerability data</h2>
    ${sourcesTable(sources, now)} ${failing.length === 0 ? null : failingTable(failing, now)}
    ${objectStore === null ? null : objectStoreSection(objectStore, now)}
    <h2>Encryption keys</h2>
    ${keysSection(keys)}
    <h2>Queue</h2>
    ${queueTable(jobs, now)}`
  return sendOperatorPage(asked, { title: 'Overview', section: 'overview', body })
}

/** By workspace; what they are called and where they lead is the workspace's own. */
function failingTable(failing: readonly FailingDestinations[], now: Date): Html {
  return html`<h2 id="destinations">Destinations that nothing reaches</h2>
    <p class="quiet">Every alert to them has failed for an hour or longer. Their workspaces see why.</p>
    <table class="stack narrow">
      <thead>
        <tr>
          <th scope="col">Workspace</th>
          <th scope="col" class="number">Destinations</th>
          <th scope="col">Failing for</th>
        </tr>
      </thead>
      <tbody>
        ${failing.map(
          ({ slug, destinations, since }) =>
            html`<tr>
              <th scope="row"><a href="/operator/workspaces/${slug}">${slug}</a></th>
              <td class="number" data-label="Destinations">${count(destinations)}</td>
              ${cell('Failing for', distance(since, now))}
            </tr>`,
        )}
      </tbody>
    </table>`
}

function total(jobs: readonly KindCounts[], state: 'waiting' | 'running' | 'failed'): number {
  return jobs.reduce((sum, kind) => sum + kind[state], 0)
}

const placesOfKeys = {
  ENCRYPTION_KEYS: 'Keys come from ENCRYPTION_KEYS.',
  file: 'Keys come from the file beside the embedded database.',
} as const

function keysSection(keys: KeyState): Html {
  const unusable = unusableKinds(keys)
  return html`<p>
      <span class="${keys.state === 'ready' ? 'chip good' : 'chip bad'}"
        >${keys.state === 'ready' ? 'In place' : 'Missing'}</span
      >
      ${sentence(keys.meaning)} ${keys.from === null ? null : placesOfKeys[keys.from]}
      ${keys.writingKey === null ? null : html`Key <code>${keys.writingKey}</code> writes.`}
    </p>
    ${
      unusable.length === 0
        ? html`<p class="quiet">Nothing in the database needs another key.</p>`
        : html`<ul>
            ${unusable.map((kind) => html`<li>${count(kind.count)} ${kind.what} need another key: ${kind.until}.</li>`)}
          </ul>`
    }`
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

function queueTable(jobs: readonly KindCounts[], now: Date): Html {
  const busy = jobs.filter(({ waiting, running, failed }) => waiting + running + failed > 0)
  if (busy.length === 0) return html`<p class="quiet">The queue is empty.</p>`
  return html`<table class="stack narrow">
    <thead>
      <tr>
        <th scope="col">Kind</th>
        <th scope="col" class="number">Waiting</th>
        <th scope="col" class="number">Running</th>
        <th scope="col" class="number">Failed</th>
        <th scope="col">Oldest waiting</th>
      </tr>
    </thead>
    <tbody>
      ${busy.map(
        ({ kind, waiting, running, failed, oldestWaitingAt }) =>
          html`<tr>
            <th scope="row"><code>${kind}</code></th>
            <td class="number" data-label="Waiting">${count(waiting)}</td>
            <td class="number" data-label="Running">${count(running)}</td>
            <td class="number" data-label="Failed">
              ${failed === 0 ? '0' : html`<a href="/operator/jobs?kind=${kind}">${count(failed)}</a>`}
            </td>
            ${cell('Oldest waiting', oldestWaitingAt === null ? null : distance(oldestWaitingAt, now))}
          </tr>`,
      )}
    </tbody>
  </table>`
}
