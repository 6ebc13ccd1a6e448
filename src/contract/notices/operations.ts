import { Type } from 'typebox'
import { chosenKinds, noticeChoices, type BellPage, type ChosenKind, type NoticeSettings } from './shapes.ts'
import { answer, nothing, operation } from '../operation.ts'

/** What the bell shows the member, the newest first; entries about their own account are shown in every workspace. */
export const listBell = operation({
  method: 'GET',
  path: '/workspaces/:slug/bell',
  permission: 'any_member',
  query: { cursor: 'text' },
  answer: answer<BellPage>(),
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
  answer: answer<NoticeSettings>(),
})

const Choice = Type.Optional(Type.Enum([...noticeChoices]))
const choices = Object.fromEntries(chosenKinds.map((kind) => [kind, Choice])) as Record<
  ChosenKind,
  typeof Choice
>

/** The member's own, also in a workspace that is read-only. What is not given stays. */
export const changeNoticeSettings = operation({
  method: 'PATCH',
  path: '/account/notices/:slug',
  permission: 'signed_in',
  body: Type.Object({
    timeZone: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    choices: Type.Optional(Type.Object(choices, { additionalProperties: false })),
  }),
  answer: nothing,
})
