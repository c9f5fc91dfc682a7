// The composition root: builds every part and hands each what it needs. Reads like the parts list, and is the only file that knows all.
import type { FastifyInstance } from 'fastify'
import { agentLine } from './agent-line.ts'
import { agentRoutes } from './api/agents/routes.ts'
import { agentStore } from './api/agents/store.ts'
import { callCourse } from './api/calls/course.ts'
import { type Dial, dialQueue } from './api/calls/dial-queue.ts'
import { recordingFiles } from './api/calls/recordings.ts'
import { callRoutes } from './api/calls/routes.ts'
import { callStore, LEASE_MS } from './api/calls/store.ts'
import { callTurns } from './api/calls/turns.ts'
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
import { monotonicMs } from './base/clock.ts'
import { AppError } from './base/errors.ts'
import type { Log } from './base/log.ts'
import { masterKeys } from './base/master-key.ts'
import { keyRing } from './base/secrets.ts'
import { every } from './base/timer.ts'
import { tokenSigner } from './base/tokens.ts'
import { openBrain } from './brain/open.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './db/database.ts'
import { idempotencyStore } from './db/idempotency.ts'
import { retention } from './db/retention.ts'
import { checkSecrets } from './db/seals.ts'
import { fromJson } from './db/tables.ts'
import { firstStart } from './first-start.ts'
import { memoryRateLimiter } from './http/rate-limit.ts'
import { redisRateLimiter } from './http/redis-rate-limit.ts'
import { createServer } from './http/server.ts'
import { repairWav } from './media/recorder.ts'
import type { Examine } from './phone/doctor.ts'
import { type Phone, type PhoneParts, startPhone } from './phone/phone.ts'
import type { Announce, Converse } from './phone/ports.ts'
import { phoneBook } from './phone-book.ts'
import { drawLadder } from './sip/ladder.ts'
import { speechForApi } from './speech/for-api.ts'
import { openSpeech } from './speech/open.ts'
import { textReplies } from './text-replies.ts'
import { version } from './version.ts'

/** What a test may put in place of the world outside. */
export type Edge = { speech?: Partial<Speech>; converse?: Converse; announce?: Announce } & Pick<
  PhoneParts,
  'ringMs' | 'pingMs' | 'timers'
>

export type App = {
  http: FastifyInstance
  database: Database
  /** The key that the first start made, to be shown once. */
  firstKey: string | null
  /** Null when it is switched off. */
  phone: Phone | null
  /** Listens, and returns the address. */
  listen(): Promise<string>
  /** No new work; what has begun goes on. */
  drain(): void
  /** Resolves when no call is left, or so much later. */
  callsOver(graceMs: number): Promise<void>
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
  const course = callCourse(db)
  const turns = callTurns(db)
  const conversations = conversationStore(db)
  const dids = didStore(db)
  const trunks = trunkStore(db, secrets)
  const links = trunkLinks(db)
  const devices = deviceStore(db, secrets, sipAddress(config))
  const idempotency = idempotencyStore(db)
  const recordings = recordingFiles(config.dataDir)
  const limiter = config.redisUrl
    ? await redisRateLimiter(config.redisUrl, (err) => log.warn({ err }, 'redis connection lost'))
    : memoryRateLimiter()

  const speech = openSpeech(config.speech, log)
  const brain = openBrain(config.llm, log)
  const ttsTokens = tokenSigner(ring, 'tts')
  const apiSpeech = speechForApi({ slots: speech.slots, tokens: ttsTokens, publicUrl: config.http.publicUrl })

  const variablesOf = async (userId: string, callId: string) =>
    ((await calls.get(userId, callId)).variables ?? {}) as Record<string, string>
  const line = agentLine({
    agents,
    conversations,
    speech,
    llmFor: brain.llmFor,
    variablesOf,
    saveTurns: turns.save,
    log,
  })
  const { port: sipPort, ...phoneConfig } = config.phone
  const phone =
    sipPort === 0
      ? null
      : await startPhone(
          {
            ...phoneConfig,
            port: sipPort,
            domain: sipAddress(config).domain,
            dataDir: config.dataDir,
            deniedPrefixes: config.calls.deniedPrefixes,
            name: `Ramal/${version}`,
            secret: ring[0] as string,
          },
          {
            book: phoneBook({ db, agents, dids, trunks, links, devices }),
            calls: { ...course, finish: calls.finish },
            ...line,
            ...edge,
            log,
          },
        )
  if (phone && config.speech.embedded !== 'off')
    speech
      .warmEars()
      .catch((err) => log.warn({ err }, 'the ears could not be opened; an agent that is called cannot hear'))
  const dial: Dial = async (call) => {
    if (phone) return phone.dial({ ...call, deviceTokens: fromJson(call.deviceTokens) })
    await calls.finish(call.id, {
      status: 'failed',
      endReason: 'trunk_unavailable',
      endDetail: 'The telephone is switched off (SIP_PORT is 0): no trunk or device can carry the call',
      hangupBy: 'system',
    })
  }
  const examine: Examine = async (...asked) => {
    if (!phone) throw new AppError('unavailable', 'The telephone is switched off (SIP_PORT is 0)')
    return phone.examine(...asked)
  }
  const queue = dialQueue(dial, config.calls, log)
  const hangUp = async (callId: string) => {
    queue.forget(callId)
    const isEnded = await calls.cancel(callId)
    phone?.hangUp(callId)
    return isEnded
  }
  const failed = (err: unknown) => log.warn({ err }, 'a background task failed; it will be tried again')
  let lostAt = Number.NEGATIVE_INFINITY
  async function isDatabaseThere(): Promise<boolean> {
    const isThere = await database.ping().then(
      () => true,
      () => false,
    )
    if (!isThere) lostAt = monotonicMs()
    return isThere
  }
  /** Leases of the calls that we run or that wait here; what another process has hung up ends here too. */
  async function renewLeases(): Promise<void> {
    if (!(await isDatabaseThere())) return
    for (const callId of await calls.renewLeases([...queue.waiting(), ...(phone?.live.ids() ?? [])])) {
      queue.forget(callId)
      phone?.hangUp(callId)
    }
  }
  async function closeOrphans(): Promise<void> {
    // After an absence of the database every lease has run out, and the others need a moment to renew theirs.
    if (monotonicMs() - lostAt < LEASE_MS || !(await isDatabaseThere())) return
    const left = await calls.closeOrphans()
    for (const file of left.recordings) await repairWav(recordings.pathOf(file)).catch(failed)
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
      conversationRoutes({ conversations, answererOf: textReplies({ agents, conversations, brain, log }) }),
      didRoutes(dids),
      trunkRoutes({ trunks, links, examine }),
      gatewayRoutes(devices, gatewayAccount(db, secrets)),
      toolRoutes(toolStore(db, secrets)),
      callRoutes({
        calls,
        ladderOf: course.ladder,
        turnsOf: turns.of,
        drawLadder,
        queue,
        recordings,
        deniedPrefixes: config.calls.deniedPrefixes,
        hangUp,
      }),
      ttsRoutes({ ...apiSpeech, ...edge.speech }),
    ],
  )

  const firstKey = await firstStart(db, config.dataDir, config.bootstrapKey)

  const timers = [
    every(1000, finder.writeUses, failed),
    every(3000, renewLeases, failed),
    every(2000, closeOrphans, failed),
    every(3_600_000, retention(db, config.retentionDays, recordings.remove), failed),
    every(3_600_000, idempotency.removeOld, failed),
  ]

  const drain = () => {
    isDraining = true
    queue.drain()
    phone?.drain()
  }
  return {
    http,
    database,
    firstKey,
    phone,
    listen: () => http.listen({ host: config.http.host, port: config.http.port }),
    drain,
    async callsOver(graceMs) {
      await Promise.race([phone?.live.empty(), new Promise((wake) => setTimeout(wake, graceMs).unref())])
    },
    async close() {
      drain()
      await http.close()
      await phone?.close()
      for (const timer of timers) await timer.stop()
      for (const call of queue.close())
        await calls.finish(call.id, { status: 'failed', endReason: 'node_shutdown', hangupBy: 'system' }).catch(failed)
      await finder.writeUses().catch(failed)
      await limiter.close()
      await speech.close()
      await brain.close()
      await database.close()
    },
  }
}

/** Where devices register: the name by which the outside knows this server. */
function sipAddress({ http, phone }: Config) {
  const host = phone.publicAddress ?? (http.publicUrl ? new URL(http.publicUrl).hostname : phone.host)
  return { domain: host, host, port: phone.port || 5060, tlsPort: phone.tlsPort }
}
