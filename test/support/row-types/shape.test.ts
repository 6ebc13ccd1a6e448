import { expect, it } from 'vitest'
import { misfits, type Shape } from './shape.ts'

const row: Shape = {
  kinds: ['object'],
  fields: {
    id: { kinds: ['string'] },
    at: { kinds: ['date', 'null'] },
    state: { kinds: ['undefined'], words: ['open', 'closed'] },
    counts: { kinds: ['array'], items: { kinds: ['number'] } },
    whatever: { kinds: ['any'] },
  },
}
const good = { id: 'a', at: new Date(0), state: 'open', counts: [1, 2] }

it.each([
  [good, []],
  [{ ...good, at: null }, []],
  [{ id: 'a', at: null, counts: [] }, []],
  [{ ...good, id: 7 }, ['row.id is number, not string']],
  [{ at: null, counts: [] }, ['row.id is undefined, not string']],
  [{ ...good, at: '2026-01-01' }, ['row.at is the text "2026-01-01"']],
  [{ ...good, state: 'ended' }, ['row.state is the text "ended"']],
  [{ ...good, state: null }, ['row.state is null, not undefined | open | closed']],
  [{ ...good, counts: [1, '2'] }, ['row.counts[1] is the text "2"']],
  ['a', ['row is the text "a"']],
])('%j', (value, faults) => {
  expect(misfits(value, row)).toEqual(faults)
})
