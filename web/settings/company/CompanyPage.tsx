import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { companyQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { CompanyForm } from './CompanyForm.tsx'
import { Loaded } from '../../kit/page/Loaded.tsx'
import { SettingsPage } from '../SettingsPage.tsx'

/** The company's details, for its members and for the public. */
export default function CompanyPage(): ReactNode {
  const { slug } = useWorkspace()
  const company = useQuery(companyQuery(slug))
  return (
    <SettingsPage
      title="Company"
      about="The name is in alerts, advisories and reports. Advisories that are published keep the name they have until they are corrected."
    >
      <Loaded query={company} tellsLater>
        {(settings) => <CompanyForm settings={settings} />}
      </Loaded>
    </SettingsPage>
  )
}
