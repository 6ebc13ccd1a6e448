import type { FastifyReply } from 'fastify'
import { isJobKind, type JobKind } from '../jobs.ts'
import { attributes, html, type Html } from '../html/html.ts'
import { countJobs } from '../queue/count.ts'
import { listFailedJobs, type FailedJob, type Retried } from '../queue/failed.ts'
import { pageOperator } from '../workspace/operator/operator-session.ts'
import { retryJobs } from '../workspace/operator/retry-jobs.ts'
import type { OperatorForm, Operating } from './operating.ts'
import { formField, sendOperatorPage } from './page-frame.ts'
import { cell } from './table-cell.ts'
import { count, counted, time } from './words.ts'

/** Failed jobs without what they are about, each to be run again, or all of a kind. */
export async function showFailedJobs(asked: Operating): Promise<FastifyReply> {
  const given = asked.query('kind')
  const kind = isJobKind(given) ? given : undefined
  const retried = /^\d{1,9}$/.exec(asked.query('waiting'))?.[0]
  const note =
    retried === undefined
      ? null
      : html`<p class="note good" role="status">${retriedWords(Number(retried))}</p>`
  return answer(asked, { kind, note })
}

function retriedWords(waiting: number): string {
  if (waiting === 0) return 'No job was put back: none was still failed, or the same job is already waiting.'
  return `${counted(waiting, 'job')} ${waiting === 1 ? 'waits' : 'wait'} to run again, with all attempts.`
}

type Shown = { kind: JobKind | undefined; note: Html | null; status?: number }

async function answer(asked: Operating, { kind, note, status = 200 }: Shown): Promise<FastifyReply> {
  const { deps, formToken, now } = asked
  const counts = (await countJobs(deps.db)).filter(({ failed }) => failed > 0)
  const { failed, jobs } = await listFailedJobs(deps.db, kind === undefined ? {} : { kind })
  const body = html`<h1>Failed jobs</h1>
    <p>
      A job is listed once its last attempt has failed, and stays here until it is run again. What it was
      about is not shown.
    </p>
    ${note} ${counts.length > 0 && kinds(counts, { kind, formToken })}
    ${
      jobs.length === 0
        ? html`<p class="note good">
            ${kind === undefined ? 'No job has failed.' : 'No job of this kind has failed.'}
          </p>`
        : html`<p class="quiet">
              ${failed > jobs.length ? `The newest ${count(jobs.length)} of ${counted(failed, 'failed job')}` : counted(failed, 'failed job')}${kind !== undefined && html` of the kind <code>${kind}</code>. <a href="/operator/jobs">Show all</a>`}
            </p>
            ${table(jobs, { formToken, now })}`
    }`
  return sendOperatorPage(asked, { title: 'Failed jobs', section: 'jobs', body, status })
}

type Kinds = { kind: JobKind; failed: number }[]

function kinds(counts: Kinds, { kind, formToken }: { kind: JobKind | undefined; formToken: string }): Html {
  return html`<table class="stack narrow">
    <caption class="hidden">
      Failed jobs by kind
    </caption>
    <thead>
      <tr>
        <th scope="col">Kind</th>
        <th scope="col" class="number">Failed</th>
        <th scope="col">Run again</th>
      </tr>
    </thead>
    <tbody>
      ${counts.map(
        (row) =>
          html`<tr>
            <th scope="row">
              <a
                ${attributes({ 'aria-current': row.kind === kind ? 'page' : null })}
                href="/operator/jobs?kind=${row.kind}"
                ><code>${row.kind}</code></a
              >
            </th>
            <td class="number" data-label="Failed">${count(row.failed)}</td>
            <td>
              <form method="post" action="/operator/jobs/retry">
                ${formField(formToken)}<input type="hidden" name="kind" value="${row.kind}" />
                <button class="plain">Retry all of ${row.kind}</button>
              </form>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

function table(jobs: readonly FailedJob[], { formToken, now }: { formToken: string; now: Date }): Html {
  return html`<table class="stack">
    <caption class="hidden">
      Failed jobs, the newest first
    </caption>
    <thead>
      <tr>
        <th scope="col">Job</th>
        <th scope="col">Kind</th>
        <th scope="col">Workspace</th>
        <th scope="col" class="number">Attempts</th>
        <th scope="col">Failed</th>
        <th scope="col">Error</th>
        <th scope="col">Run again</th>
      </tr>
    </thead>
    <tbody>
      ${jobs.map(
        ({ id, kind, workspace, attempts, failedAt, error }) =>
          html`<tr>
            <th scope="row" class="mono">${id}</th>
            <td data-label="Kind"><code>${kind}</code></td>
            ${cell('Workspace', workspace === null ? null : html`<a href="/operator/workspaces/${workspace}">${workspace}</a>`)}
            <td class="number" data-label="Attempts">${count(attempts)}</td>
            ${cell('Failed', failedAt === null ? null : time(failedAt, now))} ${cell('Error', error, 'text')}
            <td>
              <form method="post" action="/operator/jobs/retry">
                ${formField(formToken)}<input type="hidden" name="id" value="${id}" />
                <button class="plain" aria-label="Retry job ${id}">Retry</button>
              </form>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

export async function retryJobsOfForm(asked: Operating, form: OperatorForm): Promise<FastifyReply> {
  const { deps, requestId, reply, now } = asked
  const which = chosen(form)
  if (which === undefined) {
    const note = html`<p class="note bad" role="alert">
      The form names neither a job nor a kind of jobs. Nothing was changed.
    </p>`
    return answer(asked, { kind: undefined, note, status: 422 })
  }
  const { waiting } = await retryJobs(deps.db, { which, actor: pageOperator(requestId), now })
  return reply.header('cache-control', 'no-store').redirect(`/operator/jobs?waiting=${waiting}`, 303)
}

function chosen(form: OperatorForm): Retried | undefined {
  const kind = form.get('kind') ?? ''
  if (isJobKind(kind)) return { kind }
  const id = form.get('id') ?? ''
  return /^\d{1,15}$/.test(id) ? { ids: [Number(id)] } : undefined
}
