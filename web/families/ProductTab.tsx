import { MultiSelect, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FamilyDetail } from '#contract/products/shapes.ts'
import { memberStates } from '#contract/incidents/member-states.ts'
import { changeProductFacts, getProductFacts } from '#contract/products/operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import {
  productFactLimits,
  type KeptProductFacts,
  type ProductClass,
  type ProductType,
} from '#contract/incidents/product-facts.ts'
import { refusal } from '../workspaces/access.ts'
import { call } from '../kit/api/call.ts'
import { queryOf } from '../kit/api/query-of.ts'
import { useAct } from '../kit/api/use-act.ts'
import { useLatest } from '../kit/api/use-latest.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { AllowedForm } from '../kit/form/AllowedForm.tsx'
import { useSendForm, type SendForm } from '../kit/form/use-send-form.ts'
import { Card } from '../kit/page/Card.tsx'
import { Foreign } from '../kit/text/Foreign.tsx'
import { Moment } from '../kit/time/Time.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'

/** What every report to an authority asks about the product, entered once in advance. */
export function ProductTab({ family }: { family: FamilyDetail }): ReactNode {
  const { slug } = useWorkspace()
  const facts = useQuery(queryOf(getProductFacts, { params: { slug, family: family.id } }))
  return <Loaded query={facts}>{(known) => <ProductForm familyId={family.id} facts={known} />}</Loaded>
}

/** Empty string: unknown. */
type Typed = {
  memberStates: string[]
  productType: '' | ProductType
  productClass: '' | ProductClass
  category: string
  supportEndsOn: string
  userContact: string
}
type Body = BodyOf<typeof changeProductFacts>

function ProductForm({ familyId, facts }: { familyId: string; facts: KeptProductFacts }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const refused = refusal(workspace, changeProductFacts.permission)
  const form = useSendForm<Typed, Body>({
    initialValues: typedOf(facts),
    latest: useLatest(getProductFacts, { params: { slug, family: familyId } }, typedOf),
    inputOf: bodyOf,
    send: useAct({
      slug,
      send: (body: Body) => call(changeProductFacts, { params: { slug, family: familyId }, body }),
      done: () => 'The product facts are saved. New drafts begin with them.',
    }),
  })
  return (
    <AllowedForm state={form.state} verb="Save product facts" refused={refused}>
      <Card title="Product facts" aside={<Changed facts={facts} />}>
        <Stack gap="sm">
          <Text>
            Reports to authorities ask for these whatever has happened. Every draft begins with them; one that
            is already saved shows what has changed since.
          </Text>
          <FactFields form={form} isFixed={refused !== undefined} />
        </Stack>
      </Card>
    </AllowedForm>
  )
}

function Changed({ facts: { changedAt, changedBy } }: { facts: KeptProductFacts }): ReactNode {
  if (changedAt === null) return <span className="dimmed">nothing entered yet</span>
  return (
    <span className="dimmed">
      changed by <Foreign>{changedBy ?? ''}</Foreign>, <Moment at={changedAt} />
    </span>
  )
}

type FieldsProps = { form: SendForm<Typed>; isFixed: boolean }

function FactFields({ form, isFixed }: FieldsProps): ReactNode {
  return (
    <>
      <MultiSelect
        {...form.getInputProps('memberStates')}
        label="Member States where the product is available"
        description="The authorities of these states are told."
        data={Object.entries(memberStates).map(([value, label]) => ({ value, label }))}
        searchable
        clearable
        disabled={isFixed}
      />
      <TypeFields form={form} />
      <TextInput
        {...form.getInputProps('supportEndsOn')}
        type="date"
        label="Last day of the support period"
        description="Drafts use it to say whether support has ended."
        maw={420}
      />
      <TextInput
        {...form.getInputProps('userContact')}
        label="Contact for users"
        description="Where users of the product get help: an e-mail address, a phone number or a page. Drafts name it where they say what users can do."
        maxLength={productFactLimits.userContact}
      />
    </>
  )
}

/** The CRA category of the product, which decides how it is assessed. */
function TypeFields({ form }: { form: SendForm<Typed> }): ReactNode {
  const { productType } = form.values
  return (
    <>
      <NativeSelect
        {...form.getInputProps('productType')}
        label="Product type"
        description="Important products are listed in Annex III of the CRA, critical ones in Annex IV."
        data={[
          { value: '', label: 'Not answered' },
          { value: 'default', label: 'Default' },
          { value: 'important', label: 'Important' },
          { value: 'critical', label: 'Critical' },
        ]}
        maw={420}
      />
      {productType === 'important' ? (
        <NativeSelect
          {...form.getInputProps('productClass')}
          label="Product class"
          data={[
            { value: '', label: 'Not answered' },
            { value: 'class_1', label: 'Class I' },
            { value: 'class_2', label: 'Class II' },
          ]}
          maw={420}
        />
      ) : null}
      {productType === 'important' || productType === 'critical' ? (
        <TextInput
          {...form.getInputProps('category')}
          label="Product category"
          description="In the words of the annex, such as “password managers”."
          maxLength={productFactLimits.category}
        />
      ) : null}
    </>
  )
}

function typedOf(facts: KeptProductFacts): Typed {
  return {
    memberStates: facts.memberStates,
    productType: facts.productType ?? '',
    productClass: facts.productClass ?? '',
    category: facts.category ?? '',
    supportEndsOn: facts.supportEndsOn ?? '',
    userContact: facts.userContact ?? '',
  }
}

/** Class and category that the chosen type does not have are hidden and left out. */
function bodyOf(typed: Typed): Body {
  const { productType } = typed
  const hasCategory = productType === 'important' || productType === 'critical'
  return {
    memberStates: typed.memberStates,
    productType: productType === '' ? null : productType,
    productClass: productType !== 'important' || typed.productClass === '' ? null : typed.productClass,
    category: hasCategory ? emptyAsNull(typed.category) : null,
    supportEndsOn: emptyAsNull(typed.supportEndsOn),
    userContact: emptyAsNull(typed.userContact),
  }
}

function emptyAsNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}
