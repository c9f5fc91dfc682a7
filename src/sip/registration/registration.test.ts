import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { OutOfDialogRequest, RequestOutcome } from '../dialog/call.ts'
import { newRequest, responseTo } from '../message/build.ts'
import type { Flow } from '../message/message.ts'
import { type RegistrationOptions, type RegistrationState, startRegistration } from './registration.ts'

const flow: Flow = {
  transport: 'udp',
  remote: { address: '198.51.100.1', port: 5060 },
  local: { address: '192.0.2.9', port: 5060 },
}

type Answer = (request: OutOfDialogRequest, signal: AbortSignal | undefined) => RequestOutcome | Promise<RequestOutcome>

/** A response of the carrier. `used`: the CSeq numbers that the request consumed (an answered challenge adds one). */
const says =
  (status: number, headers: Record<string, string> = {}, used = 0): Answer =>
  (request) => {
    const asked = newRequest({
      ...request,
      body: undefined,
      callId: request.callId ?? '',
      cseq: (request.cseq ?? 0) + used,
      headers: {},
    })
    return { response: responseTo(asked, status, undefined, { headers }), flow }
  }
const dead: Answer = () => ({ failure: 'timeout', detail: 'no answer from 198.51.100.1' })
const never: Answer = (_, signal) =>
  new Promise((resolve) => {
    signal?.addEventListener('abort', () => resolve({ failure: 'transport', detail: 'aborted' }))
  })

/** A carrier that gives these answers (and repeats the last one), on a manual clock. */
function setUp(answers: Answer[], options: Partial<RegistrationOptions> = {}) {
  const sent: OutOfDialogRequest[] = []
  const states: RegistrationState[] = []
  const clock = { now: 1_700_000_000_000 }
  let waiting: { ms: number; task: () => void } | null = null
  const registration = startRegistration({
    ua: {
      request: async (request, signal) => {
        sent.push(request)
        const answer = answers.length > 1 ? answers.shift() : answers[0]
        return (answer ?? dead)(request, signal)
      },
    },
    aor: '<sip:trunk@carrier.example>',
    registrarUri: 'sip:carrier.example',
    credentials: { username: 'trunk', password: 'secret' },
    contactUser: 'trunk-7',
    expiresSeconds: 600,
    onState: (state) => states.push(state),
    now: () => clock.now,
    random: () => 0.5,
    later: (ms, task) => {
      const mine = { ms, task }
      waiting = mine
      return () => {
        if (waiting === mine) waiting = null
      }
    },
    stopTimeoutMs: 50,
    ...options,
  })
  const settle = async () => {
    for (let i = 0; i < 5; i++) await turn()
  }
  return {
    sent,
    states,
    clock,
    registration,
    settle,
    /** The pending delay, in seconds; null if there is none. */
    pause: () => (waiting ? Math.round(waiting.ms / 100) / 10 : null),
    /** Advances the clock by that delay. */
    async pass() {
      const due = waiting
      assert.ok(due, 'nothing is waited for')
      waiting = null
      clock.now += due.ms
      due.task()
      await settle()
    },
    last: () => states.at(-1),
  }
}

test('it registers and refreshes in time, with one Call-ID and increasing CSeq', async () => {
  const { sent, states, settle, pause, pass, clock, registration } = setUp(
    [says(200, { contact: '<sip:trunk-7@192.0.2.9>;expires=300' }, 1)],
    {
      route: 'sip:proxy.example;lr',
      headers: { 'x-carrier': 'a' },
    },
  )
  await settle()
  assert.deepEqual(
    states.map(({ status }) => status),
    ['registering', 'registered'],
  )
  assert.equal(states[1]?.expiresAt, clock.now + 300_000)
  assert.equal(sent[0]?.headers?.expires, '600')
  assert.equal(sent[0]?.headers?.['x-carrier'], 'a')
  assert.equal(sent[0]?.route, 'sip:proxy.example;lr')
  assert.equal(sent[0]?.contactUser, 'trunk-7')
  assert.equal(pause(), 210)
  await pass()
  await pass()
  assert.equal(sent.length, 3)
  assert.equal(new Set(sent.map(({ callId }) => callId)).size, 1)
  for (const [before, after] of [
    [sent[0], sent[1]],
    [sent[1], sent[2]],
  ])
    assert.ok((after?.cseq ?? 0) > (before?.cseq ?? 0) + 1, 'the answer to a challenge took the number between')
  await registration.stop()
})

test('the time granted is that of our contact, else of the header, else what was asked', async () => {
  const cases: [Record<string, string>, number][] = [
    [{ contact: '<sip:other@h>;expires=20, <sip:trunk-7@h>;expires=120', expires: '999' }, 120],
    [{ contact: '<sip:other@h>;expires=20', expires: '90' }, 90],
    [{}, 600],
    [{ contact: '<sip:trunk-7@h>;expires=1800' }, 1800],
    [{ contact: '<sip:trunk-7@h>;expires=999999999' }, 86_400],
    [{ contact: '<sip:trunk-7@h:1>;expires=500, <sip:trunk-7@h:2>;expires=9000' }, 600],
    [{ contact: '<sip:trunk-7@h:1>;expires=30, <sip:trunk-7@h:2>;expires=300' }, 300],
    [{ contact: 'rubbish', expires: 'soon' }, 600],
  ]
  for (const [headers, seconds] of cases) {
    const { settle, last, clock, registration } = setUp([says(200, headers)])
    await settle()
    assert.equal(((last()?.expiresAt ?? 0) - clock.now) / 1000, seconds, JSON.stringify(headers))
    await registration.stop()
  }
})

test('refreshes are spread over a part of the granted time', async () => {
  for (const [random, seconds] of [
    [0, 360],
    [0.999, 479.9],
  ] as const) {
    const { settle, pause, registration } = setUp([says(200)], { random: () => random })
    await settle()
    assert.equal(pause(), seconds)
    await registration.stop()
  }
})

test('after a 423 the longer interval is used', async () => {
  const { sent, settle, last, registration } = setUp([
    says(423, { 'min-expires': '1800' }),
    says(200, { expires: '1800' }),
  ])
  await settle()
  assert.deepEqual(
    sent.map(({ headers }) => headers?.expires),
    ['600', '1800'],
  )
  assert.equal(last()?.status, 'registered')
  await registration.stop()
})

test('repeated 423 responses come to an end', async () => {
  const { sent, settle, last, pause, registration } = setUp([says(423, { 'min-expires': '1800' })])
  await settle()
  assert.equal(sent.length, 2)
  assert.deepEqual([last()?.status, last()?.sipCode, pause()], ['refused', 423, 30])
  await registration.stop()
})

test('a dead carrier is retried with backoff', async () => {
  const { settle, pass, pause, last, registration } = setUp([dead])
  await settle()
  const pauses: (number | null)[] = []
  for (let i = 0; i < 9; i++) {
    assert.deepEqual(last(), { status: 'unreachable', detail: 'no answer from 198.51.100.1' })
    pauses.push(pause())
    await pass()
  }
  assert.deepEqual(pauses, [5, 10, 20, 40, 80, 160, 300, 300, 300])
  await registration.stop()
})

test('backoff is jittered, so that trunks do not retry together', async () => {
  const seen = new Set<number | null>()
  for (const random of [0, 0.3, 0.99]) {
    const { settle, pause, registration } = setUp([dead], { random: () => random })
    await settle()
    seen.add(pause())
    await registration.stop()
  }
  assert.deepEqual([...seen], [3.8, 4.5, 6.2])
})

test('a wrong password is retried rarely', async () => {
  const { settle, pass, pause, last, sent, registration } = setUp([says(401)])
  await settle()
  assert.deepEqual([last()?.status, last()?.sipCode, last()?.detail], ['auth_failed', 401, '401 Unauthorized'])
  assert.equal(sent.length, 1)
  assert.equal(pause(), 300)
  for (let i = 0; i < 5; i++) await pass()
  assert.equal(pause(), 3600)
  assert.doesNotMatch(JSON.stringify(last()), /secret/)
  await registration.stop()
})

test('a refusal is reported with its code, and Retry-After is obeyed', async () => {
  const { settle, pause, last, pass, registration } = setUp([
    says(503, { 'retry-after': '120 (busy)' }),
    says(403),
    dead,
    says(200),
  ])
  await settle()
  assert.deepEqual(
    [last()?.status, last()?.sipCode, last()?.detail, pause()],
    ['refused', 503, '503 Service Unavailable', 120],
  )
  await pass()
  assert.deepEqual([last()?.status, last()?.sipCode, pause()], ['refused', 403, 60])
  await pass()
  assert.deepEqual([last()?.status, pause()], ['unreachable', 5])
  await pass()
  assert.deepEqual([last()?.status, pause()], ['registered', 420])
  await registration.stop()
})

test('until the time runs out, a failed refresh says until when calls may still come', async () => {
  const { settle, pass, last, clock, registration } = setUp([says(200), dead])
  await settle()
  const until = clock.now + 600_000
  await pass()
  assert.deepEqual([last()?.status, last()?.expiresAt], ['unreachable', until])
  while (clock.now < until) await pass()
  assert.deepEqual([last()?.status, last()?.expiresAt], ['unreachable', undefined])
  await registration.stop()
})

test('refresh registers at once, never twice in parallel', async () => {
  const { settle, sent, registration, pause, last } = setUp([says(401), never, says(200)])
  await settle()
  registration.refresh()
  registration.refresh()
  registration.refresh()
  await settle()
  assert.deepEqual([sent.length, pause(), last()?.status], [2, null, 'registering'])
  const stopped = registration.stop()
  await stopped
  assert.equal(sent.at(-1)?.headers?.expires, '0')
})

test('a refresh during a request runs after it', async () => {
  let release: ((outcome: RequestOutcome) => void) | undefined
  const slow: Answer = () =>
    new Promise((resolve) => {
      release = resolve
    })
  const { settle, sent, registration, last } = setUp([slow, says(200)])
  await settle()
  registration.refresh()
  await settle()
  assert.equal(sent.length, 1)
  release?.({ failure: 'timeout', detail: 'late' })
  await settle()
  assert.equal(sent.length, 2)
  assert.equal(last()?.status, 'registered')
  await registration.stop()
})

test('stop unregisters once and sends nothing more', async () => {
  const { settle, sent, states, registration, pause } = setUp([says(200)])
  await settle()
  const told = states.length
  await registration.stop()
  await registration.stop()
  registration.refresh()
  await settle()
  assert.deepEqual(
    sent.map(({ headers }) => headers?.expires),
    ['600', '0'],
  )
  assert.ok((sent[1]?.cseq ?? 0) > (sent[0]?.cseq ?? 0))
  assert.deepEqual([states.length, pause()], [told, null])
})

test('stop does not wait for a carrier that does not answer', async () => {
  const { settle, registration } = setUp([says(200), never])
  await settle()
  const start = performance.now()
  await registration.stop()
  const took = performance.now() - start
  assert.ok(took >= 45 && took < 5000, `${took} ms`)
})

test('without a registration nothing is unregistered', async () => {
  const { settle, sent, registration, pause } = setUp([says(403)])
  await settle()
  await registration.stop()
  assert.deepEqual([sent.length, pause()], [1, null])
})

test('a transport error counts as a failure', async () => {
  const { settle, last, pause, registration } = setUp([
    () => {
      throw new Error('socket closed')
    },
  ])
  await settle()
  assert.deepEqual([last(), pause()], [{ status: 'unreachable', detail: 'socket closed' }, 5])
  await registration.stop()
})
