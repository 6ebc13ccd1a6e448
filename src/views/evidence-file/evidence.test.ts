import fc from 'fast-check'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { IncidentEvidence, type EvidenceFacts } from '../../contract/incidents/incident-evidence.ts'
import { snapshotOf } from '../../incidents/drafts/draft-snapshot.ts'
import { evidenceJson, evidenceOf } from './evidence-file.ts'
import { objectIn } from '../../../test/support/read-as.ts'
import { evidencePage } from './evidence-page.ts'

const decided = {
  recordedBy: 'Olga Owner',
  recordedAt: '2026-11-02T09:00:00.000Z',
  decidedBy: 'Liam Lead',
  decidedAt: '2026-11-02T09:30:00.000Z',
  comment: null,
  withoutSecondPerson: false,
}

const determination: EvidenceFacts['determinations'][number] = {
  scope: 'cra',
  value: 'actively_exploited',
  state: 'approved',
  cycle: 1,
  reasoning: 'The access log of a customer shows the known pattern.',
  evidence: ['https://tickets.acme.example/4711', 'Log of 2 November'],
  ...decided,
}

const submission: EvidenceFacts['submissions'][number] = {
  regime: 'cra',
  report: 'early_warning',
  cycle: 1,
  kind: 'submission',
  submittedAt: '2026-11-03T08:00:00.001Z',
  firstSubmittedAt: null,
  recordedAt: '2026-11-03T08:05:00.000Z',
  recordedBy: 'Olga Owner',
  channel: 'Single Reporting Platform',
  authority: 'CERT-Bund',
  reference: 'SRP-77',
  delayReason: 'The portal was not available.',
  receipt: 'receipt.pdf',
  beforeApproval: true,
  draft: snapshotOf(
    { regime: 'cra', kind: 'vulnerability', stage: 'early_warning' },
    { '1': 'vulnerability', '2': 'CVE-2021-44228 in log4j-core', '5': ['DE', 'NO'], '3': '' },
  ),
}

const report: EvidenceFacts['reports'][number] = {
  regime: 'cra',
  report: 'early_warning',
  cycle: 1,
  status: 'late',
  dueAt: '2026-11-03T08:00:00.000Z',
  submittedAt: '2026-11-03T08:00:00.001Z',
  isLate: true,
  reason: 'The portal was not available.',
}

const affected = (version: string | null, component: string): EvidenceFacts['affected'][number] => ({
  family: 'Pump',
  version,
  component: { name: component, version: '2.14.1', purl: `pkg:maven/org.example/${component}@2.14.1` },
  listedBy: ['kev'],
  addedAt: '2026-11-02T08:00:00.000Z',
})

const facts: EvidenceFacts = {
  generatedAt: '2026-11-22T11:00:00.000Z',
  generatedBy: 'Olga Owner',
  company: 'Acme AS',
  timeZone: 'Europe/Oslo',
  incident: {
    reference: 'INC-2026-0001',
    kind: 'vulnerability',
    title: 'CVE-2021-44228 in log4j-core',
    isExercise: false,
    status: 'open',
    source: 'kev',
    vulnerability: 'CVE-2021-44228',
    aliases: ['GHSA-jfh8-c2jp-5v3q', 'EUVD-2021-1234'],
    severity: 'critical',
    families: ['Pump'],
    memberStates: ['DE', 'NO'],
    openedAt: '2026-11-02T08:00:00.000Z',
    openedBy: 'SBOM Monitor',
    awareAt: '2026-11-02T08:00:00.000Z',
    occurredAt: null,
    measureAvailableAt: null,
    assignee: 'Liam Lead',
    usersInformed: { at: '2026-11-04T08:00:00.000Z', by: 'Olga Owner', how: 'By mail to all customers.' },
    maintainerInformed: null,
    closedAt: null,
    closedBy: null,
    closeReason: null,
  },
  awareness: [
    {
      from: '2026-11-02T08:00:00.000Z',
      to: '2026-11-01T20:00:00.000Z',
      reason: 'A customer wrote the evening before.',
      state: 'in_force',
      ...decided,
      decidedBy: null,
      decidedAt: null,
    },
  ],
  listings: [
    {
      catalogue: 'kev',
      id: 'CVE-2021-44228',
      listedOn: '2021-12-10',
      seenAt: '2026-11-02T07:59:00.000Z',
      removedAt: null,
    },
  ],
  affected: [affected('1.10', 'log4j-core'), affected('1.9', 'log4j-core'), affected(null, 'log4j-core')],
  data: {
    stale: 7,
    outOfDate: [
      'OSV: npm: data of 2026-11-20 11:00 UTC; what it has published since is missing, for 7 components',
    ],
  },
  regimes: [
    {
      regime: 'cra',
      isActive: true,
      awareAt: '2026-11-02T08:00:00.000Z',
      classifiedAt: null,
      reason: null,
      authority: 'CERT-Bund',
    },
  ],
  determinations: [determination],
  reports: [
    {
      ...report,
      report: 'final_report',
      status: 'waiting',
      dueAt: null,
      submittedAt: null,
      isLate: false,
      reason: null,
    },
    report,
  ],
  submissions: [submission],
  tasks: [
    {
      title: 'Interim report for CERT-Bund',
      dueAt: '2026-11-10T12:00:00.000Z',
      createdAt: '2026-11-05T12:00:00.000Z',
      createdBy: 'Olga Owner',
      doneAt: null,
      doneBy: null,
    },
  ],
  links: [{ kind: 'incident', name: 'INC-2026-0002', relation: 'Same vulnerability' }],
  timeline: [
    {
      at: '2026-11-02T09:00:00.000Z',
      actor: 'Olga Owner',
      text: 'Recorded the determination “actively exploited”.',
    },
    { at: '2026-11-02T08:00:00.000Z', actor: 'SBOM Monitor', text: 'Opened: listed by CISA KEV.' },
    { at: '2026-11-02T08:00:00.500Z', actor: 'SBOM Monitor', text: 'Added Pump 1.10.' },
  ],
}

describe('the evidence file as JSON', () => {
  const evidence = evidenceOf(facts)
  const read = objectIn(evidenceJson(evidence))

  test('follows its schema and holds every fact', () => {
    expect(Value.Check(IncidentEvidence, read)).toBe(true)
    expect(read).toEqual(evidence)
  })

  test('has its fields in the order of the schema at every level, and no others', () => {
    const { incident, ...others } = evidence
    const turned = Object.fromEntries(Object.entries(incident).reverse()) as typeof incident
    const more = { secret: 'x', ...others, incident: { ...turned, note: 'x' } }
    expect(evidenceJson(more)).toBe(evidenceJson(evidence))
    expect(Object.keys(read)).toEqual(Object.keys(IncidentEvidence.properties))
    expect(evidenceJson(evidence)).not.toContain('secret')
  })

  test('is the same whatever the order of its lists', () => {
    const shuffled = <T>(list: readonly T[]) => fc.shuffledSubarray([...list], { minLength: list.length })
    fc.assert(
      fc.property(
        shuffled(facts.affected),
        shuffled(facts.reports),
        shuffled(facts.timeline),
        (some, reports, timeline) => {
          expect(evidenceJson(evidenceOf({ ...facts, affected: some, reports, timeline }))).toBe(
            evidenceJson(evidence),
          )
        },
      ),
    )
  })

  test('lists versions in their order, reports in that in which they are due, the timeline by its instants', () => {
    expect(evidence.affected.map(({ version }) => version)).toEqual([null, '1.9', '1.10'])
    expect(evidence.reports.map((each) => each.report)).toEqual(['early_warning', 'final_report'])
    expect(evidence.timeline.map(({ at }) => at.slice(11))).toEqual([
      '08:00:00.000Z',
      '08:00:00.500Z',
      '09:00:00.000Z',
    ])
  })

  test('keeps what happened at the same instant in its order', () => {
    const at = '2026-11-02T08:00:00.000Z'
    const timeline = ['one', 'two', 'three'].map((text) => ({ at, actor: 'x', text }))
    expect(evidenceOf({ ...facts, timeline }).timeline).toEqual(timeline)
  })
})

/** The words of a page, as a person reads them. */
function wordsOf(page: string): string {
  return page
    .replace(/<style>.*<\/style>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, ' ')
}

const pageOf = (changes: Partial<EvidenceFacts> = {}) => evidencePage(evidenceOf({ ...facts, ...changes }))

describe('the evidence file as a page', () => {
  const words = wordsOf(pageOf())

  test.each([
    ['reference and title', 'INC-2026-0001: CVE-2021-44228 in log4j-core'],
    [
      'awareness in UTC and by the local clock',
      'Aware since 2 Nov 2026, 08:00:00 UTC 2 Nov 2026, 09:00:00 CET (+01:00)',
    ],
    [
      'changes of awareness',
      '1 Nov 2026, 20:00:00 UTC 1 Nov 2026, 21:00:00 CET (+01:00) A customer wrote the evening before.',
    ],
    ['countries by name', 'Germany (DE), Norway (NO)'],
    ['affected versions', 'Pump 1.10 log4j-core 2.14.1 pkg:maven/org.example/log4j-core@2.14.1 CISA KEV'],
    ['a product without version', 'Pump without version log4j-core'],
    [
      'data that were out of date',
      'were not current. Components of the products that were checked with older data: 7. OSV: npm: data of 2026-11-20 11:00 UTC; what it',
    ],
    ['the catalogue entry', 'CISA KEV CVE-2021-44228 10 Dec 2021'],
    ['the determination', 'Actively exploited – approved'],
    ['its reasoning', 'Reasoning The access log of a customer shows the known pattern.'],
    [
      'who recorded and who decided',
      'by Olga Owner Decided 2 Nov 2026, 09:30:00 UTC 2 Nov 2026, 10:30:00 CET (+01:00) by Liam Lead',
    ],
    [
      'what was late, to the second',
      '3 Nov 2026, 08:00:00 UTC 3 Nov 2026, 09:00:00 CET (+01:00) Submitted late',
    ],
    ['why', 'Reasons for the delay The portal was not available.'],
    ['a report that waits', 'Final report Waiting for what it is counted from'],
    ['a submission before approval', 'Filed before approval'],
    ['the draft at that moment', '2 Title CVE-2021-44228 in log4j-core'],
    ['lists of the draft', '5 Member States where the product is available Germany (DE), Norway (NO)'],
    ['users informed', 'By mail to all customers.'],
    ['what was not done', 'Maintainer of the component informed Not recorded'],
    ['tasks', 'Interim report for CERT-Bund'],
    ['links', 'Incident INC-2026-0002 Same vulnerability'],
    ['the zone of local times', 'In UTC, and below that by the clock of Europe/Oslo.'],
    [
      'the timeline with its zone',
      'UTC and Europe/Oslo Who What 2 Nov 2026, 08:00:00 UTC 2 Nov 2026, 09:00:00 CET (+01:00) SBOM Monitor Opened: listed by CISA KEV.',
    ],
  ])('shows %s', (_what, text) => {
    expect(words).toContain(text)
  })

  test('shows each time once where the zone is UTC', () => {
    const shown = wordsOf(pageOf({ timeZone: 'UTC' }))
    expect(shown).toContain('Times In UTC.')
    expect(shown).toContain('UTC Who What 2 Nov 2026, 08:00:00 UTC SBOM Monitor Opened: listed by CISA KEV.')
    expect(shown).not.toMatch(/UTC and|\+00:00/)
  })

  test('marks what was approved without a second person, and only that', () => {
    const mark = 'Approved without second person'
    expect(words).not.toContain(mark)
    const alone = { ...determination, withoutSecondPerson: true }
    expect(wordsOf(pageOf({ determinations: [alone] }))).toContain(mark)
    const changed = facts.awareness.map((change) => ({ ...change, withoutSecondPerson: true }))
    expect(wordsOf(pageOf({ awareness: changed }))).toContain(mark)
  })

  test('says what is an exercise', () => {
    const exercise = { ...facts.incident, isExercise: true }
    expect(words).not.toContain('Exercise.')
    expect(wordsOf(pageOf({ incident: exercise }))).toContain('Exercise. Nothing in this file happened.')
  })

  test('has no row for evidence that nobody named', () => {
    expect(pageOf()).toContain('<dt>Evidence</dt>')
    const bare = { ...determination, evidence: [] }
    expect(pageOf({ determinations: [bare] })).not.toContain('<dt>Evidence</dt>')
  })

  test('says where there is nothing', () => {
    expect(wordsOf(pageOf({ submissions: [] }))).toContain('Submissions None.')
  })

  test('counts summer time where it was in force', () => {
    const timeline = [{ at: '2026-10-24T23:30:00.000Z', actor: 'x', text: 'x' }]
    expect(wordsOf(pageOf({ timeline }))).toContain(
      '24 Oct 2026, 23:30:00 UTC 25 Oct 2026, 01:30:00 CEST (+02:00)',
    )
  })

  test('has no script and nothing from elsewhere, and prints on white paper', () => {
    const page = pageOf()
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|\ssrc=|@import|url\(/i)
    expect(page).toContain('@media print')
    expect([...page.matchAll(/<style>/g)]).toHaveLength(1)
  })

  test('shows hostile text as text, and characters that no one sees by their names', () => {
    const hostile = '</td><script>alert(1)</script>\n\u202Egnorw'
    const page = pageOf({
      determinations: [{ ...determination, reasoning: hostile, evidence: ['javascript:alert(1)', hostile] }],
      submissions: [
        {
          ...submission,
          channel: hostile,
          draft: { version: hostile, fields: [{ id: 'x', number: hostile, label: hostile, value: hostile }] },
        },
      ],
      timeline: [{ at: facts.generatedAt, actor: hostile, text: hostile }],
      incident: { ...facts.incident, title: hostile, closeReason: hostile },
    })
    expect(page).not.toMatch(/<script|href="javascript/i)
    expect(page).not.toContain('\u202E')
    expect(wordsOf(page)).toContain('javascript:alert(1)')
    expect(wordsOf(page)).toContain('[U+202E]gnorw')
  })

  test('links evidence that is a web address', () => {
    expect(pageOf()).toContain('<a href="https://tickets.acme.example/4711" rel="noreferrer">')
  })
})
