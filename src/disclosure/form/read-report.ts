import {
  exploitedAnswers,
  reportLimits,
  type ExploitedAnswer,
  type ReportText,
} from '../../contract/disclosure/shapes.ts'
import { isEmailAddress } from '../../contract/people/email-address.ts'
import { isDay } from '../../contract/calendar.ts'

/** What was typed, by the names of the fields. */
export type TypedFields = ReadonlyMap<string, string>

/** A report as the form asks for it. */
export type ReportFields = {
  text: ReportText
  /** null: another product, or the reporter is not sure. */
  familyId: string | null
  exploited: ExploitedAnswer
  /** A calendar day. */
  embargoUntil: string | null
  wantsCredit: boolean
  creditConsent: boolean
}

export type FieldProblem = 'required' | 'too_long' | 'cut' | 'not_email' | 'not_link' | 'not_day' | 'unknown'
export type FieldProblems = ReadonlyMap<string, FieldProblem>

/** The names of the fields that are text, each with the maximum number of characters. */
export const textFields = {
  title: reportLimits.titleCharacters,
  description: reportLimits.descriptionCharacters,
  impact: reportLimits.impactCharacters,
  type: reportLimits.shortCharacters,
  cve: reportLimits.shortCharacters,
  version: reportLimits.shortCharacters,
  product: reportLimits.shortCharacters,
  toldOthers: reportLimits.impactCharacters,
  creditName: reportLimits.shortCharacters,
  creditOrganisation: reportLimits.shortCharacters,
  creditLink: reportLimits.linkCharacters,
  contactName: reportLimits.shortCharacters,
  contactEmail: reportLimits.shortCharacters,
} as const satisfies Record<keyof ReportText, number>

/** A hidden trap: only bots that fill in everything fill it in. */
export const hiddenFieldName = 'website'

const required: readonly (keyof ReportText)[] = ['title', 'description']

/** Reads what was typed; every problem at once. The family must be one that is offered. */
export function readReport(
  typed: TypedFields,
  offered: readonly { id: string }[],
): { fields: ReportFields; problems: FieldProblems } {
  const problems = new Map<string, FieldProblem>()
  const text = readTexts(typed, problems)
  const choices = readChoices(typed, offered, problems)
  const wantsCredit = typed.get('credit') === 'named'
  if (wantsCredit && text.creditName === '' && text.creditOrganisation === '')
    problems.set('creditName', 'required')
  const creditConsent = wantsCredit && typed.get('creditConsent') === 'yes'
  return { fields: { text, ...choices, wantsCredit, creditConsent }, problems }
}

type Problems = Map<string, FieldProblem>

function readTexts(typed: TypedFields, problems: Problems): ReportText {
  const entries = Object.entries(textFields).map(([name, max]) => {
    const value = plainText(typed.get(name) ?? '').trim()
    if ([...value].length > max) problems.set(name, 'too_long')
    return [name, value]
  })
  const text = Object.fromEntries(entries) as ReportText
  for (const name of required) if (text[name] === '') problems.set(name, 'required')
  if (text.contactEmail !== '' && !isEmailAddress(text.contactEmail))
    problems.set('contactEmail', 'not_email')
  if (text.creditLink !== '' && !isWebLink(text.creditLink)) problems.set('creditLink', 'not_link')
  return text
}

function readChoices(
  typed: TypedFields,
  offered: readonly { id: string }[],
  problems: Problems,
): Pick<ReportFields, 'familyId' | 'exploited' | 'embargoUntil'> {
  const familyId = typed.get('family') ?? ''
  if (familyId !== '' && !offered.some(({ id }) => id === familyId)) problems.set('family', 'unknown')
  const answer = typed.get('exploited') ?? 'unknown'
  const exploited = exploitedAnswers.find((known) => known === answer)
  if (exploited === undefined) problems.set('exploited', 'unknown')
  const day = (typed.get('embargoUntil') ?? '').trim()
  if (day !== '' && !isDay(day)) problems.set('embargoUntil', 'not_day')
  return {
    familyId: familyId === '' ? null : familyId,
    exploited: exploited ?? 'unknown',
    embargoUntil: day === '' ? null : day,
  }
}

/** Line ends as the database keeps them, without NUL. */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\0', '')
}

export function isWebLink(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || /\s/.test(text)) return false
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.username === ''
}
