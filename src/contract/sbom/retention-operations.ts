import { Type } from 'typebox'
import { answer, nothing, operation } from '../operation.ts'
import { nullable } from '../schema.ts'
import {
  KeptSbomRetention,
  RemovedSbomDetail,
  RemovedSbomPage,
  sbomKeeps,
  SbomRetentionCount,
} from './retention.ts'

const family = '/workspaces/:slug/families/:family'
const retention = `${family}/sbom-retention`

/** How long the family keeps SBOMs that were replaced. */
export const getSbomRetention = operation({
  method: 'GET',
  path: retention,
  permission: 'any_member',
  answer: answer(KeptSbomRetention),
})

export const changeSbomRetention = operation({
  method: 'PATCH',
  path: retention,
  permission: 'manage_sbom_retention',
  body: Type.Object({
    keep: Type.Enum(sbomKeeps),
    amount: nullable(Type.Integer()),
    isCraLifted: Type.Boolean(),
  }),
  answer: nothing,
})

/** What such a setting would remove now. */
export const countSbomRetention = operation({
  method: 'GET',
  path: `${retention}/count`,
  permission: 'any_member',
  query: { keep: sbomKeeps, amount: 'number', cra: ['lifted'] },
  answer: answer(SbomRetentionCount),
})

/** What is left of those that were removed, the last first. */
export const listRemovedSboms = operation({
  method: 'GET',
  path: `${family}/removed-sboms`,
  permission: 'any_member',
  query: { cursor: 'text' },
  answer: answer(RemovedSbomPage),
})

/** What is left of one, whose id is that of the SBOM. */
export const getRemovedSbom = operation({
  method: 'GET',
  path: '/workspaces/:slug/removed-sboms/:removed',
  permission: 'any_member',
  answer: answer(RemovedSbomDetail),
})
