// The media workers of this process: threads that are started as legs come, legs spread by weight, one RTP port range.
import { availableParallelism } from 'node:os'
import { loadOpus } from '../audio/opus.ts'
import { appError } from '../base/errors/errors.ts'
import type { Log } from '../base/process/log.ts'
import type { LegOptions, Media, MediaLeg } from './leg.ts'
import { MainLeg } from './main-leg.ts'
import { PortRange } from './port-allocator.ts'
import { MediaThread } from './thread.ts'

type MediaOptions = {
  /** The address to bind. */
  host: string
  ports: { from: number; to: number }
  /** The most threads. */
  workers?: number
  /** In legs of G.711. Once every thread has this many, a new leg waits for another thread, which is started somewhat earlier. */
  legsPerThread?: number
  log?: Log
}

const LOST_AFTER_MS = 30_000
/** How many ports are tried when other processes hold some. */
const MAX_TRIES = 100

/** A core carries at least twice as many. A thread takes 40 MB, so there is only one at first. */
const LEGS_PER_THREAD = 150
/** The share of them at which the next thread is started. */
const START_AT = 2 / 3
const MAX_WORKERS = 8

/** One per core: a leg never moves to another thread, so those beyond one thread's capacity must start on another. */
const defaultWorkers = () => Math.min(MAX_WORKERS, availableParallelism())

export async function openMedia(options: MediaOptions): Promise<Media> {
  await loadOpus() // codec negotiation on this thread asks whether Opus is available
  const ports = new PortRange(options.ports)
  const { threads, makeRoom, leastBusy, close } = await openThreads(options)
  let lastLeg = 0
  let closing: Promise<void> | undefined

  async function open(legOptions: LegOptions = {}): Promise<MediaLeg> {
    if (!legOptions.beside && !closing) await makeRoom()
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const thread = closing ? undefined : leastBusy(legOptions.beside)
      if (!thread) throw appError('media_unavailable')
      const port = ports.take()
      if (port === undefined) break
      const id = ++lastLeg
      const detectInband = legOptions.detectInbandDigits ?? false
      const lostAfterMs = legOptions.lostAfterMs ?? LOST_AFTER_MS
      const leg = new MainLeg(id, port, thread, legOptions, () => ports.release(port))
      const opening = await thread.open({ do: 'open', leg: id, port, detectInband, lostAfterMs })
      if (opening.isOpen) {
        thread.legs.set(id, leg)
        // Closed while it was being opened.
        if (closing) await leg.close()
        return leg
      }
      ports.release(port)
      if (!opening.isTaken) throw appError('rtp_port_blocked', {}, { cause: opening.problem })
    }
    throw appError('rtp_ports_used')
  }

  return {
    open,
    maxLegs: ports.count,
    load: () => ({
      freePorts: ports.free(),
      threads: threads.length,
      legs: threads.reduce((sum, thread) => sum + thread.legs.size, 0),
      lateMs: Math.max(...threads.map((thread) => thread.load.lateMs)),
      busy: Math.max(...threads.map((thread) => thread.load.busy)),
    }),
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** The media threads: one at first, more as legs come. */
async function openThreads({ host, log, workers = defaultWorkers(), legsPerThread = LEGS_PER_THREAD }: MediaOptions) {
  const threads: MediaThread[] = []
  let starting: Promise<void> | undefined

  async function startThread(): Promise<void> {
    const thread = new MediaThread({ host }, log)
    try {
      await thread.start()
      threads.push(thread)
    } catch (error) {
      await thread.close()
      throw error
    }
  }
  await startThread()

  return {
    threads: threads as readonly MediaThread[],

    /** Starts another thread when all are busy; waits for it only when all are full. */
    async makeRoom(): Promise<void> {
      const size = Math.min(...threads.filter((thread) => thread.isUp).map((thread) => thread.size))
      if (size < START_AT * legsPerThread) return
      if (!starting && threads.length < workers)
        starting = startThread()
          .catch((err) => log?.error({ err }, 'failed to start another media thread'))
          .finally(() => {
            starting = undefined
          })
      if (size >= legsPerThread) await starting
    },

    /** The thread with the fewest legs, or that of the leg `beside`; undefined while none is up. */
    leastBusy(beside?: MediaLeg): MediaThread | undefined {
      const fit = threads.filter((thread) => thread.isUp && (!(beside instanceof MainLeg) || beside.isOf(thread)))
      return fit.reduce<MediaThread | undefined>((best, one) => (best && best.size <= one.size ? best : one), undefined)
    },

    async close(): Promise<void> {
      await starting?.catch(() => {})
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}
