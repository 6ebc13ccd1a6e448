import { Type } from 'typebox'
import { expect, expectTypeOf, it } from 'vitest'
import { answer, nothing, operation } from '../../../contract/operation.ts'
import { routesOf, type Asked } from './handle.ts'

const contract = {
  getPump: operation({
    method: 'GET',
    path: '/workspaces/:slug/pumps/:pump',
    permission: 'any_member',
    query: { sort: ['name', '-name'] },
    answer: answer(Type.Object({ id: Type.String() })),
  }),
  stopPump: operation({ method: 'POST', path: '/pumps/stop', permission: 'signed_in', answer: nothing }),
}
const getPump = ({ params }: Asked<typeof contract.getPump>) => Promise.resolve({ id: params.pump })
const stopPump = () => Promise.resolve()

it('makes one route of each operation', () => {
  const routes = routesOf(contract, { getPump, stopPump })
  expect(routes.map(({ method, url, credential, body }) => [method, url, credential, body])).toEqual([
    ['GET', '/api/app/workspaces/:slug/pumps/:pump', 'session', 'none'],
    ['POST', '/api/app/pumps/stop', 'session', 'none'],
  ])
})

it('gives a handler who asks, as the permission says, and the values of the request', () => {
  expectTypeOf<Asked<typeof contract.getPump>>().toHaveProperty('workspaceId')
  expectTypeOf<Asked<typeof contract.getPump>['query']['sort']>().toEqualTypeOf<
    'name' | '-name' | undefined
  >()
  expectTypeOf<Asked<typeof contract.stopPump>>().toHaveProperty('person')
  expectTypeOf<Asked<typeof contract.stopPump>>().not.toHaveProperty('workspaceId')
})

it('does not compile when a handler is missing, is one too many, or answers something else', () => {
  const attempts = [
    // @ts-expect-error: no handler for stopPump
    () => routesOf(contract, { getPump }),
    // @ts-expect-error: no operation of this name
    () => routesOf(contract, { getPump, stopPump, paintPump: stopPump }),
    // @ts-expect-error: another answer than the operation's
    () => routesOf(contract, { getPump: () => Promise.resolve({ id: 1 }), stopPump }),
  ]
  expect(attempts).toHaveLength(3)
})
