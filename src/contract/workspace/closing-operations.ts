import { Type, type Static } from 'typebox'
import { answer, nothing, operation } from '../operation.ts'
import { time, nullable } from '../schema.ts'

/** `deletableAt`: from when a closed workspace can be deleted; null while it is open. */
const Closing = Type.Object({ closedAt: nullable(time), deletableAt: nullable(time) })
export type Closing = Static<typeof Closing>

const workspace = '/workspaces/:slug'
/** The name of the company, and the asking person's password: nobody may do it at somebody else's open screen. */
const Confirmed = Type.Object({ confirmName: Type.String(), password: Type.String({ maxLength: 1000 }) })

export const getClosing = operation({
  method: 'GET',
  path: `${workspace}/closing`,
  permission: 'manage_billing',
  answer: answer(Closing),
})

/** 409 `conflict`: it is closed already. */
export const closeWorkspace = operation({
  method: 'POST',
  path: `${workspace}/close`,
  permission: 'manage_billing',
  body: Confirmed,
  worksReadOnly: true,
  answer: nothing,
})

/** To Free, unless a paid period is still running. 409 `conflict`: it is open. */
export const reopenWorkspace = operation({
  method: 'POST',
  path: `${workspace}/reopen`,
  permission: 'manage_billing',
  worksReadOnly: true,
  answer: nothing,
})

/** For good. 409 `conflict`: it is open, or was closed less than 30 days ago. */
export const deleteWorkspace = operation({
  method: 'POST',
  path: `${workspace}/delete`,
  permission: 'manage_billing',
  body: Confirmed,
  worksReadOnly: true,
  answer: nothing,
})

/** Everything of the workspace as one archive, whatever its plan and also while it is closed. 429 `rate_limited`: one is being sent already. */
export const exportWorkspace = operation({
  method: 'GET',
  path: `${workspace}/export`,
  permission: 'manage_billing',
  isDangerous: true,
  answer: 'file',
})
