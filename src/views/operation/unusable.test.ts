import { expect, it } from 'vitest'
import { unusableInWords, type Unusable } from './unusable.ts'

const none: Unusable = {
  unusableDestinations: 0,
  unusableReports: 0,
  unusableAuthenticators: 0,
  unusableClientSecrets: 0,
  unusableLinks: 0,
  unusableOriginals: 0,
}

it('where every key is here, nothing is said', () => {
  expect(unusableInWords(none)).toEqual([])
})

it.each([
  ['unusableDestinations', '3 alert destinations', 'nothing can be sent to them'],
  ['unusableReports', '3 vulnerability reports', 'they cannot be read'],
  ['unusableAuthenticators', '3 authenticator apps', 'their codes cannot be checked'],
  ['unusableClientSecrets', '3 client secrets of single sign-on', 'cannot sign in with their company'],
  ['unusableLinks', '3 links of messages .*', 'those that were sent still work'],
])('%s has one line, which says how many and what does not work', (kind, what, until) => {
  const lines = unusableInWords({ ...none, [kind]: 3 })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(new RegExp(`^${what} were sealed with .*${until}.* until ENCRYPTION_KEYS`))
})
