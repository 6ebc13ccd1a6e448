import { publicPaths } from '../../../../src/contract/public/public-paths.ts'

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

/** The settings as lines to paste into a ticket or a note for whoever runs the platform. */
export function connectorText(settings: readonly ConnectorSetting[]): string {
  const width = Math.max(...settings.map(({ name }) => name.length)) + 2
  return settings.map(({ name, value }) => `${`${name}:`.padEnd(width)}${value}`).join('\n')
}

/** Version 5 leaves the BOM out of its notifications, so a job fetches and sends it. */
export function exportLines(baseUrl: string): string {
  return [
    'curl --fail-with-body -sS --max-time 120 \\',
    '  -H "X-Api-Key: $DEPENDENCY_TRACK_KEY" \\',
    '  "$DEPENDENCY_TRACK_URL/api/v1/bom/cyclonedx/project/$PROJECT_UUID?format=json&variant=inventory" \\',
    '  -o bom.json',
    `curl --fail-with-body -sS "${baseUrl}${publicPaths.sboms}" \\`,
    '  -H "Authorization: Bearer $SBOM_MONITOR_TOKEN" \\',
    '  -H "X-Service-Source: sbom_tracker" \\',
    '  --data-binary @bom.json',
  ].join('\n')
}
