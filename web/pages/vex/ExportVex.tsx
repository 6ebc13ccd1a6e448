import { exportVex } from '../../../src/contract/operations/vex.ts'
import { visibleText } from '../../../src/contract/hidden-characters.ts'
import { Button, Group, Modal, NativeSelect, Radio, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import type { FamilyDetail } from '../../../src/contract/app.ts'
import { vexFormats, type VexFormat } from '../../../src/contract/vex.ts'
import { isFailure } from '../../api/request.ts'
import { saveFile } from '../../api/save-file.ts'
import { useSend } from '../../api/use-send.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { Problem } from '../../ui/Problem.tsx'
import { versionNames } from '../families/version-names.ts'
import { vexFormatNames } from './vex-words.ts'

const formatUses: Record<VexFormat, string> = {
  openvex: 'Small and plain; read by Grype, Trivy and most scanners.',
  csaf: 'CSAF 2.0, profile VEX; what authorities and large customers ask for.',
  cyclonedx: 'Fits beside a CycloneDX SBOM; read by Dependency-Track.',
}

/** Writes the verdicts in force as a VEX document to hand on. */
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
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title={visibleText(`Export the verdicts of ${family.name}`)}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <ExportForm family={family} onDone={dialog.close} />
      </Modal>
    </>
  )
}

function ExportForm({ family, onDone }: { family: FamilyDetail; onDone: () => void }): ReactNode {
  const { slug } = useWorkspace()
  const [format, setFormat] = useState<VexFormat>('openvex')
  const [version, setVersion] = useState('')
  const save = useSend({
    send: () =>
      saveFile(
        exportVex,
        {
          params: { slug, family: family.id },
          query: { format, version: version === '' ? undefined : version },
        },
        visibleText(`${family.name}.${format}.json`),
      ),
    onSuccess: onDone,
  })
  return (
    <Stack gap="md">
      <Text>
        One document with the verdicts in force, whether members gave them or documents did. Customers and
        other tools can read it.
      </Text>
      <ExportProblem error={save.error} />
      <NativeSelect
        label="Version"
        value={version}
        data={[
          { value: '', label: 'Every version' },
          ...versionNames(family).map((name) => ({ value: name, label: name })),
        ]}
        onChange={(event) => {
          setVersion(event.currentTarget.value)
        }}
      />
      <Radio.Group
        label="Format"
        value={format}
        onChange={(value) => {
          setFormat(vexFormats.find((choice) => choice === value) ?? format)
        }}
      >
        <Stack gap="xs" mt={6}>
          {vexFormats.map((choice) => (
            <Radio
              key={choice}
              value={choice}
              label={vexFormatNames[choice]}
              description={formatUses[choice]}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button
          loading={save.isPending}
          leftSection={<IconDownload size={16} />}
          onClick={() => {
            save.mutate()
          }}
        >
          Download
        </Button>
      </Group>
    </Stack>
  )
}

/** Nothing to export is no failure, but nothing is downloaded either. */
function ExportProblem({ error }: { error: unknown }): ReactNode {
  if (error === null) return null
  if (!isFailure(error, 'no_statements')) return <Problem error={error} />
  return (
    <Text role="alert" fw={500}>
      There is no verdict to export. Record one on a finding, or choose another version.
    </Text>
  )
}
