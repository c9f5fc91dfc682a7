// Types of the running platform and of what tests may replace in it.
import type { FastifyInstance } from 'fastify'
import type { Database } from './db/database.ts'
import type { GatewayTimes } from './features/devices/service.ts'
import type { StreamTimes } from './features/events/stream.ts'
import type { ProviderOverrides } from './features/providers/service.ts'
import type { Service } from './features/service.ts'
import type { Speech } from './features/voices/routes.ts'
import type { WebCallParts } from './features/web-calls/service.ts'
import type { WebhookTimes } from './features/webhooks/service.ts'
import type { Phone } from './phone/phone.ts'
import type { PhoneParts } from './phone/phone-parts.ts'
import type { Announce, Converse } from './phone/ports.ts'
import type { SpeechCache } from './speech/tts/cache.ts'

/** Parts that a test replaces. */
export type TestOverrides = {
  speech?: Partial<Speech>
  /** Phrases that were said before. */
  speechCache?: SpeechCache
  /** The natural voices to prepare, instead of all. */
  naturalVoices?: readonly string[]
  converse?: Converse
  announce?: Announce
  gateway?: GatewayTimes
  events?: StreamTimes & WebhookTimes
  providers?: ProviderOverrides
  /** Besides the platform's own. */
  services?: readonly Service[]
  /** Folder of the built dashboard. */
  webFolder?: string
} & Pick<PhoneParts, 'ringMs' | 'pingMs' | 'timers' | 'onMessage'> &
  Pick<WebCallParts, 'lostAfterMs' | 'holdMs'>

export type App = {
  http: FastifyInstance
  database: Database
  /** The key that the first start made, to be shown once. */
  firstKey: string | null
  /** Asked for by the first sign-in from another machine; null once it is done. */
  setupCode: string | null
  /** Null when it is switched off. */
  phone: Phone | null
  /** Resolves with the address. */
  listen(): Promise<string>
  /** Resolves when the process is to stop and start again. */
  restartRequested: Promise<void>
  /** Accepts no new work; what has begun continues. */
  drain(): void
  /** Resolves when no call is left, at the latest after `graceMs`. */
  callsOver(graceMs: number): Promise<void>
  close(): Promise<void>
}
