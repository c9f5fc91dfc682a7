// OpenStack Swift with its S3 interface: a real object store of five processes, for one run.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { S3mini } from 's3mini'
import type { ObjectStoreConfig } from '../src/config/config.ts'
import { freePort } from './servers.ts'
import { until } from './until.ts'

const keys = { accessKeyId: 'ramal:tester', secretAccessKey: 's3cret', region: 'us-east-1' }
const START_MS = 120_000

export type Swift = {
  settings: ObjectStoreConfig
  /** Suspends the whole store; `resume` continues with the same data. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

export async function startSwift(bucket = 'recordings'): Promise<Swift> {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-swift-'))
  const [proxy, account, container, object, memcached] = (await Promise.all(Array.from({ length: 5 }, freePort))) as [
    number,
    number,
    number,
    number,
    number,
  ]
  mkdirSync(join(folder, 'devices', 'sdb1'), { recursive: true })
  execFileSync('/usr/bin/python3', ['-c', RINGS, folder, String(account), String(container), String(object)])
  const programs: [program: string, args: string[]][] = [
    ['memcached', ['-u', 'nobody', '-l', '127.0.0.1', '-p', String(memcached)]],
    ...Object.entries({ account, container, object }).map(([name, port]): [string, string[]] => [
      `swift-${name}-server`,
      [write(folder, name, storageConfig(folder, name, port))],
    ]),
    ['swift-proxy-server', [write(folder, 'proxy', proxyConfig(folder, proxy, memcached))]],
  ]
  const children = programs.map(([program, args]) => spawn(program, args, { stdio: 'ignore', detached: true }))
  const kill = () => {
    for (const child of children) send(child, 'SIGKILL')
  }
  process.once('exit', kill)
  const settings = { endpoint: `http://127.0.0.1:${proxy}`, bucket, ...keys }
  const s3 = new S3mini({ ...keys, endpoint: `${settings.endpoint}/${bucket}` })
  await until('the object store', () => s3.createBucket().catch(() => false), START_MS)
  const signal = (name: NodeJS.Signals) => {
    for (const child of children) send(child, name)
  }
  return {
    settings,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async stop() {
      process.off('exit', kill)
      kill()
      await Promise.all(children.map(exited))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Servers have worker processes, so the signal goes to the whole group. */
function send(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // The process has already exited.
  }
}

const exited = (child: ChildProcess) =>
  new Promise<void>((resolve) =>
    child.exitCode !== null || child.signalCode !== null ? resolve() : child.once('exit', () => resolve()),
  )

/** One process for all rings: swift-ring-builder would need nine. */
const RINGS = `
import sys
from swift.common.ring import RingBuilder
folder, *ports = sys.argv[1:]
for name, port in zip(['account', 'container', 'object'], ports):
    builder = RingBuilder(2, 1, 0)
    builder.add_dev(dict(region=1, zone=1, ip='127.0.0.1', port=int(port), device='sdb1', weight=1,
                         replication_ip='127.0.0.1', replication_port=int(port)))
    builder.rebalance()
    builder.get_ring().save(folder + '/' + name + '.ring.gz')
`

function write(folder: string, name: string, text: string): string {
  const path = join(folder, `${name}.conf`)
  writeFileSync(path, text)
  return path
}

const common = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
fallocate_reserve = 0
`

const storageConfig = (folder: string, name: string, port: number) => `${common(folder, port)}
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`

const proxyConfig = (folder: string, port: number, memcached: number) => `${common(folder, port)}
[pipeline:main]
pipeline = catch_errors cache s3api tempauth bulk slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcached}
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_ramal_tester = s3cret .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`
