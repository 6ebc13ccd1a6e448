import { Type } from 'typebox'
import { chosenKinds, noticeChoices, BellPage, NoticeSettings } from './shapes.ts'
import { answer, nothing, operation } from '../operation.ts'
import { nullable } from '../schema.ts'

/** What the bell shows the member, the newest first; entries about their own account are shown in every workspace. */
export const listBell = operation({
  method: 'GET',
  path: '/workspaces/:slug/bell',
  permission: 'any_member',
  query: { cursor: 'text' },
  answer: answer(BellPage),
})

export const markRead = operation({
  method: 'POST',
  path: '/account/bell/:slug/:entry/read',
  permission: 'signed_in',
  answer: nothing,
})

export const markAllRead = operation({
  method: 'POST',
  path: '/account/bell/:slug/read',
  permission: 'signed_in',
  answer: nothing,
})

export const getNoticeSettings = operation({
  method: 'GET',
  path: '/workspaces/:slug/notices',
  permission: 'any_member',
  answer: answer(NoticeSettings),
})

/** The member's own, also in a workspace that is read-only. What is not given stays. */
export const changeNoticeSettings = operation({
  method: 'PATCH',
  path: '/account/notices/:slug',
  permission: 'signed_in',
  body: Type.Object({
    timeZone: Type.Optional(nullable(Type.String())),
    choices: Type.Optional(
      Type.Partial(Type.Record(Type.Enum(chosenKinds), Type.Enum(noticeChoices)), {
        additionalProperties: false,
      }),
    ),
  }),
  answer: nothing,
})
