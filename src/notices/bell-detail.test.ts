import { expect, it } from 'vitest'
import type { NoticeData, NoticeFact } from '../contract/notices/shapes.ts'
import { facts } from '../../test/notices/facts.ts'
import { bellDetail } from './bell-detail.ts'
import { noticeWording } from './wording.ts'

type Malware = NoticeData['finding.malware']

const evil = { id: 'a', vulnerability: 'MAL-1', component: 'evil', version: '1.0', grade: 'exact' } as const
const worse = { ...evil, id: 'b', vulnerability: 'MAL-2', component: 'worse' }
const pump = { family: 'Pump', version: '2.4.1' }
const valve = { family: 'Valve', version: null }

const malware = (data: Partial<Malware>): NoticeFact => ({
  type: 'finding.malware',
  data: { product: pump, findings: [evil], more: 0, ...data },
})
const incident = { id: 'c', reference: 'INC-2026-1', title: 'CVE-2026-1 in Pump' }

it.each<[what: string, fact: NoticeFact, headline: string, detail: string | null]>([
  ['one component', malware({}), 'Malware in Pump 2.4.1: evil 1.0', 'MAL-1, exact match'],
  [
    'two records on one',
    malware({ components: 1, findings: [evil, { ...evil, id: 'd', vulnerability: 'MAL-3' }] }),
    'Malware in Pump 2.4.1: evil 1.0',
    'MAL-1, exact match',
  ],
  [
    'three components',
    malware({ findings: [evil, worse, { ...worse, component: 'worst' }] }),
    'Malware in Pump 2.4.1: 3 malicious components',
    'evil 1.0, worse 1.0, worst 1.0',
  ],
  [
    'two versions of a product',
    malware({
      product: { family: 'Pump', version: null },
      findings: [
        { ...evil, product: pump },
        { ...worse, product: { family: 'Pump', version: '2.5' } },
      ],
    }),
    'Malware in Pump: 2 malicious components',
    'evil 1.0, worse 1.0',
  ],
  [
    'one component of thirty products',
    malware({
      families: 30,
      components: 1,
      findings: [
        { ...evil, product: pump },
        { ...evil, product: valve },
      ],
      more: 28,
    }),
    'Malware in 30 products: evil 1.0',
    'Pump 2.4.1, Valve and 28 more',
  ],
  [
    'an incident without assignee',
    {
      type: 'incident.untaken',
      data: { incidents: [incident], more: 0, since: '2026-01-01T00:00:00.000Z' },
    },
    'INC-2026-1 has had no assignee since 1 Jan 2026, 00:00 UTC',
    'CVE-2026-1 in Pump',
  ],
  [
    'an incident whose title says the vulnerability and the family',
    {
      type: 'incident.opened',
      data: { incident: { ...facts['incident.opened'].data.incident, ...incident } },
    },
    'Incident INC-2026-1 opened: CVE-2026-1 in Pump',
    'Known exploited: listed by CISA KEV',
  ],
  [
    'uploads that failed',
    {
      type: 'upload.failed',
      data: { sboms: 30, refusals: 0, latest: { family: 'Pump', reason: 'no JSON' } },
    },
    '30 SBOMs could not be matched',
    'Pump: no JSON',
  ],
])('%s: the bell says nothing twice', (_what, fact, headline, detail) => {
  const wording = noticeWording(fact)
  expect({ headline: wording.headline, detail: bellDetail(fact, wording) }).toEqual({ headline, detail })
})
