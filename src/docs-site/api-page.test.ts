import { expect, it } from 'vitest'
import { apiContent } from './api-page.ts'

const hostile = `<img src=x onerror=alert(1)>"'&`

it('escapes every text of the document', () => {
  const schema = {
    type: 'object',
    description: hostile,
    properties: { [hostile]: { type: hostile, enum: [hostile] } },
  }
  const { content } = apiContent({
    info: { title: hostile, version: 'v1', description: `${hostile}\n\n\`${hostile}\`` },
    servers: [{ url: hostile }],
    paths: {
      [`/${hostile}`]: {
        post: {
          summary: hostile,
          description: hostile,
          security: [{ [hostile]: [] }],
          parameters: [{ name: hostile, in: hostile, schema: { enum: [hostile] } }],
          requestBody: {
            content: { [hostile]: { schema, examples: { [hostile]: { summary: hostile, value: hostile } } } },
          },
          responses: {
            200: {
              description: hostile,
              headers: { [hostile]: {} },
              content: {
                [hostile]: { schema, examples: { [hostile]: { summary: hostile, value: hostile } } },
              },
            },
          },
        },
      },
    },
  })
  const page = content.toString()
  expect(page).not.toContain('<img')
  expect(page).not.toMatch(/"'&(?!#)/)
  expect(page).toContain('&#60;img src=x onerror=alert(1)&#62;&#34;&#39;&#38;')
})
