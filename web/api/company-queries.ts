import { getCompany } from '../../src/contract/operations/company.ts'
import { queryOf } from './query-of.ts'

export function companyQuery(slug: string) {
  return queryOf(getCompany, { params: { slug } })
}
