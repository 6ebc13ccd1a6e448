import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { justifications } from '#contract/vex/shapes.ts'
import { ChoiceField } from '../../kit/form/ChoiceField.tsx'
import type { SendForm } from '../../kit/form/use-send-form.ts'
import { justificationWords, offeredVerdicts, verdictLooks } from '../verdict.ts'
import type { DecisionDraft, DecisionSubject } from './decision-draft.ts'

type FieldProps = { form: SendForm<DecisionDraft> }

export function VerdictField({ form }: FieldProps): ReactNode {
  return (
    <ChoiceField
      {...form.getInputProps('verdict')}
      label="Verdict"
      withAsterisk
      choices={offeredVerdicts.map((verdict) => ({
        value: verdict,
        label: verdictLooks[verdict].word,
        description: verdictLooks[verdict].meaning,
      }))}
    />
  )
}

/** Why a product is not affected, in plain words; exports carry the standard label. */
export function JustificationField({ form }: FieldProps): ReactNode {
  const { justification } = form.values
  return (
    <NativeSelect
      {...form.getInputProps('justification')}
      label="Why it is not affected"
      description={
        justification === null
          ? 'One of the five reasons defined by VEX. Without one, the comment must say why.'
          : justificationWords[justification].meaning
      }
      value={justification ?? ''}
      data={[
        { value: '', label: 'Another reason, in the comment' },
        ...justifications.map((label) => ({ value: label, label: justificationWords[label].name })),
      ]}
      onChange={(event) => {
        const chosen = justifications.find((label) => label === event.currentTarget.value)
        form.setFieldValue('justification', chosen ?? null)
      }}
    />
  )
}

export function CommentField({ form }: FieldProps): ReactNode {
  return (
    <Textarea
      {...form.getInputProps('comment')}
      label="Comment"
      description="What you looked at, and why. It is kept with the verdict and included in exports."
      autosize
      minRows={2}
      maxRows={8}
      onChange={(event) => {
        form.setFieldValue('comment', event.currentTarget.value)
        // A comment counts as a reason, too.
        form.clearFieldError('justification')
      }}
    />
  )
}

/** The product versions the verdict applies to. It follows the package through version updates. */
export function ScopeField({ form, subject }: FieldProps & { subject: DecisionSubject }): ReactNode {
  const { scopes, packages } = subject
  return (
    <ChoiceField
      label="Applies to"
      description={`It follows ${packages}, even when a later SBOM contains another version.`}
      value={form.values.everyVersion ? 'every' : 'this'}
      onChange={(scope) => {
        form.setFieldValue('everyVersion', scope === 'every')
      }}
      choices={[
        {
          value: 'this',
          label: scopes.only,
          description: 'Other product versions need a verdict of their own.',
        },
        {
          value: 'every',
          label: scopes.every,
          description: 'Including later versions, until it is revoked.',
        },
      ]}
    />
  )
}

export function LastDayField({ form, today }: FieldProps & { today: string }): ReactNode {
  return (
    <TextInput
      {...form.getInputProps('expiresAt')}
      type="date"
      label="Valid until"
      description="The last day the verdict applies. Leave it empty for no end date."
      min={today}
      maw={220}
      styles={{ description: { width: 'max-content', maxWidth: 'min(540px, 80vw)' } }}
    />
  )
}
