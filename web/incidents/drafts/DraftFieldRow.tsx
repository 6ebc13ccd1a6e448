import { Foreign } from '../../kit/text/Foreign.tsx'
import { visibleText } from '#contract/hidden-characters.ts'
import { MultiSelect, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCopyCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { KeptValue } from '#contract/incidents/kept-values.ts'
import { memberStates } from '#contract/incidents/member-states.ts'
import { draftCharacters, draftFieldText } from '#contract/incidents/report-draft-text.ts'
import type {
  DraftInput,
  DraftProblem,
  DraftRequirement,
  DraftStageField,
  DraftValue,
} from '#contract/incidents/report-drafts.ts'
import { Chip } from '../../kit/text/Chip.tsx'
import { CopyIcon } from '../../kit/text/CopyText.tsx'
import { formatCount } from '../../kit/text/format.ts'
import styles from './Draft.module.css'
import type { Choice, FieldChange } from './draft-changes.ts'
import { FieldChoice } from './FieldChoice.tsx'
import { KeptHint } from './KeptHint.tsx'

type Props = {
  field: DraftStageField
  value: DraftValue | undefined
  previous: DraftValue | undefined
  problem: DraftProblem | undefined
  /** Nothing can be saved here: read and copied only. */
  isReadOnly: boolean
  /** The value of the product, the company or the incident that is stored for this field, and when the draft was saved. */
  kept: { now: readonly KeptValue[]; savedAt: string | null }
  /** Who edited the field at the same time; their text is `saved`. */
  theirs: FieldChange['theirs']
  saved: DraftValue | undefined
  onChange: (value: DraftValue) => void
  onChoose: (choice: Choice) => void
}

const requirementNames: Record<DraftRequirement, string> = {
  required: 'required',
  optional: 'optional',
  copied: 'from the previous stage',
  if_known: 'required if known',
  if_late: 'required if late',
}

/** A field with the authority's explanation, its length limit and a copy button. */
export function DraftFieldRow(props: Props): ReactNode {
  const { field, value, previous, problem, isReadOnly, kept, theirs, saved, onChange, onChoose } = props
  const { label, number, input, requirement, isRequired } = field
  const isCopied = value !== undefined && JSON.stringify(value) === JSON.stringify(previous)
  return (
    <li className={styles['field']}>
      <div className={styles['input']}>
        <DraftInputField field={field} value={value} isReadOnly={isReadOnly} onChange={onChange} />
        {isReadOnly
          ? null
          : kept.now.map((one) => (
              <KeptHint
                key={one.left ?? one.with}
                input={input}
                value={value}
                kept={one}
                savedAt={kept.savedAt}
                onUse={onChange}
              />
            ))}
        {problem === undefined ? null : (
          <Text className={styles['problem']}>
            <IconAlertTriangle size={14} aria-hidden /> <Foreign>{problem.message}</Foreign>
          </Text>
        )}
        {theirs === undefined || isReadOnly ? null : (
          <FieldChoice name={label} input={input} theirs={theirs} saved={saved} onChoose={onChoose} />
        )}
      </div>
      <div className={styles['aside']}>
        <CopyIcon
          text={value === undefined ? '' : draftFieldText(input, value)}
          what={number === null ? label : `${number} ${label}`}
        />
        <span className="dimmed">
          {requirement === 'copied' && isRequired ? 'required' : requirementNames[requirement]}
        </span>
        <Counter input={input} value={value} />
        {isCopied ? (
          <Chip tone="neutral" Icon={IconCopyCheck} title="The same as at the previous stage">
            copied
          </Chip>
        ) : null}
      </div>
    </li>
  )
}

function Counter({ input, value }: { input: DraftInput; value: DraftValue | undefined }): ReactNode {
  if (input.kind !== 'text' || input.maxCharacters === null) return null
  const count = typeof value === 'string' ? draftCharacters(value) : 0
  return (
    <span className={styles['counter']} data-over={count > input.maxCharacters}>
      {formatCount(count)} of {formatCount(input.maxCharacters)}
    </span>
  )
}

type FieldProps = Pick<Props, 'field' | 'value' | 'isReadOnly' | 'onChange'>

function DraftInputField({ field, value, isReadOnly, onChange }: FieldProps): ReactNode {
  const { input, help, number, label: name } = field
  const label = number === null ? name : `${number} · ${name}`
  const words = typeof value === 'string' ? value : ''
  const common = { label, description: visibleText(help), value: words }
  switch (input.kind) {
    case 'list':
      return (
        <MultiSelect
          label={label}
          description={visibleText(help)}
          value={typeof value === 'object' ? [...value] : []}
          data={Object.entries(memberStates).map(([code, country]) => ({ value: code, label: country }))}
          searchable
          clearable={!isReadOnly}
          readOnly={isReadOnly}
          onChange={onChange}
        />
      )
    case 'date_time':
      return (
        <TextInput
          {...common}
          placeholder="2026-11-02T08:00:00Z"
          readOnly={isReadOnly}
          onChange={({ currentTarget }) => {
            onChange(currentTarget.value)
          }}
        />
      )
    case 'yes_no':
    case 'choice':
      return (
        <NativeSelect
          {...common}
          disabled={isReadOnly}
          data={[{ value: '', label: 'Not answered' }, ...choicesOf(input)]}
          onChange={({ currentTarget }) => {
            onChange(currentTarget.value)
          }}
        />
      )
    case 'text':
      return (
        <Textarea
          {...common}
          readOnly={isReadOnly}
          autosize
          minRows={(input.maxCharacters ?? 4_000) > 300 ? 3 : 1}
          maxRows={16}
          onChange={({ currentTarget }) => {
            onChange(currentTarget.value)
          }}
        />
      )
  }
}

function choicesOf(input: Extract<DraftInput, { kind: 'yes_no' | 'choice' }>) {
  if (input.kind === 'choice') return input.choices.map(({ value, label }) => ({ value, label }))
  return [
    { value: 'yes', label: 'Yes' },
    { value: 'no', label: 'No' },
  ]
}
