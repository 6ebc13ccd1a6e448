import { describe, expect, it } from 'vitest'
import { changedOnBothSides, mergeUntouched } from './merge-untouched.ts'

const before = { name: 'Acme', zone: 'Europe/Oslo', events: ['a'], phone: { cra: '1', dora: '2' } }

describe('what somebody else saved, beside what is typed here', () => {
  it('is taken over by fields that were not touched', () => {
    const now = { name: 'Acme AS', zone: 'UTC', events: ['a', 'b'], phone: { cra: '1', dora: '3' } }
    expect(mergeUntouched({ before, now, typed: before })).toEqual(now)
    expect(mergeUntouched({ before, now, typed: { ...before, name: 'Acme Ltd' } })).toEqual({
      ...now,
      name: 'Acme Ltd',
    })
  })

  it('is taken over field by field within a field', () => {
    const now = { ...before, phone: { cra: '7', dora: '8' } }
    const typed = { ...before, phone: { cra: '1', dora: 'typed' } }
    expect(mergeUntouched({ before, now, typed }).phone).toEqual({ cra: '7', dora: 'typed' })
  })

  it('is taken over choice by choice within a list', () => {
    const lists = (was: string[], now: string[], typed: string[]) =>
      mergeUntouched({ before: was, now, typed })
    expect(lists(['a', 'b'], ['a', 'b', 'c'], ['b', 'd'])).toEqual(['b', 'd', 'c'])
    expect(lists(['a', 'b'], ['b'], ['a', 'b', 'c'])).toEqual(['b', 'c'])
    expect(lists(['a', 'b'], ['a', 'b'], ['b', 'a'])).toEqual(['b', 'a'])
  })

  it('leaves what is typed here and there', () => {
    const typed = { ...before, name: 'mine' }
    expect(mergeUntouched({ before, now: { ...before, name: 'theirs' }, typed }).name).toBe('mine')
  })
})

describe('what was typed here and saved elsewhere meanwhile', () => {
  const found = (now: typeof before, typed: typeof before) => changedOnBothSides({ before, now, typed })

  it('is a field that has another value on either side', () => {
    expect(found({ ...before, name: 'theirs' }, { ...before, name: 'mine' })).toEqual([['name', 'theirs']])
    const [theirs, mine] = ['7', '8'].map((cra) => ({ ...before, phone: { cra, dora: '2' } }))
    expect(found(theirs ?? before, mine ?? before)).toEqual([['phone.cra', '7']])
  })

  it('is nothing where only one side changed it, or both to the same', () => {
    expect(found({ ...before, name: 'theirs' }, { ...before, zone: 'UTC' })).toEqual([])
    expect(found({ ...before, name: 'both' }, { ...before, name: 'both' })).toEqual([])
  })

  it('is no list, whose choices are merged', () => {
    expect(found({ ...before, events: ['a', 'b'] }, { ...before, events: ['c'] })).toEqual([])
  })
})
