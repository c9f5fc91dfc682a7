// The campaign runner of this node: claims what is due, fairly between users and campaigns, dials it, settles what has
// ended, and withdraws claims of dead nodes. Every node runs one; the database arbitrates between them.

import { coalesced } from '../../base/concurrency/coalesced.ts'
import type { Log } from '../../base/process/log.ts'
import { monotonicMs } from '../../base/time/clock.ts'
import type { Db } from '../../db/database.ts'
import { leaseClock } from '../../db/lease-clock.ts'
import { onEvent } from '../../db/outbox.ts'
import { readDbClock } from '../../db/time.ts'
import type { Claimed, ClaimResult } from './claim.ts'
import { CLAIM_MS, expiredClaims, withdrawClaim } from './ledger-store.ts'
import { removeOldPaces } from './pacing-store.ts'
import type { Settled } from './settlement-store.ts'

export type RunnerParts = {
  db: Db
  log: Log
  lastOutageMs: () => number
  claim: (userId: string, campaignId: string) => Promise<ClaimResult>
  dial: (claimed: Claimed) => Promise<void>
  settle: () => Promise<Settled>
  /** False if this node has no line to spare for the user, or is shutting down. */
  hasCapacity: (userId: string) => Promise<boolean>
}

/** How soon changes by other nodes are noticed. */
const IDLE_MS = 2000
const FULL_MS = 1000
/** Retry delay while this node has no free line, or too many claims not dialed yet. */
const BUSY_MS = 250
const MIN_WAIT_MS = 5
/** Maximum claims of this node not dialed yet: the pre-dial webhook may take three seconds. */
const MAX_IN_FLIGHT = 100
const MAX_CLAIMS = 500
/** Maximum running campaigns read per round; if there are more, rounds continue where the last one stopped. */
const MAX_CAMPAIGNS = 1000
const MAX_EXPIRED = 100
const HOUR_MS = 3_600_000

type Running = { id: string; userId: string }

export function campaignRunner(parts: RunnerParts) {
  const { db, log, claim, dial, settle, hasCapacity } = parts
  const notBefore = new Map<string, number>()
  const inFlight = new Set<Promise<void>>()
  const leases = leaseClock(CLAIM_MS / 2, { readClock: () => readDbClock(db), lastOutageMs: parts.lastOutageMs })
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let turn = 0
  /** The last campaign of the previous round, if more follow it. */
  let lastRead = ''
  /** False if no attempt was dialing on any node when last checked. */
  let isDialing = true

  function begin(claimed: Claimed): void {
    isDialing = true
    const one = dial(claimed)
      .catch((err) =>
        log.warn({ err, attemptId: claimed.attempt.id }, 'campaign attempt could not be dialled; its claim expires'),
      )
      .finally(() => inFlight.delete(one))
    inFlight.add(one)
  }

  /** Running campaigns, interleaved by user; each round starts with another one. */
  async function campaigns(): Promise<Running[]> {
    const rows = await db
      .selectFrom('campaigns')
      .select(['id', 'userId'])
      .where('status', '=', 'running')
      .where('id', '>', lastRead)
      .orderBy('id')
      .limit(MAX_CAMPAIGNS)
      .execute()
    lastRead = rows[MAX_CAMPAIGNS - 1]?.id ?? ''
    for (const [id, atMs] of notBefore) if (atMs <= monotonicMs()) notBefore.delete(id)
    return interleaved(rows, turn++)
  }

  async function isReady({ id, userId }: Running): Promise<boolean> {
    if ((notBefore.get(id) ?? 0) > monotonicMs()) return false
    const isFree = inFlight.size < MAX_IN_FLIGHT && (await hasCapacity(userId))
    if (!isFree) notBefore.set(id, monotonicMs() + BUSY_MS)
    return isFree
  }

  /** Claims once for a campaign; true if something was claimed. */
  async function claimOne({ id, userId }: Running): Promise<boolean> {
    const result = await claim(userId, id).catch((err) => {
      log.warn({ err, campaignId: id }, 'campaign attempt could not be claimed; retrying')
      return { waitMs: IDLE_MS } // other campaigns continue
    })
    if ('attempt' in result) {
      begin(result)
      return true
    }
    const waitMs = result.waitMs === null ? FULL_MS : Math.min(IDLE_MS, Math.max(MIN_WAIT_MS, result.waitMs))
    notBefore.set(id, monotonicMs() + waitMs)
    return false
  }

  async function round(): Promise<void> {
    const all = await campaigns()
    let claims = 0
    for (let hasMore = true; hasMore && claims < MAX_CLAIMS; ) {
      hasMore = false
      for (const campaign of all) {
        if (isStopped) return
        if (!(await isReady(campaign))) continue
        if (!(await claimOne(campaign))) continue
        claims++
        hasMore = true
      }
    }
  }

  /**
   * Sleeps until the first campaign waiting for its pace or a due time; barely at all while some have not had their
   * turn.
   */
  const sleepMs = () =>
    lastRead === ''
      ? Math.max(MIN_WAIT_MS, Math.min(IDLE_MS, ...[...notBefore.values()].map((at) => at - monotonicMs())))
      : MIN_WAIT_MS

  const rounds = coalesced(async () => {
    if (isStopped) return
    try {
      await round()
    } catch (err) {
      log.warn({ err }, 'campaign round failed; retrying')
      lastRead = ''
      notBefore.set('', monotonicMs() + FULL_MS) // removed by the next round
      for (const id of notBefore.keys()) notBefore.set(id, monotonicMs() + FULL_MS)
    }
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(() => void rounds.run(), sleepMs()).unref()
  })

  /** Wakes only this campaign: the others have nothing new. */
  function wake(campaignId: string): void {
    notBefore.delete(campaignId)
    void rounds.run()
  }

  const settling = coalesced(async () => {
    try {
      const settled = await settle()
      for (const id of settled.campaignIds) wake(id)
      for (const { campaignId, err } of settled.failures)
        log.warn({ err, campaignId }, 'campaign could not be settled; retrying')
      isDialing = settled.isDialing || inFlight.size > 0
    } catch (err) {
      log.warn({ err }, 'campaign settlement failed; retrying')
    }
  })
  let stopHearing = () => {}

  async function takeBack(): Promise<void> {
    if (await leases.mayJudge()) await withdrawExpired(db, wake)
  }

  return {
    wake,
    jobs: [
      { name: 'campaign settlement', everyMs: 1000, task: settling.run },
      { name: 'expired claims', everyMs: CLAIM_MS / 8, task: takeBack },
      { name: 'old paces', everyMs: HOUR_MS, task: () => removeOldPaces(db) },
    ],
    start(): void {
      stopHearing = onEvent(db, () => {
        if (isDialing) void settling.run()
      })
      void rounds.run()
    },
    /** From now on, claims nothing. */
    drain(): void {
      isStopped = true
      clearTimeout(timer)
    },
    /** Waits for the claims of this node to finish. */
    async [Symbol.asyncDispose](): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      stopHearing()
      await rounds.idle()
      await settling.idle()
      await Promise.all(inFlight)
    },
  }
}

/** Nothing was sent for a claim whose node died. */
async function withdrawExpired(db: Db, wake: (campaignId: string) => void): Promise<void> {
  for (const attempt of await expiredClaims(db, MAX_EXPIRED)) {
    const detail = 'The node that claimed this attempt ended before it dialled'
    await withdrawClaim(db, attempt, { detail, afterMs: 0 })
    wake(attempt.campaignId)
  }
}

/** One campaign of each user, then the second of each, and so on; `turn` rotates users and their campaigns. */
export function interleaved(rows: readonly Running[], turn: number): Running[] {
  const users = rotated([...Map.groupBy(rows, ({ userId }) => userId).values()], turn).map((own) => rotated(own, turn))
  const most = Math.max(0, ...users.map(({ length }) => length))
  return Array.from({ length: most }, (_, i) => users.flatMap((own) => own[i] ?? [])).flat()
}

const rotated = <T>(all: readonly T[], by: number): T[] => {
  const at = all.length === 0 ? 0 : by % all.length
  return [...all.slice(at), ...all.slice(0, at)]
}
