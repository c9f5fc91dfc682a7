// What this process opens before all else: its DATA_DIR, the name it has among its sisters, and the database.
import type { Log } from '../../base/log.ts'
import { nodeName } from '../../base/node-name.ts'
import { every } from '../../base/timer.ts'
import type { Config } from '../../config/config.ts'
import { lockDataDir } from '../../db/data-lock.ts'
import { openDatabase } from '../../db/database.ts'
import { BEAT_MS, presence } from '../../db/presence.ts'

export async function openNodeData(config: Config, log: Log, stack: AsyncDisposableStack) {
  const { dataDir } = config
  const lock = lockDataDir(dataDir)
  stack.defer(() => lock?.release())
  if (!lock && config.database.kind === 'sqlite')
    throw new Error(
      `Another Ramal process is using ${dataDir}. SQLite serves one process: stop the other, or set DATABASE_URL to share a PostgreSQL`,
    )
  const nodeId = nodeName(dataDir, config.nodeName, lock !== undefined)
  if (!lock && config.nodeName === null)
    log.warn({ nodeId }, 'another process uses this DATA_DIR; set NODE_NAME so that this node keeps its name')
  const database = await openDatabase(config.database, (err) => {
    if (err) log.error({ err }, 'database unavailable')
    else log.info('database available again')
  })
  stack.defer(() => database.close())
  const failed = (err: unknown) => log.warn({ err }, 'failed to note that this process runs; retrying')
  const present = presence(database)
  await present.beat()
  const beating = every(BEAT_MS, present.beat, failed)
  stack.defer(() => beating.stop().then(present.leave).catch(failed))
  return { database, nodeId }
}
