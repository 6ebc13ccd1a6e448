import { Stack, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

/** A part of the person's own page. */
export function AccountSection({ title, children }: { title: string; children: ReactNode }): ReactNode {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {children}
      </Stack>
    </section>
  )
}
