import { describe, expect, it } from 'vitest'
import { changesOf, type Change } from './changes.ts'

describe('what an act changed', () => {
  it.each<[string, unknown, unknown, Change[]]>([
    ['nothing said', null, null, []],
    [
      'a value',
      { name: 'Pump' },
      { name: 'Big pump' },
      [{ name: 'name', before: 'Pump', after: 'Big pump' }],
    ],
    ['what stayed the same', { a: 1, b: 2 }, { a: 1, b: 3 }, [{ name: 'b', before: '2', after: '3' }]],
    ['only after', null, { role: 'lead' }, [{ name: 'role', after: 'lead' }]],
    ['only before', { role: 'lead' }, null, [{ name: 'role', before: 'lead' }]],
    ['no object', 'A-1', 'A-2', [{ name: '', before: 'A-1', after: 'A-2' }]],
    [
      'names of columns and of members',
      { public_contact_email: null, acknowledgeDays: 3 },
      { public_contact_email: 'a@b.example', acknowledgeDays: 5 },
      [
        { name: 'public contact email', before: 'nothing', after: 'a@b.example' },
        { name: 'acknowledge days', before: '3', after: '5' },
      ],
    ],
    [
      'lists and objects',
      { languages: [], shown: true },
      { languages: ['en', 'nb'], shown: false, authority: { name: 'NSM', portal: null } },
      [
        { name: 'languages', before: 'nothing', after: 'en, nb' },
        { name: 'shown', before: 'yes', after: 'no' },
        { name: 'authority', after: 'name: NSM; portal: nothing' },
      ],
    ],
  ])('%s', (_case, before, after, changes) => {
    expect(changesOf(before, after)).toEqual(changes)
  })
})
