// A real app on a real database, shared by the tests of one file; each testApp() call creates two separate users. Every
// response to a Client is validated against the OpenAPI document.
import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import pg from 'pg'
import pino from 'pino'
import { buildApp } from '../src/app.ts'
import type { App, TestOverrides } from '../src/app-types.ts'
import type { MemberExtras, MemberRole } from '../src/base/domain/organization-roles.ts'
import type { Log } from '../src/base/process/log.ts'
import { now } from '../src/base/time/clock.ts'
import type { Config } from '../src/config/config.ts'
import { readConfig } from '../src/config/load.ts'
import type { Database } from '../src/db/database.ts'
import { bit, type Role } from '../src/db/tables.ts'
import { keyFinder } from '../src/features/keys/finder-store.ts'
import type { NewApiKey } from '../src/features/keys/schema.ts'
import { type KeyMaker, keyStore } from '../src/features/keys/store.ts'
import { userStore } from '../src/features/users/store.ts'
import { type Answer, answerChecker } from './answers.ts'
import { SQLITE_FILE } from './database-templates.ts'
import { atEnd } from './endings.ts'

export { atEnd }

export const usesPostgres = process.env.TEST_DATABASE === 'postgres'
/** Runs each app as two nodes on one database; requests alternate between them. */
export const usesTwoNodes = usesPostgres && process.env.TEST_NODES === '2'

export type Client = {
  /** The organization. */
  userId: string
  personId: string
  key: string
  get(url: string, headers?: Record<string, string>): Promise<Answer>
  post(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  put(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(url: string, headers?: Record<string, string>): Promise<Answer>
  /** Sends any other request, with the options of Fastify's inject; adds the key unless the headers have one. */
  send(options: InjectOptions): Promise<Answer>
  /** The same user with another key. */
  withKey(key: Partial<NewApiKey>): Promise<Client>
}

export type TestApp = {
  app: App
  /** `app`, and the second node if there is one; requests alternate between them. */
  nodes: readonly App[]
  /**
   * The app's own database, for checks that bypass the API. A second connection from this process could deadlock with
   * it.
   */
  database: Database
  config: Config
  /** The log output so far. */
  logs(): string
  /** The level can be raised by a test; by default everything is logged. */
  log: { level: string }
  ana: Client
  bia: Client
  newUser(name: string, role?: Role): Promise<Client>
  /** A key made by a new person with this role in the organization of another client. */
  newMember(of: Client, role: MemberRole, extras?: Partial<MemberExtras>): Promise<Client>
  /** Sends a request without a key. */
  anonymous(options: InjectOptions): Promise<Answer>
}

const sqliteTemplate = process.env.TEST_SQLITE_TEMPLATE
let shared: Promise<TestApp> | undefined

/** One app for all tests of a file; each call creates two new users. */
export async function testApp(): Promise<TestApp> {
  if (!shared) {
    shared = startTestApp()
    atEnd(() => {
      shared = undefined
    })
  }
  const base = await shared
  return { ...base, ana: await base.newUser('ana'), bia: await base.newUser('bia') }
}

/**
 * Starts a separate app with its own settings (environment variables) or overrides. It is closed when the file's tests
 * end.
 */
export async function startTestApp(env: Record<string, string> = {}, edge: TestOverrides = {}): Promise<TestApp> {
  const config = await testConfig(env, { isMigrated: true })
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const app = await buildApp(config, log, edge)
  const { database } = app
  atEnd(() => app.close())
  const nodes = usesTwoNodes ? [app, await secondNode(config, log, edge)] : [app]
  let requests = 0
  const check = answerChecker(app)
  const users = userStore(database.db)
  const keys = keyStore(database.db, keyFinder(database.db, false))

  async function request(options: InjectOptions): Promise<Answer> {
    const node = nodes[requests++ % nodes.length] as App
    const response = await node.http.inject(options)
    const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json')
    const json = isJson && response.payload !== '' ? JSON.parse(response.payload) : undefined
    const answer = {
      status: response.statusCode,
      headers: response.headers as Answer['headers'],
      text: response.payload,
      json,
    }
    check(options, answer)
    return answer
  }

  async function client(maker: KeyMaker, key: Partial<NewApiKey>): Promise<Client> {
    const { userId, personId } = maker
    const { key: secret } = await keys.create(maker, { name: 'test', rateLimit: 100_000, ...key })
    const send = (options: InjectOptions) =>
      request({ ...options, headers: { 'x-api-key': secret, ...options.headers } })
    const withBody =
      (method: 'POST' | 'PATCH' | 'PUT') => (url: string, body?: unknown, headers?: Record<string, string>) =>
        send({
          method,
          url,
          headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
          ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
        })
    return {
      userId,
      personId,
      key: secret,
      get: (url, headers) => send({ method: 'GET', url, headers }),
      delete: (url, headers) => send({ method: 'DELETE', url, headers }),
      post: withBody('POST'),
      patch: withBody('PATCH'),
      put: withBody('PUT'),
      send,
      withKey: (other) => client(maker, other),
    }
  }

  const newUser = async (name: string, role?: Role) => {
    const { id } = await users.create(name, null, role)
    return client({ userId: id, personId: id }, {})
  }
  const newMember = async ({ userId }: Client, role: MemberRole, extras: Partial<MemberExtras> = {}) => {
    const { id: personId } = await users.create(role)
    const { mayListen = false, mayExport = false } = extras
    const createdAt = now()
    await database.db
      .insertInto('members')
      .values({
        organizationId: userId,
        personId,
        role,
        mayListen: bit(mayListen),
        mayExport: bit(mayExport),
        createdAt,
      })
      .execute()
    return client({ userId, personId }, {})
  }
  const [ana, bia] = [await newUser('ana'), await newUser('bia')]
  return {
    app,
    nodes,
    database,
    config,
    logs: () => lines.join(''),
    log,
    ana,
    bia,
    newUser,
    newMember,
    anonymous: request,
  }
}

/** Starts a second node that shares the database, Redis and the data folder with the first. */
async function secondNode(config: Config, log: Log, edge: TestOverrides): Promise<App> {
  const node = await buildApp({ ...config, nodeName: 'second', bootstrapKey: null }, log, edge)
  atEnd(() => node.close())
  return node
}

/** Creates a config with its own data folder and database. Both are removed when the file's tests end. */
export async function testConfig(env: Record<string, string> = {}, { isMigrated = false } = {}): Promise<Config> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-test-'))
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }))
  const database: Record<string, string> = {}
  if (!env.DATABASE_URL) {
    if (usesPostgres) database.DATABASE_URL = await newPostgresDatabase({ isMigrated })
    else if (isMigrated && sqliteTemplate && !env.DATA_DIR) copyFileSync(sqliteTemplate, join(dataDir, SQLITE_FILE))
  }
  return readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    SIP_PORT: '0',
    SIP_NETWORKS: '127.0.0.0/8',
    NODE_HOST: '127.0.0.1',
    EMBEDDED_VOICE: 'off',
    ...(usesTwoNodes ? { REDIS_URL: process.env.TEST_REDIS_URL } : {}),
    ...database,
    ...env,
  })
}

let databases = 0

/** Creates an empty database, or one with all tables: a copy of the run's template, which saves the migrations. */
export async function newPostgresDatabase({ isMigrated = true } = {}): Promise<string> {
  const server = process.env.TEST_POSTGRES_URL
  assert.ok(server, 'TEST_POSTGRES_URL is set by test/run.ts')
  const name = `test_${process.pid}_${++databases}`
  const admin = async (statement: string) => {
    const connection = new pg.Client(server)
    await connection.connect()
    await connection.query(statement)
    await connection.end()
  }
  const template = isMigrated && process.env.TEST_POSTGRES_TEMPLATE
  await admin(`create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`)
  atEnd(() => admin(`drop database if exists ${name} with (force)`))
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

/** Asserts the contract's error format: exactly these three fields. */
export function assertError(answer: Answer, status: number, message?: string | RegExp): void {
  assert.equal(answer.status, status, answer.text)
  assert.deepEqual(Object.keys(answer.json).sort(), ['error', 'message', 'statusCode'])
  assert.equal(answer.json.statusCode, status)
  if (typeof message === 'string') assert.equal(answer.json.message, message)
  else if (message) assert.match(answer.json.message, message)
}

export const anAgent = { name: 'Ana', systemPrompt: 'You are kind.' }

/** A number that no other test of this run uses. */
let numbers = 0
export const aNumber = () =>
  `+5511${String(process.pid % 10_000).padStart(4, '0')}${String(++numbers).padStart(5, '0')}`
