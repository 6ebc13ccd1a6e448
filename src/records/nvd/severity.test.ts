import { describe, expect, it } from 'vitest'
import { severityOfCve } from './severity.ts'

const v40 = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:X/CR:X/IR:X/AR:X'
const v31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
const v31low = 'CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N'
const v30 = 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H'
const v2 = 'AV:N/AC:M/Au:N/C:P/I:P/A:P'

const metric = (type: string, source: string, vectorString: string | undefined, more = {}) => ({
  source,
  type,
  cvssData: { vectorString, ...more },
})
const nist = (vector: string) => metric('Primary', 'nvd@nist.gov', vector)
const other = (source: string, vector: string) => metric('Secondary', source, vector)
const cisa = '134c704f-9b21-4f2e-91b3-4a467353bcc0'

function severity(metrics: unknown, assigner: string | null = 'cna@acme.example'): unknown[] {
  const { severity, score, vector } = severityOfCve({ metrics, assigner })
  return [severity, score, vector]
}

describe('severityOfCve', () => {
  it.each<[rule: string, metrics: unknown, expected: unknown[]]>([
    ['version 2.0 alone', { cvssMetricV2: [nist(v2)] }, ['medium', 6.8, v2]],
    ['3.0 before 2.0', { cvssMetricV2: [nist(v2)], cvssMetricV30: [nist(v30)] }, ['high', 7.5, v30]],
    ['3.1 before 3.0', { cvssMetricV30: [nist(v30)], cvssMetricV31: [nist(v31)] }, ['critical', 9.8, v31]],
    [
      '4.0 before 3.1, whoever says it',
      { cvssMetricV31: [nist(v31low)], cvssMetricV40: [other('cna@acme.example', v40)] },
      ['critical', 9.3, v40],
    ],
    [
      'the primary one of a version',
      { cvssMetricV31: [other('cna@acme.example', v31low), other(cisa, v31low), nist(v31)] },
      ['critical', 9.8, v31],
    ],
    [
      'without a primary one the assigner',
      { cvssMetricV31: [other(cisa, v31low), other('cna@acme.example', v31)] },
      ['critical', 9.8, v31],
    ],
    ['CISA alone', { cvssMetricV31: [other(cisa, v31)] }, ['critical', 9.8, v31]],
    [
      'a vector that cannot be read counts by its score and word',
      { cvssMetricV31: [metric('Primary', 'n', 'CVSS:3.1/AV:N', { baseScore: 8.1, baseSeverity: 'HIGH' })] },
      ['high', 8.1, 'CVSS:3.1/AV:N'],
    ],
    [
      'the word of version 2.0 is beside its data',
      {
        cvssMetricV2: [{ ...metric('Primary', 'n', undefined, { baseScore: 9.3 }), baseSeverity: 'HIGH' }],
      },
      ['high', 9.3, null],
    ],
    [
      'what says nothing is passed over',
      { cvssMetricV40: [{}], cvssMetricV31: [metric('Primary', 'n', 'x'), other(cisa, v31)] },
      ['critical', 9.8, v31],
    ],
    [
      'a score out of bounds',
      { cvssMetricV31: [metric('Primary', 'n', 'x', { baseScore: 11, baseSeverity: 'HIGH' })] },
      ['unknown', null, null],
    ],
    ['none', {}, ['unknown', null, null]],
    ['another shape', { cvssMetricV31: 'x' }, ['unknown', null, null]],
    ['nothing', undefined, ['unknown', null, null]],
  ])('%s', (_rule, metrics, expected) => {
    expect(severity(metrics)).toEqual(expected)
  })

  it('knows no assigner where none is named', () => {
    const metrics = { cvssMetricV31: [other(cisa, v31), { cvssData: { vectorString: v31low } }] }
    expect(severity(metrics, null)).toEqual(['critical', 9.8, v31])
  })
})
