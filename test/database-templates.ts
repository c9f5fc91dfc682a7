// A database of each kind with all tables, created once per run: tests copy it instead of applying every migration.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../src/db/database.ts'

export const SQLITE_FILE = 'ramal.db'
const POSTGRES_NAME = 'ramal_template'

/** The templates as environment variables, which test/app.ts reads. */
export async function makeDatabaseTemplates(postgresUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-template-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, SQLITE_FILE)
  await (await openDatabase({ kind: 'sqlite', path }, () => {})).close()
  const admin = new pg.Client(postgresUrl)
  await admin.connect()
  await admin.query(`create database ${POSTGRES_NAME}`)
  await admin.end()
  const url = Object.assign(new URL(postgresUrl), { pathname: `/${POSTGRES_NAME}` }).href
  await (await openDatabase({ kind: 'postgres', url }, () => {})).close()
  return { TEST_SQLITE_TEMPLATE: path, TEST_POSTGRES_TEMPLATE: POSTGRES_NAME }
}
