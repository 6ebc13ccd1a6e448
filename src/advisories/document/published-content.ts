import type { AdvisoryContent } from '../../contract/advisories/shapes.ts'
import { withoutHidden } from '../../contract/hidden-characters.ts'

/**
 * A draft as it is published: no text has characters that are not seen and could turn what is read. They come with what was pasted, and with what a draft was filled
 * with: names of versions, records, words of reporters.
 */
export function publishedContent(content: AdvisoryContent): AdvisoryContent {
  return JSON.parse(JSON.stringify(content), (_key, value: unknown) =>
    typeof value === 'string' ? withoutHidden(value) : value,
  ) as AdvisoryContent
}
