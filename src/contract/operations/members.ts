import type { MemberList } from '../members.ts'
import { answer, operation } from './operation.ts'

const members = '/workspaces/:slug/members'

export const listMembers = operation({
  method: 'GET',
  path: members,
  permission: 'any_member',
  answer: answer<MemberList>(),
})
