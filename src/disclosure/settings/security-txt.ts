import { publicUrls, type PublicDisclosure } from './public-disclosure.ts'
import { dayMs } from '../../contract/durations.ts'

const validDays = 180

type Writing = {
  disclosure: PublicDisclosure
  baseUrl: string
  now: Date
  /** Of the provider metadata; null: no TLP:WHITE advisory has been published. */
  feedUrl: string | null
}

/**
 * The file of RFC 9116, with the field CSAF of IANA's registry. Its fields are in the order of preference; it renews itself, because
 * `Expires` is counted from the day on which it is read.
 */
export function securityTxt({ disclosure, baseUrl, now, feedUrl }: Writing): string {
  const { slug, contactEmail, encryptionUrl, canonicalUrl, languages } = disclosure
  const urls = publicUrls(slug, baseUrl)
  const fields: [name: string, value: string | null][] = [
    ['Contact', urls.policy],
    ['Contact', mailtoOf(contactEmail)],
    ['Expires', expiresAfter(now)],
    ['Encryption', encryptionUrl],
    ['Acknowledgments', urls.acknowledgments],
    ['Preferred-Languages', languages.join(', ')],
    ['Canonical', canonicalUrl],
    ['Policy', urls.policy],
    ['CSAF', feedUrl],
  ]
  return fields
    .flatMap(([name, value]) => (value === null || !isOneLine(value) ? [] : [`${name}: ${value}\n`]))
    .join('')
}

/** No field may contain a line break: RFC 9116, 2.2. */
function isOneLine(value: string): boolean {
  return !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)
}

/** RFC 6068: what a mailbox may hold besides letters and digits is encoded. */
export function mailtoOf(address: string): string {
  return `mailto:${address.split('@').map(encodeURIComponent).join('@')}`
}

function expiresAfter(now: Date): string {
  const day = Math.floor((now.getTime() + validDays * dayMs) / dayMs) * dayMs
  return new Date(day).toISOString().replace('.000Z', 'Z')
}
