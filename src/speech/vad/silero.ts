// Voice activity detection for all calls: one worker thread computes the steps of this and the media threads' streams.
import { once } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import { appError } from '../../base/errors/errors.ts'
import { VadClient } from '../../voice/listening/vad-client.ts'
import { type FromVad, stepSamples, type ToVad, type VadRate } from '../../voice/listening/vad-steps.ts'
import type { Vad, VadConnectionEvents, VadStream } from '../../voice/ports.ts'
import { findSilero } from './silero-model.ts'
import type { SileroSetup } from './silero-worker.ts'

export type SileroVad = Vad & {
  /** Waits for the current batch and the end of the thread. */
  close(): Promise<void>
}

/** The batch size worth waiting for: a single step costs five times as much as one in a batch of 16. */
const WORTH_GATHERING = 5
const GATHER_MS = 16
/** Queue limit over all streams: one second of 300 calls, or five minutes of one. */
const MAX_WAITING = 10_000
/** Delay before another attempt to start the thread. */
const RESTART_MS = 1000

/**
 * `file` is an operator's own model instead of the package's; `onFault` reports every lost batch and failed restart.
 */
export async function openSilero(file?: string, onFault: (error: unknown) => void = () => {}): Promise<SileroVad> {
  const found = findSilero(file)
  if ('missing' in found) throw new Error(`not installed: ${found.missing.join(', ')}`)
  const setup: SileroSetup = { file: found.file }
  const client = new VadClient(onFault)
  const streams = batchedStreams(client)
  /** Other threads that have a port to the engine. */
  const connections = new Set<VadConnectionEvents>()
  let isOver = false
  let worker: Worker | undefined
  let restart: NodeJS.Timeout | undefined

  async function start(): Promise<void> {
    const thread = new Worker(new URL('./silero-worker.ts', import.meta.url), { workerData: setup })
    const gone = new AbortController()
    thread.once('exit', () => gone.abort())
    const [first] = (await once(thread, 'message', { signal: gone.signal })) as [FromVad]
    if (first.type !== 'ready') throw new Error(first.type === 'failed' ? first.message : 'silero did not start')
    if (isOver) return thread.postMessage({ do: 'close' } satisfies ToVad)
    let cause: unknown
    thread.on('message', (message: FromVad) => client.answered(message))
    thread.on('error', (error) => {
      cause = error
    })
    thread.once('exit', () => lost(cause))
    worker = thread
    client.connect(thread)
    for (const connection of connections) connection.onPort(portTo(thread))
  }

  function portTo(thread: Worker): MessageChannel['port1'] {
    const { port1, port2 } = new MessageChannel()
    thread.postMessage({ do: 'connect', port: port2 } satisfies ToVad, [port2])
    return port1
  }

  /** The thread's state is lost with it; the streams continue in a new thread. */
  function lost(cause: unknown): void {
    worker = undefined
    if (isOver) return
    client.disconnect(cause ?? new Error('the voice activity thread ended'))
    start().catch((error: unknown) => {
      if (isOver) return
      onFault(error)
      client.fail(error)
      for (const connection of connections) connection.onStopped(error)
      restart = setTimeout(() => lost(error), RESTART_MS).unref()
    })
  }

  await start()
  return {
    open: streams.open,
    connect(events) {
      connections.add(events)
      if (worker) events.onPort(portTo(worker))
      return { fault: onFault, close: () => void connections.delete(events) }
    },
    async close() {
      if (isOver) return
      isOver = true
      clearTimeout(restart)
      connections.clear()
      const ended = worker && once(worker, 'exit')
      streams.close()
      worker?.postMessage({ do: 'close' } satisfies ToVad)
      await ended
    },
  }
}

/** One call of `push`, resolved with its last step. */
type Request = { values: number[]; steps: number; answer: (values: number[]) => void; fail: (error: Error) => void }

/** Streams of this thread, by promises. */
function batchedStreams(client: VadClient) {
  const open = new Set<VadStream>()
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  function flush(): void {
    timer = undefined
    client.flush()
  }

  /**
   * The wait counts from the last batch: otherwise a stream that sends its next step after each result would lose
   * that time on every step and fall behind.
   */
  function plan(): void {
    if (client.isComputing || timer) return
    const gathered = performance.now() - client.sentAtMs
    timer = setTimeout(flush, client.size < WORTH_GATHERING ? 0 : Math.max(0, GATHER_MS - gathered))
  }

  function openStream(rateHz: VadRate): VadStream {
    const requests: Request[] = []
    let isClosed = false
    const track = client.open(rateHz, {
      onProbability(probability) {
        const [request] = requests
        request?.values.push(probability)
        settle()
      },
      onFailed(cause) {
        for (const { fail } of requests.splice(0)) fail(appError('vad_stopped', {}, { cause }))
      },
    })
    function settle(): void {
      const [request] = requests
      if (request && request.values.length >= request.steps) requests.shift()?.answer(request.values)
    }
    const stream: VadStream = {
      push(pcm) {
        if (isOver || isClosed) return Promise.reject(appError('vad_closed'))
        if (client.waitingAt(rateHz) + pcm.length / stepSamples(rateHz) > MAX_WAITING)
          return Promise.reject(appError('vad_slow'))
        return new Promise((answer, fail) => {
          const request = { values: [], steps: Number.POSITIVE_INFINITY, answer, fail }
          requests.push(request)
          request.steps = track.push(pcm)
          // A frame that completes no step is answered at once, ahead of waiting requests.
          if (request.steps === 0) requests.splice(requests.indexOf(request), 1)[0]?.answer([])
          else settle()
          if (requests.length > 0) plan()
        })
      },
      close() {
        if (isClosed) return
        isClosed = true
        open.delete(stream)
        track.close()
        for (const { answer } of requests.splice(0)) answer([])
      },
    }
    open.add(stream)
    return stream
  }

  return {
    open: openStream,
    close(): void {
      isOver = true
      clearTimeout(timer)
      for (const stream of [...open]) stream.close()
    },
  }
}
