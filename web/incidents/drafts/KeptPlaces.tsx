import { Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import type { Regime } from '#contract/alerts/events.ts'
import type { IncidentDetail } from '#contract/incidents/shapes.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { TextLink } from '../../kit/text/links.tsx'

type Props = { regime: Regime; families: IncidentDetail['families'] }

/** Where the answers common to all reports are stored; later drafts start from them. */
export function KeptPlaces({ regime, families }: Props): ReactNode {
  const { slug } = useWorkspace()
  if (regime === 'dora') {
    return (
      <Text fz={13}>
        The facts of the financial entity are kept in{' '}
        <TextLink {...pages.regimes(slug)} underline="always">
          Regimes and authorities
        </TextLink>
        .
      </Text>
    )
  }
  if (regime !== 'cra' || families.length === 0) return null
  return (
    <Text fz={13}>
      Member States, product type and the end of support are kept with{' '}
      {families.slice(0, 5).map(({ id, name }, at) => (
        <Fragment key={id}>
          {at === 0 ? null : ', '}
          <TextLink {...pages.family(slug, id, { tab: 'product' })} underline="always">
            <Foreign>{name}</Foreign>
          </TextLink>
        </Fragment>
      ))}
      {families.length > 5 ? ` and ${families.length - 5} more` : null}.
    </Text>
  )
}
