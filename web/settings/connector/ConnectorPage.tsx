import { visibleText } from '#contract/hidden-characters.ts'
import { NativeSelect, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FamilyName } from '#contract/products/shapes.ts'
import { createFamily } from '#contract/products/operations.ts'
import { refusal } from '../../workspaces/access.ts'
import { familyNamesQuery } from '../../families/queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { ActionLink } from '../../kit/actions/ActionLink.tsx'
import { CommandBlock } from '../../kit/text/CommandBlock.tsx'
import { ExternalLink } from '../../kit/text/ExternalLink.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { Section } from '../../kit/page/Section.tsx'
import { CreateToken } from '../../uploads/CreateToken.tsx'
import { ConnectorReportSection } from './ConnectorReportSection.tsx'
import { connectorSettings, connectorText, pullLines } from './connector-text.ts'
import { Loaded } from '../../kit/page/Loaded.tsx'
import { SettingsPage } from '../SettingsPage.tsx'

/** How to have Dependency-Track send the BOMs of a family here, and what the connector refused. */
export default function ConnectorPage(): ReactNode {
  const { slug } = useWorkspace()
  const families = useQuery(familyNamesQuery(slug))
  return (
    <SettingsPage
      title="Dependency-Track"
      about="The connector receives the BOMs that OWASP Dependency-Track sends after processing them."
    >
      <Loaded query={families}>{(known) => <ForFamily families={known} />}</Loaded>
    </SettingsPage>
  )
}

function ForFamily({ families }: { families: FamilyName[] }): ReactNode {
  const { slug } = useWorkspace()
  const { family: asked } = useSearch({ from: '/signed-in/$slug/settings/connector' })
  const navigate = useNavigate()
  const family = families.find(({ id }) => id === asked) ?? families[0]
  if (family === undefined) {
    return (
      <Empty
        why="There are no families yet. Each product family has its own rule in Dependency-Track."
        next={<CreateFamily />}
      />
    )
  }
  return (
    <Stack gap={32}>
      <NativeSelect
        label="Product family"
        description="Each family has its own rule and its own token."
        value={family.id}
        data={families.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
        onChange={(event) => {
          void navigate({ ...pages.connector(slug, { family: event.currentTarget.value }) })
        }}
        maw={360}
      />
      <Section title="Set it up" aside={<CreateToken familyId={family.id} />}>
        <SetUp familyName={family.name} />
      </Section>
      <ConnectorReportSection familyId={family.id} familyName={family.name} />
    </Stack>
  )
}

function CreateFamily(): ReactNode {
  const workspace = useWorkspace()
  return (
    <ActionLink
      link={pages.families(workspace.slug, { dialog: 'create' })}
      refused={refusal(workspace, createFamily.permission)}
    >
      Create family
    </ActionLink>
  )
}

function SetUp({ familyName }: { familyName: string }): ReactNode {
  const { baseUrl } = useWorkspace()
  const settings = connectorSettings(baseUrl, familyName)
  return (
    <Tabs defaultValue="4" keepMounted={false} maw={1000}>
      <Tabs.List mb="md">
        <Tabs.Tab value="4">Version 4.11 and later</Tabs.Tab>
        <Tabs.Tab value="5">Version 5, or any by a job</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="4">
        <Stack gap="sm">
          <Text>
            In Dependency-Track: Administration → Notifications → Alerts → Create alert. Version 4.11.5 or
            later is recommended; 4.10 and older cannot send a token.
          </Text>
          <CommandBlock label="Settings of the alert" text={connectorText(settings)} />
          <ul style={{ margin: 0, paddingInlineStart: 18 }}>
            {settings
              .filter(({ note }) => note !== undefined)
              .map(({ name, note }) => (
                <li key={name}>
                  {name}: <span className="dimmed">{note}</span>
                </li>
              ))}
          </ul>
          <Text c="dimmed">
            A BOM can be up to about 3 MB. Each token can send 60 requests an hour, uploads and tests
            together.
          </Text>
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="5">
        <Stack gap="sm">
          <Text>
            Version 5 leaves the BOM out of its notifications, so its requests get 422{' '}
            <code>bom_omitted</code>, and version 4 ends in December 2026. Instead, have a job copy the BOMs
            that changed since its last run, every hour or once a day. It works with version 4 and 5, and with
            BOMs over 3 MB.
          </Text>
          <CommandBlock label="Lines for a job" text={pullLines(baseUrl)} />
          <Text c="dimmed">
            The key needs the permission VIEW_PORTFOLIO. The file of --state remembers what was copied: keep
            it between runs. Where to get the client:{' '}
            <ExternalLink href={`${baseUrl}/docs/pipelines`}>Sending SBOMs from a pipeline</ExternalLink>.
          </Text>
        </Stack>
      </Tabs.Panel>
    </Tabs>
  )
}
