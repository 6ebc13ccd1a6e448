import { Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IncidentKind } from '#contract/incidents/shapes.ts'
import { openIncident } from '#contract/incidents/operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import { call } from '../../kit/api/call.ts'
import { familyNamesQuery } from '../../families/queries.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../paths.ts'
import { ChoiceField } from '../../kit/form/ChoiceField.tsx'
import { Form } from '../../kit/form/Form.tsx'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { instantOf, localTime } from '../../kit/time/local-time.ts'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { kindChoices } from '../kind-choices.ts'
import { openingBody, OpeningFields, type TypedOpening } from '../opening-fields.tsx'

/** What its page is about already. */
type Known = { vulnerability?: string; family?: string }
type Props = { opened: boolean; onClose: () => void; known: Known }

/** Opens an incident by hand: what a catalogue does not know, or what is no vulnerability at all. */
export function OpenIncidentModal({ opened, onClose, known }: Props): ReactNode {
  return (
    <FormModal opened={opened} onClose={onClose} title="Open an incident" size={600}>
      <OpenForm onClose={onClose} known={known} />
    </FormModal>
  )
}

type Typed = TypedOpening & { isExercise: boolean }

type Body = BodyOf<typeof openIncident>
type FormProps = { onClose: () => void; known: Known }

function useOpenForm({ onClose, known }: FormProps) {
  const { slug, timeZone } = useWorkspace()
  const navigate = useNavigate()
  return useSendForm<Typed, Body>({
    initialValues: {
      kind: 'vulnerability',
      title: known.vulnerability ?? '',
      vulnerability: known.vulnerability ?? '',
      families: known.family === undefined ? [] : [known.family],
      severity: 'high',
      awareAt: localTime(new Date().toISOString(), timeZone),
      isExercise: false,
    },
    inputOf: (typed) => bodyOf(typed, timeZone),
    send: useAct({
      slug,
      final: true,
      send: (body: Body) => call(openIncident, { params: { slug }, body }),
      done: () => 'The incident is open. Its clocks run.',
      onDone: async ({ id }) => {
        onClose()
        await navigate(pages.incident(slug, id))
      },
    }),
  })
}

function OpenForm({ onClose, known }: FormProps): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const families = useQuery(familyNamesQuery(slug)).data ?? []
  const form = useOpenForm({ onClose, known })
  return (
    <Form state={form.state} verb="Open incident" onCancel={onClose}>
      <ChoiceField<IncidentKind> {...form.getInputProps('kind')} label="What is it?" choices={kindChoices} />
      <TextInput
        {...form.getInputProps('title')}
        label="Title"
        description="It goes out in alerts: leave out what is confidential."
        required
        maxLength={255}
      />
      {form.values.kind === 'vulnerability' ? (
        <TextInput
          {...form.getInputProps('vulnerability')}
          label="Vulnerability"
          description="Its CVE, or its EUVD, GHSA or OSV id."
          required
          maxLength={200}
        />
      ) : null}
      <OpeningFields
        getInputProps={form.getInputProps}
        families={families}
        timeZone={timeZone}
        isWithoutFamily={form.values.families.length === 0}
      />
      <Checkbox
        {...form.getInputProps('isExercise', { type: 'checkbox' })}
        label="A drill"
        description="Nobody outside is told, no statistics count it, and nothing is filed."
      />
    </Form>
  )
}

function bodyOf(typed: Typed, timeZone: string): Body {
  const awareAt = instantOf(typed.awareAt, timeZone)
  return {
    ...openingBody(typed),
    isExercise: typed.isExercise,
    ...(awareAt === undefined ? {} : { awareAt }),
  }
}
