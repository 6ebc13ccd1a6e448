import type { ReactNode } from 'react'
import type { ComponentRow } from '#contract/inventory/components.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { decidabilityLooks } from '../sources/coverage.ts'
import type { Column } from '../kit/table/column.ts'
import { NameText, PurlText, VersionText } from '../kit/text/CutText.tsx'
import { Foreign } from '../kit/text/Foreign.tsx'
import { formatCount } from '../kit/text/format.ts'

/** Columns shared by lists of components; each list sets order and widths. */

type Of<Field extends keyof ComponentRow> = Column<Pick<ComponentRow, Field>>

const none = <span className="dimmed">none</span>

type NameProps = Pick<ComponentRow, 'group' | 'name'> & { purl?: string | null }

/** Its name and, where it fits, its group; the purl shows on hover. */
export function ComponentName({ group, name, purl }: NameProps): ReactNode {
  return (
    <span className="named">
      <span className="named-first">
        <NameText title={purl ?? undefined}>{name === '' ? 'without name' : name}</NameText>
      </span>
      {group === null ? null : (
        <span className="named-second wide-only" title={visibleText(group)}>
          <Foreign>{group}</Foreign>
        </span>
      )}
    </span>
  )
}

export const nameColumn: Of<'group' | 'name'> = {
  id: 'name',
  header: 'Component',
  cell: ({ group, name }) => <ComponentName group={group} name={name} />,
}

export const versionColumn: Of<'version'> = {
  id: 'version',
  header: 'Version',
  widthPx: 92,
  phoneWidthPx: 76,
  maxPx: 168,
  fits: ({ version }) => version ?? '',
  cell: ({ version }) => (version === null ? none : <VersionText>{version}</VersionText>),
}

function purlCell(purl: string | null): ReactNode {
  if (purl === null) return none
  return (
    <code>
      <PurlText>{purl}</PurlText>
    </code>
  )
}

export const purlColumn: Of<'purl'> = {
  id: 'purl',
  header: 'Purl',
  from: 'lg',
  cell: ({ purl }) => purlCell(purl),
}

export const copiedPurlColumn: Of<'purl'> = {
  ...purlColumn,
  copies: ({ purl }) => (purl === null ? undefined : { text: purl, what: 'purl' }),
}

export const licenceColumn: Of<'licence'> = {
  id: 'licence',
  header: 'Licence',
  widthPx: 150,
  from: 'md',
  cell: ({ licence }) => (licence === null ? none : <Foreign>{licence}</Foreign>),
}

/** Where nothing could be checked, "none found" is not zero. */
export const findingsColumn: Of<'findings' | 'decidability'> = {
  id: 'findings',
  header: 'Findings',
  widthPx: 96,
  align: 'right',
  cell: ({ findings, decidability }) => {
    if (findings > 0) return <strong>{formatCount(findings)}</strong>
    const isChecked = decidability === 'covered'
    return (
      <span className="dimmed" title={isChecked ? undefined : decidabilityLooks[decidability].meaning}>
        {isChecked ? '0' : '–'}
      </span>
    )
  },
}
