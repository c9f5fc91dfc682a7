// Follows the events of users' accounts at the remote gateway service by long polling, each poll after the last event
// stored here. An event that could not be stored is requested again; a stored one is not processed twice.
import { backoffMs, jittered } from '../../../base/concurrency/backoff.ts'
import type { Log } from '../../../base/process/log.ts'
import { monotonicMs } from '../../../base/time/clock.ts'
import type { Asking } from './client.ts'
import { pause, RemoteFault, unreadable } from './http-request.ts'
import { type FarEvent, readEvent, readEvents } from './responses.ts'

/** The position in a user's events, with the account it belongs to. Stored for the next start. */
export type EventCursor = { email: string; after: string }
export type Places = {
  read(userId: string): Promise<EventCursor | undefined>
  save(userId: string, place: EventCursor): Promise<void>
}

export type EventTimes = {
  /** How long the service may hold a poll open. */
  waitSeconds: number
  /** The delay after the first failure; doubles with each further one. */
  pauseMs: number
  longestPauseMs: number
}

export type FollowParts = {
  userId: string
  /** The e-mail of the saved account; undefined if there is none. */
  emailOf(userId: string): Promise<string | undefined>
  ask: Asking
  places: Places
  /** Resolves when the event is stored. */
  take(userId: string, event: FarEvent): Promise<void>
  times: EventTimes
  log: Log
}

/** Minimum interval between empty polls, for a service that does not hold them open. */
const QUIETEST_MS = 1000

const kinds: ReadonlySet<string> = new Set<FarEvent['type']>(['status', 'message'])

type Followed = { stop: AbortController; done: Promise<void> }

/** Follows the events of many users until the signal aborts. */
export function accountFollowers(parts: Omit<FollowParts, 'userId'>, closing: AbortSignal) {
  const followed = new Map<string, Followed>()
  return {
    /** From now on, follows exactly these users. */
    async follow(userIds: readonly string[]): Promise<void> {
      for (const userId of userIds) {
        if (followed.has(userId) || closing.aborted) continue
        const stop = new AbortController()
        const done = followEvents({ ...parts, userId }, AbortSignal.any([stop.signal, closing]))
        followed.set(userId, { stop, done })
      }
      for (const [userId, { stop, done }] of followed) {
        if (userIds.includes(userId)) continue
        stop.abort()
        await done
        followed.delete(userId)
      }
    },
    ended: () => Promise.all([...followed.values()].map(({ done }) => done)),
  }
}

/** Runs until the signal aborts. */
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

  async function poll(): Promise<void> {
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
        else if (kinds.has(given.type)) log.warn({ userId }, 'invalid gateway event ignored')
        place.after = given.id
      }
    } finally {
      await keepPlace()
    }
    if (found.events.length === 0 && monotonicMs() - askedAt < QUIETEST_MS) await pause(QUIETEST_MS, signal)
  }

  while (!signal.aborted) {
    try {
      await poll()
      failures = 0
    } catch (err) {
      if (signal.aborted) break
      if (err instanceof RemoteFault && err.status === 410) {
        log.warn({ userId }, 'gateway events lost: the service no longer has them')
        place.after = null
      }
      failures++
      if (failures === 1) log.warn({ err, userId }, 'gateway event poll failed; retrying')
      const wait = backoffMs(failures, { firstMs: pauseMs, maxMs: longestPauseMs })
      const asked = err instanceof RemoteFault ? (err.retryAfterMs ?? 0) : 0
      await pause(Math.max(asked, jittered(wait)), signal)
    }
  }
}
