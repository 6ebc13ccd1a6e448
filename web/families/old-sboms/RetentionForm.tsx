import { Checkbox, NumberInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { BodyOf } from '#contract/operation.ts'
import type { FamilyDetail } from '#contract/products/shapes.ts'
import { sbomRetentionLimits, type KeptSbomRetention, type SbomKeep } from '#contract/sbom/retention.ts'
import { changeSbomRetention } from '#contract/sbom/retention-operations.ts'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { ChoiceField, type Choice } from '../../kit/form/ChoiceField.tsx'
import { Form } from '../../kit/form/Form.tsx'
import { useSendForm, type SendForm } from '../../kit/form/use-send-form.ts'
import { formatNoun } from '../../kit/text/format.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { sbomRetentionCountQuery } from '../queries.ts'
import { RetentionCount } from './RetentionCount.tsx'
import { retentionWords } from './words.ts'

type Props = { family: FamilyDetail; retention: KeptSbomRetention; onClose: () => void }
type Body = BodyOf<typeof changeSbomRetention>
type Typed = { keep: SbomKeep; amount: string | number; isCraLifted: boolean }

const pauseMs = 250
const usualAmounts = { last: 10, days: 365 }

const choices: Choice<SbomKeep>[] = [
  { value: 'all', label: 'Keep all', description: 'Nothing is removed.' },
  {
    value: 'last',
    label: 'Keep the last ones of each version',
    description: 'For pipelines that upload the same version again and again.',
  },
  {
    value: 'days',
    label: 'Keep each for some days',
    description: 'Counted from when a later SBOM took its place.',
  },
]

/** Chooses what is kept, and counts what that would remove before it is saved. */
export function RetentionForm({ family, retention, onClose }: Props): ReactNode {
  const { slug } = useWorkspace()
  const { keep, amount, isCraLifted } = retention
  const form = useSendForm<Typed, Body>({
    initialValues: { keep, amount: amount ?? '', isCraLifted },
    inputOf: bodyOf,
    send: useAct({
      slug,
      send: (body: Body) => call(changeSbomRetention, { params: { slug, family: family.id }, body }),
      done: (body) => retentionWords(body),
      closes: onClose,
    }),
  })
  const [body] = useDebouncedValue(bodyOf(form.values), pauseMs)
  const count = useQuery({
    ...sbomRetentionCountQuery(slug, family.id, body),
    enabled: isComplete(body),
    placeholderData: keepPreviousData,
  })
  const going = isComplete(body) && body.keep !== 'all' ? (count.data?.goes.sboms ?? 0) : 0
  return (
    <Form
      state={form.state}
      verb={going === 0 ? 'Save' : `Save and remove ${formatNoun(going, 'SBOM')}`}
      final={going > 0}
      onCancel={onClose}
    >
      <ChoiceField
        {...form.getInputProps('keep')}
        label="SBOMs that a later one of the same version has replaced"
        description="The newest SBOM of each version and the active one always stay."
        choices={choices}
        onChange={(chosen: SbomKeep) => {
          form.setFieldValue('keep', chosen)
          if (chosen !== 'all') form.setFieldValue('amount', usualAmounts[chosen])
        }}
      />
      {form.values.keep === 'all' ? null : (
        <>
          <AmountField form={form} keep={form.values.keep} />
          <CraField form={form} />
          <RetentionCount query={count} isAsked={isComplete(body)} />
        </>
      )}
    </Form>
  )
}

type AmountProps = { form: SendForm<Typed>; keep: 'last' | 'days' }

function AmountField({ form, keep }: AmountProps): ReactNode {
  return (
    <NumberInput
      {...form.getInputProps('amount')}
      label={keep === 'last' ? 'Replaced SBOMs of each version' : 'Days'}
      min={1}
      max={sbomRetentionLimits[keep]}
      allowDecimal={false}
      required
      maw={320}
    />
  )
}

/** Judging the law is up to the company; the text says what the law asks and what the tick means. */
function CraField({ form }: { form: SendForm<Typed> }): ReactNode {
  return (
    <Checkbox
      {...form.getInputProps('isCraLifted', { type: 'checkbox' })}
      label="Our company decides that CRA Art. 13(13) holds none of them back"
      description="The article has manufacturers keep the technical documentation, and the SBOM is part of it, for ten years after the product was placed on the market, or for the support period where that is longer. Tick this only where it does not apply to this product, or where you keep these SBOMs elsewhere. The audit trail keeps who decided it, and when."
    />
  )
}

function bodyOf({ keep, amount, isCraLifted }: Typed): Body {
  if (keep === 'all') return { keep, amount: null, isCraLifted: false }
  return { keep, amount: amount === '' ? null : Number(amount), isCraLifted }
}

/** Complete enough for the service to count. */
function isComplete({ keep, amount }: Body): boolean {
  if (keep === 'all') return false
  return Number.isInteger(amount) && Number(amount) >= 1 && Number(amount) <= sbomRetentionLimits[keep]
}
