import { Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FamilyDetail } from '#contract/products/shapes.ts'
import type { KeptSbomRetention } from '#contract/sbom/retention.ts'
import { changeSbomRetention } from '#contract/sbom/retention-operations.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { Card } from '../../kit/page/Card.tsx'
import { Loaded } from '../../kit/page/Loaded.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { Moment } from '../../kit/time/Time.tsx'
import { refusal } from '../../workspaces/access.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { sbomRetentionQuery } from '../queries.ts'
import { RetentionForm } from './RetentionForm.tsx'
import { retentionWords } from './words.ts'

/** How long the family keeps replaced SBOMs, and the form to change it. */
export function RetentionCard({ family }: { family: FamilyDetail }): ReactNode {
  const { slug } = useWorkspace()
  return (
    <Loaded query={useQuery(sbomRetentionQuery(slug, family.id))} waiting={null}>
      {(retention) => <KnownRetention family={family} retention={retention} />}
    </Loaded>
  )
}

type Props = { family: FamilyDetail; retention: KeptSbomRetention }

function KnownRetention({ family, retention }: Props): ReactNode {
  const workspace = useWorkspace()
  const [isChanging, change] = useDisclosure(false)
  return (
    <Card
      title="Old SBOMs"
      aside={
        <ActionButton
          variant="default"
          size="xs"
          refused={refusal(workspace, changeSbomRetention.permission)}
          onClick={change.open}
        >
          Change what is kept
        </ActionButton>
      }
    >
      <Text>{retentionWords(retention)}</Text>
      <Decided retention={retention} />
      <FormModal opened={isChanging} onClose={change.close} title={`Old SBOMs of ${family.name}`} size={620}>
        <RetentionForm family={family} retention={retention} onClose={change.close} />
      </FormModal>
    </Card>
  )
}

/** Who changed the setting, and who decided about the law. */
function Decided({ retention }: { retention: KeptSbomRetention }): ReactNode {
  const { changedAt, changedBy, craLiftedAt, craLiftedBy, keep } = retention
  if (changedAt === null) return null
  return (
    <Text c="dimmed" fz="sm" mt={4}>
      Changed by <Foreign>{changedBy ?? ''}</Foreign>, <Moment at={changedAt} />.{' '}
      {craLiftedAt !== null ? (
        <>
          CRA Art. 13(13) holds none of them back: decided by <Foreign>{craLiftedBy ?? ''}</Foreign>,{' '}
          <Moment at={craLiftedAt} />.
        </>
      ) : keep === 'all' ? null : (
        'What CRA Art. 13(13) covers stays.'
      )}
    </Text>
  )
}
