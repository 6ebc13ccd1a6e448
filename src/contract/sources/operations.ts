import { SourceList } from './shapes.ts'
import { answer, operation } from '../operation.ts'

/** Of the ecosystems those of the workspace's own components: which others are used is nobody's to know. */
export const listSources = operation({
  method: 'GET',
  path: '/workspaces/:slug/sources',
  permission: 'any_member',
  answer: answer(SourceList),
})
