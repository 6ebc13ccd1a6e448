import { Switch, VisuallyHidden } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import type { DestinationRow } from '#contract/alerts/shapes.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { changeDestination } from '#contract/alerts/operations.ts'
import { refusal } from '../../../workspaces/access.ts'
import { RefusalTip } from '../../../kit/actions/RefusalTip.tsx'
import { call } from '../../../kit/api/call.ts'
import { tellRefusal } from '../../../kit/api/tell-refusal.ts'
import { useAct } from '../../../kit/api/use-act.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import styles from './EnabledSwitch.module.css'

type Props = { destination: DestinationRow; label?: string }

/** Enables or disables a destination. A refused switch stays in the tab order and shows the reason. */
export function EnabledSwitch({ destination: { id, name, enabled }, label }: Props): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const reasonId = useId()
  const [wanted, setWanted] = useState(enabled)
  const refused = refusal(workspace, changeDestination.permission)
  const change = useAct({
    slug,
    send: (on: boolean) =>
      call(changeDestination, { params: { slug, destination: id }, body: { enabled: on } }),
    done: (on) =>
      visibleText(on ? `${name} is on.` : `${name} is off: nothing is posted to it, except tests.`),
  })

  function turn(on: boolean): void {
    if (refused !== undefined) return
    setWanted(on)
    change.mutate(on, { onError: tellRefusal })
  }

  return (
    <>
      <RefusalTip reason={refused}>
        <Switch
          size={label === undefined ? 'xs' : 'sm'}
          className={refused === undefined ? undefined : styles['refused']}
          withThumbIndicator={false}
          checked={change.isPending ? wanted : enabled}
          aria-disabled={refused !== undefined}
          aria-describedby={refused === undefined ? undefined : reasonId}
          aria-label={label === undefined ? visibleText(`Post to ${name}`) : undefined}
          label={label}
          onChange={(event) => {
            turn(event.currentTarget.checked)
          }}
        />
      </RefusalTip>
      {refused === undefined ? null : <VisuallyHidden id={reasonId}>{refused}</VisuallyHidden>}
    </>
  )
}
