import { expect, test } from 'vitest'
import { readRecord } from './read-record.ts'
import { severityOf } from './severity.ts'

const base = { id: 'OSV-1', modified: '2025-01-01T00:00:00Z' }
const v2 = 'AV:N/AC:L/Au:N/C:C/I:C/A:C'
const v3 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N'
const v4 = 'CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'
const onPackage = (parts: Record<string, unknown>) => ({
  affected: [{ package: { ecosystem: 'npm', name: 'x' }, ...parts }],
})
const ofSystem = (ecosystem: string, parts: Record<string, unknown> = {}) => ({
  affected: [{ package: { ecosystem, name: 'x' }, ...parts }],
})

type Row = [rule: string, parts: Record<string, unknown>, expected: [string, number | null, string | null]]

const table: Row[] = [
  ['nothing is said', {}, ['unknown', null, null]],
  ['a vector', { severity: [{ type: 'CVSS_V3', score: v3 }] }, ['high', 7.5, v3]],
  [
    'the newest version goes first',
    { severity: [{ score: v2 }, { score: v4 }, { score: v3 }] },
    ['high', 7.3, v4],
  ],
  [
    'a vector goes before a word',
    { severity: [{ score: v3 }], database_specific: { severity: 'LOW' } },
    ['high', 7.5, v3],
  ],
  ['of a package (Bitnami)', onPackage({ severity: [{ type: 'CVSS_V3', score: v3 }] }), ['high', 7.5, v3]],
  ['in database_specific (RustSec)', onPackage({ database_specific: { cvss: v3 } }), ['high', 7.5, v3]],
  ['a word (GHSA)', { database_specific: { severity: 'MODERATE' } }, ['medium', null, null]],
  ['a word (Red Hat)', { database_specific: { severity: 'Important' } }, ['high', null, null]],
  [
    'a word of a package',
    onPackage({ database_specific: { severity: 'Critical' } }),
    ['critical', null, null],
  ],
  ['a word of an ecosystem', onPackage({ ecosystem_specific: { severity: 'Low' } }), ['low', null, null]],
  ['an urgency (Debian)', onPackage({ ecosystem_specific: { urgency: 'unimportant' } }), ['low', null, null]],
  [
    'no urgency (Debian)',
    onPackage({ ecosystem_specific: { urgency: 'not yet assigned' } }),
    ['unknown', null, null],
  ],
  ['a priority (Ubuntu)', { severity: [{ type: 'Ubuntu', score: 'medium' }] }, ['medium', null, null]],
  [
    "a distribution's priority before the vector beside it (Ubuntu)",
    {
      severity: [
        { type: 'CVSS_V3', score: v3 },
        { type: 'Ubuntu', score: 'negligible' },
      ],
      ...ofSystem('Ubuntu:22.04:LTS'),
    },
    ['low', 7.5, v3],
  ],
  [
    "a distribution's urgency before the vector beside it (Debian)",
    {
      severity: [{ score: v3 }],
      ...ofSystem('Debian:12', { ecosystem_specific: { urgency: 'unimportant' } }),
    },
    ['low', 7.5, v3],
  ],
  [
    'a vector where the distribution has not decided (Debian)',
    {
      severity: [{ score: v3 }],
      ...ofSystem('Debian:12', { ecosystem_specific: { urgency: 'not yet assigned' } }),
    },
    ['high', 7.5, v3],
  ],
  [
    "a distribution's priority of a package before the vector beside it (Ubuntu)",
    {
      severity: [{ type: 'CVSS_V3', score: v3 }],
      ...ofSystem('Ubuntu:22.04:LTS', { ecosystem_specific: { ubuntu_priority: 'low' } }),
    },
    ['low', 7.5, v3],
  ],
  [
    'a vector where the distribution has not looked yet (Ubuntu)',
    {
      severity: [{ type: 'CVSS_V3', score: v3 }],
      ...ofSystem('Ubuntu:22.04:LTS', { ecosystem_specific: { ubuntu_priority: 'untriaged' } }),
    },
    ['high', 7.5, v3],
  ],
  [
    'an object in database_specific',
    onPackage({ database_specific: { cvss: { score: 7.5, vector: v3, severity: 'high' } } }),
    ['high', 7.5, v3],
  ],
  [
    'an object without a vector',
    onPackage({ database_specific: { cvss: { score: 7.5, severity: 'high' } } }),
    ['high', null, null],
  ],
  ...(['Red Hat:enterprise_linux:9::baseos', 'SUSE:Linux Enterprise Server 15 SP5'] as const).map(
    (ecosystem): Row => [
      `a distribution's word before the vector beside it (${ecosystem})`,
      { severity: [{ score: v3 }], database_specific: { severity: 'Moderate' }, ...ofSystem(ecosystem) },
      ['medium', 7.5, v3],
    ],
  ),
  [
    'the title of a notice before the vector beside it (Rocky Linux)',
    {
      id: 'RLSA-2024:1',
      summary: 'Moderate: kernel security update',
      severity: [{ score: v3 }],
      ...ofSystem('Rocky Linux:9'),
    },
    ['medium', 7.5, v3],
  ],
  [
    'a word on packages of a language beside those of a distribution is no priority',
    {
      severity: [{ score: v3 }],
      database_specific: { severity: 'Low' },
      affected: [
        { package: { ecosystem: 'npm', name: 'x' } },
        { package: { ecosystem: 'Debian:12', name: 'node-x' } },
      ],
    },
    ['high', 7.5, v3],
  ],
  [
    'the title of a notice (AlmaLinux)',
    { id: 'ALSA-2024:1', summary: 'Important: kernel security update' },
    ['high', null, null],
  ],
  [
    'its own words before the title',
    {
      id: 'RHSA-2024:1',
      summary: 'Low: kernel security update',
      database_specific: { severity: 'Moderate' },
    },
    ['medium', null, null],
  ],
  [
    'a title of another kind',
    { id: 'GHSA-1', summary: 'Critical: kernel security update' },
    ['unknown', null, null],
  ],
  [
    'an unreadable vector is kept',
    { severity: [{ score: 'CVSS:5.0/X:Y' }] },
    ['unknown', null, 'CVSS:5.0/X:Y'],
  ],
]

test.each(table)('%s', (_, parts, expected) => {
  const { severity, score, vector } = severityOf(readRecord({ ...base, ...parts }, 'x'))
  expect([severity, score, vector]).toEqual(expected)
})
