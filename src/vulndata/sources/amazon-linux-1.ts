import { compileAdvisory } from '../../records/rpm-advisories/compile-advisory.ts'
import type { Source } from './source.ts'

const id = 'amazon-linux-1'

/**
 * Notices on the packages of the first Amazon Linux. It has ended, so they no longer change; and its repository answers without encryption only, which the
 * service does not ask. An operator imports them once.
 */
export const amazonLinux1: Source = {
  id,
  label: 'Amazon Linux 1 (ALAS)',
  forms: 'updateinfo.xml.gz of its repository',
  brings: 'records',
  decides: ['Amazon Linux 1'],
  file: {
    begins: ({ text }) => /<updates[\s>][^]{0,2000}<id>\s{0,9}ALAS-/.test(text),
    import: async (work) => (await import('./amazon-linux/import-updateinfo.ts')).importUpdateinfo(id, work),
  },
  records: {
    is: () => false,
    compile: (value, document, name) => compileAdvisory(value, { document, name, source: id }),
  },
}
