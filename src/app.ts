// The composition root: builds every part and hands each what it needs. Reads like the parts list, and is the only file that knows all.
import type { FastifyInstance } from 'fastify'
import { agentRoutes } from './api/agents/routes.ts'
import { agentStore } from './api/agents/store.ts'
import { type Dial, dialQueue } from './api/calls/dial-queue.ts'
import { recordingFiles } from './api/calls/recordings.ts'
import { callRoutes } from './api/calls/routes.ts'
import { callStore } from './api/calls/store.ts'
import { conversationRoutes } from './api/conversations/routes.ts'
import { conversationStore } from './api/conversations/store.ts'
import { didRoutes } from './api/dids/routes.ts'
import { didStore } from './api/dids/store.ts'
import { gatewayAccount } from './api/gateway/account.ts'
import { deviceStore } from './api/gateway/devices.ts'
import { gatewayRoutes } from './api/gateway/routes.ts'
import { keyFinder } from './api/keys/finder.ts'
import { keyRoutes } from './api/keys/routes.ts'
import { keyStore } from './api/keys/store.ts'
import { toolRoutes } from './api/tools/routes.ts'
import { toolStore } from './api/tools/store.ts'
import { trunkLinks } from './api/trunks/links.ts'
import { trunkRoutes } from './api/trunks/routes.ts'
import { trunkStore } from './api/trunks/store.ts'
import { type Speech, ttsRoutes } from './api/tts/routes.ts'
import { AppError } from './base/errors.ts'
import type { Log } from './base/log.ts'
import { masterKeys } from './base/master-key.ts'
import { keyRing } from './base/secrets.ts'
import { every } from './base/timer.ts'
import { tokenSigner } from './base/tokens.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './db/database.ts'
import { idempotencyStore } from './db/idempotency.ts'
import { retention } from './db/retention.ts'
import { checkSecrets } from './db/seals.ts'
import { firstStart } from './first-start.ts'
import { memoryRateLimiter } from './http/rate-limit.ts'
import { redisRateLimiter } from './http/redis-rate-limit.ts'
import { createServer } from './http/server.ts'
import { speechForApi } from './speech/for-api.ts'
import { openSpeech } from './speech/open.ts'
import { version } from './version.ts'

/** What a test may put in place of the world outside. */
export type Edge = { speech?: Partial<Speech> }

export type App = {
  http: FastifyInstance
  database: Database
  /** The key that the first start made, to be shown once. */
  firstKey: string | null
  /** Listens, and returns the address. */
  listen(): Promise<string>
  /** No new work; what has begun goes on. */
  drain(): void
  close(): Promise<void>
}

export async function buildApp(config: Config, log: Log, edge: Edge = {}): Promise<App> {
  const database = await openDatabase(config.database, (err) => log.warn({ err }, 'database connection lost'))
  try {
    return await assemble(config, log, edge, database)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function assemble(config: Config, log: Log, edge: Edge, database: Database): Promise<App> {
  const { db } = database
  const ring = masterKeys(config.masterKeys, config.dataDir)
  const secrets = keyRing(ring)
  await checkSecrets(db, secrets)

  const finder = keyFinder(db, database.shared)
  const keys = keyStore(db, finder)
  const agents = agentStore(db)
  const calls = callStore(db)
  const idempotency = idempotencyStore(db)
  const recordings = recordingFiles(config.dataDir)
  const limiter = config.redisUrl
    ? await redisRateLimiter(config.redisUrl, (err) => log.warn({ err }, 'redis connection lost'))
    : memoryRateLimiter()

  const speech = openSpeech(config.speech, log)
  const ttsTokens = tokenSigner(ring, 'tts')
  const apiSpeech = speechForApi({ slots: speech.slots, tokens: ttsTokens, publicUrl: config.http.publicUrl })

  /** Until the phone is built, a call ends with the truth about why. */
  const dial: Dial = async (call) => {
    await calls.finish(call.id, {
      status: 'failed',
      endReason: 'trunk_unavailable',
      endDetail: 'This server has no telephone: no trunk or device can carry the call',
      hangupBy: 'system',
    })
  }
  const queue = dialQueue(dial, config.calls, log)
  const hangUp = (callId: string) => {
    queue.forget(callId)
    return calls.finish(callId, { status: 'canceled', endReason: 'canceled_by_api', hangupBy: 'system' })
  }
  const endCallsOf = async (agentId: string) => {
    for (const callId of await calls.liveOfAgent(agentId)) await hangUp(callId)
  }

  let isDraining = false
  const http = await createServer(
    config.http,
    {
      log,
      version,
      findKey: finder.find,
      findByToken: async (token) => {
        const keyId = ttsTokens.subjectOf(token)
        return keyId === undefined ? undefined : finder.findById(keyId)
      },
      used: finder.used,
      limiter,
      idempotency,
      translate: database.translate,
      ready: async () => {
        if (isDraining) throw new AppError('unavailable', 'The service is shutting down')
        await database.ping()
      },
    },
    [
      keyRoutes(keys),
      agentRoutes({ agents, endCallsOf, removeRecordings: recordings.remove }),
      conversationRoutes(conversationStore(db)),
      didRoutes(didStore(db)),
      trunkRoutes(trunkStore(db, secrets), trunkLinks(db)),
      gatewayRoutes(deviceStore(db, secrets, sipAddress(config)), gatewayAccount(db, secrets)),
      toolRoutes(toolStore(db, secrets)),
      callRoutes({ calls, queue, recordings, deniedPrefixes: config.calls.deniedPrefixes, hangUp }),
      ttsRoutes({ ...apiSpeech, ...edge.speech }),
    ],
  )

  const firstKey = await firstStart(db, config.dataDir, config.bootstrapKey)

  const failed = (err: unknown) => log.warn({ err }, 'a background task failed; it will be tried again')
  const timers = [
    every(1000, finder.writeUses, failed),
    every(3000, () => calls.renewLeases(queue.waiting()), failed),
    every(5000, () => calls.closeOrphans(), failed),
    every(3_600_000, retention(db, config.retentionDays, recordings.remove), failed),
    every(3_600_000, idempotency.removeOld, failed),
  ]

  const drain = () => {
    isDraining = true
    queue.drain()
  }
  return {
    http,
    database,
    firstKey,
    listen: () => http.listen({ host: config.http.host, port: config.http.port }),
    drain,
    async close() {
      drain()
      await http.close()
      for (const timer of timers) await timer.stop()
      for (const call of queue.close())
        await calls.finish(call.id, { status: 'failed', endReason: 'node_shutdown', hangupBy: 'system' }).catch(failed)
      await finder.writeUses().catch(failed)
      await limiter.close()
      await speech.close()
      await database.close()
    },
  }
}

/** Where devices will register: the name by which the outside knows this server. */
function sipAddress(config: Config) {
  const host = config.http.publicUrl ? new URL(config.http.publicUrl).hostname : config.http.host
  return { domain: host, host, port: 5060 }
}
