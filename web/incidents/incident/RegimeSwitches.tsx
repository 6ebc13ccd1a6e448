import { NativeSelect, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { regimes, type Regime } from '#contract/alerts/events.ts'
import type { IncidentDetail } from '#contract/incidents/shapes.ts'
import { switchRegime } from '#contract/incidents/act-operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import { reportingRefusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Form } from '../../kit/form/Form.tsx'
import { instantOf, localTime } from '../../kit/time/local-time.ts'
import { TimeField } from '../../kit/form/TimeField.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { regimeNames, regimeTitles } from '../words.ts'
import { DialogButton } from './DialogButton.tsx'

type Props = { incident: IncidentDetail }

/** Which laws require reports on this incident. DORA starts with a classification as major. */
export function RegimeSwitches({ incident }: Props): ReactNode {
  const workspace = useWorkspace()
  const closed = incident.status === 'closed' ? 'The incident is closed. Reopen it first.' : undefined
  return (
    <DialogButton
      verb="Regimes"
      title={`Regimes of ${incident.reference}`}
      size="xs"
      variant="default"
      refused={reportingRefusal(workspace, switchRegime.permission) ?? closed}
    >
      {(close) => <RegimeForm incident={incident} onClose={close} />}
    </DialogButton>
  )
}

type Typed = { regime: Regime; reason: string; awareAt: string }
type Body = BodyOf<typeof switchRegime>

function RegimeForm({ incident, onClose }: Props & { onClose: () => void }): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const isOn = (regime: Regime) => incident.regimes.some((one) => one.regime === regime && one.isActive)
  const form = useSendForm<Typed, Body>({
    initialValues: { regime: 'cra', reason: '', awareAt: localTime(incident.awareAt, timeZone) },
    inputOf: ({ regime, reason, awareAt }) => {
      const at = instantOf(awareAt, timeZone)
      const own = regime === 'gdpr' && !isOn(regime) && at !== undefined ? { awareAt: at } : {}
      return { regime, active: !isOn(regime), ...(isOn(regime) ? { reason: reason.trim() } : {}), ...own }
    },
    send: useAct<Body, { waits: boolean }>({
      slug,
      send: (body) => call(switchRegime, { params: { slug, incident: incident.id }, body }),
      onDone: ({ waits }) => {
        const message = waits
          ? 'It waits for a second person. The clocks of the regime run meanwhile.'
          : 'The regime is switched.'
        notifications.show({ message, color: 'green.9', withBorder: true })
      },
      closes: onClose,
    }),
  })
  const { regime } = form.values
  return (
    <Form state={form.state} verb={isOn(regime) ? 'Switch off' : 'Switch on'} onCancel={onClose}>
      <NativeSelect
        {...form.getInputProps('regime')}
        label="Regime"
        description={regimeTitles[regime]}
        data={regimes.map((one) => ({
          value: one,
          label: `${regimeNames[one]}: ${isOn(one) ? 'on' : 'off'}`,
        }))}
      />
      {isOn(regime) ? (
        <Textarea
          {...form.getInputProps('reason')}
          label="Why it does not apply"
          description="Its reports that are not submitted are then not required. Owners, admins and leads can ask for it; while one of them is open, a second person decides."
          autosize
          minRows={2}
          required
        />
      ) : null}
      {regime === 'gdpr' && !isOn(regime) ? (
        <TimeField
          {...form.getInputProps('awareAt')}
          label="Aware of the personal data breach since"
          timeZone={timeZone}
        />
      ) : null}
    </Form>
  )
}
