// The running platform as those who start it see it, and what a test may put in place of the world outside. Types only.
import type { FastifyInstance } from 'fastify'
import type { Speech } from './api/tts/routes.ts'
import type { Database } from './db/database.ts'
import type { Phone, PhoneParts } from './phone/phone.ts'
import type { Announce, Converse } from './phone/ports.ts'
import type { WebCallParts } from './services/calls/web-call-service.ts'
import type { GatewayTimes } from './services/devices/gateway.ts'
import type { EventTimes } from './services/webhooks/service.ts'

/** What a test may put in place of the world outside. */
export type TestOverrides = {
  speech?: Partial<Speech>
  converse?: Converse
  announce?: Announce
  gateway?: GatewayTimes
  events?: EventTimes
  /** Where the built dashboard lies. */
  webFolder?: string
} & Pick<PhoneParts, 'ringMs' | 'pingMs' | 'timers' | 'onMessage'> &
  Pick<WebCallParts, 'lostAfterMs' | 'holdMs'>

export type App = {
  http: FastifyInstance
  database: Database
  /** The key that the first start made, to be shown once. */
  firstKey: string | null
  /** What the first sign-in asks for from another machine; null once it is set up. */
  setupCode: string | null
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
