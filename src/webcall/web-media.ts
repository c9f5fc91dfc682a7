// The workers of web calls: started with the first call, one more for every few calls, up to half of the cores.
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { appError } from '../base/errors/errors.ts'
import type { Log } from '../base/process/log.ts'
import { monotonicMs } from '../base/time/clock.ts'
import { MediaThread } from '../rtp/thread.ts'
import type { WebClient } from '../rtp/web-wire.ts'
import { openWebLeg, type WebLeg, type WebLegEvents } from './web-leg.ts'

export type WebMediaOptions = { lostAfterMs?: number | undefined; workers?: number; log?: Log }
export type WebMedia = ReturnType<typeof openWebMedia>

/** The call ends when the browser sends no audio for this long. */
const LOST_AFTER_MS = 30_000
/** A third of a core with WebRTC. */
const CALLS_PER_WORKER = 8
/** Share of the thread's time. Not applied below CALLS_PER_WORKER, where handshakes of new calls may cause a brief peak. */
const MAX_BUSY_SHARE = 0.9
/** Time for the workers to deliver the last messages of ended calls. */
const DELIVER_MS = 600

const maxWorkers = () => Math.max(1, Math.floor(availableParallelism() / 2))

export function openWebMedia({ lostAfterMs = LOST_AFTER_MS, workers = maxWorkers(), log }: WebMediaOptions) {
  const threads: MediaThread[] = []
  let lastLeg = 0
  let isClosed = false
  let lastEndMs = Number.NEGATIVE_INFINITY

  function start(): MediaThread {
    const thread = new MediaThread({ host: '' }, log, new URL('./worker.ts', import.meta.url))
    threads.push(thread)
    thread.start().catch(() => {}) // it logs the error and restarts
    return thread
  }

  const leastBusy = () => threads.filter(({ isUp }) => isUp).toSorted((a, b) => a.size - b.size)[0]
  const mayStart = (best: MediaThread | undefined) =>
    threads.length < workers && (best?.size ?? CALLS_PER_WORKER) >= CALLS_PER_WORKER

  /** The one with the fewest calls, or a new one. */
  function threadFor(): MediaThread {
    const best = leastBusy()
    if (mayStart(best)) return start()
    if (!best) throw appError('media_unavailable')
    return best
  }

  return {
    /** Starts the first worker, before a call arrives. */
    warm(): void {
      if (threads.length === 0 && !isClosed) start()
    },
    open(client: WebClient, events: WebLegEvents): WebLeg {
      if (isClosed) throw appError('media_unavailable')
      const leg = openWebLeg(threadFor(), { id: ++lastLeg, client, lostAfterMs }, events)
      const disconnect = () => {
        lastEndMs = monotonicMs()
        leg.disconnect()
      }
      return { ...leg, disconnect }
    },
    /** Why a new call must be refused: the worker that would carry it is overloaded. */
    overload(): string | undefined {
      const best = leastBusy()
      if (!best || mayStart(best) || best.legs.size < CALLS_PER_WORKER) return undefined
      return best.load.busy > MAX_BUSY_SHARE ? 'The media threads are overloaded' : undefined
    },
    async close(): Promise<void> {
      isClosed = true
      await sleep(Math.max(0, Math.min(DELIVER_MS, lastEndMs + DELIVER_MS - monotonicMs())))
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}
