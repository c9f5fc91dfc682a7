// Voice activity detection for all calls: steps of all streams are batched in one worker thread.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { appError } from '../../base/errors.ts'
import type { Vad, VadStream } from '../../voice/ports.ts'
import { findSilero, stepSamples, type VadRate } from './silero-model.ts'
import type { FromSilero, SileroSetup, ToSilero } from './silero-worker.ts'
import { energyOf, SteadyNoise } from './steady-noise.ts'

export type SileroVad = Vad & {
  /** Waits for the current inference: terminating a worker during a run would abort the whole process. */
  close(): Promise<void>
}

/** One call of `push`, resolved with its last step. */
type Request = { values: number[]; left: number; answer: (values: number[]) => void; fail: (error: Error) => void }
type Step = {
  stream: number
  pcm: Int16Array
  request: Request
  told: (probability: number) => void
  /** The step could not be computed: the stream's last probability replaces it. */
  lost: () => void
}

/** The batch size worth waiting for: a single step costs four times as much as in a batch of 32. */
const WORTH_GATHERING = 5
const GATHER_MS = 16
/** Queue limit over all streams: one second of 300 calls, or five minutes of one. */
const MOST_WAITING = 10_000
/** Consecutive lost batches that are bridged with the last probabilities; after that the streams fail. */
const MOST_LOST = 3
/** Delay before another attempt to start the thread. */
const RESTART_MS = 1000

/**
 * `file` is an operator's own model instead of the package's; `onFault` reports every lost batch and failed restart.
 */
export async function openSilero(file?: string, onFault: (error: unknown) => void = () => {}): Promise<SileroVad> {
  const found = findSilero(file)
  if ('missing' in found) throw new Error(`not installed: ${found.missing.join(', ')}`)
  const setup: SileroSetup = { file: found.file }

  const waiting: Record<VadRate, Step[]> = { 8000: [], 16000: [] }
  let computing: Step[] = []
  let timer: NodeJS.Timeout | undefined
  let sentAt = 0
  let nextStream = 1
  let openStreams = 0
  let isOver = false
  let worker: Worker | undefined
  let lostInRow = 0
  let restart: NodeJS.Timeout | undefined

  async function start(): Promise<void> {
    const thread = new Worker(new URL('./silero-worker.ts', import.meta.url), { workerData: setup })
    const gone = new AbortController()
    thread.once('exit', () => gone.abort())
    const [first] = (await once(thread, 'message', { signal: gone.signal })) as [FromSilero]
    if (first.type !== 'ready') throw new Error(first.type === 'failed' ? first.message : 'silero did not start')
    if (isOver) return thread.postMessage({ do: 'close' } satisfies ToSilero)
    let cause: unknown
    thread.on('message', answered)
    thread.on('error', (error) => {
      cause = error
    })
    thread.once('exit', () => lost(cause))
    worker = thread
    send()
  }

  function answered(message: FromSilero): void {
    const steps = computing
    computing = []
    if (message.type === 'failed') bridge(steps, new Error(message.message))
    if (message.type === 'probabilities') {
      lostInRow = 0
      for (const [i, { request, told }] of steps.entries()) {
        told(message.values[i] as number)
        settle(request)
      }
    }
    send()
  }

  function settle(request: Request): void {
    request.left--
    if (request.left === 0) request.answer(request.values)
  }

  /** A lost batch ends no call: each stream repeats its last probability, unless several in a row were lost. */
  function bridge(steps: readonly Step[], error: unknown): void {
    if (steps.length === 0) return
    onFault(error)
    lostInRow++
    for (const { request, lost } of steps) {
      if (lostInRow > MOST_LOST) {
        request.fail(stopped(error))
        continue
      }
      lost()
      settle(request)
    }
  }

  /** The thread's state is lost with it; the streams go on in a new thread. */
  function lost(cause: unknown): void {
    worker = undefined
    if (isOver) return
    bridge(computing.splice(0), cause ?? new Error('the voice activity thread ended'))
    start().catch((error: unknown) => {
      if (isOver) return
      onFault(error)
      for (const { request } of takeAll()) request.fail(stopped(error))
      restart = setTimeout(() => lost(error), RESTART_MS).unref()
    })
  }

  function takeAll(): Step[] {
    const left = [...computing, ...waiting[8000], ...waiting[16000]]
    computing = []
    waiting[8000] = []
    waiting[16000] = []
    return left
  }

  function stop(): Step[] {
    isOver = true
    clearTimeout(timer)
    clearTimeout(restart)
    return takeAll()
  }

  /**
   * While one batch is computed the next one fills. The wait counts from the last batch: otherwise a stream that sends
   * its next step after each result would lose that time on every step and fall behind.
   */
  function plan(): void {
    if (computing.length > 0 || timer) return
    const gathered = performance.now() - sentAt
    timer = setTimeout(send, openStreams < WORTH_GATHERING ? 0 : Math.max(0, GATHER_MS - gathered))
  }

  function send(): void {
    clearTimeout(timer)
    timer = undefined
    const rateHz = waiting[8000].length >= waiting[16000].length ? 8000 : 16000
    const steps = waiting[rateHz]
    if (!worker || isOver || computing.length > 0 || steps.length === 0) return
    waiting[rateHz] = []
    computing = steps
    sentAt = performance.now()
    const size = stepSamples(rateHz)
    const pcm = new Int16Array(steps.length * size)
    steps.forEach((step, i) => {
      pcm.set(step.pcm, i * size)
    })
    const streams = Uint32Array.from(steps, (step) => step.stream)
    const message: ToSilero = { do: 'steps', rateHz, streams, pcm }
    worker.postMessage(message, [pcm.buffer, streams.buffer])
  }

  function open(rateHz: VadRate): VadStream {
    const stream = nextStream++
    const size = stepSamples(rateHz)
    let step = new Int16Array(size)
    let filled = 0
    let isClosed = false
    const noise = new SteadyNoise()
    /** The last step, if it was skipped: the model needs it as context for the next one. */
    let skipped: Int16Array | undefined
    let probability = 0
    openStreams++

    function wholeSteps(pcm: Int16Array): Int16Array[] {
      const whole: Int16Array[] = []
      for (let at = 0; at < pcm.length; ) {
        const part = pcm.subarray(at, at + size - filled)
        step.set(part, filled)
        filled += part.length
        at += part.length
        if (filled < size) break
        whole.push(step)
        step = new Int16Array(size)
        filled = 0
      }
      return whole
    }

    function compute(pcm: Int16Array, request: Request, told: Step['told'], lost: Step['lost']): void {
      request.left++
      waiting[rateHz].push({ stream, pcm, request, told, lost })
    }

    return {
      push(pcm) {
        if (isOver || isClosed) return Promise.reject(appError('vad_closed'))
        if (waiting[rateHz].length + pcm.length / size > MOST_WAITING) return Promise.reject(appError('vad_slow'))
        const steps = wholeSteps(pcm)
        if (steps.length === 0) return Promise.resolve([])
        return new Promise((answer, fail) => {
          const request: Request = { values: steps.map(() => 0), left: 0, answer, fail }
          for (const [place, step] of steps.entries()) {
            const energy = energyOf(step)
            if (noise.goesOn(energy)) {
              skipped = step
              request.values[place] = noise.probability
              continue
            }
            if (skipped) compute(skipped, request, ignore, ignore)
            skipped = undefined
            const told = (computed: number) => {
              probability = computed
              request.values[place] = computed
              noise.computed(energy, computed)
            }
            compute(step, request, told, () => {
              request.values[place] = probability
            })
          }
          if (request.left === 0) answer(request.values)
          else plan()
        })
      },
      close() {
        if (isClosed) return
        isClosed = true
        openStreams--
        // Steps still queued would recreate the stream in the worker.
        for (const step of waiting[rateHz]) if (step.stream === stream) step.request.answer([])
        waiting[rateHz] = waiting[rateHz].filter((step) => step.stream !== stream)
        if (!isOver) worker?.postMessage({ do: 'forget', stream } satisfies ToSilero)
      },
    }
  }

  await start()
  return {
    open,
    async close() {
      if (isOver) return
      const ended = worker && once(worker, 'exit')
      for (const { request } of stop()) request.answer([])
      worker?.postMessage({ do: 'close' } satisfies ToSilero)
      await ended
    },
  }
}

const ignore = () => {}
const stopped = (cause: unknown) => appError('vad_stopped', {}, { cause })
