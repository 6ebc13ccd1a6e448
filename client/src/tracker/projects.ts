import { exitCodes, Failure } from '../failure.ts'
import { request } from '../request.ts'
import type { Sender } from '../sender.ts'
import type { TrackerSettings } from '../settings.ts'

/** A Dependency-Track project that has a BOM. */
export type Project = {
  uuid: string
  name: string
  version: string | null
  /** When its last BOM was imported, in Dependency-Track's format. */
  importedAt: number
}

const pageSize = 100
const maxProjects = 10_000
const listAnswerBytes = 32 * 1024 * 1024
/** Exporting some hundred components can take tens of seconds. */
const exportTimeoutMs = 300_000
/** The maximum the service accepts. */
const maxBomBytes = 50 * 1024 * 1024

type Chosen = { projects: readonly string[]; tag: string | null }

/** The projects with these UUIDs or this tag, else every active one; those without a BOM are left out. */
export async function listProjects(
  settings: TrackerSettings,
  { projects, tag }: Chosen,
  sender: Sender,
): Promise<Project[]> {
  if (projects.length > 0) {
    const found: Project[] = []
    for (const uuid of projects) {
      found.push(...readProject(await ask(settings, `/api/v1/project/${uuid}`, listAnswerBytes, sender)))
    }
    return found
  }
  const path = tag === null ? '/api/v1/project' : `/api/v1/project/tag/${encodeURIComponent(tag)}`
  const found: Project[] = []
  let listed = 0
  for (let page = 1; listed <= maxProjects; page += 1) {
    const query = `excludeInactive=true&pageSize=${pageSize}&pageNumber=${page}`
    const answer = await ask(settings, `${path}?${query}`, listAnswerBytes, sender)
    if (!Array.isArray(answer)) throw foreignAnswer()
    found.push(...answer.flatMap(readProject))
    listed += answer.length
    if (answer.length < pageSize && listed <= maxProjects) return found
  }
  throw new Failure(
    exitCodes.usage,
    `there are more than ${maxProjects} projects; choose some by --tag or --project`,
  )
}

/** The BOM of a project, parsed. */
export async function exportBom(
  settings: TrackerSettings,
  { uuid }: Project,
  sender: Sender,
): Promise<Record<string, unknown>> {
  const path = `/api/v1/bom/cyclonedx/project/${uuid}?format=json&variant=inventory`
  const answer = await ask(settings, path, maxBomBytes, sender)
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) throw foreignAnswer()
  return answer as Record<string, unknown>
}

function ask(
  { trackerUrl, key }: TrackerSettings,
  path: string,
  maxAnswerBytes: number,
  { ports, terminal, deadlineMs }: Sender,
): Promise<unknown> {
  const asked = {
    method: 'GET',
    url: `${trackerUrl}${path}`,
    trackerKey: key,
    maxAnswerBytes,
    timeoutMs: exportTimeoutMs,
  } as const
  return request(ports, asked, { deadlineMs, onRetry: (text) => terminal.say(text) })
}

/** Empty if the project has no BOM. Fields that are not read may be anything. */
function readProject(value: unknown): Project[] {
  if (typeof value !== 'object' || value === null) throw foreignAnswer()
  const { uuid, name, version, lastBomImport } = value as Record<string, unknown>
  if (typeof uuid !== 'string' || typeof name !== 'string') throw foreignAnswer()
  if (!/^[0-9a-f-]{36}$/i.test(uuid)) throw foreignAnswer()
  const importedAt = typeof lastBomImport === 'string' ? Date.parse(lastBomImport) : lastBomImport
  if (typeof importedAt !== 'number' || !Number.isFinite(importedAt)) return []
  return [{ uuid, name, version: typeof version === 'string' ? version : null, importedAt }]
}

function foreignAnswer(): Failure {
  return new Failure(
    exitCodes.unreachable,
    'the answer does not come from Dependency-Track; DEPENDENCY_TRACK_URL is the address of its API server',
  )
}
