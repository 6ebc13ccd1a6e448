import { Foreign } from '../../kit/text/Foreign.tsx'
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ComponentRow } from '#contract/inventory/components.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { CopyText } from '../../kit/text/CopyText.tsx'
import { DetailDrawer } from '../../kit/page/DetailDrawer.tsx'
import { FactList, type Fact } from '../../kit/page/Facts.tsx'
import { formatNoun } from '../../kit/text/format.ts'
import { TextLink } from '../../kit/text/links.tsx'
import { scopeLooks } from '../../components/scope.tsx'
import { decidabilityLooks } from '../../sources/coverage.ts'
import { DecidabilityMark } from '../../sources/DecidabilityMark.tsx'

type Props = { component: ComponentRow | undefined; sbomId: string; onClose: () => void }

export function ComponentDrawer({ component, sbomId, onClose }: Props): ReactNode {
  return (
    <DetailDrawer title={component?.name ?? 'Component'} opened={component !== undefined} onClose={onClose}>
      {component === undefined ? null : <ComponentFacts component={component} sbomId={sbomId} />}
    </DetailDrawer>
  )
}

function ComponentFacts({ component, sbomId }: { component: ComponentRow; sbomId: string }): ReactNode {
  const { slug } = useWorkspace()
  const { decidability, reason, findings } = component
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <DecidabilityMark state={decidability} />
        <Text c="dimmed">
          <Foreign>{reason ?? decidabilityLooks[decidability].meaning}</Foreign>
        </Text>
        {findings === 0 ? null : (
          <TextLink {...pages.sbom(slug, sbomId, { search: component.name })} underline="always">
            {formatNoun(findings, 'finding')}
          </TextLink>
        )}
        <TextLink
          {...pages.sbom(slug, sbomId, { tab: 'dependencies', component: String(component.number) })}
          underline="always"
        >
          Why is this here?
        </TextLink>
      </Stack>
      <FactList facts={factsOf(component)} />
    </Stack>
  )
}

function factsOf({ group, version, type, purl, cpe, licence, supplier, scope }: ComponentRow): Fact[] {
  const none = <span className="dimmed">none</span>
  return [
    { name: 'Group', value: group ?? none },
    { name: 'Version', value: version ?? none },
    { name: 'Type', value: type ?? none },
    {
      name: 'Scope',
      value: scope === null ? none : `${scopeLooks[scope].word}: ${scopeLooks[scope].meaning}`,
    },
    { name: 'Purl', value: purl === null ? none : <CopyText text={purl} what="purl" /> },
    { name: 'CPE', value: cpe === null ? none : <CopyText text={cpe} what="CPE" /> },
    { name: 'Licence', value: licence ?? none },
    { name: 'Supplier', value: supplier ?? none },
  ]
}
