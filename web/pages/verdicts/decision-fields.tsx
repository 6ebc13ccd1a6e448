import { NativeSelect, Radio, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { justifications, type Justification, type Verdict } from '../../../src/contract/vex.ts'
import { justificationWords, offeredVerdicts, verdictLooks } from '../../ui/verdict.ts'
import type { DecisionSubject } from './decision-draft.ts'

type VerdictFieldProps = {
  value: Verdict | null
  error: string | undefined
  onChange: (next: Verdict) => void
}

export function VerdictField({ value, error, onChange }: VerdictFieldProps): ReactNode {
  return (
    <Radio.Group
      label="Verdict"
      withAsterisk
      value={value}
      error={error}
      onChange={(chosen) => {
        const next = offeredVerdicts.find((verdict) => verdict === chosen)
        if (next !== undefined) onChange(next)
      }}
    >
      <Stack gap="xs" my={6}>
        {offeredVerdicts.map((verdict) => (
          <Radio
            key={verdict}
            value={verdict}
            label={verdictLooks[verdict].word}
            description={verdictLooks[verdict].meaning}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

type JustificationFieldProps = {
  value: Justification | null
  error: string | undefined
  onChange: (next: Justification | null) => void
}

/** Why a product is not affected, in plain words; documents that are exported carry the standard label. */
export function JustificationField({ value, error, onChange }: JustificationFieldProps): ReactNode {
  return (
    <NativeSelect
      label="Why it is not affected"
      description={
        value === null
          ? 'One of the five reasons that VEX documents know. Without one, the comment must say why.'
          : justificationWords[value].meaning
      }
      value={value ?? ''}
      error={error}
      data={[
        { value: '', label: 'Another reason, in the comment' },
        ...justifications.map((label) => ({ value: label, label: justificationWords[label].name })),
      ]}
      onChange={(event) => {
        onChange(justifications.find((label) => label === event.currentTarget.value) ?? null)
      }}
    />
  )
}

type ScopeFieldProps = {
  subject: DecisionSubject
  everyVersion: boolean
  onChange: (everyVersion: boolean) => void
}

/** Which product versions the verdict holds for. It stays with the package, whatever the component's version. */
export function ScopeField({ subject, everyVersion, onChange }: ScopeFieldProps): ReactNode {
  const { scopes, packages } = subject
  return (
    <Radio.Group
      label="Holds for"
      description={`It stays with ${packages}, also when a later SBOM brings another version of it.`}
      value={everyVersion ? 'every' : 'this'}
      onChange={(value) => {
        onChange(value === 'every')
      }}
    >
      <Stack gap="xs" mt={6}>
        <Radio
          value="this"
          label={scopes.only}
          description="Another product version has to be judged by itself."
        />
        <Radio
          value="every"
          label={scopes.every}
          description="Later versions included, until it is revoked."
        />
      </Stack>
    </Radio.Group>
  )
}
