// Opens the dependencies shared by all services: the lock on DATA_DIR, the node name, the database, the master keys,
// the rate limiter and the node registry.

import { masterKeys } from '../../base/crypto/master-key.ts'
import { keyRing } from '../../base/crypto/secrets.ts'
import { diskIdOf } from '../../base/process/disk-id.ts'
import type { Log } from '../../base/process/log.ts'
import { resolveNodeName } from '../../base/process/node-name.ts'
import { every } from '../../base/time/timer.ts'
import type { Config } from '../../config/config.ts'
import { lockDataDir } from '../../db/data-lock.ts'
import { openDatabase } from '../../db/database.ts'
import { checkSecrets } from '../../db/seals.ts'
import type { ServiceContext } from '../service.ts'
import { openCluster } from './cluster.ts'
import { openLimiter } from './limiter-service.ts'
import { openRegistry } from './registry.ts'

/** How soon an idle node notices that its database is down. */
const WATCH_MS = 2000

export async function openContext(config: Config, ownLog: Log, stack: AsyncDisposableStack): Promise<ServiceContext> {
  const nodeName = lockNode(config, ownLog, stack)
  const database = await openDatabase(config.database, (err) => {
    if (err) ownLog.error({ err }, 'database unavailable')
    else ownLog.info('database available again')
  })
  stack.defer(() => database.close())
  const watching = every(WATCH_MS, database.ping, () => {}) // reported by `onOutage`
  stack.defer(() => watching.stop())
  const log = outageLog(ownLog, database.isOfOutage)
  const { newerMigrations } = database
  if (newerMigrations.length > 0)
    log.warn({ newerMigrations }, 'the database is one schema step ahead of this release; update this node')
  const nodes = await openRegistry({ db: database.db, log, nodeName }, stack)
  const keys = masterKeys(config.masterKeys, config.dataDir)
  const secrets = keyRing(keys)
  await checkSecrets(database.db, secrets)
  const limiter = await openLimiter({ config, database, log }, stack)
  const cluster = await openCluster({ config, db: database.db, masterKeys: keys, nodes, log }, stack)
  return {
    config,
    log,
    database,
    db: database.db,
    secrets,
    masterKey: keys[0] as string,
    masterKeys: keys,
    limiter,
    nodeName,
    nodes,
    cluster,
    diskId: diskIdOf(config.dataDir),
    isDatabaseUp: () =>
      database.ping().then(
        () => true,
        () => false,
      ),
    listening: { address: null },
    restart: Promise.withResolvers(),
  }
}

/** Locks DATA_DIR, from which this process gets its name. With PostgreSQL, several processes may share one. */
function lockNode(config: Config, log: Log, stack: AsyncDisposableStack): string {
  const { dataDir } = config
  const lock = lockDataDir(dataDir)
  stack.defer(() => lock?.release())
  if (!lock && config.database.kind === 'sqlite')
    throw new Error(
      `Another Ramal process is using ${dataDir}. SQLite serves one process: stop the other, or set DATABASE_URL to share a PostgreSQL`,
    )
  const nodeName = resolveNodeName(dataDir, config.nodeName, lock !== undefined)
  if (!lock && config.nodeName === null)
    log.warn({ nodeName }, 'DATA_DIR is used by another process; set NODE_NAME so that this node keeps its name')
  return nodeName
}

/** A database outage is logged once; the failures it causes are logged at debug level. */
function outageLog(log: Log, isOfOutage: (error: unknown) => boolean): Log {
  const quietly =
    (level: 'warn' | 'error') =>
    (...line: Parameters<Log['warn']>): void => {
      const [fields] = line as unknown[]
      const { err } = (fields ?? {}) as { err?: unknown }
      log[err !== undefined && isOfOutage(err) ? 'debug' : level](...line)
    }
  return Object.assign(Object.create(log) as Log, { warn: quietly('warn'), error: quietly('error') })
}
