import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { tellRefusal } from '../api/tell-refusal.ts'
import { useSend } from '../api/use-send.ts'

const formats = [
  { format: 'csv', name: 'CSV', use: 'for spreadsheets' },
  { format: 'json', name: 'JSON', use: 'for programs' },
] as const

export type ExportFormat = (typeof formats)[number]['format']

type Props = {
  /** Accessible name of what is exported. */
  what: string
  save: (format: ExportFormat) => Promise<void>
}

/** Exports what a list shows, with its filters. */
export function ExportMenu({ what, save }: Props): ReactNode {
  const { mutate, isPending } = useSend({ send: save })
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={14} aria-hidden />}
          loading={isPending}
          aria-label={`Export ${what}`}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map(({ format, name, use }) => (
          <Menu.Item
            key={format}
            onClick={() => {
              mutate(format, { onError: tellRefusal })
            }}
          >
            {name} <span className="dimmed">{use}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
