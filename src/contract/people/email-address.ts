import { hiddenCharacterProblem } from '../hidden-characters.ts'

/** What is said of every field of an address that is none. */
export const emailAddressProblem = 'An e-mail address is required, such as name@company.example.'

/** An atom of RFC 5321, §4.1.2, also of letters beyond ASCII (RFC 6531); no quoted strings, which hardly any mail program takes. */
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const label = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u

/**
 * The one rule for an e-mail address, wherever somebody types one: a single mailbox at a name of the DNS, nothing that could end a header
 * line, begin a list or be read as something else. The address without the spaces around it; null: it is none.
 */
export function readEmailAddress(text: string): string | null {
  const address = text.trim()
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)]
  // RFC 5321, §4.5.3.1: 64 octets before the @, 254 in a path without its brackets
  if (bytesOf(local) > 64 || bytesOf(address) > 254 || hiddenCharacterProblem(address) !== undefined)
    return null
  return localPart.test(local) && isDomain(domain) ? address : null
}

export function isEmailAddress(text: string): boolean {
  return readEmailAddress(text) !== null
}

/** What is wrong with it; undefined: nothing. */
export function emailProblem(text: string): string | undefined {
  return isEmailAddress(text) ? undefined : emailAddressProblem
}

function isDomain(domain: string): boolean {
  const labels = domain.split('.')
  const last = labels.at(-1) ?? ''
  return (
    labels.length >= 2 && labels.every((one) => one.length <= 63 && label.test(one)) && !/^\d*$/.test(last)
  )
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
