import type { IncomingHttpHeaders } from 'node:http'

/** Of a request, here or before the framework has it. */
export type Asking = { headers: IncomingHttpHeaders }

/**
 * Of the codings that can be sent, best first, the one that the client prefers; null: none, it gets the bytes as they are (RFC
 * 9110, 12.5.3). Only named codings are chosen: a client that sends `*` may still be unable to decode it.
 */
export function preferredCoding<Coding extends string>(
  request: Asking,
  codings: readonly Coding[],
): Coding | null {
  const header = request.headers['accept-encoding']
  if (header === undefined) return null
  const weights = weightsOf(header)
  const asItIs = weights.get('identity') ?? 0
  const liked = codings
    .map((coding) => ({ coding, weight: weights.get(coding) ?? 0 }))
    .filter(({ weight }) => weight > 0 && weight >= asItIs)
    .toSorted((one, other) => other.weight - one.weight)
  return liked[0]?.coding ?? null
}

/** An unreadable weight is ignored: the name alone means 1. */
function weightsOf(header: string): Map<string, number> {
  const entries = header.split(',').map((entry) => entry.split(';').map((part) => part.trim().toLowerCase()))
  return new Map(
    entries.map(([name = '', ...parameters]) => {
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? ''
      return [name, /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(weight) ? Number(weight) : 1]
    }),
  )
}

/**
 * Whether the request is only for a state that what is served is not in: `If-Match` names other tags, compared strongly, or else its time is
 * later than `If-Unmodified-Since` (RFC 9110, 13.1.1, 13.1.4 and 13.2.2). Asked before every other condition. `time` null: none is known.
 */
export function isForAnotherState(
  request: Asking,
  { tag, time }: { tag: string; time: Date | null },
): boolean {
  const wanted = request.headers['if-match']
  if (wanted !== undefined) {
    return !wanted.split(',').some((entry) => entry.trim() === '*' || entry.trim() === tag)
  }
  const header = request.headers['if-unmodified-since']
  const since = header === undefined ? null : httpDate(header)
  return since !== null && time !== null && wholeSeconds(time) > since.getTime()
}

/** Whether `If-None-Match` names the tag, quotes included; compared weakly (RFC 9110, 13.1.2). */
export function isTagKnown(request: Asking, tag: string): boolean {
  const header = request.headers['if-none-match'] ?? ''
  if (header === tag) return true
  const known = header.split(',').map((entry) => entry.trim())
  return known.some((entry) => entry === '*' || entry.replace(/^W\//, '') === tag)
}

/**
 * Whether the time, in whole seconds, is not after `If-Modified-Since`. Anything but an HTTP date must be ignored (RFC 9110, 13.1.3):
 * `Date.parse` reads far more, and takes a time without a zone as local time.
 */
export function isUnmodifiedSince(request: Asking, time: Date): boolean {
  const header = request.headers['if-modified-since']
  if (header === undefined) return false
  const since = httpDate(header)
  return since !== null && wholeSeconds(time) <= since.getTime()
}

function wholeSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000) * 1000
}

/** Converts the two obsolete date formats, which must still be read (RFC 9110, 5.6.7), to the current one. Years of two digits are divided as in POSIX. */
const olderForms: readonly [RegExp, string][] = [
  [/^(\w{3})[a-z]{3,6}, (\d\d)-(\w{3})-([0-5]\d|6[0-8]) ([\d:]{8}) GMT$/, '$1, $2 $3 20$4 $5 GMT'],
  [/^(\w{3})[a-z]{3,6}, (\d\d)-(\w{3})-(\d\d) ([\d:]{8}) GMT$/, '$1, $2 $3 19$4 $5 GMT'],
  [/^(\w{3}) (\w{3}) (\d\d) ([\d:]{8}) (\d{4})$/, '$1, $3 $2 $5 $4 GMT'],
  [/^(\w{3}) (\w{3}) {2}(\d) ([\d:]{8}) (\d{4})$/, '$1, 0$3 $2 $5 $4 GMT'],
]

function httpDate(text: string): Date | null {
  const written = olderForms.reduce((form, [older, today]) => form.replace(older, today), text)
  const date = new Date(written)
  // it survives a round trip: the day exists and falls on this weekday
  return !Number.isNaN(date.getTime()) && date.toUTCString() === written ? date : null
}
