import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useDisclosure } from '@mantine/hooks'
import type { IncidentDetail } from '#contract/incidents/shapes.ts'
import { assignIncident, changeAwareness, changeFacts } from '#contract/incidents/act-operations.ts'
import { prefillAdvisoryFromIncident } from '#contract/advisories/operations.ts'
import { exportIncident, showEvidence } from '#contract/incidents/report-operations.ts'
import { tellRefusal } from '../../../kit/api/tell-refusal.ts'
import { refusal, reportingRefusal } from '../../../workspaces/access.ts'
import { addressOf, call } from '../../../kit/api/call.ts'
import { saveFile } from '../../../kit/api/save-file.ts'
import { useAct } from '../../../kit/api/use-act.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { ActionItem, type Refusal } from '../../../kit/actions/ActionButton.tsx'
import { BeginAdvisory } from '../../../advisories/BeginAdvisory.tsx'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { AssignForm } from './AssignForm.tsx'
import { FactsForm } from './FactsForm.tsx'
import { AwarenessForm } from './AwarenessForm.tsx'
import { CloseIncident } from './CloseIncident.tsx'
import { ReopenIncident } from './ReopenIncident.tsx'

type Props = { incident: IncidentDetail }
type Dialog = 'assign' | 'facts' | 'awareness'

const titles: Record<Dialog, string> = {
  assign: 'Assign',
  facts: 'Change the facts',
  awareness: 'Change the time of awareness',
}

/** Close or reopen, and everything else in a menu. */
export function IncidentActions({ incident }: Props): ReactNode {
  const workspace = useWorkspace()
  const params = { slug: workspace.slug, incident: incident.id }
  const onSave = useEvidence(incident)
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [isOpen, opened] = useDisclosure(false)
  const item = (opens: Dialog, refused: Refusal) => (
    <ActionItem
      refused={refused}
      onClick={() => {
        setDialog(opens)
        opened.open()
      }}
    >
      {titles[opens]}
    </ActionItem>
  )
  return (
    <>
      <MainActs incident={incident} />
      <Menu>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {item('assign', refusal(workspace, assignIncident.permission))}
          {item('facts', reportingRefusal(workspace, changeFacts.permission))}
          {item('awareness', reportingRefusal(workspace, changeAwareness.permission))}
          <Menu.Divider />
          <ActionItem onClick={onSave}>Evidence as JSON</ActionItem>
          <Menu.Item component="a" href={addressOf(showEvidence, { params })} target="_blank" rel="noopener">
            Page to print
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FormModal
        opened={isOpen}
        onClose={opened.close}
        title={dialog === null ? '' : titles[dialog]}
        size={600}
      >
        {dialog === 'assign' ? <AssignForm incident={incident} onClose={opened.close} /> : null}
        {dialog === 'facts' ? <FactsForm incident={incident} onClose={opened.close} /> : null}
        {dialog === 'awareness' ? <AwarenessForm incident={incident} onClose={opened.close} /> : null}
      </FormModal>
    </>
  )
}

/** Saves the evidence file. */
function useEvidence({ id, reference }: IncidentDetail): () => void {
  const { slug } = useWorkspace()
  const params = { slug, incident: id }
  const save = useAct({
    slug,
    send: () => saveFile(exportIncident, { params }, `${reference}-evidence.json`),
  })
  return () => {
    save.mutate(undefined, { onError: tellRefusal })
  }
}

function MainActs({ incident }: Props): ReactNode {
  const { slug } = useWorkspace()
  const { id, status } = incident
  return (
    <>
      {status === 'open' ? <CloseIncident incident={incident} /> : <ReopenIncident incident={incident} />}
      <BeginAdvisory begin={() => call(prefillAdvisoryFromIncident, { params: { slug, incident: id } })} />
    </>
  )
}
