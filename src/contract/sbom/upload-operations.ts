import { SbomReceipt } from './shapes.ts'
import { VexReceipt } from '../vex/shapes.ts'
import { answer, operation } from '../operation.ts'

const family = '/workspaces/:slug/families/:family'

/** The file as it is; `version` is a name. 202 when it is new, 200 when it is known. */
export const sendSbom = operation({
  method: 'POST',
  path: `${family}/sboms`,
  permission: 'upload',
  query: { version: 'text' },
  body: 'file',
  answer: answer(SbomReceipt),
})

/** The file as it is; `version` is a name. 202 when it is new, 200 when it is known. */
export const sendVex = operation({
  method: 'POST',
  path: `${family}/vex`,
  permission: 'upload',
  query: { version: 'text' },
  body: 'file',
  answer: answer(VexReceipt),
})
