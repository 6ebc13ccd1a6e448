import { expect, it } from 'vitest'
import { differencesOf } from './differences.ts'

it.each<[string, unknown, unknown, object[]]>([
  ['equal', { title: 'a', list: [{ url: 'b' }] }, { title: 'a', list: [{ url: 'b' }] }, []],
  ['another text', { title: 'a' }, { title: 'b' }, [{ field: 'title', mine: 'a', theirs: 'b' }]],
  [
    'an entry that only one has',
    { list: [{ url: 'a' }] },
    { list: [] },
    [{ field: 'list.0.url', mine: 'a', theirs: '' }],
  ],
  ['null and nothing', { word: null }, {}, []],
])('%s', (_case, mine, theirs, expected) => {
  expect(differencesOf(mine, theirs)).toEqual(expected)
})
