// The platform with faults that requests can plant. Run by the tests of planted faults.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createSocket } from 'node:dgram'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { buildApp } from '../src/app.ts'
import { containFaults } from '../src/base/errors/error-containment.ts'
import { createLog } from '../src/base/process/log.ts'
import { readConfig } from '../src/config/load.ts'
import type { Database } from '../src/db/database.ts'
import type { Service } from '../src/features/service.ts'
import type { AudioFrame } from '../src/voice/ports.ts'
import type { PlantedWorker } from './planted-media-worker.ts'

const fail = (): never => {
  throw new Error('planted')
}
const faults: Record<string, () => void> = {
  timer: () => void setTimeout(fail),
  promise: () =>
    void (async () => {
      await null
      fail()
    })(),
  socket() {
    const socket = createSocket('udp4', fail)
    socket.bind(0, '127.0.0.1', () => socket.send('x', socket.address().port, '127.0.0.1'))
    socket.unref()
  },
}
const plant = (how = '') => faults[how]?.()
async function* noise(): AsyncGenerator<AudioFrame> {
  const pcm = Int16Array.from({ length: 16_000 }, (_, i) => (i % 40) * 200)
  for (let second = 0; second < 120; second++) yield { pcm, rateHz: 16_000 }
}
const never = () => new Promise<never>(() => {})

/** Media workers start through planted-media-worker.ts and share this number of the armed fault. */
const armedMedia = new Int32Array(new SharedArrayBuffer(4))
const mediaFaults = ['none', 'phone-leg', 'web-leg', 'clock']
class PlantingWorker extends Worker {
  constructor(file: URL, { workerData, ...options }: WorkerOptions) {
    const isMedia = /\/(rtp|webcall)\/worker\.ts$/.test(file.pathname)
    const planted: PlantedWorker = { entry: file.href, armed: armedMedia }
    const data = isMedia ? { ...workerData, ...planted } : workerData
    super(isMedia ? new URL('./planted-media-worker.ts', import.meta.url) : file, { ...options, workerData: data })
  }
}
createRequire(import.meta.url)('node:worker_threads').Worker = PlantingWorker
syncBuiltinESMExports()

const config = readConfig(process.env)
const log = createLog(config.logLevel)
containFaults((error) => {
  log.fatal({ err: error }, 'uncaught exception')
  log.flush(() => process.exit(1))
})

const insideCalls = new Map<string, (how: string) => void>()
let [armed, runs] = ['', 0]
setInterval(() => armed === 'nobody' && fail(), 20)

/** A task that fails in a timer and never completes. */
const planted = (name: string) => async () => {
  if (armed !== name) return void (name === 'job' && runs++)
  armed = ''
  plant('timer')
  await never()
}

/** Fails while a pooled connection handles a result. */
async function breakPool({ db, shared }: Database): Promise<void> {
  if (!shared) return db.inTransaction(async (trx) => trx.afterCommit(fail))
  Object.assign(pg.Query.prototype, { handleReadyForQuery: fail })
  await sql`select 1`.execute(db)
}

const paramsOf = ({ params }: FastifyRequest) => params as { id: string; how: string }

const service: Service = {
  publicRoutes: [
    (app) => {
      const schema = { hide: true }
      const handler = (req: FastifyRequest) => {
        plant(paramsOf(req).how)
        return never()
      }
      app.get('/plant/:how', { schema }, handler)
      app.post('/plant/:how', { schema }, handler)
      app.get('/websocket', { websocket: true, schema }, () => plant('timer'))
      app.get('/calls/:id/:how', { schema }, async (req) => {
        const { id, how } = paramsOf(req)
        insideCalls.get(id)?.(how)
        return {}
      })
      app.get('/arm/:how', { schema }, async (req) => {
        armed = paramsOf(req).how
        if (armed === 'pool') await breakPool(built.database)
        return {}
      })
      app.get('/media/:how', { schema }, async (req) => {
        Atomics.store(armedMedia, 0, mediaFaults.indexOf(paramsOf(req).how))
        return {}
      })
      app.get('/runs', { schema }, async () => ({ runs }))
    },
  ],
  jobs: [
    { name: 'planted job', everyMs: 20, task: planted('job') },
    { name: 'planted lease', everyMs: 20, task: planted('lease'), isVital: true },
  ],
}

const built = await buildApp(config, log, {
  services: [service],
  async converse(call, transport, signal) {
    const inside = AsyncLocalStorage.snapshot()
    insideCalls.set(call.callId, (how) => inside(plant, how))
    await transport.play(noise(), signal)
    return { endReason: 'agent_ended' }
  },
})
process.stdout.write(`Ramal listens on ${await built.listen()}\n`)
