import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { companyQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { PageHeader } from '../../kit/page/PageHeader.tsx'
import { PageSkeleton } from '../../kit/page/PageSkeleton.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { SettingsNav } from '../SettingsNav.tsx'
import { CompanyForm } from './CompanyForm.tsx'

/** What the workspace says of its company, to its members and to the public. */
export default function CompanyPage(): ReactNode {
  const { slug } = useWorkspace()
  const company = useQuery(companyQuery(slug))
  return (
    <>
      <PageHeader
        title="Company"
        crumbs={[{ name: 'Settings' }]}
        about="The name is in alerts, advisories and reports. Advisories that are published keep the name they have until they are corrected."
      />
      <SettingsNav />
      {company.error === null ? null : (
        <Problem
          error={company.error}
          onRetry={() => {
            void company.refetch()
          }}
        />
      )}
      {company.data === undefined ? <PageSkeleton /> : <CompanyForm settings={company.data} />}
    </>
  )
}
