import { exportVex } from '#contract/vex/operations.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { Button, NativeSelect, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { FamilyDetail } from '#contract/products/shapes.ts'
import { formsOfVexFormat, vexFormats, type VexForm, type VexFormat } from '#contract/vex/shapes.ts'
import { isFailure } from '../../kit/api/request.ts'
import { saveFile } from '../../kit/api/save-file.ts'
import { useSend } from '../../kit/api/use-send.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ChoiceField } from '../../kit/form/ChoiceField.tsx'
import { Form } from '../../kit/form/Form.tsx'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useSendForm, type SendForm } from '../../kit/form/use-send-form.ts'
import { versionNames } from '../version-names.ts'
import { vexFormatNames } from '../../vex/vex-words.ts'

const formatUses: Record<VexFormat, string> = {
  openvex: 'Small and plain; read by Grype, Trivy and most scanners.',
  csaf: 'CSAF 2.0, VEX profile, marked TLP:WHITE; read by Grype and Trivy, and what authorities and large customers ask for.',
  cyclonedx: 'Goes with a CycloneDX SBOM; read by Dependency-Track.',
}

type Words = { label: string; description: string }

/** What a format asserts, and which tools act on it. */
const formWords: Record<VexForm, Words> = {
  in_product: {
    label: 'The component in this product',
    description: 'Says nothing about the component anywhere else.',
  },
  component: {
    label: 'The component by itself',
    description:
      'Works in scanners that do not compare the product, but claims more: the verdict is read as one on the component wherever it is.',
  },
  bom_link: {
    label: 'Links into the SBOM',
    description:
      'Trivy acts on them when it scans exactly this SBOM. Dependency-Track reads each as a verdict on the whole project, which claims more.',
  },
  every_id: {
    label: 'An entry for each id',
    description:
      'For a Dependency-Track that lists vulnerabilities under ids of GitHub or OSV. The same verdict is repeated under every alias.',
  },
}

/** Downloads the verdicts in force as a VEX document. */
export function ExportVex({ family }: { family: FamilyDetail }): ReactNode {
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload size={14} />}
        onClick={dialog.open}
        aria-haspopup="dialog"
      >
        Export VEX
      </Button>
      <FormModal opened={isOpen} onClose={dialog.close} title={`Export the verdicts of ${family.name}`}>
        <ExportForm family={family} onDone={dialog.close} />
      </FormModal>
    </>
  )
}

type Typed = { version: string; format: VexFormat; form: VexForm }

function ExportForm({ family, onDone }: { family: FamilyDetail; onDone: () => void }): ReactNode {
  const { slug } = useWorkspace()
  const save = useSend({
    send: ({ version, format, form }: Typed) =>
      saveFile(
        exportVex,
        {
          params: { slug, family: family.id },
          query: { format, form, version: version === '' ? undefined : version },
        },
        visibleText(`${family.name}.${format}.json`),
      ),
    onSuccess: onDone,
  })
  const form = useSendForm<Typed, Typed>({
    initialValues: { version: '', format: 'openvex', form: 'in_product' },
    inputOf: (typed) => typed,
    send: save,
  })
  // Having nothing to export is not an error, but nothing is downloaded.
  const isNothing = isFailure(save.error, 'no_statements')
  return (
    <Form
      state={isNothing ? { ...form.state, refusal: undefined } : form.state}
      verb="Download"
      icon={<IconDownload size={16} />}
      onCancel={onDone}
    >
      <Text>
        One document with the verdicts in force, whether they come from members or from VEX documents.
        Customers and other tools can read it.
      </Text>
      {isNothing ? (
        <Text role="alert" fw={500}>
          There is no verdict to export. Record one on a finding, or choose another version.
        </Text>
      ) : null}
      <ExportFields form={form} family={family} />
    </Form>
  )
}

type FieldsProps = { form: SendForm<Typed>; family: FamilyDetail }

function ExportFields({ form, family }: FieldsProps): ReactNode {
  const forms = formsOfVexFormat[form.values.format]
  return (
    <>
      <NativeSelect
        {...form.getInputProps('version')}
        label="Version"
        data={[
          { value: '', label: 'Every version' },
          ...versionNames(family).map((name) => ({ value: name, label: name })),
        ]}
      />
      <ChoiceField
        {...form.getInputProps('format')}
        label="Format"
        choices={vexFormats.map((format) => ({
          value: format,
          label: vexFormatNames[format],
          description: formatUses[format],
        }))}
        onChange={(format: VexFormat) => form.setValues({ format, form: 'in_product' })}
      />
      {forms.length > 1 ? (
        <ChoiceField
          {...form.getInputProps('form')}
          label="What a verdict is on"
          choices={forms.map((value) => ({ value, ...formWords[value] }))}
        />
      ) : null}
    </>
  )
}
