import type { ReactNode } from 'react'
import type { EvidenceIdentity } from '#contract/findings/shapes.ts'
import { Card } from '../../kit/page/Card.tsx'
import { ExternalLink } from '../../kit/text/ExternalLink.tsx'
import { FactList, type Fact } from '../../kit/page/Facts.tsx'

const basisWords: Record<EvidenceIdentity['basis'], string> = {
  purl: 'by its purl',
  cpe: 'by its CPE',
  name: 'by its name only',
}

/** How the component was identified in vulnerability data, and the rule that compared its version. */
export function Identification({ identity }: { identity: EvidenceIdentity }): ReactNode {
  const facts: Fact[] = [{ name: 'Identified', value: basisWords[identity.basis] }]
  // a product that is named by CPE is of none
  if (identity.ecosystem !== null && identity.ecosystem !== 'cpe')
    facts.push({ name: 'Ecosystem', value: identity.ecosystem })
  if (identity.packageName !== null) facts.push({ name: 'Package', value: identity.packageName })
  if (identity.release !== null && identity.release !== '')
    facts.push({ name: 'Release', value: identity.release })
  if (identity.stream !== '') facts.push({ name: 'Stream', value: identity.stream })
  facts.push({ name: 'Compared', value: identity.version === '' ? 'no version' : identity.version })
  if (identity.scheme !== null) {
    facts.push({
      name: 'Order of versions',
      value:
        identity.rule === null ? (
          identity.scheme
        ) : (
          <ExternalLink href={identity.rule}>{identity.scheme}</ExternalLink>
        ),
    })
  }
  if (identity.sourcePackage) {
    facts.push({
      name: 'Source package',
      value: 'The data is by source package: its name or version was compared, not the component’s own.',
    })
  }
  return (
    <Card title="Identification">
      <FactList facts={facts} />
    </Card>
  )
}
