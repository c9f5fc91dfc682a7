// The media workers of this process: threads, one more when there are many legs, legs spread by their weight, one RTP port range.
import { availableParallelism } from 'node:os'
import { appError } from '../base/errors/errors.ts'
import type { Log } from '../base/process/log.ts'
import type { LegOptions, Media, MediaLeg } from './leg.ts'
import { MainLeg } from './main-leg.ts'
import { loadOpus } from './opus.ts'
import { PortRange } from './port-allocator.ts'
import { MediaThread } from './thread.ts'

export type MediaOptions = {
  /** The address to bind. */
  host: string
  ports: { from: number; to: number }
  /** At most so many threads. */
  workers?: number
  /** Of G.711. With so many on each a new leg waits for another thread, which is started a little earlier. */
  legsPerThread?: number
  log?: Log
}

const LOST_AFTER_MS = 30_000
/** Ports that others hold are passed by, within reason. */
const MAX_TRIES = 100

/** A core carries at least twice as many. A thread takes 40 MB, so there is only one at first. */
const LEGS_PER_THREAD = 150
/** The share of them at which the next thread is started. */
const START_AT = 2 / 3
const MAX_WORKERS = 8

/** As many as there are cores: a leg never moves, so what one thread cannot carry must begin elsewhere. */
const defaultWorkers = () => Math.min(MAX_WORKERS, availableParallelism())

export async function openMedia(options: MediaOptions): Promise<Media> {
  await loadOpus() // here too: who agrees on a codec asks on this thread whether there is one
  const { host, log, workers = defaultWorkers(), legsPerThread = LEGS_PER_THREAD } = options
  const ports = new PortRange(options.ports)
  const threads: MediaThread[] = []
  let starting: Promise<void> | undefined
  let lastLeg = 0
  let closing: Promise<void> | undefined

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

  const close = async () => {
    await starting?.catch(() => {})
    await Promise.all(threads.map((thread) => thread.close()))
  }
  await startThread()

  const smallest = () => Math.min(...threads.filter((thread) => thread.isUp).map((thread) => thread.size))

  /** Another thread when those there are have much to do; a leg waits for it only when they have too much. */
  async function makeRoom(): Promise<void> {
    const size = smallest()
    if (size < START_AT * legsPerThread || closing) return
    if (!starting && threads.length < workers)
      starting = startThread()
        .catch((err) => log?.error({ err }, 'failed to start another media thread'))
        .finally(() => {
          starting = undefined
        })
    if (size >= legsPerThread) await starting
  }

  /** The one with the least to do, unless it has to be that of another leg. */
  const leastBusy = (beside?: MediaLeg): MediaThread => {
    const fit = beside instanceof MainLeg ? threads.filter((thread) => beside.isOf(thread)) : threads
    const up = fit.filter((thread) => thread.isUp)
    const thread = up.reduce<MediaThread | undefined>(
      (best, one) => (best && best.size <= one.size ? best : one),
      undefined,
    )
    if (!thread || closing) throw appError('media_unavailable')
    return thread
  }

  async function open(legOptions: LegOptions = {}): Promise<MediaLeg> {
    if (!legOptions.beside) await makeRoom()
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const thread = leastBusy(legOptions.beside)
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
