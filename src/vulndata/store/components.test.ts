import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assignGroups } from './assign-groups.ts'
import { connect, type Claim } from './components.ts'
import { displayOf, type Member } from './group-display.ts'

/** `a=x,y`: the record `a`, number by its place, claims the ids x and y. */
function claims(...texts: string[]): Claim[] {
  return texts.map((text, index) => {
    const [recordId = '', aliases = ''] = text.split('=')
    const ids = [recordId, ...aliases.split(',').filter((id) => id !== '')]
    return { vulnerabilityId: index + 1, recordId, ids }
  })
}

const members = (...texts: string[]) =>
  connect(claims(...texts)).components.map((component) => component.members)

test.each([
  [
    ['a', 'b'],
    [[1], [2]],
  ],
  [['a=b', 'b'], [[1, 2]]],
  [['a=x', 'b=x'], [[1, 2]]],
  [['a=x', 'b=y', 'c=x,y'], [[1, 2, 3]]],
  [
    ['c=x,y', 'a=x', 'd', 'b=y'],
    [[1, 2, 4], [3]],
  ],
])('%j are the components %j', (texts, expected) => {
  expect(members(...texts)).toEqual(expected)
})

test('components are those of a slow search, in whatever order records come', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(id, fc.array(id, { maxLength: 2 })), { selector: ([own]) => own }),
      (records) => {
        const list = claims(...records.map(([own, others]) => `${own}=${others.join(',')}`))
        const found = connect(list).components.map((component) => component.members.join())
        const slow = list.map((claim) => {
          const reached = new Set(claim.ids)
          for (let size = 0; size !== reached.size;) {
            size = reached.size
            for (const other of list)
              if (other.ids.some((each) => reached.has(each))) for (const each of other.ids) reached.add(each)
          }
          return list
            .filter((other) => other.ids.some((each) => reached.has(each)))
            .map((other) => other.vulnerabilityId)
            .join()
        })
        expect(new Set(found)).toEqual(new Set(slow))
      },
    ),
  )
})

test('over 32 ids nothing is connected', () => {
  const all = Array.from({ length: 32 }, (_, index) => `r${String(index).padStart(2, '0')}=hub`)
  expect(connect(claims(...all.slice(0, 31)))).toMatchObject({ components: [{}], oversized: [] })
  const { components, oversized } = connect(claims(...all))
  expect([components.length, oversized]).toEqual([32, ['r00']])
})

const groupsOf = (texts: string[], stored: Record<number, number>, titles: Record<number, string>) =>
  assignGroups(connect(claims(...texts)).components, {
    groupOf: new Map(Object.entries(stored).map(([record, group]) => [Number(record), group])),
    titles: new Map(Object.entries(titles).map(([group, title]) => [Number(group), title])),
  })

test('groups stay where nothing changes', () => {
  expect(groupsOf(['a=b', 'b', 'c'], { 1: 10, 2: 10, 3: 11 }, { 10: 'a', 11: 'c' })).toEqual({
    groupIds: [10, 11],
    merged: [],
  })
})

test('of merging groups the oldest stays', () => {
  expect(groupsOf(['a=b', 'b=c', 'c'], { 1: 12, 2: 10, 3: 11 }, { 10: 'b', 11: 'c', 12: 'a' })).toEqual({
    groupIds: [10],
    merged: [
      { from: 11, into: 10 },
      { from: 12, into: 10 },
    ],
  })
})

test('a group that splits keeps the part with its title, else the one with its oldest record', () => {
  expect(groupsOf(['a', 'b=CVE-1'], { 1: 10, 2: 10 }, { 10: 'CVE-1' })).toEqual({
    groupIds: [null, 10],
    merged: [],
  })
  expect(groupsOf(['a', 'b'], { 1: 10, 2: 10 }, { 10: 'CVE-1' })).toEqual({
    groupIds: [10, null],
    merged: [],
  })
})

test('a record that moves from one group to another merges neither', () => {
  expect(groupsOf(['a', 'b=c', 'c'], { 1: 10, 2: 10, 3: 11 }, { 10: 'a', 11: 'c' })).toEqual({
    groupIds: [10, 11],
    merged: [],
  })
})

const member = (recordId: string, parts: Partial<Member> = {}): Member => ({
  id: 1,
  recordId,
  summary: `${recordId} text`,
  severity: 'unknown',
  score: null,
  upstream: null,
  isWithdrawn: false,
  ids: [recordId],
  cves: [],
  ...parts,
})
const display = (list: Member[], ...ids: string[]) =>
  displayOf(list, new Set([...list.map((each) => each.recordId), ...ids]))

test('the title is the CVE, else GHSA, else the own id of the first record', () => {
  expect(display([member('GHSA-b'), member('PYSEC-1')], 'CVE-2025-2', 'CVE-2025-10').titleId).toBe(
    'CVE-2025-10',
  )
  expect(display([member('PYSEC-1')], 'GHSA-b', 'GHSA-a').titleId).toBe('GHSA-a')
  expect(display([member('RUSTSEC-2'), member('OSV-1')]).titleId).toBe('OSV-1')
})

test('the severity is the highest any live record states, and says whose it is', () => {
  const list = [
    member('GHSA-a', { severity: 'high', score: 7.5 }),
    member('CVE-1', { severity: 'high', score: 8.1 }),
    member('OSV-1', { severity: 'critical', score: 9.8, isWithdrawn: true }),
    member('PYSEC-1'),
  ]
  expect(display(list)).toEqual({
    titleId: 'CVE-1',
    summary: 'CVE-1 text',
    severity: 'high',
    score: 8.1,
    severitySource: 'CVE-1',
    isDisputedSeverity: true,
    isMalware: false,
    cves: null,
  })
  expect(display(list.slice(1))).toMatchObject({ isDisputedSeverity: false })
  const cve = member('NVD:CVE-1', { severity: 'critical', score: 9.8 })
  expect(display([...list.slice(1), cve])).toMatchObject({ isDisputedSeverity: false })
  expect(display([member('PYSEC-1')])).toMatchObject({
    severity: 'unknown',
    score: null,
    severitySource: null,
  })
  expect(display(list.slice(2, 3))).toMatchObject({ severity: 'critical', severitySource: 'OSV-1' })
})

test('of records that state the same severity the CVE record is named, then the one of GitHub', () => {
  const same = { severity: 'critical', score: 9.8 } as const
  const sourceOf = (...ids: string[]) => display(ids.map((id) => member(id, same))).severitySource
  expect(sourceOf('BIT-a', 'CVE-1', 'GHSA-a')).toBe('CVE-1')
  expect(sourceOf('BIT-a', 'GHSA-b', 'GHSA-a', 'PYSEC-1')).toBe('GHSA-a')
  expect(sourceOf('PYSEC-1', 'BIT-a')).toBe('BIT-a')
  const graver = member('BIT-a', { severity: 'critical', score: 9.9 })
  expect(display([graver, member('GHSA-a', same)]).severitySource).toBe('BIT-a')
})

test('a group that states no severity has that of what it is about; its own comes first', () => {
  const upstream = { recordId: 'GHSA-a', severity: 'critical', score: 9.8 } as const
  expect(display([member('ALSA-1', { upstream })])).toMatchObject({
    severity: 'critical',
    score: 9.8,
    severitySource: 'GHSA-a',
  })
  expect(display([member('ALSA-1', { severity: 'low', upstream })])).toMatchObject({
    severity: 'low',
    score: null,
    severitySource: 'ALSA-1',
  })
})

test('the summary is the first there is, by the same preference', () => {
  expect(display([member('CVE-1', { summary: '' }), member('GHSA-a'), member('A-1')]).summary).toBe(
    'GHSA-a text',
  )
  expect(display([member('CVE-1', { summary: '' }), member('A-1')]).summary).toBe('A-1 text')
  expect(display([member('CVE-1', { summary: '' })]).summary).toBe('')
})

test.each([
  ['a malware record', [member('MAL-1')], true],
  ['beside others', [member('GHSA-a'), member('MAL-1')], true],
  ['an alias that has no record itself', [member('GHSA-a', { ids: ['GHSA-a', 'MAL-1'] })], true],
  ['a withdrawn malware record', [member('MAL-1', { isWithdrawn: true })], false],
  [
    'an alias whose own record is withdrawn',
    [member('GHSA-a', { ids: ['GHSA-a', 'MAL-1'] }), member('MAL-1', { isWithdrawn: true })],
    false,
  ],
  [
    'an alias that only a withdrawn record names',
    [member('OSV-1'), member('GHSA-a', { ids: ['GHSA-a', 'MAL-1'], isWithdrawn: true })],
    false,
  ],
  ['two malware records, one withdrawn', [member('MAL-1', { isWithdrawn: true }), member('MAL-2')], true],
  ['none', [member('GHSA-a')], false],
])('a group is malware by a live record: %s', (_, list, isMalware) => {
  expect(display(list).isMalware).toBe(isMalware)
})
