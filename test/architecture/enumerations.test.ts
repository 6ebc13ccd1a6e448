import { describe, expect, it } from 'vitest'
import { textListsIn, textListsOf, type TextList } from './enumerations.ts'

/** Lists and unions that repeat another one. */
function doubled(lists: readonly TextList[]): string[] {
  const isEnumeration = ({ file, name }: TextList) => file.startsWith('src/contract/') && name !== undefined
  const known = new Map(lists.filter(isEnumeration).map((list) => [list.members, list]))
  return lists.flatMap((list) => {
    const first = known.get(list.members)
    return first === undefined || first === list
      ? []
      : [`${list.file}:${list.line} repeats ${first.name ?? ''} of ${first.file}: ${list.members}`]
  })
}

describe('enumerations', () => {
  const lists = textListsIn(['src', 'web'])

  it('are found in the contract', () => {
    const names = lists.flatMap(({ file, name }) => (file.startsWith('src/contract/') ? (name ?? []) : []))
    for (const name of [
      ...[
        'verdicts',
        'severities',
        'uploadSources',
        'decidabilities',
        'identityBases',
        'catalogues',
        'grades',
      ],
      ...['recordClasses', 'vexFormats', 'sbomFormats', 'sbomStatuses', 'roles', 'plans', 'tokenKinds'],
    ])
      expect(names).toContain(name)
  })

  it('are written once: the rows of tables and the browser take them from the contract', () => {
    expect(doubled(lists)).toEqual([])
  })

  it.each([
    ['a union in another order', "type Given = 'low' | 'high' | 'medium'"],
    ['a union with null', "type Given = { severity: 'high' | 'low' | 'medium' | null }"],
    ['a list', "const given = ['medium', 'low', 'high']"],
    ['a list that is exported elsewhere', "export const given = ['medium', 'low', 'high'] as const"],
  ])('would be found twice as %s', (_, text) => {
    const once = textListsOf(
      'src/contract/levels.ts',
      "export const levels = ['high', 'medium', 'low'] as const",
    )
    expect(doubled([...once, ...textListsOf('web/given.ts', text)])).toHaveLength(1)
  })

  it('of other members are not a repetition', () => {
    const once = textListsOf(
      'src/contract/levels.ts',
      "export const levels = ['high', 'medium', 'low'] as const",
    )
    expect(doubled([...once, ...textListsOf('web/given.ts', "type Given = 'high' | 'low'")])).toEqual([])
  })
})
