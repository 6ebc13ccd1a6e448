import { hourMs } from '../../contract/durations.ts'
import { compileAdvisory, compilerGeneration } from '../../records/rpm-advisories/compile-advisory.ts'
import type { Source } from './source.ts'

const id = 'amazon-linux'

/** Notices on the packages of Amazon Linux 2, 2022 and 2023 (https://alas.aws.amazon.com), as its repositories have them. */
export const amazonLinux: Source = {
  id,
  label: 'Amazon Linux (ALAS)',
  forms: 'updateinfo.xml.gz of its repositories, or a folder of them',
  brings: 'records',
  decides: ['Amazon Linux'],
  feed: {
    variable: 'AMAZON_LINUX_URL',
    address: 'https://cdn.amazonlinux.com',
    everyMs: 6 * hourMs,
  },
  file: {
    begins: ({ text }) => /<updates[\s>][^]{0,2000}<id>\s{0,9}ALAS(?!-)/.test(text),
    import: async (work) => (await import('./amazon-linux/import-updateinfo.ts')).importUpdateinfo(id, work),
  },
  records: {
    // they come in files of a repository, never alone
    is: () => false,
    compile: (value, document, name) => compileAdvisory(value, { document, name, source: id }),
  },
  layout: {
    folder: async (work, path) =>
      (await import('./amazon-linux/import-updateinfo.ts')).importUpdateinfoFolder(id, work, path),
    address: () => Promise.resolve(undefined),
  },
  refresh: async (turn) => (await import('./amazon-linux/refresh-amazon-linux.ts')).refreshAmazonLinux(turn),
  isAwaited: async (db) => (await import('./amazon-linux/refresh-amazon-linux.ts')).isAmazonLinuxAwaited(db),
  readAgain: async (db) => (await import('./amazon-linux/refresh-amazon-linux.ts')).readAmazonLinuxAgain(db),
  readerGeneration: compilerGeneration,
}
