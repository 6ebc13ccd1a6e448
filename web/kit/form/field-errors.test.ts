import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../api/request.ts'
import { fieldErrors, formRefusal } from './field-errors.ts'

const refused = (fields: Record<string, string>) =>
  new ApiFailure({ code: 'invalid_request', message: 'Some fields are missing or invalid.', fields })

describe('fieldErrors', () => {
  it.each([
    ['a refusal of fields', refused({ name: 'It is taken.' }), { name: 'It is taken.' }],
    ['a place in a list', refused({ 'events/0': 'It is unknown.' }), { 'events.0': 'It is unknown.' }],
    ['a refusal of the whole', new ApiFailure({ code: 'forbidden', message: 'No.' }), {}],
    ['an error of the page', new Error('no'), {}],
    ['no error', null, {}],
  ])('%s', (_case, error, fields) => {
    expect(fieldErrors(error)).toEqual(fields)
  })
})

describe('formRefusal', () => {
  const of = (error: unknown) => formRefusal(error, fieldErrors(error), ['name', 'events'])

  it('says nothing where nothing was refused', () => {
    expect(of(null)).toBeUndefined()
  })

  it.each([refused({ name: 'It is taken.' }), refused({ name: 'Too long.', 'events/0': 'It is unknown.' })])(
    'leaves it to the fields where they say all of it',
    (error) => {
      expect(of(error)).toBeUndefined()
    },
  )

  it('shows a refusal that is about no field', () => {
    const error = new ApiFailure({ code: 'unreachable', message: 'The service cannot be reached.' })
    expect(of(error)).toEqual({ error, unshown: {} })
  })

  it('names refused fields that the form does not show', () => {
    const error = refused({ name: 'It is taken.', familyId: 'There is no such family.' })
    expect(of(error)).toEqual({ error, unshown: { familyId: 'There is no such family.' } })
  })
})
