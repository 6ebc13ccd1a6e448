import type { WorkspaceDetail } from '../app.ts'
import { answer, operation } from './operation.ts'

/** 404 for everybody who is no member. */
export const getWorkspace = operation({
  method: 'GET',
  path: '/workspaces/:slug',
  permission: 'any_member',
  answer: answer<WorkspaceDetail>(),
})
