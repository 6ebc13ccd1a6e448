import { Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AdvisoryContent, AdvisoryDetail } from '#contract/advisories/shapes.ts'
import { publishAdvisory } from '#contract/advisories/operations.ts'
import { minuteMs } from '#contract/durations.ts'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ChoiceField } from '../../kit/form/ChoiceField.tsx'
import { fieldErrors } from '../../kit/form/field-errors.ts'
import { Form } from '../../kit/form/Form.tsx'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { formatDate } from '../../kit/text/format.ts'
import { useNow } from '../../kit/time/clock.ts'
import { dayOf } from '../../kit/time/local-time.ts'
import { useTimeZone } from '../../kit/time/time-zone.ts'
import { ownTimeZone } from '../../kit/time/time-zones.ts'
import { placeWords } from '../place-words.ts'
import { Warning } from '../Warning.tsx'

type Props = {
  advisory: AdvisoryDetail
  revision: number
  content: AdvisoryContent
  opened: boolean
  onClose: () => void
}

/** Asks for the kind of version and what is new, then publishes. */
export function PublishModal({ opened, onClose, ...form }: Props): ReactNode {
  return (
    <FormModal opened={opened} onClose={onClose} title={`Publish ${form.advisory.trackingId}`}>
      <PublishForm {...form} onClose={onClose} />
    </FormModal>
  )
}

type Values = { kind: 'update' | 'correction'; summary: string }

function PublishForm({ advisory, revision, content, onClose }: Omit<Props, 'opened'>): ReactNode {
  const { slug } = useWorkspace()
  const isFirst = advisory.versions.length === 0
  const form = useSendForm<Values, Values>({
    initialValues: { kind: 'update', summary: isFirst ? 'First publication.' : '' },
    inputOf: (values) => values,
    errorsOf: (error) =>
      Object.fromEntries(
        Object.entries(fieldErrors(error)).map(([field, words]) => [
          placeWords(field, content.vulnerabilities),
          words,
        ]),
      ),
    send: useAct({
      slug,
      send: ({ kind, summary }: Values) =>
        call(publishAdvisory, {
          params: { slug, advisory: advisory.id },
          body: { revision, summary, ...(isFirst ? {} : { kind }) },
        }),
      done: () => `${advisory.trackingId} is published.`,
      closes: onClose,
    }),
  })
  const { update, correction } = advisory.nextNumbers
  return (
    <Form state={form.state} verb="Publish" onCancel={onClose}>
      <Text size="sm">
        {content.tlp === 'WHITE'
          ? 'Everyone can read it from then on, and what was public stays public.'
          : `It is TLP:${content.tlp}: members can download it, and it is not in the public feed.`}
      </Text>
      <Embargoes links={advisory.links} />
      {isFirst ? null : (
        <ChoiceField
          {...form.getInputProps('kind')}
          label="Kind"
          choices={[
            { value: 'update', label: `Update, ${update}`, description: 'It says something new.' },
            {
              value: 'correction',
              label: `Correction, ${correction}`,
              description: 'It corrects what was said.',
            },
          ]}
        />
      )}
      <TextInput
        {...form.getInputProps('summary')}
        label="What is new"
        description="For the history in the document."
        required
        maxLength={500}
        data-autofocus
      />
    </Form>
  )
}

/** The days agreed with reporters that have not come yet. They are a promise, and not a rule: the reporter may have agreed to another one. */
function Embargoes({ links }: Pick<AdvisoryDetail, 'links'>): ReactNode {
  const timeZone = useTimeZone() ?? ownTimeZone()
  const today = dayOf(new Date(useNow(minuteMs)).toISOString(), timeZone)
  return links.map((link) =>
    link.kind === 'inbox_report' && link.embargoUntil !== null && link.embargoUntil > today ? (
      <Warning
        key={link.id}
        title={`Report #${link.number} is not to be published before ${formatDate(link.embargoUntil)}`}
      >
        It was agreed with the reporter.
      </Warning>
    ) : null,
  )
}
