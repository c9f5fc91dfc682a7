// Callers of every kind: they talk, interrupt, hang up in each phase, are refused, or are called.
import type { CallEnding, InboundCall, SipCall } from '../../src/sip/dialog/call.ts'
import { createResolver } from '../../src/sip/transport/resolver.ts'
import { createUserAgent } from '../../src/sip/user-agent.ts'
import { type Line, openLines } from './lines.ts'
import { timers } from './sip-timers.ts'

/** The outcome: as expected, refused by a busy platform, or unexpected. */
export type Outcome = { kind: string; is: 'right' | 'turned-away' | 'strange'; detail: string }
export type Talk = { line: Line; sip: SipCall; ended: Promise<CallEnding>; isOver: () => boolean }
/** What the caller does after the answer; they then hang up if the call is still up. */
type Course = (talk: Talk) => Promise<void>

const hears =
  (ms: number): Course =>
  ({ line, isOver }) =>
    line.until(`${ms} ms of the agent`, () => line.heardMs >= ms || isOver())
const quiet =
  (ms: number): Course =>
  ({ line, isOver }) =>
    line.until('the agent is quiet', () => line.quietMs >= ms || isOver())
const asks: Course = ({ line, isOver }) => {
  line.ask()
  return line.until('the question was asked', () => !line.isAsking || isOver())
}
const after = (ms: number) => (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const answered: Course = async ({ line, isOver }) => {
  const before = line.heardMs
  await line.until('an answer', () => line.heardMs > before + 100 || isOver())
}
const course =
  (...steps: Course[]): Course =>
  async (talk) => {
    for (const step of steps) await step(talk)
  }

/** Kinds of inbound calls, with their share in the mix. */
const inward: readonly [name: string, share: number, course: Course | 'cancels' | 'stranger'][] = [
  ['talks', 4, course(hears(200), quiet(300), asks, answered, quiet(300))],
  ['interrupts', 3, course(hears(200), asks, quiet(400))],
  ['leaves at the answer', 3, course()],
  ['leaves in the greeting', 4, course(hears(150))],
  ['leaves while asking', 2, course(hears(100), ({ line }) => Promise.resolve(line.ask()), after(500))],
  ['leaves while it thinks', 2, course(hears(200), quiet(300), asks, after(450))],
  ['leaves in the answer', 2, course(hears(200), quiet(300), asks, answered)],
  ['cancels', 2, 'cancels'],
  ['calls nobody', 2, 'stranger'],
]
export const outward = ['answers', 'is busy', 'lets it ring', 'is hung up on'] as const
const OUTWARD_SHARE = 4

const kinds = inward.flatMap(([name, share, what]) => Array.from({ length: share }, () => ({ name, what })))
const MIX = kinds.length + OUTWARD_SHARE

export type CallersOptions = {
  sipPort: number
  number: string
  /** Requests an outbound call to this number; resolves with the call's id. */
  order: (to: string) => Promise<string>
  hangUp: (callId: string) => Promise<void>
  /** How long a caller retries when the platform is busy. */
  patienceMs: number
}

const BOUND_MS = 30_000
const MAX_HASTE_MS = 30
const AGAIN_MS = 300
/** Coprime to the size of the mix, so that kinds alternate instead of coming in blocks. */
const STRIDE = 11

export async function openCallers() {
  const lines = await openLines()
  const sdp = (): string =>
    `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio ${lines.port} RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\n`
  const expected = new Map<string, (call: InboundCall) => void>()
  const ua = await createUserAgent({
    listeners: [{ transport: 'udp', host: '127.0.0.1', port: 0 }],
    timers,
    resolver: createResolver(),
    userAgentName: 'soak',
    onInvite(call) {
      const number = /sip:([^@>]+)@/.exec(call.invite.uri)?.[1] ?? ''
      const take = expected.get(number)
      if (take) take(call)
      else call.refuse(404)
    },
    onRequest: () => {},
  })
  const port = ua.stack.listeners[0]?.port ?? 0
  const portOf = (text: string | null) => Number(/m=audio (\d+)/.exec(text ?? '')?.[1] ?? 0)

  /** Follows a call from the answer to its end, whichever side ends it. */
  async function follow(sip: SipCall, line: Line, ended: Promise<CallEnding>, steps: Course): Promise<void> {
    let isOver = false
    const end = ended.then((ending) => {
      isOver = true
      return ending
    })
    await steps({ line, sip, ended: end, isOver: () => isOver })
    sip.hangUp()
    await within('the end of the call', end)
  }

  async function callIn(n: number, { sipPort, number }: CallersOptions): Promise<Outcome> {
    const { name: kind, what } = kinds[(n * STRIDE) % kinds.length] as (typeof kinds)[number]
    const line = lines.open()
    try {
      const to = what === 'stranger' ? `+5511${40_000_000 + n}` : number
      const uri = `sip:${to}@127.0.0.1:${sipPort}`
      const ended = Promise.withResolvers<CallEnding>()
      const isAnswered = Promise.withResolvers<boolean>()
      const sip = ua.invite(
        {
          uri,
          from: `<sip:+5511${90_000_000 + n}@127.0.0.1:${port}>`,
          to: `<${uri}>`,
          sdp: sdp(),
          ringTimeoutMs: BOUND_MS,
          contactUser: 'soak',
        },
        {
          onAnswered(text) {
            line.connect(portOf(text))
            isAnswered.resolve(true)
          },
          onEnd(ending) {
            isAnswered.resolve(false)
            ended.resolve(ending)
          },
        },
      )
      if (what === 'cancels') {
        await after(n % MAX_HASTE_MS)() // before, during or just after the answer
        sip.hangUp()
        await within('the end of a canceled call', ended.promise)
        return { kind, is: 'right', detail: '' }
      }
      if (!(await within('an answer', isAnswered.promise))) {
        const { status, why } = await ended.promise
        if (what === 'stranger') return { kind, is: status === 404 ? 'right' : 'strange', detail: `${why} ${status}` }
        return { kind, is: status === 503 ? 'turned-away' : 'strange', detail: `${why} ${status}` }
      }
      if (what === 'stranger') return { kind, is: 'strange', detail: 'answered' }
      await follow(sip, line, ended.promise, what)
      return { kind, is: 'right', detail: '' }
    } catch (error) {
      return { kind, is: 'strange', detail: error instanceof Error ? error.message : String(error) }
    } finally {
      line.close()
    }
  }

  async function callInAgain(n: number, options: CallersOptions): Promise<Outcome> {
    const endMs = performance.now() + options.patienceMs
    for (;;) {
      const outcome = await callIn(n, options)
      if (outcome.is !== 'turned-away' || performance.now() > endMs) return outcome
      await after(AGAIN_MS)()
    }
  }

  async function callOut(n: number, { order, hangUp }: CallersOptions): Promise<Outcome> {
    const kind = outward[n % outward.length] as (typeof outward)[number]
    const to = `+5511${80_000_000 + n}`
    const line = lines.open()
    const came = Promise.withResolvers<InboundCall>()
    expected.set(to, came.resolve)
    try {
      const id = await order(to)
      const call = await within('the platform calls', came.promise)
      const ended = Promise.withResolvers<CallEnding>()
      call.handle({ onEnd: ended.resolve })
      if (kind === 'is busy') call.refuse(486)
      else {
        call.ring()
        if (kind === 'lets it ring') await hangUp(id)
        else {
          line.connect(portOf(call.offer))
          call.answer(sdp())
          const steps = kind === 'answers' ? hears(100) : course(hears(100), () => hangUp(id), after(200))
          await follow(call, line, ended.promise, steps)
        }
      }
      await within('the end of a call to us', ended.promise)
      return { kind, is: 'right', detail: '' }
    } catch (error) {
      return { kind, is: 'strange', detail: error instanceof Error ? error.message : String(error) }
    } finally {
      expected.delete(to)
      line.close()
    }
  }

  return {
    port,
    call: (n: number, options: CallersOptions): Promise<Outcome> =>
      (n * STRIDE) % MIX < kinds.length ? callInAgain(n, options) : callOut(n, options),
    get calls() {
      return ua.calls
    },
    async close() {
      await ua.close()
      lines.close()
    },
  }
}

function within<T>(what: string, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`not within ${BOUND_MS} ms: ${what}`)), BOUND_MS)
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer))
}
