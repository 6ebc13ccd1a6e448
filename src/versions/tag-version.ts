/** Words in tags other than the names of repository and owner. */
const ownWords = new Map([
  ['github.com/ffmpeg/ffmpeg', ['n']],
  ['github.com/llvm/llvm-project', ['llvmorg']],
  ['github.com/apache/httpd', ['apache']],
  ['github.com/unicode-org/icu', ['icu4c']],
])

/** What repositories are called besides the product in them: `php-src`, `openssh-portable`. */
const besides = /[-_.](?:src|source|portable|project|mirror)$/

/** Words that only say that a version follows; `R_2_4_1`, `REL9_6_1`, `tags/v1.2`. */
const versionWords = /^(?:(?:versions?|ver|v|releases?|rel|r|tags?|stable)[-_/. ]*(?=[vr\d]))+(?=\d)/

const commit = /^[0-9a-f]{40}$/

/** Whether a version is a commit, which no order knows. */
export function isCommit(version: string): boolean {
  return commit.test(version)
}

/**
 * The version that a tag of a repository names: `curl-8_5_0` of curl is 8.5.0, `OpenSSL_1_1_1k` of openssl 1.1.1k. Before the version come
 * words that say so and the name of the repository or its owner; a tag of another product in it (`docs-1.2`, `OpenSSL-fips-2_0_1`) names no
 * version of it and is returned as it is, which the order of versions does not know.
 */
export function versionOfTag(tag: string, repository: string): string {
  const text = tag.trim().replace(/^refs\/tags\//, '')
  const lower = text.toLowerCase()
  if (isCommit(lower)) return lower
  const named = withoutProduct(lower.replace(/^tags?\//, ''), repository).replace(versionWords, '')
  if (!/^\d/.test(named)) return text
  return dotted(named)
}

function withoutProduct(tag: string, repository: string): string {
  for (const words of productsOf(repository)) {
    const rest = words.exec(tag)?.[1]
    if (rest !== undefined) return rest
  }
  return tag
}

const products = new Map<string, readonly RegExp[]>()
/** The names come from outside. */
const maxProducts = 10_000

/** Tags of one repository are many. */
function productsOf(repository: string): readonly RegExp[] {
  let patterns = products.get(repository)
  if (patterns === undefined) {
    if (products.size >= maxProducts) products.clear()
    patterns = productPatterns(repository)
    products.set(repository, patterns)
  }
  return patterns
}

function productPatterns(repository: string): RegExp[] {
  const [owner = '', name = ''] = repository.toLowerCase().split('/').slice(-2)
  const names = [name, name.replace(besides, ''), owner.includes('.') ? '' : owner]
  const spelled = [...names, ...names.map((one) => (one.startsWith('lib') ? one.slice(3) : `lib${one}`))]
  const words = [...new Set(spelled)].filter((one) => /[a-z]/.test(one) && one !== 'lib')
  const separated = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => new RegExp(`^${word.split(/[^a-z0-9]+/).join('[-_. ]?')}[-_/. ]+(.+)$`))
  const own = (ownWords.get(repository) ?? []).map((word) => new RegExp(`^${word}[-_. ]?(?=\\d)(.+)$`))
  return [...separated, ...own]
}

/** Underscores stand for points where there are none; `9.4.7-release` is 9.4.7. */
function dotted(tag: string): string {
  const version = tag.replace(/[-_.](?:release|final)$/, '')
  return version.includes('.') ? version : version.replaceAll(/(\d)_(?=[\da-z])/g, '$1.')
}
