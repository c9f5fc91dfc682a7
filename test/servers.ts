// The real servers that the tests need: found or, if possible, installed, and started for one run.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freeTcpPort as freePort } from './phones/ports.ts'

export { freePort }

const INSTALL_MS = 300_000
const isRoot = process.getuid?.() === 0

function programPath(name: string): string | undefined {
  if (name.startsWith('/')) return globSync(name)[0]
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const folders = [
    ...(process.env.PATH ?? '').split(':'),
    '/usr/sbin',
    ...versions.sort((a, b) => Number(b) - Number(a)).map((v) => `/usr/lib/postgresql/${v}/bin`),
  ]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

const needed = [
  { program: 'initdb', debian: 'postgresql' },
  { program: 'postgres', debian: 'postgresql' },
  { program: 'redis-server', debian: 'redis-server' },
  { program: 'baresip', debian: 'baresip-core' },
  { program: 'linphonec', debian: 'linphone-cli' },
  { program: 'sipp', debian: 'sip-tester' },
  { program: 'kamailio', debian: 'kamailio' },
  { program: '/usr/lib/*/kamailio/modules/tls.so', debian: 'kamailio-tls-modules' },
  { program: 'haproxy', debian: 'haproxy' },
  { program: 'svwar', debian: 'sipvicious' },
  { program: 'radicale', debian: 'radicale' },
  { program: 'chromium-headless-shell', debian: 'chromium-headless-shell' },
  { program: 'firefox-esr', debian: 'firefox-esr' },
  { program: 'turnserver', debian: 'coturn' },
  { program: 'swift-proxy-server', debian: 'swift-proxy' },
  { program: 'swift-account-server', debian: 'swift-account' },
  { program: 'swift-container-server', debian: 'swift-container' },
  { program: 'swift-object-server', debian: 'swift-object' },
  { program: 'memcached', debian: 'memcached' },
  { program: '/usr/lib/python3/dist-packages/openpyxl', debian: 'python3-openpyxl' },
]

/** Needed only by benchmarks. */
const compared = [
  { program: 'espeak-ng', debian: 'espeak-ng' },
  { program: 'chromium', debian: 'chromium' },
]

/**
 * Installs missing programs (Debian, as root), or fails with what to install. Without names: everything the tests need.
 */
export function ensurePrograms(...names: readonly string[]): void {
  const wanted = names.length === 0 ? needed : [...needed, ...compared].filter(({ program }) => names.includes(program))
  const missing = () => wanted.filter(({ program }) => !programPath(program))
  if (missing().length === 0) return
  const packages = [...new Set(missing().map(({ debian }) => debian))]
  if (isRoot && programPath('apt-get')) {
    process.stdout.write(`Installing: ${packages.join(', ')}\n`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const install = ['install', '-y', '--no-install-recommends', ...packages]
    for (const args of [['update'], install])
      spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'], timeout: INSTALL_MS })
  }
  const still = missing().map(({ program, debian }) => `${program} (Debian package ${debian})`)
  if (still.length > 0) throw new Error(`These programs are needed and could not be installed: ${still.join(', ')}`)
}

type Place = { folder: string; port: number }

export type RunningServer = {
  url: string
  process: ChildProcess
  /** The server's folder and port: passed to startPostgres, they bring back the same data at the same address. */
  place: Place
  /** Removes the folder too, unless it is kept for another start. */
  stop(signal?: NodeJS.Signals, keep?: 'keep'): Promise<void>
}

/**
 * A separate PostgreSQL cluster in its own folder. PostgreSQL refuses to run as root, so root starts it as `postgres`.
 */
export async function startPostgres(before?: Place): Promise<RunningServer> {
  const folder = before?.folder ?? mkdtempSync(join(tmpdir(), 'ramal-postgres-'))
  const port = before?.port ?? (await freePort())
  const user = isRoot ? idsOf('postgres') : {}
  const data = join(folder, 'data')
  const options = { ...user, cwd: folder, stdio: 'ignore' as const }
  if (!before) {
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid)
    const initdb = ['-D', data, '-U', 'ramal', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
    execFileSync(programPath('initdb') as string, initdb, options)
  }
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    '-k',
    folder,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'max_connections=600',
    // Tests do not cover power loss: writes need not be flushed to disk.
    '-c',
    'fsync=off',
    '-c',
    'full_page_writes=off',
  ]
  const child = spawn(programPath('postgres') as string, args, options)
  const url = `postgres://ramal@127.0.0.1:${port}/postgres`
  return started(child, url, { folder, port }, 'SIGINT', takesQueries(url))
}

export async function startRedis(port?: number): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-redis-'))
  const at = port ?? (await freePort())
  const args = ['--port', String(at), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  const child = spawn(programPath('redis-server') as string, args, { stdio: 'ignore' })
  return started(child, `redis://127.0.0.1:${at}`, { folder, port: at }, 'SIGTERM', listens(at))
}

async function started(
  child: ChildProcess,
  url: string,
  place: Place,
  ending: NodeJS.Signals,
  isUp: () => Promise<boolean>,
): Promise<RunningServer> {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const atExit = () => {
    child.kill('SIGKILL')
    rmSync(place.folder, { recursive: true, force: true })
  }
  process.once('exit', atExit)
  await untilUp(isUp, child)
  return {
    url,
    process: child,
    place,
    async stop(signal = ending, keep) {
      process.off('exit', atExit)
      child.kill(signal)
      await exited
      if (!keep) rmSync(place.folder, { recursive: true, force: true })
    },
  }
}

async function untilUp(isUp: () => Promise<boolean>, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) break
    if (await isUp()) return
    await sleep(50)
  }
  throw new Error(`A server for the tests did not start (${child.spawnfile})`)
}

const listens = (port: number) => (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** PostgreSQL accepts connections before it accepts queries. */
const takesQueries = (url: string) => async (): Promise<boolean> => {
  const client = new pg.Client(url)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

function idsOf(name: string): { uid?: number; gid?: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
