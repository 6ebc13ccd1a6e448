import {
  alertTypes,
  destinationKinds,
  destinationLimits,
  type AlertType,
  type DestinationKind,
} from '../../contract/alerts/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import { isRecord } from '../../contract/is-record.ts'
import { lineProblem } from '../../platform/input-reader.ts'
import { judgeUrl, type ChatHosts } from './judge-url.ts'

export type DestinationFields = {
  kind: DestinationKind
  /** Trimmed. */
  name: string
  url: string
  host: string
  events: AlertType[]
}

type Judged<T> = { value: T } | { problem: string }

const missing = { problem: 'This field is required.' }

/**
 * Reads the fields of a new destination from any JSON value. Unknown fields are ignored, wrong types never coerced. Refuses with
 * `invalid_request` and every field that is missing or invalid at once.
 */
export function readNewDestination(body: unknown, hosts: ChatHosts): DestinationFields {
  const fields = isRecord(body) ? body : {}
  const kind = readOneOf(fields['kind'], destinationKinds)
  const name = readName(fields['name'])
  const url = readUrl(fields['url'], 'value' in kind ? kind.value : undefined, hosts)
  const events = readEvents(fields['events'])
  if ('value' in kind && 'value' in name && 'value' in url && 'value' in events) {
    return { kind: kind.value, name: name.value, events: events.value, ...url.value }
  }
  const judged = { kind, name, url, events }
  const problems = Object.entries(judged).flatMap(([field, result]) =>
    'problem' in result ? [[field, result.problem] as const] : [],
  )
  throw new ServiceError('invalid_request', { fields: Object.fromEntries(problems) })
}

export type DestinationChange = { name?: string; events?: AlertType[]; enabled?: boolean }

/** Reads what is to change of a destination; what is absent stays. Codes: `invalid_request`. */
export function readChange(change: {
  name?: unknown
  events?: unknown
  enabled?: boolean
}): DestinationChange {
  const name = change.name === undefined ? undefined : readName(change.name)
  const events = change.events === undefined ? undefined : readEvents(change.events)
  const problems = Object.entries({ name, events }).flatMap(([field, result]) =>
    result !== undefined && 'problem' in result ? [[field, result.problem] as const] : [],
  )
  if (problems.length > 0) {
    throw new ServiceError('invalid_request', { fields: Object.fromEntries(problems) })
  }
  return {
    ...(name !== undefined && 'value' in name ? { name: name.value } : {}),
    ...(events !== undefined && 'value' in events ? { events: events.value } : {}),
    ...(change.enabled === undefined ? {} : { enabled: change.enabled }),
  }
}

function readName(value: unknown): Judged<string> {
  if (value === undefined) return missing
  if (typeof value !== 'string') return { problem: 'Expected text.' }
  const name = value.trim()
  const problem = lineProblem(name, { min: 1, max: destinationLimits.nameCharacters })
  return problem === undefined ? { value: name } : { problem }
}

/** Each once, in the order of their first mention. */
function readEvents(value: unknown): Judged<AlertType[]> {
  if (value === undefined) return missing
  const expected = `Expected a list of one or more of ${alertTypes.join(', ')}.`
  if (!Array.isArray(value) || value.length === 0) return { problem: expected }
  const events = new Set<AlertType>()
  for (const entry of value) {
    const known = alertTypes.find((type) => type === entry)
    if (known === undefined) return { problem: expected }
    events.add(known)
  }
  return { value: [...events] }
}

function readUrl(
  value: unknown,
  kind: DestinationKind | undefined,
  hosts: ChatHosts,
): Judged<{ url: string; host: string }> {
  if (value === undefined) return missing
  if (typeof value !== 'string') return { problem: 'Expected text.' }
  const judged = judgeUrl(value, kind, hosts)
  return 'problem' in judged ? judged : { value: judged }
}

function readOneOf<const T extends string>(value: unknown, known: readonly T[]): Judged<T> {
  if (value === undefined) return missing
  const found = known.find((word) => word === value)
  return found === undefined ? { problem: `Expected ${known.join(', ')}.` } : { value: found }
}
