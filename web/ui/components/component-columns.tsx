import type { ReactNode } from 'react'
import type { ComponentRow } from '../../../src/contract/app.ts'
import { visibleText } from '../../../src/contract/hidden-characters.ts'
import type { Column } from '../table/column.ts'
import { Foreign } from '../text/Foreign.tsx'
import { formatCount } from '../text/format.ts'

/** The columns that lists of components share; a list adds its order and its widths. */

type Of<Field extends keyof ComponentRow> = Column<Pick<ComponentRow, Field>>

const none = <span className="dimmed">none</span>

type NameProps = Pick<ComponentRow, 'group' | 'name'> & { purl?: string | null }

/** Its name and, where there is room, its group; the purl shows under the pointer. */
export function ComponentName({ group, name, purl }: NameProps): ReactNode {
  return (
    <span className="clip" title={purl === undefined ? undefined : visibleText(purl ?? '')}>
      <Foreign>{name === '' ? 'without name' : name}</Foreign>
      {group === null ? null : (
        <span className="dimmed wide-only">
          {' '}
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
  fits: ({ version }) => version ?? '',
  cell: ({ version }) => (version === null ? none : <Foreign>{version}</Foreign>),
}

/** With `titled` all of it shows under the pointer. */
function purlCell(purl: string | null, titled: boolean): ReactNode {
  if (purl === null) return none
  return (
    <code title={titled ? visibleText(purl) : undefined}>
      <Foreign>{purl}</Foreign>
    </code>
  )
}

export const purlColumn: Of<'purl'> = {
  id: 'purl',
  header: 'Purl',
  from: 'lg',
  cell: ({ purl }) => purlCell(purl, true),
}

export const copiedPurlColumn: Of<'purl'> = {
  ...purlColumn,
  cell: ({ purl }) => purlCell(purl, false),
  copies: ({ purl }) => (purl === null ? undefined : { text: purl, what: 'purl' }),
}

export const licenceColumn: Of<'licence'> = {
  id: 'licence',
  header: 'Licence',
  widthPx: 150,
  from: 'md',
  cell: ({ licence }) => (licence === null ? none : <Foreign>{licence}</Foreign>),
}

export const findingsColumn: Of<'findings'> = {
  id: 'findings',
  header: 'Findings',
  widthPx: 96,
  align: 'right',
  cell: ({ findings }) =>
    findings === 0 ? <span className="dimmed">0</span> : <strong>{formatCount(findings)}</strong>,
}
