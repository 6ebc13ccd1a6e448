import {
  determinationStates,
  determinationValues,
  type IncidentEntry,
} from '../../../../src/contract/incidents.ts'
import { regimes, reportStages } from '../../../../src/contract/events.ts'
import { regimeNames, reportNames, stateNames, valueNames } from '../../../ui/incidents/words.ts'
import { formatZoned } from '../../../ui/text/format.ts'

type Data = IncidentEntry['data']

/** What an entry of a timeline holds, in words: a line for each thing said. What it does not know it leaves out. */
export function linesOf({ data }: Pick<IncidentEntry, 'data'>, timeZone: string): string[] {
  const time = (value: unknown) => (isTime(value) ? formatZoned(value, timeZone) : undefined)
  const named = (label: string, value: unknown) =>
    typeof value === 'string' && value !== ''
      ? [`${label}${isTime(value) ? (time(value) ?? '') : value}`]
      : []
  return [
    ...reportLine(data),
    ...valueLine(data),
    ...matchLines(data),
    ...changeLines(data, timeZone),
    ...('from' in data && 'to' in data ? [`${time(data['from']) ?? '–'} → ${time(data['to']) ?? '–'}`] : []),
    ...('person' in data ? named('To ', data['person'] ?? 'nobody') : []),
    ...named('', data['title']),
    ...named('', data['text']),
    ...named('', data['how']),
    ...named('Due ', data['dueAt']),
    ...named('Submitted ', data['submittedAt']),
    ...named('Reference ', data['reference']),
    ...named('Why late: ', data['delayReason']),
    ...named('', data['reason']),
    ...named('Catalogue ', data['catalogue']),
    ...named('Nothing was opened from ', data['pausedFrom']),
    ...(data['selfApproved'] === true ? ['Approved without second person'] : []),
    ...mentionLine(data),
  ]
}

function reportLine({ regime, report, stage = report }: Data): string[] {
  const ofRegime = regimes.find((one) => one === regime)
  const ofReport = reportStages.find((one) => one === stage)
  if (ofRegime === undefined) return []
  const name = regimeNames[ofRegime]
  return [ofReport === undefined ? name : `${name}, ${reportNames[ofReport].toLowerCase()}`]
}

function valueLine({ value, state }: Data): string[] {
  const known = determinationValues.find((one) => one === value)
  const reached = determinationStates.find((one) => one === state)
  const words = [
    ...(known === undefined ? [] : [valueNames[known]]),
    ...(reached === undefined ? [] : [stateNames[reached]]),
  ]
  return words.length === 0 ? [] : [words.join(': ')]
}

/** The versions and components that a line names, of which there may be more. */
function matchLines({ matches, count }: Data): string[] {
  if (!Array.isArray(matches)) return []
  const lines = matches.filter(isRecord).map((match) => {
    const component = [match['component'], match['componentVersion']].filter(isText).join(' ')
    return isText(match['version']) ? `${component} in version ${match['version']}` : component
  })
  const more = typeof count === 'number' ? count - lines.length : 0
  return more > 0 ? [...lines, `and ${more} more`] : lines
}

/** Facts before and after. */
function changeLines({ before, after }: Data, timeZone: string): string[] {
  if (!isRecord(before) || !isRecord(after)) return []
  const words = (value: unknown): string => {
    if (Array.isArray(value)) return value.filter(isText).join(', ') || 'none'
    if (isTime(value)) return formatZoned(value, timeZone)
    return isText(value) ? value : 'none'
  }
  return Object.keys(after).map(
    (name) => `${factNames[name] ?? name}: ${words(before[name])} → ${words(after[name])}`,
  )
}

const factNames: Readonly<Record<string, string>> = {
  title: 'Title',
  severity: 'Severity',
  occurredAt: 'Occurred at',
  measureAvailableAt: 'Fix or mitigation since',
  memberStates: 'Available in',
}

function mentionLine({ mentions }: Data): string[] {
  const names = Array.isArray(mentions) ? mentions.filter(isText) : []
  return names.length === 0 ? [] : [`Told: ${names.join(', ')}`]
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/.test(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
