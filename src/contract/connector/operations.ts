import { ConnectorReport } from './shapes.ts'
import { answer, nothing, operation } from '../operation.ts'

const connector = '/workspaces/:slug/families/:family/connector'

export const getConnectorReport = operation({
  method: 'GET',
  path: connector,
  permission: 'any_member',
  answer: answer(ConnectorReport),
})

export const dismissRefusal = operation({
  method: 'POST',
  path: `${connector}/refusals/:refusal/dismiss`,
  permission: 'upload',
  answer: nothing,
})
