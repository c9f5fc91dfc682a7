// What happens in a user's account at the remote gateway service, as it happens: one long poll after the other, each after the last
// event that was kept on our side. An event that could not be kept is asked for again; one that was kept is not taken twice.
import { monotonicMs } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Asking } from './remote-client.ts'
import { pause, RemoteFault, unreadable } from './remote-http.ts'
import { type FarEvent, readEvent, readEvents } from './remote-responses.ts'

/** How far a user's events were taken, and in which account. Kept for the next start. */
export type EventCursor = { email: string; after: string }
export type Places = {
  read(userId: string): Promise<EventCursor | undefined>
  save(userId: string, place: EventCursor): Promise<void>
}

export type EventTimes = {
  /** How long the service may wait for something to happen. */
  waitSeconds: number
  /** After the first failure; twice as long after each further one. */
  pauseMs: number
  longestPauseMs: number
}

export type FollowParts = {
  userId: string
  /** Of the account that is saved now; undefined: none. */
  emailOf(userId: string): Promise<string | undefined>
  ask: Asking
  places: Places
  /** Resolves when it is kept. */
  take(userId: string, event: FarEvent): Promise<void>
  times: EventTimes
  log: Log
}

/** Nothing new, and sooner than it was asked to wait: a service that cannot wait is not asked all the time. */
const QUIETEST_MS = 1000

const kinds: ReadonlySet<string> = new Set<FarEvent['type']>(['status', 'message'])

/** Until the signal fires. */
export async function followEvents(parts: FollowParts, signal: AbortSignal): Promise<void> {
  const { userId, emailOf, ask, places, take, times, log } = parts
  const { waitSeconds, pauseMs, longestPauseMs } = times
  let place: { email: string; after: string | null } = { email: '', after: null }
  let saved: string | null = null
  let failures = 0

  async function keepPlace(): Promise<void> {
    if (place.after === null || place.after === saved) return
    await places.save(userId, { email: place.email, after: place.after })
    saved = place.after
  }

  async function turn(): Promise<void> {
    const email = await emailOf(userId)
    if (email === undefined) return pause(QUIETEST_MS, signal)
    if (place.email !== email) {
      const before = await places.read(userId)
      saved = before?.email === email ? before.after : null
      place = { email, after: saved }
    }
    const query = new URLSearchParams({ wait: String(waitSeconds), ...(place.after ? { after: place.after } : {}) })
    const askedAt = monotonicMs()
    const question = { method: 'GET' as const, path: `/events?${query}`, extraMs: waitSeconds * 1000 }
    const { status, json } = await ask(userId, question, signal)
    const found = readEvents(json)
    if (!found) throw unreadable(status, 'is not a list of events')
    try {
      for (const given of found.events) {
        const event = readEvent(given)
        if (event) await take(userId, event)
        else if (kinds.has(given.type)) log.warn({ userId }, 'an event of the gateway service cannot be read')
        place.after = given.id
      }
    } finally {
      await keepPlace()
    }
    if (found.events.length === 0 && monotonicMs() - askedAt < QUIETEST_MS) await pause(QUIETEST_MS, signal)
  }

  while (!signal.aborted) {
    try {
      await turn()
      failures = 0
    } catch (err) {
      if (signal.aborted) break
      if (err instanceof RemoteFault && err.status === 410) {
        log.warn({ userId }, 'the gateway service has forgotten events that were not taken')
        place.after = null
      }
      failures++
      if (failures === 1)
        log.warn({ err, userId }, 'the events of the gateway service cannot be followed; trying again')
      const wait = Math.min(longestPauseMs, pauseMs * 2 ** Math.min(failures - 1, 20))
      const asked = err instanceof RemoteFault ? (err.retryAfterMs ?? 0) : 0
      // Not all accounts at the same moment.
      await pause(Math.max(asked, wait * (0.75 + Math.random() / 2)), signal)
    }
  }
}
