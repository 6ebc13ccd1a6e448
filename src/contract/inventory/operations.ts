import { Type } from 'typebox'
import { ComponentUsePage, SearchHit, WorkspaceCoverage } from './shapes.ts'
import { answer, operation } from '../operation.ts'

/** Over all products. */
export const listComponentUses = operation({
  method: 'GET',
  path: '/workspaces/:slug/components',
  permission: 'any_member',
  query: { search: 'text', hash: 'text', cursor: 'text' },
  answer: answer(ComponentUsePage),
})

export const getCoverage = operation({
  method: 'GET',
  path: '/workspaces/:slug/coverage',
  permission: 'any_member',
  answer: answer(WorkspaceCoverage),
})

/** What `q` may mean, at most five of each kind. 429 `rate_limited`: the person or the workspace searches too much at once. */
export const searchWorkspace = operation({
  method: 'GET',
  path: '/workspaces/:slug/search',
  permission: 'any_member',
  query: { q: 'text' },
  answer: answer(Type.Object({ hits: Type.Array(SearchHit) })),
})
