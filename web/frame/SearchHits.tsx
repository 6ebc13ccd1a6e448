import { Combobox } from '@mantine/core'
import {
  IconAlertTriangle,
  IconBolt,
  IconBug,
  IconComponents,
  IconFileCode,
  IconInbox,
  IconPackages,
  IconSettings,
  IconSpeakerphone,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SearchHit } from '#contract/inventory/shapes.ts'
import { pages } from '../areas.ts'
import { Foreign } from '../kit/text/Foreign.tsx'
import styles from './GlobalSearch.module.css'
import type { SearchTarget } from './search-places.ts'

/** A hit from the service, or a page of the application. */
export type Hit = SearchHit | SearchTarget

const looks = {
  family: { word: 'Families', Icon: IconPackages },
  incident: { word: 'Incidents', Icon: IconAlertTriangle },
  vulnerability: { word: 'Vulnerabilities', Icon: IconBug },
  component: { word: 'Components', Icon: IconComponents },
  sbom: { word: 'SBOMs', Icon: IconFileCode },
  advisory: { word: 'Advisories', Icon: IconSpeakerphone },
  report: { word: 'Reports', Icon: IconInbox },
  setting: { word: 'Settings', Icon: IconSettings },
  act: { word: 'Actions', Icon: IconBolt },
} as const satisfies Record<Hit['kind'], object>

export function linkOf(slug: string, hit: Hit) {
  switch (hit.kind) {
    case 'family':
      return pages.family(slug, hit.id)
    case 'incident':
      return pages.incident(slug, hit.id)
    case 'vulnerability':
      return pages.vulnerability(slug, hit.id)
    case 'component':
      return pages.components(slug, { search: hit.search })
    case 'sbom':
      return pages.sbom(slug, hit.id)
    case 'advisory':
      return pages.advisory(slug, hit.id)
    case 'report':
      return pages.inboxReport(slug, hit.number)
    case 'setting':
    case 'act':
      return hit.link
  }
}

/** Hits by kind; a hit's index is its value. */
export function SearchHits({ hits }: { hits: readonly Hit[] }): ReactNode {
  const numbered = hits.map((hit, at) => ({ hit, at }))
  const kinds = [...Map.groupBy(numbered, ({ hit }) => hit.kind)]
  return (
    <Combobox.Options aria-label="Results" className={styles['hits']}>
      {kinds.map(([kind, ofKind]) => {
        const { word, Icon } = looks[kind]
        return (
          <Combobox.Group key={kind} label={word}>
            {ofKind.map(({ hit, at }) => (
              <Combobox.Option key={at} value={String(at)} className={styles['hit']}>
                <Icon size={16} aria-hidden />
                <HitWords hit={hit} />
              </Combobox.Option>
            ))}
          </Combobox.Group>
        )
      })}
    </Combobox.Options>
  )
}

function HitWords({ hit }: { hit: Hit }): ReactNode {
  const [name, about] = 'link' in hit ? [hit.name, hit.about] : [hit.label, hit.detail]
  return (
    <span className="clip">
      <Foreign>{name}</Foreign>{' '}
      <span className="dimmed">
        <Foreign>{about}</Foreign>
      </span>
    </span>
  )
}
