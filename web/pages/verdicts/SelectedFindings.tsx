import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { SbomDetail } from '../../../src/contract/app.ts'
import { decisionLimits } from '../../../src/contract/verdict.ts'
import { refusal } from '../../access.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { ActionButton } from '../../ui/ActionButton.tsx'
import { formatCount, formatNoun } from '../../ui/format.ts'
import { DecisionModal } from './DecisionModal.tsx'
import styles from './SelectedFindings.module.css'

type Props = { sbom: SbomDetail; selected: ReadonlySet<string>; onDone: () => void }

/** What can be done with the findings that are chosen in the list. */
export function SelectedFindings({ sbom, selected, onDone }: Props): ReactNode {
  const workspace = useWorkspace()
  const [isDeciding, deciding] = useDisclosure(false)
  if (selected.size === 0) return null
  return (
    <section className={styles['bar']} aria-label="Selected findings">
      <Text fw={500} role="status">
        {selected.size >= decisionLimits.findings
          ? `${formatCount(selected.size)} selected, the most at once`
          : `${formatCount(selected.size)} selected`}
      </Text>
      <ActionButton size="xs" refused={refusal(workspace, 'decide_verdicts')} onClick={deciding.open}>
        Record a verdict
      </ActionButton>
      <Button size="xs" variant="subtle" color="gray" onClick={onDone}>
        Clear
      </Button>
      <DecisionModal
        opened={isDeciding}
        onClose={deciding.close}
        onDecided={onDone}
        subject={{
          title: formatNoun(selected.size, 'finding'),
          findingIds: [...selected],
          packages: selected.size === 1 ? 'its package' : 'their packages',
          version: sbom.version,
          familyName: sbom.family.name,
        }}
      />
    </section>
  )
}
