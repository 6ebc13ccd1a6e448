import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { tableFormats, type TableFormat } from '#contract/audit/shapes.ts'
import { tellRefusal } from '../api/tell-refusal.ts'
import { useSend } from '../api/use-send.ts'

const formatWords: Record<TableFormat, { name: string; use: string }> = {
  csv: { name: 'CSV', use: 'for spreadsheets' },
  json: { name: 'JSON', use: 'for programs' },
}

type Props = {
  /** What is exported, for those who cannot see where the button is. */
  what: string
  save: (format: TableFormat) => Promise<void>
}

/** Saves what a list shows, with its filters, as a file. */
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
        {tableFormats.map((format) => (
          <Menu.Item
            key={format}
            onClick={() => {
              mutate(format, { onError: tellRefusal })
            }}
          >
            {formatWords[format].name} <span className="dimmed">{formatWords[format].use}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
