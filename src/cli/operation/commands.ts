import { parseArgs } from 'node:util'
import { isJobKind, jobKinds } from '../../jobs.ts'
import type { Ceilings } from '../../workspace/ceilings.ts'
import { onlyArgument, operator, UsageError, workspaceNamed, type Command } from '../command.ts'
import { objectCommands } from './objects.ts'
import { companySignInCommands } from './company-sign-in.ts'
import { moveCommands } from './move-commands.ts'
import type { Process } from '../open-process.ts'

/** What an operator asks and does about the installation; none of it shows what a workspace has stored. */
export const operationCommands: Record<string, Command> = {
  workspaces: {
    usage: 'workspaces',
    summary:
      'print every workspace with plan, state, members, families, documents, bytes, uploads of the last 30 days, last activity and ceilings',
    run: async ({ db, now }) => {
      const { listWorkspaces } = await import('../../views/operation/list-workspaces.ts')
      return { workspaces: await listWorkspaces(db, now()) }
    },
  },
  'workspace suspend': {
    usage: 'workspace suspend <slug> [--reason <text>]',
    summary:
      'make a workspace read-only whatever its plan; incidents can still be decided and filed, the public feed stays; the workspace reads the reason in its audit trail',
    run: (process, args) => suspend(process, args, { isSuspended: true }),
  },
  'workspace lift': {
    usage: 'workspace lift <slug> [--reason <text>]',
    summary: 'lift the suspension of a workspace; what arrived meanwhile is matched',
    run: (process, args) => suspend(process, args, { isSuspended: false }),
  },
  'workspace limit': {
    usage:
      'workspace limit <slug> [--families <number | none>] [--sboms <number | none>] [--bytes <number | none>] [--files <number | none>]',
    summary:
      'set how many product families and SBOMs a workspace may hold, how many bytes of documents (inflated) and of files of reports (none: 1 GiB); what is not named stays as it is; prints the ceilings',
    run: limit,
  },
  ...moveCommands,
  'jobs failed': {
    usage: 'jobs failed',
    summary: 'print the newest hundred failed jobs with kind, workspace, time and error',
    run: async ({ db }) => {
      const { listFailedJobs } = await import('../../queue/failed.ts')
      return listFailedJobs(db)
    },
  },
  'jobs retry': {
    usage: 'jobs retry <--all | --kind <kind> | id …>',
    summary: 'let failed jobs run again: all of them, those of a kind, or some',
    run: retry,
  },
  'keys state': {
    usage: 'keys state',
    summary:
      'print whether the encryption key is the one of this database, and what cannot be opened without another one',
    run: async (process) => {
      const { keyState } = await import('../../views/operation/key-state.ts')
      const { keysFrom } = await import('../open-process.ts')
      return keyState({ ...process, keysFrom: keysFrom(process) })
    },
  },
  ...objectCommands,
  sources: {
    usage: 'sources',
    summary:
      'print every source of vulnerability data with its state, its age, its records, and since when and why attempts have failed',
    run: async ({ db, config }) => {
      const { listSourceStates, switchedOffIn } = await import('../../vulndata/source-states.ts')
      return { sources: await listSourceStates(db, switchedOffIn(config)) }
    },
  },
  retention: {
    usage: 'retention [--dry-run]',
    summary: 'remove what has been kept long enough, as the schedule does; with --dry-run only count it',
    run: retain,
  },
  'operator link': {
    usage: 'operator link',
    summary: 'print a link that opens the pages for operators, once and within 15 minutes, for 8 hours',
    run: operatorLink,
  },
  'operator sign-out': {
    usage: 'operator sign-out',
    summary: 'end every session of the pages for operators, and every link that was not used',
    run: async ({ db, now }) => {
      const { endAllOperatorSessions } = await import('../../workspace/operator/operator-session.ts')
      return { ended: await endAllOperatorSessions(db, { actor: operator, now: now() }) }
    },
  },
  ...companySignInCommands,
  diagnose: {
    usage: 'diagnose <file>',
    summary:
      'write versions, settings, sizes, queues, sources and the state of the keys to one new file for whoever helps: no secret, nothing that a workspace has stored',
    run: async (process, args) => {
      const { diagnose } = await import('./diagnose.ts')
      return diagnose(process, onlyArgument(args, 'a file to write'))
    },
    leavesSchema: true,
  },
}

async function retain({ db, now, sealing }: Process, args: string[]): Promise<unknown> {
  const { values } = parseArgs({ args, options: { 'dry-run': { type: 'boolean', default: false } } })
  const { countRetention, runRetention } = await import('../../worker/retention.ts')
  const { countReplacedSboms, removeReplacedSboms } =
    await import('../../findings/changes/remove-replaced.ts')
  const at = now()
  return values['dry-run']
    ? { wouldRemove: await countRetention(db, at), replacedSboms: await countReplacedSboms(db, at) }
    : {
        removed: await runRetention(db, { now: at, sealing }),
        replacedSboms: await removeReplacedSboms(db, { now: at }),
      }
}

async function suspend(
  { db, now }: Process,
  args: string[],
  { isSuspended }: { isSuspended: boolean },
): Promise<unknown> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { reason: { type: 'string' } },
  })
  const [slug] = positionals
  if (slug === undefined || positionals.length !== 1) throw new UsageError('expected a slug')
  const { reason } = values
  const { setSuspended, suspensionReasonProblem } = await import('../../workspace/workspaces.ts')
  const problem = reason === undefined ? undefined : suspensionReasonProblem(reason)
  if (problem !== undefined) throw new UsageError(`--reason: ${problem}`)
  const act = { workspaceId: await workspaceNamed(db, slug), isSuspended, actor: operator, now: now() }
  await setSuspended(db, { ...act, ...(reason === undefined ? {} : { reason }) })
  return { slug, suspended: isSuspended }
}

async function limit({ db, now }: Process, args: string[]): Promise<unknown> {
  const text = { type: 'string' } as const
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { families: text, sboms: text, bytes: text, files: text },
  })
  const [slug] = positionals
  if (slug === undefined || positionals.length !== 1) throw new UsageError('expected a slug')
  const { ceilingNames, readCeiling, setCeilings } = await import('../../workspace/ceilings.ts')
  const ceilings: Partial<Ceilings> = {}
  for (const name of ceilingNames) {
    const value = values[name]
    if (value === undefined) continue
    const read = readCeiling(name, value)
    if ('refused' in read) throw new UsageError(`--${name}: ${read.refused}`)
    ceilings[name] = read.max
  }
  const act = { workspaceId: await workspaceNamed(db, slug), ceilings, actor: operator, now: now() }
  return { slug, ceilings: await setCeilings(db, act) }
}

async function retry({ db, now }: Process, args: string[]): Promise<unknown> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { all: { type: 'boolean', default: false }, kind: { type: 'string' } },
  })
  const ids = positionals.map((text) => {
    if (!/^\d{1,15}$/.test(text)) throw new UsageError(`expected the ids of jobs, found "${text}"`)
    return Number(text)
  })
  const { all, kind } = values
  if (Number(all) + Number(kind !== undefined) + Number(ids.length > 0) !== 1)
    throw new UsageError('expected either --all, --kind with a kind, or the ids of jobs')
  if (kind !== undefined && !isJobKind(kind))
    throw new UsageError(`expected one of ${Object.keys(jobKinds).join(', ')}; found "${kind}"`)
  const { retryJobs } = await import('../../workspace/operator/retry-jobs.ts')
  const which = all ? 'all' : kind === undefined ? { ids } : { kind }
  const { waiting, notFailed } = await retryJobs(db, { which, actor: operator, now: now() })
  if (notFailed === null) return { waiting }
  throw new UsageError(
    `no failed job has the id ${notFailed}; "jobs failed" lists those there are, and nothing was changed`,
  )
}

async function operatorLink({ db, config, now }: Process): Promise<unknown> {
  if (!config.hasOperatorPages) throw new UsageError('the pages for operators are off: OPERATOR_PAGES')
  const { issueOperatorLink } = await import('../../workspace/operator/operator-session.ts')
  const { secret, expiresAt } = await issueOperatorLink(db, now())
  return { link: `${config.baseUrl}/operator/enter/${secret}`, expiresAt: expiresAt.toISOString() }
}
