import { parseArgs } from 'node:util'
import { plans } from '../contract/workspace/plans.ts'
import { onlyArgument, operator, UsageError, workspaceNamed, type Command } from './command.ts'
import type { Process } from './open-process.ts'
import { backupCommands } from './operation/backup-commands.ts'
import { operationCommands } from './operation/commands.ts'
import { sources } from '../vulndata/sources/all.ts'
import { progressLine } from './progress.ts'

const sourceNames = sources
  .map(({ label, forms }) => (forms === undefined ? label : `${label} (${forms})`))
  .join(', ')

export const commands: Record<string, Command> = {
  provision: {
    usage: 'provision < document.json',
    summary:
      'create the workspaces, members, families, versions, tokens and alert destinations a JSON document names; prints it with ids, new tokens and new signing secrets',
    run: async (process) => {
      const { provisionAll } = await import('./provision-all.ts')
      return provisionAll(process, await readStandardInput())
    },
  },
  'vulnerabilities import': {
    usage: 'vulnerabilities import [--complete] <path or URL>',
    summary: `load data of ${sourceNames}, recognised by their content; with --complete the file or folder holds all records of its sources, and what it lacks is withdrawn`,
    run: importData,
  },
  'workspace plan': {
    usage: `workspace plan <slug> <${plans.join(' | ')} | closed> [--until <day>]`,
    summary:
      'put a workspace on a plan, which ends after the day given or not at all, or close it; a trial ends after 30 days unless a day is given, which also extends one',
    run: changePlanByHand,
  },
  ...operationCommands,
  drain: {
    usage: 'drain',
    summary:
      'run every job that is due by the product clock, retries included, send what waits, chain the audit trail, and print how many of each kind ran',
    run: drain,
  },
  ...backupCommands,
  store: {
    usage: 'store',
    summary: 'print the address of the database, for tools that speak to PostgreSQL',
    run: ({ databaseUrl, storeKind }) => Promise.resolve({ kind: storeKind, databaseUrl }),
  },
  rematch: {
    usage: 'rematch',
    summary:
      'match every identity again and compare with what is stored; differences are repaired and printed',
    run: async ({ db, now }) => {
      const { rematch } = await import('../findings/changes/rematch.ts')
      return rematch(db, { now: now(), onProgress: progressLine() })
    },
  },
  'keys rotate': {
    usage: 'keys rotate',
    summary:
      'with the embedded database make a new encryption key, and in every case seal again with the first key what an earlier one has sealed',
    run: async (process) => {
      const { rotateKeys } = await import('./operation/rotate-keys.ts')
      return rotateKeys(process)
    },
  },
  'second-factor remove': {
    usage: 'second-factor remove <e-mail>',
    summary: 'remove apps, passkeys and recovery codes of somebody who has lost them, and end their sessions',
    run: removeSecondFactor,
  },
  'mail list': {
    usage: 'mail list',
    summary: 'print the newest messages and what became of them; without SMTP_URL they are kept and not sent',
    run: async ({ db }) => {
      const { listMail } = await import('../notices/mail/list-mail.ts')
      return { mail: await listMail(db) }
    },
  },
  'mail show': {
    usage: 'mail show <id>',
    summary: 'print one message in full, with the link in it while that is valid',
    run: showMessage,
  },
  'audit verify': {
    usage: 'audit verify [<file>]',
    summary:
      'compare the audit trail with its chains and name the first event that was changed, is missing or was not chained; the file holds what an earlier run has printed',
    run: async (process, args) => {
      const { verifyAudit } = await import('./verify/verify-audit.ts')
      return verifyAudit(process, args)
    },
  },
  migrate: {
    usage: 'migrate',
    summary: 'bring the schema up to date and stop',
    run: () => Promise.resolve({ migrated: true }),
  },
}

async function drain(process: Process): Promise<unknown> {
  const { deliverAll } = await import('../alerts/deliveries/deliverer.ts')
  const { outboundOf } = await import('../platform/outbound/configured.ts')
  const { tickSchedules } = await import('../worker/schedule.ts')
  const { createTasks } = await import('../worker/tasks.ts')
  const { drainQueue } = await import('../queue/drain-queue.ts')
  const { mailOf } = await import('../notices/mail/configured.ts')
  const { sendDueMails } = await import('../notices/mail/mailer.ts')
  const { chainEvents } = await import('../audit/chain-events.ts')
  const { config } = process
  const name = `drain-${globalThis.process.pid}`
  await tickSchedules(process, { withFeeds: false, withSeldom: true })
  const counts = await drainQueue(
    { ...process, tasks: createTasks(process), name },
    { except: ['refresh_source'] },
  )
  const deliveries = await deliverAll({
    ...process,
    name,
    outbound: outboundOf(config),
    baseUrl: config.baseUrl,
  })
  const mails = await sendDueMails({ ...process, name, ...mailOf(config, process.secrets) })
  // last: what was done before is recorded too
  await chainEvents(process.db)
  return {
    ...Object.fromEntries(counts),
    ...(deliveries === 0 ? {} : { deliveries }),
    ...(mails === 0 ? {} : { mails }),
  }
}

async function removeSecondFactor({ db, now }: Process, args: string[]): Promise<unknown> {
  const email = onlyArgument(args, 'an e-mail address')
  const { removeAllFactors } = await import('../people/factors/second-factors.ts')
  const outcome = await removeAllFactors(db, { email, actor: operator, now: now() })
  if (outcome === 'nobody') throw new UsageError(`there is no account with the address "${email}"`)
  if (outcome === 'none') throw new UsageError(`"${email}" has no second factor: nothing was changed`)
  return { removed: true, email }
}

async function showMessage({ db, sealing, config, now }: Process, args: string[]): Promise<unknown> {
  const id = onlyArgument(args, 'the id of a message')
  const { showMail } = await import('../notices/mail/list-mail.ts')
  const { isId } = await import('../platform/random.ts')
  const mail = isId(id) ? await showMail({ db, sealing, ...config }, { id, now: now() }) : undefined
  if (mail === undefined) throw new UsageError(`there is no message "${id}"`)
  return mail
}

async function changePlanByHand({ db, now }: Process, args: string[]): Promise<unknown> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { until: { type: 'string' } },
  })
  const [slug, plan] = positionals
  if (slug === undefined || plan === undefined || positionals.length !== 2)
    throw new UsageError('expected a slug and a plan')
  const { changePlan, isOperatedPlan, operatedPlans, readEnd } =
    await import('../workspace/operator/change-plan.ts')
  if (!isOperatedPlan(plan))
    throw new UsageError(`expected one of ${operatedPlans.join(', ')}; found "${plan}"`)
  if (values.until === '') throw new UsageError('--until: expected a day or a moment, found nothing')
  const end = readEnd(values.until ?? '', plan, now())
  if ('refused' in end) throw new UsageError(`--until: ${end.refused}`)
  const { until } = end
  const workspaceId = await workspaceNamed(db, slug)
  await changePlan(db, { workspaceId, plan, until, actor: operator, now: now() })
  return { slug, plan, ...(until === undefined ? {} : { until: until.toISOString() }) }
}

async function importData({ db, log, now, config }: Process, args: string[]): Promise<unknown> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { complete: { type: 'boolean', default: false } },
  })
  const [from] = positionals
  if (from === undefined || from === '' || positionals.length !== 1)
    throw new UsageError('expected a path or URL')
  const { importVulnerabilityData } = await import('../vulndata/import.ts')
  const { collectSooner } = await import('../platform/heap.ts')
  collectSooner()
  const input = { from, isComplete: values.complete, now: now(), onProgress: progressLine() }
  return importVulnerabilityData({ db, log, config }, input)
}

async function readStandardInput(): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError('expected one JSON document on standard input', { cause })
  }
}
