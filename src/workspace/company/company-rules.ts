import { ServiceError } from '../../contract/errors.ts'
import { emailProblem } from '../../contract/people/email-address.ts'
import { knownKeys } from '../../contract/known-keys.ts'
import { lineProblem } from '../../platform/input-reader.ts'

/** Words that addresses of the service use themselves. */
const reservedSlugs = new Set([
  'setup',
  'sign-in',
  'sign-out',
  'sign-up',
  'account',
  'api',
  'app',
  'admin',
  'csaf',
  'disclose',
  'docs',
  'new',
  'static',
  'assets',
])

/** What a workspace says of its company; what is undefined is not judged. */
export type CompanyFacts = {
  slug?: string | undefined
  companyName?: string | undefined
  securityContactEmail?: string | undefined
  timeZone?: string | undefined
}

const rules = {
  slug: slugProblem,
  companyName: (text: string) => lineProblem(text.trim(), { min: 1, max: 200 }),
  securityContactEmail: emailProblem,
  timeZone: timeZoneProblem,
} satisfies Record<keyof CompanyFacts, (text: string) => string | undefined>

/** Codes: `invalid_request`, with every field that is wrong. */
export function refuseInvalidCompany(facts: CompanyFacts): void {
  const fields: Record<string, string> = {}
  for (const name of knownKeys(rules)) {
    const text = facts[name]
    const problem = text === undefined ? undefined : rules[name](text)
    if (problem !== undefined) fields[name] = problem
  }
  if (Object.keys(fields).length > 0) throw new ServiceError('invalid_request', { fields })
}

/** What is wrong with the address of a workspace; undefined: nothing. */
export function slugProblem(slug: string): string | undefined {
  if (reservedSlugs.has(slug)) return 'This address is reserved.'
  if (/^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/.test(slug)) return undefined
  return '3 to 40 characters a-z, 0-9 and dashes are required, without a dash at either end.'
}

/** What is wrong with the name of a time zone; undefined: nothing. */
export function timeZoneProblem(name: string): string | undefined {
  return isTimeZone(name) ? undefined : 'A time zone name such as Europe/Oslo is required.'
}

/** A name of the IANA time zone database that this process knows. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** A stored name; one that this release does not know must not hold up what is written in it. */
export function knownZone(name: string): string {
  return isTimeZone(name) ? name : 'UTC'
}
