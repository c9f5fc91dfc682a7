// The shape of a service, the list in which app.ts builds them, and the runner of their background jobs.
import type { AddressInfo } from 'node:net'
import type { KeyRing } from '../base/crypto/secrets.ts'
import { runOwned } from '../base/errors/error-containment.ts'
import type { Log } from '../base/process/log.ts'
import { every } from '../base/time/timer.ts'
import type { Config } from '../config/config.ts'
import type { Database, Db } from '../db/database.ts'
import type { RateLimiter } from '../http/rate-limit.ts'
import type { Routes } from '../http/server.ts'
import type { Cluster, NodeRegistry } from './nodes/port.ts'

/** `name` is for the log. Runs at startup, then again `everyMs` after each run has finished. */
export type Job = {
  name: string
  everyMs: number
  task: () => Promise<unknown>
  /**
   * Renews leases. Runs without a fault owner: an uncaught error in it ends the process, since other nodes may take over
   * its work.
   */
  isVital?: boolean
}

export type Service = {
  /** Under /api, authenticated. */
  routes?: readonly Routes[]
  /** Outside /api, without an API key. */
  publicRoutes?: readonly Routes[]
  jobs?: readonly Job[]
  /** Called once all services are built. */
  start?(): void | Promise<void>
  /** Stops accepting new work; work in progress continues. */
  drain?(): void
  /** Ends streams, sockets and long requests. Called before the HTTP server closes, which waits for them. */
  stop?(): void | Promise<void>
} & Partial<AsyncDisposable>

/** Dependencies shared by all services. */
export type ServiceContext = {
  config: Config
  log: Log
  database: Database
  db: Db
  secrets: KeyRing
  /** The first master key; it signs tokens and links. */
  masterKey: string
  masterKeys: readonly string[]
  limiter: RateLimiter
  /** The name of this process among those that share a database; `nodeId` in the API. */
  nodeName: string
  /** The nodes that share the database. */
  nodes: NodeRegistry
  /** Reaches the other nodes; null on SQLite, where there are none. */
  cluster: Cluster | null
  /** Identifies the disk of DATA_DIR, which several processes may share. */
  diskId: string
  isDatabaseUp(): Promise<boolean>
  /** Where the HTTP server listens; null until it does. */
  listening: { address: AddressInfo | string | null }
  /** Resolve it to restart this process, for example after an address change. */
  restart: PromiseWithResolvers<void>
}

export type ServiceList = ReturnType<typeof serviceList>

/**
 * Each service is pushed onto the stack as soon as it is built: a failed start leaves nothing open, and closing runs in
 * reverse order.
 */
export function serviceList(stack: AsyncDisposableStack) {
  const services: Service[] = []
  return {
    add<S extends Service>(service: S): S {
      const dispose = service[Symbol.asyncDispose]
      if (dispose) stack.defer(async () => dispose.call(service))
      services.push(service)
      return service
    },
    routes: () => services.flatMap(({ routes = [] }) => routes),
    publicRoutes: () => services.flatMap(({ publicRoutes = [] }) => publicRoutes),
    jobs: () => services.flatMap(({ jobs = [] }) => jobs),
    async start(): Promise<void> {
      for (const service of services) await service.start?.()
    },
    drain(): void {
      for (const service of services) service.drain?.()
    },
    async stop(): Promise<void> {
      for (const service of services.toReversed()) await service.stop?.()
    },
  }
}

export function jobRunner(log: Log) {
  const onError = (job: string) => (err: unknown) => log.warn({ err, job }, 'background job failed; retrying')
  const running: ReturnType<typeof every>[] = []
  return {
    start(jobs: readonly Job[]): void {
      for (const { name, everyMs, task, isVital } of jobs)
        running.push(every(everyMs, isVital ? task : () => runContainedJob(name, task, log), onError(name)))
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await Promise.all(running.map((job) => job.stop()))
    },
  }
}

/** A fault ends this run, even one that would never settle after it; the next run starts as usual. */
function runContainedJob(id: string, task: () => Promise<unknown>, log: Log): Promise<unknown> {
  const faulty = Promise.withResolvers<void>()
  return runOwned({ kind: 'job', id, log, end: () => faulty.resolve() }, () => Promise.race([task(), faulty.promise]))
}
