// The supervisor's mix of a live call: 20 ms stereo frames, caller left, agent right, for those who monitor it.
// Without listeners a frame costs one check and no copy.
import { monotonicMs } from '../base/time/clock.ts'
import type { Audio, AudioFrame, Transport } from '../voice/ports.ts'
import { DroppingQueue, Inbox } from './frame-inbox.ts'
import { agentSide, callerSide } from './monitor-sides.ts'
import { FRAME_MS, FRAME_SAMPLES, FrameReader } from './monitor-tape.ts'

const MAX_LISTENERS = 10
/** Slow listeners lose the oldest frames. */
const MAX_BEHIND = 2000 / FRAME_MS
/** After a longer stall of the process the missed frames are skipped. */
const MAX_STALL_MS = 500

export type Listener = {
  /** Ends with the conversation. */
  frames: AsyncIterable<Uint8Array>
  stop(): void
}

export type MonitorMixer = ReturnType<typeof monitorMixer>

export function monitorMixer(now: () => number = monotonicMs) {
  const listeners = new Set<{ queue: DroppingQueue<Uint8Array>; inbox: Inbox<Uint8Array> }>()
  const caller = callerSide()
  const agent = agentSide(now, () => listeners.size === 0)
  let gain = 1
  let left = new FrameReader()
  let right = new FrameReader()
  let ticking: NodeJS.Timeout | undefined
  let sentMs = 0
  let isEnded = false
  let callerInput: Audio | undefined
  let stopReading = () => {}

  function heard(frame: AudioFrame): void {
    if (listeners.size > 0) caller.put(frame)
  }

  function mix(): Uint8Array {
    const far = left.next(caller.at(sentMs))
    const near = right.next(agent.current())
    const both = new Int16Array(2 * FRAME_SAMPLES)
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      both[2 * i] = far[i] as number
      both[2 * i + 1] = (near[i] as number) * gain
    }
    return new Uint8Array(both.buffer)
  }

  function tick(): void {
    const at = now()
    if (at - sentMs > MAX_STALL_MS) sentMs = at - FRAME_MS
    for (; sentMs + FRAME_MS <= at; sentMs += FRAME_MS) {
      const frame = mix()
      for (const { queue, inbox } of listeners) {
        queue.put(frame)
        inbox.wake()
      }
    }
    agent.heardUpTo(sentMs)
  }

  /** A transport that tracks speech itself has its frames read only while somebody monitors. */
  function watchedInput(transport: Transport): Pick<Transport, 'input' | 'listen'> {
    const { input, listen } = transport
    if (!listen) return { input: overheard(input, heard) }
    callerInput = input
    return { input, listen: (options, sink) => listen.call(transport, options, sink) }
  }

  async function readCaller(input: Audio): Promise<void> {
    const reader = input[Symbol.asyncIterator]()
    stopReading = () => void reader.return?.()
    for (let one = await reader.next(); !one.done; one = await reader.next()) heard(one.value)
  }

  function begin(): void {
    agent.catchUp()
    if (callerInput) void readCaller(callerInput).catch(() => {})
    caller.restart(now())
    left = new FrameReader()
    right = new FrameReader()
    sentMs = now()
    ticking = setInterval(tick, FRAME_MS)
  }

  function stop(): void {
    stopReading()
    clearInterval(ticking)
    ticking = undefined
    caller.clear()
  }

  return {
    /** The same transport, monitored. */
    watched: (transport: Transport): Transport => ({
      ...watchedInput(transport),
      digits: transport.digits,
      play: (audio, signal) => agent.play(transport, audio, signal),
      volume:
        transport.volume &&
        ((level) => {
          gain = level
          transport.volume?.(level)
        }),
      hold:
        transport.hold &&
        ((on) => {
          agent.hold(on)
          transport.hold?.(on)
        }),
      act: (action) => transport.act(action),
    }),
    /** Undefined when there are too many listeners, or the conversation is over. */
    listen(): Listener | undefined {
      if (isEnded || listeners.size >= MAX_LISTENERS) return undefined
      if (listeners.size === 0) begin()
      const queue = new DroppingQueue<Uint8Array>(MAX_BEHIND)
      const one = { queue, inbox: new Inbox(queue) }
      listeners.add(one)
      return {
        frames: one.inbox,
        stop() {
          if (!listeners.delete(one)) return
          one.inbox.end()
          if (listeners.size === 0) stop()
        },
      }
    },
    end(): void {
      isEnded = true
      for (const { inbox } of listeners) inbox.end()
      listeners.clear()
      stop()
    },
  }
}

function overheard(input: Audio, heard: (frame: AudioFrame) => void): Audio {
  return {
    [Symbol.asyncIterator]() {
      const from = input[Symbol.asyncIterator]()
      return {
        async next() {
          const one = await from.next()
          if (!one.done) heard(one.value)
          return one
        },
        return: async () => (await from.return?.()) ?? { done: true, value: undefined },
      }
    },
  }
}
