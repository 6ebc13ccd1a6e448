import type { ComponentUsePage, SearchHit, WorkspaceCoverage } from '../inventory.ts'
import { answer, operation } from './operation.ts'

/** Over all products. */
export const listComponentUses = operation({
  method: 'GET',
  path: '/workspaces/:slug/components',
  permission: 'any_member',
  query: { search: 'text', hash: 'text', cursor: 'text' },
  answer: answer<ComponentUsePage>(),
})

export const getCoverage = operation({
  method: 'GET',
  path: '/workspaces/:slug/coverage',
  permission: 'any_member',
  answer: answer<WorkspaceCoverage>(),
})

export const searchWorkspace = operation({
  method: 'GET',
  path: '/workspaces/:slug/search',
  permission: 'any_member',
  query: { q: 'text' },
  answer: answer<{ hits: SearchHit[] }>(),
})
