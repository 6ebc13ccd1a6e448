import type { SecurityTxtCheck } from '../../contract/disclosure/shapes.ts'
import { OutboundError } from '../../platform/outbound/outbound-error.ts'
import type { Answer, Outbound } from '../../platform/outbound/outbound.ts'

type Checking = {
  /** The company's own address of the file. */
  url: string
  /** Of the copies here, to which the company may redirect. */
  ownUrls: readonly string[]
  /** As it is served here. */
  expected: string
  now: Date
}

const maxRedirects = 3

/** Reads the file at the company's own address and reports why it is not valid for the company. */
export async function checkSecurityTxt(
  outbound: Outbound,
  { url, ownUrls, expected, now }: Checking,
): Promise<SecurityTxtCheck> {
  const problems = await problemsAt(outbound, { url, ownUrls, expected, now })
  return { url, checkedAt: now.toISOString(), isFine: problems.length === 0, problems }
}

async function problemsAt(outbound: Outbound, { url, ownUrls, expected, now }: Checking): Promise<string[]> {
  try {
    const found = await follow(outbound, url, ownUrls)
    if (found === 'own') return []
    if (found === undefined) return ['The address redirects more than three times.']
    if (found.status !== 200) return [`The address answers ${found.status}, not 200.`]
    return [...typeProblems(found), ...contentProblems(found.body.toString('utf8'), { url, expected, now })]
  } catch (error) {
    if (error instanceof OutboundError) return [`The file could not be read: ${error.message}`]
    throw error
  }
}

/** `own`: it leads to the copy here, whatever this service can reach of itself. */
async function follow(
  outbound: Outbound,
  from: string,
  ownUrls: readonly string[],
): Promise<(Answer & { body: Buffer }) | 'own' | undefined> {
  let url = from
  for (let step = 0; step <= maxRedirects; step += 1) {
    const answer = await outbound.ask({ url, purpose: 'security_txt' })
    const location = answer.headers.get('location')
    if (answer.status < 300 || answer.status > 399 || location === undefined) return answer
    const next = URL.parse(location, url)
    if (next === null) return answer
    if (ownUrls.includes(next.href)) return 'own'
    url = next.href
  }
  return undefined
}

function typeProblems({ headers }: Answer): string[] {
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase()
  return type === 'text/plain' ? [] : ['It is not served as text/plain.']
}

type Field = { name: string; value: string }

function contentProblems(
  text: string,
  { url, expected, now }: { url: string; expected: string; now: Date },
): string[] {
  const found = fieldsOf(text)
  const values = (name: string) => found.filter((field) => field.name === name).map(({ value }) => value)
  const problems: string[] = []
  const expires = values('expires')
  const until = Date.parse(expires[0] ?? '')
  if (expires.length !== 1) problems.push('It must have exactly one Expires line.')
  else if (Number.isNaN(until)) problems.push('Its Expires line has no valid date and time.')
  else if (until <= now.getTime()) problems.push('It has expired.')
  if (values('canonical').length > 0 && !values('canonical').includes(url))
    problems.push('None of its Canonical lines names the address at which it is served.')
  for (const { name, value } of fieldsOf(expected)) {
    if (name === 'expires' || name === 'canonical') continue
    if (!values(name).includes(value)) problems.push(`The line "${titleOf(name)}: ${value}" is missing.`)
  }
  return problems
}

function fieldsOf(text: string): Field[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const parts = /^([A-Za-z-]{1,40}):\s*(\S.*)$/.exec(line)
    const [, name = '', value = ''] = parts ?? []
    return parts === null ? [] : [{ name: name.toLowerCase(), value: value.trim() }]
  })
}

function titleOf(name: string): string {
  if (name === 'csaf') return 'CSAF'
  return name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}
