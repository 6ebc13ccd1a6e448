import { visibleText } from '#contract/hidden-characters.ts'
import { Box, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AdvisorySettings } from '#contract/advisories/shapes.ts'
import { changeAdvisorySettings, getAdvisorySettings } from '#contract/advisories/operations.ts'
import { isAllowed } from '#contract/roles.ts'
import { advisorySettingsQuery } from './queries.ts'
import { call } from '../kit/api/call.ts'
import { useAct } from '../kit/api/use-act.ts'
import { useLatest } from '../kit/api/use-latest.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { Form } from '../kit/form/Form.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'
import { Card } from '../kit/page/Card.tsx'

/** How the workspace numbers and publishes its advisories. */
export function AdvisorySettingsCard(): ReactNode {
  const { slug, role } = useWorkspace()
  const settings = useQuery(advisorySettingsQuery(slug))
  if (settings.data === undefined || !isAllowed(role, 'publish_advisories')) return null
  return (
    <Card title="How advisories are published">
      <Box maw={480}>
        <SettingsForm settings={settings.data} />
      </Box>
    </Card>
  )
}

function SettingsForm({ settings }: { settings: AdvisorySettings }): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm<AdvisorySettings, AdvisorySettings>({
    initialValues: settings,
    latest: useLatest(getAdvisorySettings, { params: { slug } }, (now) => now),
    inputOf: ({ trackingPrefix, ...rest }) => ({ ...rest, trackingPrefix: trackingPrefix.trim() }),
    send: useAct({
      slug,
      send: (body: AdvisorySettings) => call(changeAdvisorySettings, { params: { slug }, body }),
      done: () => 'Saved.',
    }),
  })
  return (
    <Form state={form.state} verb="Save">
      <TextInput
        {...form.getInputProps('trackingPrefix')}
        label="Prefix of tracking IDs"
        description={`For advisories begun from now on: ${visibleText(form.values.trackingPrefix)}\u20112026\u20110001.`}
      />
      <Switch
        {...form.getInputProps('secondPersonPublishes', { type: 'checkbox' })}
        label="A second person publishes"
        description="Whoever changed a draft last cannot publish it."
      />
      <Textarea
        {...form.getInputProps('generalNote')}
        label="General note"
        description="In English. Every new advisory begins with it."
        autosize
        minRows={2}
        maxRows={10}
      />
      <Textarea
        {...form.getInputProps('legalNote')}
        label="Legal note"
        description="In English. Every new advisory begins with it."
        autosize
        minRows={2}
        maxRows={10}
      />
    </Form>
  )
}
