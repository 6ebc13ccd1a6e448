import pg from 'pg'
import { serviceRole } from '../src/platform/postgres/embedded/prepare-store.ts'
import type { Laboratory } from './laboratory.ts'

/** A database that processes know by its address alone. */
export type ExternalStore = { url: string; drop: () => Promise<void> }

/** BENCH_DATABASE_URL names an external store that may create databases; without it a database of its own on the embedded one. */
export async function createStore(laboratory: Laboratory, purpose: string): Promise<ExternalStore> {
  const external = process.env['BENCH_DATABASE_URL']
  const admin =
    external === undefined ? await laboratory.admin() : new pg.Client({ connectionString: external })
  if (external !== undefined) await admin.connect()
  const name = `bench_${purpose}_${process.pid}`
  await admin.query(`create database ${name}${external === undefined ? ` owner ${serviceRole}` : ''}`)
  const { databaseUrl } = await laboratory.service.cli<{ databaseUrl: string }>(['store'])
  const url = new URL(external ?? databaseUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: async () => {
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}
