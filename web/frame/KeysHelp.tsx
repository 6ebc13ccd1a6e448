import { Modal, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { useIsTopmost } from '../kit/form/use-is-topmost.ts'
import styles from './GlobalSearch.module.css'

const keys: readonly [readonly string[], string][] = [
  [['/', 'Ctrl K'], 'Search the workspace'],
  [['?'], 'Show these keys'],
  [['↑', '↓'], 'Move through a list or the results of a search'],
  [['Home', 'End'], 'Go to the first or the last row of a list'],
  [['Enter'], 'Open the row or the result'],
  [['Esc'], 'Clear a search; close a dialog or what is open beside a list'],
]

/** The keyboard shortcuts that work on every page. */
export function KeysHelp({ opened, onClose }: { opened: boolean; onClose: () => void }): ReactNode {
  const isTopmost = useIsTopmost(opened)
  return (
    <Modal
      opened={opened}
      closeOnEscape={isTopmost}
      onClose={onClose}
      title="Keys"
      centered={false}
      yOffset="8vh"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Table>
        <Table.Tbody>
          {keys.map(([names, effect]) => (
            <Table.Tr key={effect}>
              <Table.Th scope="row" className={styles['keys']}>
                {names.map((name) => (
                  <kbd key={name} className={styles['key']}>
                    {name}
                  </kbd>
                ))}
              </Table.Th>
              <Table.Td>{effect}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
