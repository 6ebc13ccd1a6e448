import { publicPaths } from '#contract/public/public-paths.ts'

/** One setting of the alert in Dependency-Track: its name there, and what to enter. */
export type ConnectorSetting = { name: string; value: string; note?: string }

/** What to enter in Dependency-Track 4.11 and later 4.x, in the order of its form. */
export function connectorSettings(baseUrl: string, familyName: string): ConnectorSetting[] {
  return [
    { name: 'Name', value: `SBOM Monitor: ${familyName}` },
    { name: 'Scope', value: 'PORTFOLIO' },
    { name: 'Notification level', value: 'INFORMATIONAL' },
    { name: 'Publisher', value: 'Outbound Webhook' },
    { name: 'Destination', value: `${baseUrl}${publicPaths.dependencyTrack}` },
    {
      name: 'Token header',
      value: 'X-Api-Key',
      note: 'Authorization also works, with the bare token or “Bearer <token>”.',
    },
    { name: 'Token', value: '<upload token of this family>', note: 'It begins with svc_.' },
    {
      name: 'Groups',
      value: 'BOM_PROCESSED',
      note: 'Choose only this one: with BOM_CONSUMED, each BOM would be sent twice.',
    },
    {
      name: 'Limit to',
      value: `the projects of ${familyName}`,
      note: 'Without a limit, the BOM of every project is sent to this family.',
    },
  ]
}

/** The settings as lines to paste into a ticket for the people who run Dependency-Track. */
export function connectorText(settings: readonly ConnectorSetting[]): string {
  const width = Math.max(...settings.map(({ name }) => name.length)) + 2
  return settings.map(({ name, value }) => `${`${name}:`.padEnd(width)}${value}`).join('\n')
}

/** Version 5 leaves the BOM out of its notifications, so a job copies changed BOMs. */
export function pullLines(baseUrl: string): string {
  return [
    `export SBOM_MONITOR_URL=${baseUrl} DEPENDENCY_TRACK_URL=https://dtrack-api.example.com`,
    '# SBOM_MONITOR_TOKEN (upload token of this family) and DEPENDENCY_TRACK_KEY are secrets',
    'npx --yes --package https://files.example.com/sbom-monitor-0.1.0.tgz -- \\',
    '  sbom-monitor pull-dependency-track --tag <tag of the projects> --state dependency-track.json',
  ].join('\n')
}
