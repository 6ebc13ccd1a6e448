import { Button, NativeSelect, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useCallback, useContext, type Dispatch, type ReactNode, type SetStateAction } from 'react'
import {
  advisorySeverities,
  advisorySeverityNames,
  tlpLabels,
  type AdvisoryContent,
  type DraftProduct,
  type DraftVulnerability,
} from '#contract/advisories/shapes.ts'
import { Card } from '../../kit/page/Card.tsx'
import { CreditFields } from './CreditFields.tsx'
import { fieldId, OpenVulnerability, useProblem, withEntry, withoutEntry } from './fields.ts'
import { FieldProblem } from './FieldProblem.tsx'
import { ProductField } from './ProductField.tsx'
import { ReferenceFields } from './ReferenceFields.tsx'
import { LineField, TextField } from './TextField.tsx'
import { VulnerabilityCard } from './vulnerability/VulnerabilityCard.tsx'
import styles from './vulnerability/VulnerabilityCard.module.css'
import { VulnerabilityFields } from './vulnerability/VulnerabilityFields.tsx'

type Scores = NonNullable<AdvisoryContent['vulnerabilities'][number]['scores']>
type Props = {
  content: AdvisoryContent
  /** The viewer may not edit. */
  isLocked: boolean
  onChange: Dispatch<SetStateAction<AdvisoryContent>>
}

const newVulnerability = {
  cve: '',
  ids: [],
  title: '',
  description: '',
  statuses: [],
  remediations: [],
  exploits: [],
  references: [],
}

/** All fields of a draft; texts are plain text in English. */
export function DraftFields({ content, isLocked, onChange }: Props): ReactNode {
  const { set, setVulnerability, setProducts } = useParts(onChange)
  const { vulnerabilities } = content
  const { open, setOpen } = useContext(OpenVulnerability)
  return (
    <Stack gap="lg">
      <Lockable isLocked={isLocked}>
        <DocumentFields content={content} set={set} setProducts={setProducts} />
      </Lockable>
      {vulnerabilities.map((vulnerability, index) => (
        <VulnerabilityCard
          key={index}
          index={index}
          vulnerability={vulnerability}
          isOpen={open === index}
          isLocked={isLocked}
          onToggle={() => {
            setOpen(open === index ? null : index)
          }}
          onRemove={() => {
            set({ vulnerabilities: withoutEntry(vulnerabilities, index) })
            setOpen(null)
          }}
        >
          <Lockable isLocked={isLocked}>
            <VulnerabilityFields
              index={index}
              products={content.products}
              vulnerability={vulnerability}
              onChange={setVulnerability}
            />
          </Lockable>
        </VulnerabilityCard>
      ))}
      <Lockable isLocked={isLocked}>
        <WholeFields content={content} set={set} />
      </Lockable>
    </Stack>
  )
}

/** Stable change handlers, so that unchanged parts are not rendered again. */
function useParts(onChange: Props['onChange']) {
  const set = useCallback(
    (change: Partial<AdvisoryContent>) => {
      onChange((before) => ({ ...before, ...change }))
    },
    [onChange],
  )
  const setVulnerability = useCallback(
    (index: number, next: DraftVulnerability) => {
      onChange((before) => ({ ...before, vulnerabilities: withEntry(before.vulnerabilities, index, next) }))
    },
    [onChange],
  )
  const setProducts = useCallback(
    (products: DraftProduct[]) => {
      onChange((before) => ({
        ...before,
        products,
        vulnerabilities: withoutOthers(before.vulnerabilities, products),
      }))
    },
    [onChange],
  )
  return { set, setVulnerability, setProducts }
}

/** Disabled fields of a form can be read but not changed. */
function Lockable({ isLocked, children }: { isLocked: boolean; children: ReactNode }): ReactNode {
  return (
    <fieldset disabled={isLocked} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
      {children}
    </fieldset>
  )
}

/** Below the vulnerabilities: adding one, and the fields of the whole document. */
function WholeFields({ content, set }: PartProps): ReactNode {
  const { setOpen } = useContext(OpenVulnerability)
  const { vulnerabilities } = content
  return (
    <Stack gap="lg">
      <Stack gap={4} align="flex-start">
        <Button
          id={fieldId('vulnerabilities')}
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => {
            set({ vulnerabilities: [...vulnerabilities, newVulnerability] })
            setOpen(vulnerabilities.length)
          }}
        >
          Add vulnerability
        </Button>
        <FieldProblem field="vulnerabilities" />
      </Stack>
      <Card title="Links and credits">
        <Stack gap="md">
          <ReferenceFields
            field="references"
            references={content.references}
            onChange={(references) => {
              set({ references })
            }}
          />
          <CreditFields
            field="acknowledgments"
            label="Credits"
            credits={content.acknowledgments}
            onChange={(acknowledgments) => {
              set({ acknowledgments })
            }}
          />
        </Stack>
      </Card>
      <NoteFields content={content} set={set} />
    </Stack>
  )
}

type PartProps = { content: AdvisoryContent; set: (change: Partial<AdvisoryContent>) => void }

type DocumentProps = PartProps & { setProducts: (products: DraftProduct[]) => void }

function DocumentFields({ content, set, setProducts }: DocumentProps): ReactNode {
  const tlpProblem = useProblem('tlp')
  return (
    <Card title="Advisory">
      <Stack gap="md">
        <LineField
          field="title"
          label="Title"
          description="Texts are plain and in English; markup is shown as typed."
          value={content.title}
          onChange={(title) => {
            set({ title })
          }}
        />
        <TextField
          field="summary"
          label="Summary"
          value={content.summary}
          onChange={(summary) => {
            set({ summary })
          }}
        />
        <div className={styles['pair']}>
          <SeverityField content={content} set={set} />
          <NativeSelect
            id={fieldId('tlp')}
            label="TLP"
            description="Only WHITE is public, and it stays public."
            error={tlpProblem}
            value={content.tlp}
            data={[...tlpLabels]}
            onChange={(event) => {
              const tlp = tlpLabels.find((one) => one === event.currentTarget.value)
              if (tlp !== undefined) set({ tlp })
            }}
          />
        </div>
        <ProductField products={content.products} onChange={setProducts} />
      </Stack>
    </Card>
  )
}

function SeverityField({ content, set }: PartProps): ReactNode {
  const problem = useProblem('severity')
  return (
    <NativeSelect
      id={fieldId('severity')}
      label="Severity"
      description="Of the whole, as readers and lists show it."
      error={problem}
      value={content.severity ?? ''}
      data={[
        { value: '', label: 'Not stated' },
        ...advisorySeverities.map((value) => ({ value, label: advisorySeverityNames[value] })),
      ]}
      onChange={(event) => {
        set({ severity: advisorySeverities.find((one) => one === event.currentTarget.value) ?? null })
      }}
    />
  )
}

function NoteFields({ content, set }: PartProps): ReactNode {
  return (
    <Card title="Notes">
      <Stack gap="md">
        <TextField
          field="generalNote"
          label="General note"
          description="What else readers of the whole advisory should know."
          value={content.generalNote ?? ''}
          onChange={(generalNote) => {
            set({ generalNote })
          }}
        />
        <TextField
          field="legalNote"
          label="Legal note"
          value={content.legalNote ?? ''}
          onChange={(legalNote) => {
            set({ legalNote })
          }}
        />
      </Stack>
    </Card>
  )
}

/** Removes everything said about a removed version. */
function withoutOthers(
  vulnerabilities: AdvisoryContent['vulnerabilities'],
  products: readonly DraftProduct[],
): AdvisoryContent['vulnerabilities'] {
  const picked = new Set(products.map(({ versionId }) => versionId))
  return vulnerabilities.map((vulnerability) => ({
    ...vulnerability,
    statuses: vulnerability.statuses.filter(({ versionId }) => picked.has(versionId)),
    remediations: vulnerability.remediations.map((remediation) => ({
      ...remediation,
      versionIds: remediation.versionIds.filter((versionId) => picked.has(versionId)),
    })),
    ...(vulnerability.scores === undefined
      ? {}
      : { scores: withoutOtherScores(vulnerability.scores, picked) }),
  }))
}

/** A score goes when its last version goes: without any version it would apply to all. */
function withoutOtherScores(scores: Scores, picked: ReadonlySet<string>): Scores {
  return scores.flatMap((score) => {
    const versionIds = score.versionIds.filter((versionId) => picked.has(versionId))
    return score.versionIds.length > 0 && versionIds.length === 0 ? [] : [{ ...score, versionIds }]
  })
}
