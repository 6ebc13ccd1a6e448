import { Button, Group, MultiSelect, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import type { DraftProduct } from '#contract/advisories/shapes.ts'
import { FieldProblem } from './FieldProblem.tsx'
import { fieldId, useProblem } from './fields.ts'

type Props = {
  /** Path in the draft. */
  field: string
  /** The versions that have a status. */
  products: readonly DraftProduct[]
  /** Those that are affected. */
  affected: readonly string[]
  value: readonly string[]
  /** What an empty selection means. */
  placeholder: string
  onChange: (versionIds: string[]) => void
}

/** Nobody reads more names than this, and they make the page slow. */
const maxNamed = 40

/** Which versions something applies to, as a cell below its column header. */
export function VersionsSelect({
  field,
  products,
  affected,
  value,
  placeholder,
  onChange,
}: Props): ReactNode {
  const problem = useProblem(field)
  if (value.length > maxNamed) return <ManyVersions field={field} count={value.length} onChange={onChange} />
  return (
    <>
      <MultiSelect
        id={fieldId(field)}
        aria-label="For"
        size="xs"
        error={problem}
        searchable
        limit={100}
        placeholder={value.length === 0 ? placeholder : ''}
        value={[...value]}
        data={products.map(({ versionId, family, version }) => ({
          value: versionId,
          label: visibleText(`${family} ${version}`),
        }))}
        onChange={onChange}
      />
      {affected.length > value.length && affected.length > 5 ? (
        <Button
          size="compact-xs"
          variant="subtle"
          mt={2}
          onClick={() => {
            onChange([...affected])
          }}
        >
          {`All ${affected.length} affected`}
        </Button>
      ) : null}
    </>
  )
}

type ManyProps = Pick<Props, 'field' | 'onChange'> & { count: number }

/** Shows the count, and a way to pick others. */
function ManyVersions({ field, count, onChange }: ManyProps): ReactNode {
  return (
    <Group gap="xs" id={fieldId(field)} tabIndex={-1} role="group" aria-label="For">
      <Text size="sm">{`${count} versions`}</Text>
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => {
          onChange([])
        }}
      >
        Pick again
      </Button>
      <FieldProblem field={field} />
    </Group>
  )
}
