import * as contract from '../../../contract/workspace/company-operations.ts'
import { changeCompany, companySettingsOf } from '../../../workspace/company/change-company.ts'
import { routesOf } from '../routing/handle.ts'

export const companyRoutes = routesOf(contract, {
  getCompany: ({ workspace }) => Promise.resolve(companySettingsOf(workspace)),

  changeCompany: ({ workspaceId, actor, body, now, deps }) =>
    changeCompany(deps.db, { workspaceId, actor, now }, body),
})
