import { decideFindings } from '#contract/findings/operations.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { useDisclosure } from '@mantine/hooks'
import { IconGavel } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FindingDetail } from '#contract/findings/shapes.ts'
import type { Decision } from '#contract/findings/verdict.ts'
import { refusal } from '../../workspaces/access.ts'
import { familyQuery } from '../../families/queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { scopesOfVersion } from './decision-draft.ts'
import { DecisionModal } from './DecisionModal.tsx'

type Props = { finding: FindingDetail; present: Decision | undefined }

export function RecordVerdict({ finding, present }: Props): ReactNode {
  const workspace = useWorkspace()
  const [isDeciding, deciding] = useDisclosure(false)
  const family = useQuery(familyQuery(workspace.slug, finding.familyId)).data
  const component = finding.identity.packageName ?? finding.components[0]?.name ?? 'the component'
  return (
    <>
      <ActionButton
        size="xs"
        variant={finding.verdict === null ? 'filled' : 'default'}
        leftSection={<IconGavel size={14} />}
        refused={refusal(workspace, decideFindings.permission)}
        onClick={deciding.open}
      >
        Record a verdict
      </ActionButton>
      <DecisionModal
        opened={isDeciding}
        onClose={deciding.close}
        present={present}
        subject={{
          title: visibleText(finding.title),
          findingIds: [finding.id],
          packages: visibleText(component),
          scopes: scopesOfVersion(
            family?.versions.find(({ id }) => id === finding.versionId)?.name ?? null,
            family?.name ?? 'the family',
          ),
          exploited: finding.exploitedBy.length > 0 ? 1 : 0,
        }}
      />
    </>
  )
}
