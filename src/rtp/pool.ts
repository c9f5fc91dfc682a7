// The media workers of this process: threads, legs spread evenly, one RTP port range.
import { availableParallelism } from 'node:os'
import { appError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { LegOptions, Media, MediaLeg } from './leg.ts'
import { MainLeg } from './main-leg.ts'
import { loadOpus } from './opus.ts'
import { PortRange } from './port-allocator.ts'
import { MediaThread } from './thread.ts'

export type MediaOptions = {
  /** The address to bind. */
  host: string
  ports: { from: number; to: number }
  workers?: number
  log?: Log
}

const LOST_AFTER_MS = 30_000
/** Ports that others hold are passed by, within reason. */
const MOST_TRIES = 100

/** A thread serves some hundred calls, and takes 40 MB. */
const MAX_WORKERS = 8

/**
 * One for each core but the main thread's. On two cores that is one: a second thread there made 300 calls 5 % dearer (more
 * wake-ups, colder caches) and no tick earlier, because both still share the cores with the main thread.
 */
const defaultWorkers = () => Math.min(MAX_WORKERS, Math.max(1, availableParallelism() - 1))

export async function openMedia(options: MediaOptions): Promise<Media> {
  await loadOpus() // here too: who agrees on a codec asks on this thread whether there is one
  const { host, log, workers = defaultWorkers() } = options
  const ports = new PortRange(options.ports)
  const threads = Array.from({ length: workers }, () => new MediaThread({ host }, log))
  let lastLeg = 0
  let closing: Promise<void> | undefined

  const close = async () => {
    await Promise.all(threads.map((thread) => thread.close()))
  }
  try {
    await Promise.all(threads.map((thread) => thread.start()))
  } catch (error) {
    closing = close()
    await closing
    throw error
  }

  /** The one with the fewest legs, unless it has to be that of another leg. */
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
    for (let tries = 0; tries < MOST_TRIES; tries++) {
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
    load: () => ({
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
