import { ActionIcon, Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun, type TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

const schemes: { scheme: MantineColorScheme; name: string; Icon: TablerIcon }[] = [
  { scheme: 'light', name: 'Light', Icon: IconSun },
  { scheme: 'dark', name: 'Dark', Icon: IconMoon },
  { scheme: 'auto', name: 'System', Icon: IconDeviceDesktop },
]

export function ColorSchemeMenu(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const chosen = schemes.find(({ scheme }) => scheme === colorScheme)
  const ChosenIcon = chosen?.Icon ?? IconDeviceDesktop
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Colours: ${chosen?.name ?? 'System'}`}
        >
          <ChosenIcon size={18} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => {
            setColorScheme(schemes.find(({ scheme }) => scheme === value)?.scheme ?? 'auto')
          }}
        >
          {schemes.map(({ scheme, name }) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
