import { List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { BulkResult } from '../../../../src/contract/incidents.ts'
import { useWorkspace } from '../../../frame/use-workspace.ts'
import { pages } from '../../../paths.ts'
import { FormModal } from '../../../ui/form/FormModal.tsx'
import { Foreign } from '../../../ui/text/Foreign.tsx'
import { formatNoun } from '../../../ui/text/format.ts'
import { TextLink } from '../../../ui/text/links.tsx'

type Props = { outcome: BulkResult | null; onClose: () => void }

/** What became of an act on several incidents, each that was refused with its reason. */
export function BulkOutcome({ outcome, onClose }: Props): ReactNode {
  const { slug } = useWorkspace()
  return (
    <FormModal opened={outcome !== null} onClose={onClose} title="What was done">
      {outcome === null ? null : (
        <>
          <Text>Done for {formatNoun(outcome.done.length, 'incident')}.</Text>
          {outcome.refused.length === 0 ? null : (
            <>
              <Text mt="md" fw={500}>
                Refused for {formatNoun(outcome.refused.length, 'incident')}:
              </Text>
              <List size="sm" mt={4}>
                {outcome.refused.map(({ id, reference, reason }) => (
                  <List.Item key={id}>
                    <TextLink {...pages.incident(slug, id)}>{reference}</TextLink>:{' '}
                    <Foreign>{reason}</Foreign>
                  </List.Item>
                ))}
              </List>
            </>
          )}
        </>
      )}
    </FormModal>
  )
}
