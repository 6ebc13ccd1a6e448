import { List, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** How ENISA's Single Reporting Platform works in practice, according to its users; none of it is in the law or confirmed by ENISA. */
const practice = [
  'The platform is in English only.',
  'People register themselves. A company has one primary representative and up to 20 secondary ones. None of it is done retroactively: register before you have to report.',
  'The coordinating CSIRT is chosen when registering and stays. A registration with the wrong one is invalid.',
  'Its own 72-hour counter is said to run from when the early warning was filed, and it has none for the final report. The clocks here run from when you became aware: trust those.',
  'When the platform is down, file as soon as it is back. An e-mail to the CSIRT does not count as a report.',
]

/** For anyone preparing or practising a report under the CRA. */
export function PlatformPractice(): ReactNode {
  return (
    <details style={{ marginTop: 12 }}>
      <summary>How the reporting platform works in practice</summary>
      <Text c="dimmed" fz={13} mt={4}>
        Reported by users in September 2026. Check it on the platform.
      </Text>
      <List fz={13} mt={4} spacing={4}>
        {practice.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
    </details>
  )
}
