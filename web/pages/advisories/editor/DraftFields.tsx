import { Button, NativeSelect, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { tlpLabels, type AdvisoryContent, type DraftProduct } from '../../../../src/contract/advisories.ts'
import { Card } from '../../../ui/page/Card.tsx'
import { fieldId, useProblem, withEntry, withoutEntry } from './fields.ts'
import { FieldProblem } from './FieldProblem.tsx'
import { ListField } from './ListField.tsx'
import { ProductField } from './ProductField.tsx'
import { ReferenceFields } from './ReferenceFields.tsx'
import { LineField, TextField } from './TextField.tsx'
import { VulnerabilityFields } from './VulnerabilityFields.tsx'

type Props = { content: AdvisoryContent; onChange: (content: AdvisoryContent) => void }

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

/** Everything of a draft; texts are plain and in English. */
export function DraftFields({ content, onChange }: Props): ReactNode {
  const set = (change: Partial<AdvisoryContent>) => {
    onChange({ ...content, ...change })
  }
  const { vulnerabilities } = content
  return (
    <Stack gap="lg">
      <DocumentFields content={content} set={set} />
      {vulnerabilities.map((vulnerability, index) => (
        <VulnerabilityFields
          key={index}
          index={index}
          products={content.products}
          vulnerability={vulnerability}
          onChange={(next) => {
            set({ vulnerabilities: withEntry(vulnerabilities, index, next) })
          }}
          onRemove={() => {
            set({ vulnerabilities: withoutEntry(vulnerabilities, index) })
          }}
        />
      ))}
      <Stack gap={4} align="flex-start">
        <Button
          id={fieldId('vulnerabilities')}
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => {
            set({ vulnerabilities: [...vulnerabilities, newVulnerability] })
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
          <CreditFields content={content} set={set} />
        </Stack>
      </Card>
    </Stack>
  )
}

type PartProps = { content: AdvisoryContent; set: (change: Partial<AdvisoryContent>) => void }

function DocumentFields({ content, set }: PartProps): ReactNode {
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
        <NativeSelect
          id={fieldId('tlp')}
          label="TLP"
          description="Only WHITE is public. What was published never becomes stricter."
          error={tlpProblem}
          value={content.tlp}
          data={[...tlpLabels]}
          onChange={(event) => {
            const tlp = tlpLabels.find((one) => one === event.currentTarget.value)
            if (tlp !== undefined) set({ tlp })
          }}
        />
        <ProductField
          products={content.products}
          onChange={(products) => {
            set({ products, vulnerabilities: withoutOthers(content.vulnerabilities, products) })
          }}
        />
      </Stack>
    </Card>
  )
}

/** What is said of a version goes with it. */
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
  }))
}

function CreditFields({ content, set }: PartProps): ReactNode {
  return (
    <ListField
      field="acknowledgments"
      label="Credits"
      noun="credit"
      entries={content.acknowledgments}
      onChange={(acknowledgments) => {
        set({ acknowledgments })
      }}
      made={() => ({ names: [''], organization: '', summary: '', urls: [] })}
    >
      {(credit, change, index) => (
        <>
          <LineField
            field={`acknowledgments.${index}`}
            label="Name"
            value={credit.names[0] ?? ''}
            onChange={(name) => {
              change({ ...credit, names: [name, ...credit.names.slice(1)] })
            }}
          />
          <LineField
            field={`acknowledgments.${index}.organization`}
            label="Organisation"
            value={credit.organization}
            onChange={(organization) => {
              change({ ...credit, organization })
            }}
          />
          <LineField
            field={`acknowledgments.${index}.urls.0`}
            label="Address"
            placeholder="https://"
            value={credit.urls[0] ?? ''}
            onChange={(url) => {
              change({ ...credit, urls: url === '' ? [] : [url] })
            }}
          />
        </>
      )}
    </ListField>
  )
}
