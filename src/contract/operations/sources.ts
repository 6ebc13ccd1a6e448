import type { SourceList } from '../app.ts'
import { answer, operation } from './operation.ts'

/** The same for every workspace. */
export const listSources = operation({
  method: 'GET',
  path: '/workspaces/:slug/sources',
  permission: 'any_member',
  answer: answer<SourceList>(),
})
