import { randomUUID } from 'node:crypto'
import { call, type Answer } from './http.ts'

/**
 * Simulates the outbound webhook publisher of Dependency-Track, version by version: default template, token header as configured in the
 * alert, encoding of its HTTP client.
 */
export type Version = '4.11' | '4.12' | '4.13' | '4.14' | '5.0'

type Project = { name?: string; version?: string; description?: string; tags?: string[] }

type Alert = {
  url: string
  /** As configured: the name defaults to X-Api-Key. */
  tokenHeader?: string
  token: string
}

type BomGroup = 'BOM_CONSUMED' | 'BOM_PROCESSED'

const bomTexts: Record<BomGroup, string> = {
  BOM_CONSUMED: 'A CycloneDX BOM was consumed and will be processed',
  BOM_PROCESSED: 'A CycloneDX BOM was processed',
}

/** The sample in test notifications. */
const sampleProject = {
  uuid: 'c9c9539a-e381-4b36-ac52-6a7ab83b2c95',
  name: 'projectName',
  version: 'projectVersion',
  purl: 'pkg:maven/org.acme/projectName@projectVersion',
}

export class DependencyTrack {
  readonly #version: Version
  readonly #alert: Alert

  constructor(version: Version, alert: Alert) {
    this.#version = version
    this.#alert = alert
  }

  /** A notification of an uploaded BOM. */
  async bom(group: BomGroup, bom: Uint8Array | string, project: Project = {}): Promise<Answer> {
    return this.send(this.bomNotification(group, bom, project))
  }

  bomNotification(group: BomGroup, bom: Uint8Array | string, project: Project = {}): Record<string, unknown> {
    const isFive = this.#version === '5.0'
    const content = isFive ? '(Omitted)' : Buffer.from(bom).toString('base64')
    return this.#notification(group, {
      title:
        group === 'BOM_PROCESSED' && this.#version !== '4.11'
          ? 'Bill of Materials Consumed'
          : 'Bill of Materials Processed',
      content: bomTexts[group],
      subject: {
        project: this.#project({ name: 'pump-controller', ...project }),
        bom: isFive ? { content } : { content, format: 'CycloneDX', specVersion: '1.6' },
        ...(isFive ? { token: randomUUID() } : {}),
      },
    })
  }

  /** A notification of a group without a BOM, or with a BOM that is not for us. */
  async other(group: string, subject: unknown = null): Promise<Answer> {
    const content = { title: 'Title', content: 'Content', subject, level: 'INFORMATIONAL' }
    return this.send(this.#notification(group, content))
  }

  /** What "test" on the alert sends for a group, from 4.12 on. */
  async test(group: string): Promise<Answer> {
    const isFive = this.#version === '5.0'
    const isBom = group in bomTexts
    const bom = isFive
      ? { content: 'bomContent', format: 'CycloneDX', specVersion: '1.5' }
      : { content: 'bomContent', format: 'CycloneDX', specVersion: '1.5' }
    const subject = isBom ? { project: sampleProject, bom, ...(isFive ? { token: randomUUID() } : {}) } : null
    return this.send(
      this.#notification(group, {
        title: isFive ? '[TEST] Bill of Materials Processed' : group,
        content: isFive ? 'A CycloneDX BOM was processed' : 'Rule configuration test',
        subject,
      }),
    )
  }

  /** Sends a body encoded as by this version. */
  async send(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const { url, tokenHeader = 'X-Api-Key', token } = this.#alert
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const encoding = this.#version === '4.14' || this.#version === '5.0' ? 'utf8' : 'latin1'
    return call(`${url}/api/v1/connectors/dependency-track`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        [tokenHeader]: token,
        ...headers,
      },
      body: body instanceof Uint8Array ? body : Buffer.from(text, encoding),
    })
  }

  #notification(
    group: string,
    {
      level = 'INFORMATIONAL',
      ...rest
    }: { level?: string; title: string; content: string; subject: unknown },
  ): Record<string, unknown> {
    const isFive = this.#version === '5.0'
    const prefixed = (prefix: string, value: string) => (isFive ? prefix + value : value)
    return {
      notification: {
        ...(isFive ? { id: randomUUID() } : {}),
        level: prefixed('LEVEL_', level),
        scope: prefixed('SCOPE_', 'PORTFOLIO'),
        group: prefixed('GROUP_', group),
        timestamp: isFive ? '2026-04-07T09:31:06.418Z' : '2025-11-03T14:07:21.530914',
        ...rest,
      },
    }
  }

  #project({ tags, ...project }: Project): Record<string, unknown> {
    const isFive = this.#version === '5.0'
    return {
      uuid: randomUUID(),
      ...project,
      ...(tags === undefined ? {} : { tags: isFive ? tags : tags.join(',') }),
      ...(isFive ? { isActive: true } : {}),
    }
  }
}
