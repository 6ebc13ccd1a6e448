import { gzipSync } from 'node:zlib'
import { readSbomReceipt, type SbomReceipt } from '../answers.ts'
import type { PullCommand } from '../arguments.ts'
import { detailHeaders } from '../details.ts'
import { exitCodes, Failure, OutOfTime, type ExitCode } from '../failure.ts'
import { request } from '../request.ts'
import { postTimeoutMs, type Ending, type Sender } from '../sender.ts'
import { readPullSettings, type Settings, type TrackerSettings } from '../settings.ts'
import { counted } from '../summary.ts'
import { exportBom, listProjects, type Project } from './projects.ts'
import { digestOf, openState, writeState, type Copied } from './state.ts'

type Outcome =
  | { project: string; version: string | null; outcome: 'sent'; sbom: SbomReceipt }
  | { project: string; version: string | null; outcome: 'unchanged' }
  | { project: string; version: string | null; outcome: 'failed'; message: string }
  | { project: string; version: string | null; outcome: 'not_tried' }

/** Answers of the service that are about the token, not about a BOM: every further one would be answered alike. */
const aboutToken = new Set([401, 402, 403, 404, 429])

/**
 * Copies the BOMs imported into Dependency-Track since the last run: exports them and sends them to the token's family. A project that
 * fails does not stop the others, unless they would fail alike; the next run retries it.
 */
export async function pullDependencyTrack(command: PullCommand, sender: Sender): Promise<Ending> {
  const settings = readPullSettings(sender.ports.env, command)
  const pair = `${settings.trackerUrl} ${settings.baseUrl}`
  const copied = openState(command.stateFile, pair)
  const projects = await listProjects(settings, command, sender)
  const outcomes: Outcome[] = []
  let exitCode: ExitCode = exitCodes.fine
  let goesOn = true
  for (const project of projects) {
    const before = copied[project.uuid]
    if (!goesOn && before?.importedAt !== project.importedAt) {
      outcomes.push({ ...named(project), outcome: 'not_tried' })
      continue
    }
    try {
      const outcome = await copyProject(project, { settings, copied, sender })
      outcomes.push(outcome)
      if (outcome.outcome === 'sent') {
        sender.terminal.say(
          `Sent           ${nameOf(project)}: ${counted(outcome.sbom.components, 'component')}`,
        )
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      exitCode = error.exitCode
      goesOn = !endsRun(error)
      outcomes.push(outcomeOf(project, error, sender))
    }
    if (copied[project.uuid] !== before) keepState(() => writeState(command.stateFile, pair, copied), sender)
  }
  sender.terminal.say(summaryOf(outcomes))
  return { projects: outcomes, exitCode }
}

function endsRun(error: Failure): boolean {
  return error instanceof OutOfTime || aboutToken.has(error.refusal?.status ?? 0)
}

function outcomeOf(project: Project, error: Failure, { terminal }: Sender): Outcome {
  if (error instanceof OutOfTime) return { ...named(project), outcome: 'not_tried' }
  terminal.say(`Failed         ${nameOf(project)}: ${error.message}`, 'red')
  return { ...named(project), outcome: 'failed', message: error.message }
}

function summaryOf(outcomes: readonly Outcome[]): string {
  const count = (wanted: Outcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length
  const left = count('not_tried')
  return (
    `${counted(outcomes.length, 'project')} with a BOM: ${count('sent')} sent, ${count('unchanged')} unchanged, ${count('failed')} failed` +
    (left === 0 ? '' : `, ${left} left for the next run`)
  )
}

/** A file stays sent even if the state cannot be written: the next run sends it again, which changes nothing. */
function keepState(write: () => void, { terminal }: Sender): void {
  try {
    write()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    terminal.say(`The state file could not be written: ${error.message}`, 'yellow')
  }
}

type Copying = { settings: Settings & TrackerSettings; copied: Copied; sender: Sender }

/** Dependency-Track says when the last BOM was imported; exporting an unchanged one again changes only serial number and time. */
async function copyProject(
  project: Project,
  { settings, copied, sender }: Copying,
): Promise<Extract<Outcome, { outcome: 'sent' | 'unchanged' }>> {
  const before = copied[project.uuid]
  if (before?.importedAt === project.importedAt) return { ...named(project), outcome: 'unchanged' }
  const bom = await exportBom(settings, project, sender)
  const digest = digestOf(bom)
  if (before?.digest === digest) {
    copied[project.uuid] = { importedAt: project.importedAt, digest }
    return { ...named(project), outcome: 'unchanged' }
  }
  const sbom = await send(settings, project, bom, sender)
  copied[project.uuid] = { importedAt: project.importedAt, digest }
  return { ...named(project), outcome: 'sent', sbom }
}

async function send(
  { baseUrl, uploadToken }: Settings,
  project: Project,
  bom: Record<string, unknown>,
  { ports, terminal, deadlineMs }: Sender,
): Promise<SbomReceipt> {
  const details = {
    productVersion: project.version,
    source: 'sbom_tracker',
    repository: project.name,
    commit: null,
    branch: null,
    runUrl: null,
  }
  const asked = {
    method: 'POST',
    url: `${baseUrl}/api/v1/sboms`,
    token: uploadToken,
    headers: {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      ...detailHeaders(details, ['productVersion', 'source', 'repository']),
    },
    body: gzipSync(JSON.stringify(bom)),
    timeoutMs: postTimeoutMs,
  } as const
  return readSbomReceipt(await request(ports, asked, { deadlineMs, onRetry: (text) => terminal.say(text) }))
}

function named({ name, version }: Project): { project: string; version: string | null } {
  return { project: name, version }
}

function nameOf({ name, version }: Project): string {
  return version === null ? name : `${name} ${version}`
}
