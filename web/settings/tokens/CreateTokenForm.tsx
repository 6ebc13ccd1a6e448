import { visibleText } from '#contract/hidden-characters.ts'
import { Input, NativeSelect, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import type { FamilyName } from '#contract/products/shapes.ts'
import { createToken, type NewToken } from '#contract/tokens/operations.ts'
import { tokenKinds, tokenPermission, type TokenExpiryDays, type TokenKind } from '#contract/tokens/shapes.ts'
import { refusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { Unread } from '../../kit/page/Loaded.tsx'
import { familyNamesQuery } from '../../families/queries.ts'
import { useQuery } from '@tanstack/react-query'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ChoiceField } from '../../kit/form/ChoiceField.tsx'
import { Form } from '../../kit/form/Form.tsx'
import { useSendForm, type SendForm } from '../../kit/form/use-send-form.ts'
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

type Typed = { name: string; kind: TokenKind; familyId: string; expiresInDays: ExpiryChoice }

export function CreateTokenForm({ familyId, families, onCreated, onCancel }: Props): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm<Typed, NewToken>({
    initialValues: { name: '', kind: 'upload', familyId: familyId ?? '', expiresInDays: '365' },
    inputOf: newToken,
    send: useAct({
      slug,
      final: true,
      send: (body: NewToken) => call(createToken, { params: { slug }, body }),
      onDone: ({ secret }) => {
        onCreated(secret)
      },
    }),
  })
  return (
    <Form state={form.state} verb="Create token" onCancel={onCancel}>
      <TextInput
        {...form.getInputProps('name')}
        label="Name"
        description="Shown as “Sent by” on each SBOM it sends. With one token per pipeline you can revoke a single pipeline’s access."
        required
        maxLength={80}
        data-autofocus
      />
      <Unread query={useQuery(familyNamesQuery(slug))} />
      <KindField form={form} />
      {form.values.kind === 'workspace' ? null : <FamilyField form={form} families={families} />}
      <ExpiryField form={form} />
    </Form>
  )
}

function newToken({ name, kind, familyId, expiresInDays }: Typed): NewToken {
  return {
    name: name.trim(),
    kind,
    familyId: kind === 'workspace' ? null : familyId,
    expiresInDays: expiryChoices.find(({ value }) => value === expiresInDays)?.days ?? null,
  }
}

type FieldProps = { form: SendForm<Typed> }

function KindField({ form }: FieldProps): ReactNode {
  const workspace = useWorkspace()
  return (
    <ChoiceField
      label="Permissions"
      {...form.getInputProps('kind')}
      choices={tokenKinds.map((kind) => {
        const reason = refusal(workspace, tokenPermission(kind))
        const { name, can } = kindWords[kind]
        return {
          value: kind,
          label: name,
          description: reason === undefined ? can : `${can} ${reason}`,
          disabled: reason !== undefined,
        }
      })}
    />
  )
}

function FamilyField({ form, families }: FieldProps & { families: FamilyName[] }): ReactNode {
  return (
    <NativeSelect
      {...form.getInputProps('familyId')}
      label="Product family"
      required
      data={[
        { value: '', label: 'Choose a family', disabled: true },
        ...families.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
      ]}
    />
  )
}

function ExpiryField({ form }: FieldProps): ReactNode {
  const labelId = useId()
  const error = form.errors['expiresInDays']
  return (
    <Stack gap={6}>
      <Input.Label id={labelId} component="span">
        Expires after
      </Input.Label>
      <SegmentedControl
        {...form.getInputProps('expiresInDays', { withError: false })}
        aria-labelledby={labelId}
        fullWidth
        data={expiryChoices.map(({ value, label }) => ({ value, label }))}
      />
      {error === undefined ? null : <Input.Error>{error}</Input.Error>}
    </Stack>
  )
}
