import { visibleText } from '../../../src/contract/hidden-characters.ts'
import { Button, Group, Input, NativeSelect, Radio, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useId, useState, type SubmitEvent, type ReactNode } from 'react'
import type { FamilyName } from '../../../src/contract/app.ts'
import { createToken, type NewToken } from '../../../src/contract/operations/tokens.ts'
import {
  tokenKinds,
  tokenPermission,
  type TokenExpiryDays,
  type TokenKind,
} from '../../../src/contract/tokens.ts'
import { refusal } from '../../access.ts'
import { call } from '../../api/call.ts'
import { useAct } from '../../api/use-act.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { fieldErrors, formError } from '../../ui/field-errors.ts'
import { formText } from '../../ui/form-text.ts'
import { Problem } from '../../ui/Problem.tsx'
import { kindWords } from './token-facts.tsx'

type Props = {
  familyId: string | undefined
  families: FamilyName[]
  onCreated: (secret: string) => void
  onCancel: () => void
}

const expiryChoices = [
  { value: '30', label: '30 days', days: 30 },
  { value: '90', label: '90 days', days: 90 },
  { value: '365', label: '1 year', days: 365 },
  { value: 'never', label: 'Never', days: null },
] as const satisfies { value: string; label: string; days: TokenExpiryDays }[]
type ExpiryChoice = (typeof expiryChoices)[number]['value']

export function CreateTokenForm({ familyId, families, onCreated, onCancel }: Props): ReactNode {
  const { slug } = useWorkspace()
  const [kind, setKind] = useState<TokenKind>('upload')
  const [expiry, setExpiry] = useState<ExpiryChoice>('365')
  const create = useAct({
    slug,
    final: true,
    send: (body: NewToken) => call(createToken, { params: { slug }, body }),
    onDone: ({ secret }) => {
      onCreated(secret)
    },
  })
  const errors = fieldErrors(create.error)
  const refused = formError(create.error, ['name', 'familyId'])

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    create.mutate({
      name: formText(form, 'name').trim(),
      kind,
      familyId: kind === 'workspace' ? null : formText(form, 'familyId'),
      expiresInDays: expiryChoices.find(({ value }) => value === expiry)?.days ?? null,
    })
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {refused === undefined ? null : <Problem error={refused} />}
        <TextInput
          name="name"
          label="Name"
          description="Shown as “Sent by” on each SBOM it sends. One token per pipeline lets you revoke one job alone."
          required
          maxLength={80}
          data-autofocus
          error={errors['name']}
        />
        <KindField kind={kind} onKind={setKind} />
        {kind === 'workspace' ? null : (
          <FamilyField familyId={familyId} families={families} error={errors['familyId']} />
        )}
        <ExpiryField expiry={expiry} onExpiry={setExpiry} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create token
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function KindField({ kind, onKind }: { kind: TokenKind; onKind: (kind: TokenKind) => void }): ReactNode {
  const workspace = useWorkspace()
  return (
    <Radio.Group
      label="It may"
      value={kind}
      onChange={(value) => {
        const next = tokenKinds.find((choice) => choice === value)
        if (next !== undefined) onKind(next)
      }}
    >
      <Stack gap="xs" mt={6}>
        {tokenKinds.map((choice) => {
          const reason = refusal(workspace, tokenPermission(choice))
          const { name, can } = kindWords[choice]
          return (
            <Radio
              key={choice}
              value={choice}
              label={name}
              description={reason === undefined ? can : `${can} ${reason}`}
              disabled={reason !== undefined}
            />
          )
        })}
      </Stack>
    </Radio.Group>
  )
}

type FamilyFieldProps = { familyId: string | undefined; families: FamilyName[]; error: string | undefined }

function FamilyField({ familyId, families, error }: FamilyFieldProps): ReactNode {
  return (
    <NativeSelect
      name="familyId"
      label="Product family"
      required
      defaultValue={familyId ?? ''}
      data={[
        { value: '', label: 'Choose a family', disabled: true },
        ...families.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
      ]}
      error={error}
    />
  )
}

type ExpiryFieldProps = { expiry: ExpiryChoice; onExpiry: (expiry: ExpiryChoice) => void }

function ExpiryField({ expiry, onExpiry }: ExpiryFieldProps): ReactNode {
  const labelId = useId()
  return (
    <Stack gap={6}>
      <Input.Label id={labelId} component="span">
        Expires after
      </Input.Label>
      <SegmentedControl
        aria-labelledby={labelId}
        fullWidth
        data={expiryChoices.map(({ value, label }) => ({ value, label }))}
        value={expiry}
        onChange={onExpiry}
      />
    </Stack>
  )
}
