import { Button, Group, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AdvisoryContent, AdvisoryDraft } from '#contract/advisories/shapes.ts'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { Warning } from '../Warning.tsx'
import { differencesOf } from './differences.ts'

type Props = {
  mine: AdvisoryContent
  theirs: AdvisoryDraft
  onTakeTheirs: () => void
  onKeepMine: () => void
}

/** Somebody else saved first: shows the differences and asks which draft to keep. */
export function Conflict({ mine, theirs, onTakeTheirs, onKeepMine }: Props): ReactNode {
  const differences = differencesOf(mine, theirs.content)
  return (
    <Warning title="Somebody else has saved this draft">
      <Text size="sm">
        <Foreign>{`${theirs.editedBy} saved it since you opened it. Yours is not saved yet.`}</Foreign>
      </Text>
      <Table.ScrollContainer
        minWidth={480}
        type="native"
        tabIndex={0}
        role="region"
        aria-label="What differs"
      >
        <Table aria-label="What differs" fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Field</Table.Th>
              <Table.Th scope="col">Yours</Table.Th>
              <Table.Th scope="col">Saved</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differences.map(({ field, mine: own, theirs: saved }) => (
              <Table.Tr key={field}>
                <Table.Td>
                  <code>{field}</code>
                </Table.Td>
                <Table.Td>
                  <Foreign>{own}</Foreign>
                </Table.Td>
                <Table.Td>
                  <Foreign>{saved}</Foreign>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group gap="xs" mt="sm">
        <Button size="xs" onClick={onTakeTheirs}>
          Continue with the saved one
        </Button>
        <Button size="xs" variant="default" onClick={onKeepMine}>
          Replace it with mine
        </Button>
      </Group>
    </Warning>
  )
}
