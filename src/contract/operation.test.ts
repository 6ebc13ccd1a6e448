import { expect, expectTypeOf, it } from 'vitest'
import { Type } from 'typebox'
import { roleAllows } from './roles.ts'
import {
  answer,
  nothing,
  operation,
  type AnswerOf,
  type BodyOf,
  type ParametersOf,
  type QueryOf,
} from './operation.ts'

const example = operation({
  method: 'POST',
  path: '/workspaces/:slug/pumps/:pump/parts',
  permission: 'manage_families',
  query: { sort: ['name', '-name'], number: 'number', cursor: 'text' },
  body: Type.Object({ name: Type.String() }),
  answer: answer(Type.Object({ id: Type.String() }), 201),
})

it('has the types of its path, query, body and answer', () => {
  expect(example.path).toBe('/api/app/workspaces/:slug/pumps/:pump/parts')
  expectTypeOf<ParametersOf<typeof example>>().toEqualTypeOf<Record<'slug' | 'pump', string>>()
  expectTypeOf<QueryOf<typeof example>['sort']>().toEqualTypeOf<'name' | '-name' | undefined>()
  expectTypeOf<QueryOf<typeof example>['number']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<BodyOf<typeof example>>().toEqualTypeOf<{ name: string }>()
  expectTypeOf<AnswerOf<typeof example>>().toEqualTypeOf<{ id: string }>()
})

it('does not compile without a permission, with an unknown one, or with one from a body it does not have', () => {
  // @ts-expect-error: no permission
  operation({ method: 'POST', path: '/pumps', answer: nothing })
  // @ts-expect-error: no such permission
  operation({ method: 'POST', path: '/pumps', permission: 'paint_pumps', answer: nothing })
  const permission = ({ kind }: { kind: string }) => (kind === 'a' ? ('upload' as const) : 'decide_verdicts')
  // @ts-expect-error: the body that the permission depends on is not declared
  operation({ method: 'POST', path: '/pumps', permission, answer: nothing })
  expect(Object.keys(roleAllows)).not.toContain('paint_pumps')
})

it('works in a read-only workspace when it reads, and else only when it says so', () => {
  const reading = operation({
    method: 'GET',
    path: '/pumps',
    permission: 'any_member',
    answer: answer(Type.String()),
  })
  const removing = { method: 'DELETE', path: '/pumps', permission: 'upload', answer: nothing } as const
  expect(reading.worksReadOnly).toBe(true)
  expect(operation(removing).worksReadOnly).toBe(false)
  expect(operation({ ...removing, worksReadOnly: true }).worksReadOnly).toBe(true)
})
