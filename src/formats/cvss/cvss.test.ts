import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scoreCvss } from './cvss.ts'

// Scores as the calculators of FIRST and NVD give them.
const known: [vector: string, score: number, severity: string][] = [
  ['AV:N/AC:L/Au:N/C:N/I:N/A:C', 7.8, 'high'],
  ['AV:N/AC:L/Au:N/C:C/I:C/A:C', 10, 'high'],
  ['AV:L/AC:H/Au:N/C:C/I:C/A:C', 6.2, 'medium'],
  ['(AV:N/AC:M/Au:N/C:N/I:P/A:N)', 4.3, 'medium'],
  ['AV:L/AC:L/Au:N/C:P/I:N/A:N', 2.1, 'low'],
  ['AV:N/AC:L/Au:N/C:N/I:N/A:N', 0, 'low'],
  ['CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1, 'medium'],
  ['CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4, 'medium'],
  ['CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1, 'low'],
  ['CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H', 9.9, 'critical'],
  ['CVSS:3.1/AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:L/A:L', 4.2, 'medium'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10, 'critical'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 7.5, 'high'],
  ['CVSS:3.1/AV:P/AC:H/PR:L/UI:R/S:C/C:H/I:H/A:H', 6.9, 'medium'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0, 'none'],
  ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:U/RL:O/RC:U', 9.8, 'critical'],
  ['CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.3, 'high'],
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 10, 'critical'],
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N', 8.8, 'high'],
  ['CVSS:4.0/AV:L/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N', 0, 'none'],
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N', 5.1, 'medium'],
  ['CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N', 8.3, 'high'],
  ['CVSS:4.0/AV:P/AC:L/AT:N/PR:N/UI:N/VC:N/VI:H/VA:N/SC:N/SI:N/SA:N', 5.1, 'medium'],
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:L/E:P', 6.9, 'medium'],
]

test.each(known)('%s scores %d (%s)', (vector, score, severity) => {
  const found = scoreCvss(vector)
  expect([found?.score, found?.severity]).toEqual([score, severity])
})

test.each([
  '',
  'CVSS:3.1',
  'CVSS:3.1/',
  'CVSS:3.1/AV:N',
  'CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  'CVSS:3.1/AV:N/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:',
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:__proto__/C:H/I:H/A:H',
  'CVSS:4.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  'CVSS:9.9/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  'constructor:x',
  'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/',
  'CVSS:3.1/AV:NA/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  'CVSS:3.1/av:n/ac:l/pr:n/ui:n/s:u/c:h/i:h/a:h',
  'AV:Network/AC:Low/Au:None/C:P/I:P/A:P',
  'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:S',
  'High',
  '9.8',
])('%s is no complete vector', (vector) => {
  expect(scoreCvss(vector)).toBeUndefined()
})

const base31 = ['AV:NALP', 'AC:LH', 'PR:NLH', 'UI:NR', 'S:UC', 'C:HLN', 'I:HLN', 'A:HLN']
const base40 = [
  'AV:NALP',
  'AC:LH',
  'AT:NP',
  'PR:NLH',
  'UI:NPA',
  'VC:HLN',
  'VI:HLN',
  'VA:HLN',
  'SC:HLN',
  'SI:HLN',
  'SA:HLN',
]

function vectorsOf(prefix: string, metrics: string[]) {
  const choices = metrics.map((metric) => {
    const [name = '', values = ''] = metric.split(':')
    return fc.constantFrom(...values).map((value) => `${name}:${value}`)
  })
  return fc.tuple(...choices).map((parts) => prefix + parts.join('/'))
}

test.each([
  ['CVSS:3.1/', base31],
  ['CVSS:4.0/', base40],
])(
  '%s: every complete vector has a score from 0 to 10 with one decimal, and a worse impact never lowers it',
  (prefix, metrics) => {
    fc.assert(
      fc.property(vectorsOf(prefix, metrics), (vector) => {
        const score = scoreCvss(vector)?.score ?? -1
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(10)
        expect(Math.round(score * 10) / 10).toBe(score)
        const worse = scoreCvss(vector.replace(/\/(V?C):[LN]/, '/$1:H'))?.score ?? -1
        expect(worse).toBeGreaterThanOrEqual(score)
      }),
    )
  },
)

test('metrics of other groups and of no standard take no part, in any order', () => {
  const base = 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N'
  for (const vector of [`${base}/ZZ:Q`, `E:U/${base}/MAV:P/CR:H`, base.split('/').toReversed().join('/')]) {
    expect(scoreCvss(`CVSS:3.1/${vector}`)?.score, vector).toBe(7.5)
  }
  expect(scoreCvss(`CVSS:3.1/${base}/${'Z'.repeat(400)}:Q`)).toBeUndefined()
})

test('hostile text never throws', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 600 }),
      (text) => [scoreCvss(text), scoreCvss(`CVSS:4.0/${text}`)].length === 2,
    ),
  )
})
