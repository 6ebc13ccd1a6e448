import { zstdCompressSync } from 'node:zlib'
import { tarEnd, tarHeader, tarPadding } from '../../src/formats/tar-entry.ts'

type Json = Record<string, unknown>

type Status = 'known_affected' | 'known_not_affected' | 'fixed' | 'under_investigation'

/** A statement of a file about a package in a product. */
export type Said = {
  status: Status
  /** Id, name and CPE of the product. */
  product: readonly [id: string, name: string, cpe: string]
  /** `samba`, `samba-0:4.15.5-111.el9_0.src`, `nodejs:18/nodejs`. */
  packaged: string
  purl?: string
  /** The module of the product that contains the package. */
  module?: string
  flag?: string
  remedy?: readonly [category: string, details: string]
  advisory?: string
  impact?: string
}

export const rhel9 = [
  'red_hat_enterprise_linux_9',
  'Red Hat Enterprise Linux 9',
  'cpe:/o:redhat:enterprise_linux:9',
] as const
export const rhel8 = [
  'red_hat_enterprise_linux_8',
  'Red Hat Enterprise Linux 8',
  'cpe:/o:redhat:enterprise_linux:8',
] as const
export const baseos9 = [
  'BaseOS-9.3.0.Z.MAIN',
  'Red Hat Enterprise Linux BaseOS (v. 9)',
  'cpe:/o:redhat:enterprise_linux:9::baseos',
] as const
export const eus90 = [
  'BaseOS-9.0.0.Z.EUS',
  'Red Hat Enterprise Linux BaseOS EUS (v.9.0)',
  'cpe:/o:redhat:rhel_eus:9.0::baseos',
] as const
export const eus100 = [
  'BaseOS-10.0.Z',
  'Red Hat Enterprise Linux 10.0 Extended Update Support',
  'cpe:/o:redhat:enterprise_linux_eus:10.0',
] as const
export const openshift = [
  '9Base-RHOSE-4.16',
  'Red Hat OpenShift Container Platform 4.16',
  'cpe:/a:redhat:openshift:4.16::el9',
] as const

/** A Red Hat VEX file in the shape of the public ones, mostly without the fields that are not read. */
export function vexFile(
  cve: string,
  said: readonly Said[],
  parts: { released?: string; tracking?: Json } = {},
): Json {
  const idOf = ({ product, packaged, module }: Said) =>
    [product[0], ...(module === undefined ? [] : [module]), packaged].join(':')
  const named = (id: string, name: string, helper: Json) => ({
    category: 'product_name',
    name,
    product: { name, product_id: id, product_identification_helper: helper },
  })
  const belongs = (id: string, part: string, of: string) => ({
    category: 'default_component_of',
    full_product_name: { name: `${part} as a component of ${of}`, product_id: id },
    product_reference: part,
    relates_to_product_reference: of,
  })
  const products = new Map(said.map(({ product }) => [product[0], product]))
  const group = <T>(of: (one: Said) => T | undefined) =>
    said.flatMap((one) => {
      const told = of(one)
      return told === undefined ? [] : [{ ...told, product_ids: [idOf(one)] }]
    })
  return {
    document: {
      aggregate_severity: {
        namespace: 'https://access.redhat.com/security/updates/classification/',
        text: 'Moderate',
      },
      category: 'csaf_vex',
      csaf_version: '2.0',
      notes: [{ category: 'legal_disclaimer', text: 'CC BY 4.0' }],
      publisher: {
        category: 'vendor',
        name: 'Red Hat Product Security',
        namespace: 'https://www.redhat.com',
      },
      title: `a flaw of ${cve}`,
      tracking: {
        current_release_date: parts.released ?? '2025-03-01T10:00:00+00:00',
        id: cve,
        initial_release_date: '2025-01-01T00:00:00+00:00',
        status: 'final',
        version: '1',
        ...parts.tracking,
      },
    },
    product_tree: {
      branches: [
        {
          category: 'vendor',
          name: 'Red Hat',
          branches: [
            ...[...products.values()].map(([id, name, cpe]) => named(id, name, { cpe })),
            {
              category: 'architecture',
              name: 'src',
              branches: said.map(({ packaged, purl }) =>
                named(packaged, packaged, purl === undefined ? {} : { purl }),
              ),
            },
          ],
        },
      ],
      relationships: said.flatMap((one) => {
        const { product, packaged, module } = one
        if (module === undefined) return [belongs(idOf(one), packaged, product[0])]
        const inProduct = `${product[0]}:${module}`
        return [belongs(inProduct, module, product[0]), belongs(idOf(one), packaged, inProduct)]
      }),
    },
    vulnerabilities: [
      {
        cve,
        flags: group(({ flag }) => (flag === undefined ? undefined : { label: flag })),
        notes: [{ category: 'description', text: 'A flaw was found.' }],
        product_status: Object.fromEntries(
          [...Map.groupBy(said, ({ status }) => status)].map(([status, ones]) => [status, ones.map(idOf)]),
        ),
        remediations: [
          ...group(({ remedy }) =>
            remedy === undefined ? undefined : { category: remedy[0], details: remedy[1] },
          ),
          ...group(({ advisory }) =>
            advisory === undefined
              ? undefined
              : {
                  category: 'vendor_fix',
                  details: 'Before applying',
                  url: `https://access.redhat.com/errata/${advisory}`,
                },
          ),
          { category: 'workaround', details: 'None.', product_ids: said.map(idOf) },
        ],
        threats: group(({ impact }) =>
          impact === undefined ? undefined : { category: 'impact', details: impact },
        ),
      },
    ],
  }
}

/** What a file says of Samba in several products. */
export const samba: Said[] = [
  {
    status: 'fixed',
    product: baseos9,
    packaged: 'samba-0:4.18.6-1.el9.src',
    advisory: 'RHSA-2025:0001',
    impact: 'Moderate',
  },
  {
    status: 'fixed',
    product: baseos9,
    packaged: 'samba-libs-0:4.18.6-1.el9.x86_64',
    advisory: 'RHSA-2025:0001',
    impact: 'Moderate',
  },
  { status: 'fixed', product: eus90, packaged: 'samba-0:4.15.5-111.el9_0.src', advisory: 'RHSA-2025:0002' },
  {
    status: 'known_affected',
    product: rhel8,
    packaged: 'samba',
    remedy: ['no_fix_planned', 'Will not fix'],
    impact: 'Low',
  },
  { status: 'known_not_affected', product: rhel9, packaged: 'bash', flag: 'vulnerable_code_not_present' },
]

/** Packed as Red Hat packs all its files. */
export function vexArchive(files: readonly Json[]): Buffer {
  const modifiedAt = new Date('2025-03-02T00:00:00Z')
  const entries = files.flatMap((file) => {
    const text = Buffer.from(JSON.stringify(file))
    return [
      tarHeader({ name: pathOf(file), sizeBytes: text.length, modifiedAt }),
      text,
      tarPadding(text.length),
    ]
  })
  return zstdCompressSync(Buffer.concat([...entries, tarEnd()]))
}

const trackingOf = (file: Json) =>
  (file as { document: { tracking: Record<string, string> } }).document.tracking

/** `2025/cve-2025-0001.json` */
export function pathOf(file: Json): string {
  const id = trackingOf(file)['id'] ?? ''
  return `${id.slice(4, 8)}/${id.toLowerCase()}.json`
}

export function changesOf(files: readonly Json[]): string {
  return files
    .map((file) => `"${pathOf(file)}","${trackingOf(file)['current_release_date'] ?? ''}"\n`)
    .join('')
}
