import { Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { incidentLimits } from '#contract/incidents/limits.ts'
import type { IncidentKind } from '#contract/incidents/words.ts'
import type { FindingDetail } from '#contract/findings/shapes.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { openIncident } from '#contract/incidents/operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import { call } from '../../kit/api/call.ts'
import { familyNamesQuery } from '../../families/queries.ts'
import { findingQuery } from '../../findings/queries.ts'
import { Loaded, Unread } from '../../kit/page/Loaded.tsx'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { ChoiceField } from '../../kit/form/ChoiceField.tsx'
import { Form } from '../../kit/form/Form.tsx'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { instantOf, localTimeNow } from '../../kit/time/local-time.ts'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { kindChoices } from '../kind-choices.ts'
import { openingBody, openingErrors, OpeningFields, type TypedOpening } from '../opening-fields.tsx'

/** What the page already knows; `malware`: a finding. */
type Known = {
  vulnerability?: string | undefined
  family?: string | undefined
  malware?: string | undefined
}
type Props = { opened: boolean; onClose: () => void; known: Known; isDrill: boolean }

/** Opens an incident by hand, for what no catalogue lists, or what is not a vulnerability; or a drill, and nothing else. */
export function OpenIncidentModal({ opened, onClose, known, ...asked }: Props): ReactNode {
  // what it is while it fades away, too
  const [isDrill, setDrill] = useState(asked.isDrill)
  if (opened && isDrill !== asked.isDrill) setDrill(asked.isDrill)
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      title={isDrill ? 'Start a drill' : 'Open an incident'}
      size={600}
    >
      {known.malware === undefined || isDrill ? (
        <OpenForm
          key={String(isDrill)}
          onClose={onClose}
          typed={{ ...typedFrom(known), isExercise: isDrill }}
          isDrill={isDrill}
        />
      ) : (
        <OpenForMalware onClose={onClose} finding={known.malware} />
      )}
    </FormModal>
  )
}

const maxTitleCharacters = incidentLimits.titleCharacters

type Typed = TypedOpening & { isExercise: boolean }

type Body = BodyOf<typeof openIncident>
type FormProps = { onClose: () => void; typed: Partial<Typed> }

function typedFrom({ vulnerability = '', family }: Known): Partial<Typed> {
  return { title: vulnerability, vulnerability, families: family === undefined ? [] : [family] }
}

/** Malware in a product is a severe incident where it can run (CRA Art. 14(5)(b)): known facts are filled in. */
function OpenForMalware({ onClose, finding: id }: { onClose: () => void; finding: string }): ReactNode {
  const { slug } = useWorkspace()
  return (
    <Loaded query={useQuery(findingQuery(slug, id))}>
      {(finding) => <OpenForm onClose={onClose} typed={typedForMalware(finding)} />}
    </Loaded>
  )
}

function typedForMalware({ title, familyId, components: [component] }: FindingDetail): Partial<Typed> {
  const part = [component?.name, component?.version].filter(Boolean).join(' ')
  const vulnerability = visibleText(title)
  const named = part === '' ? vulnerability : `${part} (${vulnerability})`
  return {
    kind: 'severe_incident',
    title: visibleText(`Malware in the product: ${named}`).slice(0, maxTitleCharacters),
    families: [familyId],
    severity: 'critical',
  }
}

function useOpenForm({ onClose, typed }: FormProps) {
  const { slug, timeZone } = useWorkspace()
  const navigate = useNavigate()
  return useSendForm<Typed, Body>({
    initialValues: {
      kind: 'vulnerability',
      title: '',
      vulnerability: '',
      families: [],
      severity: 'high',
      awareAt: localTimeNow(timeZone),
      isAnother: false,
      isExercise: false,
      ...typed,
    },
    inputOf: (values) => bodyOf(values, timeZone),
    send: useAct({
      slug,
      send: (body: Body) => call(openIncident, { params: { slug }, body }),
      done: ({ isExercise }) =>
        isExercise === true
          ? 'The drill has begun. Its clocks run.'
          : 'The incident is open. Its clocks run.',
      closes: async ({ id }) => {
        onClose()
        await navigate(pages.incident(slug, id))
      },
    }),
    errorsOf: openingErrors,
  })
}

/** `isDrill`: the box cannot be cleared, so that whoever came to practise opens nothing real. */
function OpenForm({ onClose, typed, isDrill = false }: FormProps & { isDrill?: boolean }): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const asked = useQuery(familyNamesQuery(slug))
  const families = asked.data ?? []
  const form = useOpenForm({ onClose, typed })
  return (
    <Form state={form.state} verb={isDrill ? 'Start drill' : 'Open incident'} onCancel={onClose}>
      <Unread query={asked} />
      <ChoiceField<IncidentKind> {...form.getInputProps('kind')} label="What is it?" choices={kindChoices} />
      <TextInput
        {...form.getInputProps('title')}
        label="Title"
        description={isDrill ? undefined : 'It goes out in alerts: leave out what is confidential.'}
        required
        maxLength={maxTitleCharacters}
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
      <OpeningFields form={form} families={families} timeZone={timeZone} />
      <Checkbox
        {...form.getInputProps('isExercise', { type: 'checkbox' })}
        disabled={isDrill}
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
