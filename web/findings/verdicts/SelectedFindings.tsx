import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFlame } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { decideFindings } from '#contract/findings/operations.ts'
import { decisionLimits } from '#contract/findings/verdict.ts'
import { refusal } from '../../workspaces/access.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { SelectionBar } from '../../kit/table/SelectionBar.tsx'
import { formatCount, formatNoun } from '../../kit/text/format.ts'
import type { DecisionSubject } from './decision-draft.ts'
import { DecisionModal } from './DecisionModal.tsx'
import styles from './SelectedFindings.module.css'

type Props = {
  selected: ReadonlySet<string>
  /** How many of them are known to be exploited. */
  exploited: number
  scopes: DecisionSubject['scopes']
  /** Selects every row that matches the filter, loaded or not; set where there are more than are selected. */
  all?: { total: number; onAll: () => void; isLoading: boolean } | undefined
  onDone: () => void
}

/** Actions on the selected findings. */
export function SelectedFindings({ selected, exploited, scopes, all, onDone }: Props): ReactNode {
  const workspace = useWorkspace()
  const [isDeciding, deciding] = useDisclosure(false)
  if (selected.size === 0) return null
  const count = `${formatCount(selected.size)} selected`
  const isMax = selected.size >= decisionLimits.findings
  return (
    <SelectionBar
      label="Selected findings"
      count={isMax ? `${count}, the maximum at once` : count}
      onClear={onDone}
    >
      {exploited === 0 ? null : (
        <Text span className={styles['exploited']}>
          <IconFlame size={14} aria-hidden /> {formatCount(exploited)} known to be exploited
        </Text>
      )}
      <SelectAll selected={selected.size} all={all} />
      <ActionButton size="xs" refused={refusal(workspace, decideFindings.permission)} onClick={deciding.open}>
        Record a verdict
      </ActionButton>
      <DecisionModal
        opened={isDeciding}
        onClose={deciding.close}
        onDecided={() => {
          deciding.close()
          onDone()
        }}
        subject={{
          title: formatNoun(selected.size, 'finding'),
          findingIds: [...selected],
          packages: selected.size === 1 ? 'its package' : 'their packages',
          scopes,
          exploited,
        }}
      />
    </SelectionBar>
  )
}

function SelectAll({ selected, all }: { selected: number; all: Props['all'] }): ReactNode {
  if (all === undefined || all.total <= selected || selected >= decisionLimits.findings) return null
  return (
    <Button size="xs" variant="default" loading={all.isLoading} onClick={all.onAll}>
      {all.total > decisionLimits.findings
        ? `Select the first ${formatCount(decisionLimits.findings)}`
        : `Select all ${formatCount(all.total)}`}
    </Button>
  )
}
