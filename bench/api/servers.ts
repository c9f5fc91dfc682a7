// Starts the processes: the real server as in production, the two servers it is compared with, and the load generator.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { DatabaseConfig } from '../../src/config/config.ts'
import { ask as askChild, nextMessage } from '../report/child.ts'
import { AnswerReader, type KeptAnswer } from './answer-reader.ts'
import { type Job, type Reply, type Request, type Result, SILENCE_MS, wire } from './load.ts'

export const root = resolve(import.meta.dirname, '../..')

export type Server = { port: number; pid: number; child: ChildProcess; stop(): Promise<void> }

export type Place = { dataDir: string; database: DatabaseConfig }

const endings = new Set<() => void>()
process.once('exit', () => {
  for (const end of endings) end()
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
/** Runs `end` when this program exits for any reason; the returned function cancels that. */
export function atExit(end: () => void): () => void {
  endings.add(end)
  return () => void endings.delete(end)
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-bench-'))
  atExit(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A data folder and a database of its own: SQLite in that folder, or a database on the PostgreSQL server. */
export async function newPlace(postgresUrl: string | null, name: string): Promise<Place> {
  const dataDir = newFolder()
  if (postgresUrl === null) return { dataDir, database: { kind: 'sqlite', path: join(dataDir, 'ramal.db') } }
  await onPostgres(postgresUrl, `create database ${name}`)
  return { dataDir, database: { kind: 'postgres', url: Object.assign(new URL(postgresUrl), { pathname: name }).href } }
}

export async function onPostgres(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** The environment without the machine owner's settings that would change the measurement. */
export function cleanEnv(place: Place): NodeJS.ProcessEnv {
  const { HOME, LANG, TMPDIR, PATH = '' } = process.env
  const path = PATH.split(':').filter((folder) => !folder.endsWith('node_modules/.bin')) // set by `npm run`
  const url = place.database.kind === 'postgres' ? { DATABASE_URL: place.database.url } : {}
  return {
    HOME,
    LANG,
    TMPDIR,
    PATH: path.join(':'),
    DATA_DIR: place.dataDir,
    PORT: '0',
    SIP_PORT: '0',
    LOG_LEVEL: 'info',
    EMBEDDED_VOICE: 'off',
    ...url,
  }
}

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
/** The flags that `npm start` passes: they change memory and speed. */
const startFlags = scripts.start.match(/ --[\w=-]+/g)?.map((flag) => flag.trim()) ?? []
const compileCache = /NODE_COMPILE_CACHE=(\S+)/.exec(scripts.start)?.[1] ?? ''

/** Starts src/main.ts with its log in a file, as under a service manager. `nodeArgs`: for profiling. */
export async function startReal(place: Place, nodeArgs: string[] = []): Promise<Server> {
  const logFile = join(newFolder(), 'log')
  const out = openSync(logFile, 'a')
  const child = spawn(process.execPath, [...startFlags, ...nodeArgs, 'src/main.ts'], {
    cwd: root,
    env: { ...cleanEnv(place), NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', out, 'inherit', 'ipc'],
  })
  for (let tries = 0; tries < 1000 && child.exitCode === null; tries++) {
    const port = /^Ramal listens on http:\/\/[^ ]*:(\d+) /m.exec(readFileSync(logFile, 'utf8'))?.[1]
    if (port) return { ...owned(child), port: Number(port) }
    await sleep(20)
  }
  throw new Error('The real server did not start')
}

export type Bare = Server & { replay(answer: KeptAnswer): Promise<void> }

export async function startBare(): Promise<Bare> {
  const server = await startForked('bare.ts', [])
  return {
    ...server,
    async replay(answer) {
      await askChild(server.child, answer)
    },
  }
}

export type ExpressOptions = { rememberKeys: boolean; writeEvents: boolean }

export function startExpress({ database }: Place, { rememberKeys, writeEvents }: ExpressOptions): Promise<Server> {
  const where = database.kind === 'postgres' ? ['--postgres', database.url] : ['--sqlite', database.path]
  const flags = [...(rememberKeys ? ['--remember-keys'] : []), ...(writeEvents ? ['--write-events'] : [])]
  return startForked('express.ts', [...where, ...flags])
}

async function startForked(file: string, args: string[]): Promise<Server> {
  const child = fork(join(import.meta.dirname, file), args, {
    execArgv: [],
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  })
  const own = owned(child)
  const { port } = await nextMessage<{ port: number }>(child)
  return { ...own, port }
}

function owned(child: ChildProcess): Omit<Server, 'port'> {
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  const forget = atExit(() => child.kill('SIGKILL'))
  return {
    pid: child.pid ?? 0,
    child,
    async stop() {
      child.kill('SIGTERM')
      const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
      await exited
      clearTimeout(limit)
      forget()
    },
  }
}

const STOP_LIMIT_MS = 20_000

export type Load = { run(job: Job): Promise<Result>; stop(): Promise<void> }

export function startLoad(): Load {
  const child = fork(join(import.meta.dirname, 'load.ts'), { execArgv: [] })
  const { stop } = owned(child)
  return {
    stop,
    async run(job) {
      child.send(job)
      const reply = await nextMessage<Reply>(child, job.seconds * 1000 + 2 * SILENCE_MS)
      if ('failure' in reply) throw new Error(`The load failed: ${reply.failure}`)
      return reply.result
    },
  }
}

/** Sends one request and returns the whole response. */
export function ask(port: number, request: Request): Promise<KeptAnswer> {
  return new Promise((done, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(wire(request)))
    const reader = new AnswerReader((_status, kept) => {
      socket.destroy()
      if (kept) done(kept)
    }, true)
    socket.on('data', (bytes) => reader.read(bytes, bytes.length))
    socket.once('error', reject)
    socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('No answer')))
  })
}
