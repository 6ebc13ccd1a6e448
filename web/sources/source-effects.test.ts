import { describe, expect, it } from 'vitest'
import type { SourceRow } from '#contract/sources/shapes.ts'
import { failingGroups } from './source-effects.ts'

const at = (hour: number) => `2026-01-01T${String(hour).padStart(2, '0')}:00:00.000Z`

function source(label: string, facts: Partial<SourceRow>): SourceRow {
  return {
    name: label,
    label,
    records: 0,
    lastSuccessAt: null,
    lastAttemptAt: at(9),
    lastOutcome: 'error',
    lastError: 'timeout',
    failingSince: at(8),
    state: 'failing',
    brings: 'records',
    ...facts,
  }
}

const summaryOf = (sources: readonly SourceRow[]) =>
  failingGroups(sources).map(({ sources: alike, since, dataOf, errors, effect }) => ({
    labels: alike.map(({ label }) => label),
    since,
    dataOf,
    errors,
    about: effect.split(/[:.,]/)[0],
  }))

describe('failing sources', () => {
  it('are told by what it means that they fail, those that bring findings first', () => {
    expect(
      summaryOf([
        source('EPSS', { brings: 'more' }),
        source('KEV', { brings: 'exploited', lastSuccessAt: at(3) }),
        source('NVD', { failingSince: at(7), lastError: 'not found' }),
        source('CVE list', {}),
        source('Go', { lastSuccessAt: at(2) }),
        source('npm', { state: 'ok', lastError: null }),
      ]),
    ).toEqual([
      {
        labels: ['NVD', 'CVE list'],
        since: at(7),
        dataOf: null,
        errors: ['not found', 'timeout'],
        about: 'Components that need them are not covered',
      },
      {
        labels: ['Go'],
        since: at(8),
        dataOf: at(2),
        errors: ['timeout'],
        about: 'Components are judged by the last data that was loaded from it',
      },
      {
        labels: ['KEV'],
        since: at(8),
        dataOf: at(3),
        errors: ['timeout'],
        about: 'Vulnerabilities that it has listed since are not marked as exploited',
      },
      {
        labels: ['EPSS'],
        since: at(8),
        dataOf: null,
        errors: ['timeout'],
        about: 'What it adds to findings',
      },
    ])
  })

  it('that fail for one reason give it once, the oldest of their data, and when the first began', () => {
    expect(
      summaryOf([
        source('Go', { lastSuccessAt: at(4), failingSince: null }),
        source('npm', { lastSuccessAt: at(2), failingSince: at(6) }),
      ]),
    ).toMatchObject([{ labels: ['Go', 'npm'], since: at(6), dataOf: at(2), errors: ['timeout'] }])
  })
})
