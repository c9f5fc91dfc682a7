// Asking a hook: time limits, the breaker of a dead server, the limit per user, and late answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBreakers } from '../../failover/breakers.ts'
import { noAnswer } from './answer.ts'
import { type HookReply, hookAsker, type Question } from './ask.ts'

const good: HookReply = { status: 'applied', answer: noAnswer, detail: null, statusCode: 200, ignored: [] }
const broken: HookReply = { ...good, status: 'failed', detail: 'it broke', fault: 'unreachable' }

/** Short, for requests that end only at this limit. */
const LATE_MS = 200

function started({ lateMs = LATE_MS } = {}) {
  let nowMs = 1000
  const breakers = createBreakers({ now: () => nowMs, wallMs: () => nowMs, sleep: async () => {} })
  const { ask, close } = hookAsker(breakers, lateMs)
  let sent = 0
  /** Settles only when the signal aborts. */
  const silent = (signal: AbortSignal) =>
    new Promise<HookReply>((resolve) => signal.addEventListener('abort', () => resolve(broken), { once: true }))
  const question = (send: (signal: AbortSignal) => Promise<HookReply>, more: Partial<Question> = {}): Question => ({
    userId: 'usr',
    hook: { id: 'hok', updatedAt: 'v1', timeoutMs: send === silent ? 30 : 60_000 },
    send(signal) {
      sent++
      return send(signal)
    },
    signal: new AbortController().signal,
    ...more,
  })
  const wait = (ms: number) => {
    nowMs += ms
  }
  const healthOf = (id: string) => breakers.healthOf('answer_hook', id).state
  return { ask, close, silent, question, wait, healthOf, sent: () => sent }
}

test('an answer in time is returned, and nothing comes late', async () => {
  const { ask, question } = started()
  let waits = 0
  const asked = await ask(question(async () => good, { onWaiting: () => waits++ }))
  assert.deepEqual([asked.status, asked.reply, await asked.late, waits], ['applied', good, null, 1])
})

test('50 callers at once with a dead server wait its time once, and the next does not wait at all', async () => {
  const { ask, question, silent, sent } = started()
  const all = await Promise.all(Array.from({ length: 50 }, () => ask(question(silent))))
  assert.ok(all.every(({ status }) => status === 'timeout'))
  const next = await ask(question(silent))
  assert.deepEqual([next.status, next.ms, sent()], ['skipped', 0, 50])
  assert.deepEqual(await Promise.all(all.map(({ late }) => late)), Array(50).fill(null))
})

test('a failing server is tried again by a caller who does not wait, and then serves', async () => {
  const { ask, question, silent, wait } = started()
  for (let i = 0; i < 2; i++) assert.equal((await ask(question(async () => broken))).status, 'failed')
  assert.equal((await ask(question(async () => good))).status, 'skipped')
  wait(5_000)
  let waits = 0
  const trial = await ask(question(async () => good, { onWaiting: () => waits++ }))
  assert.deepEqual([trial.status, waits, (await trial.late)?.reply], ['skipped', 0, good])
  assert.equal((await ask(question(async () => good))).status, 'applied')
  // A failed probe keeps the server blocked for the other callers.
  for (let i = 0; i < 2; i++) await ask(question(async () => broken))
  wait(5_000)
  await (await ask(question(silent))).late
  assert.equal((await ask(question(async () => good))).status, 'skipped')
})

test('a server that answers too late hands its answer over', async () => {
  const { ask, question } = started()
  const release = Promise.withResolvers<void>()
  const hook = { id: 'hok', updatedAt: 'v1', timeoutMs: 30 }
  const asked = await ask(question(() => release.promise.then(() => good), { hook }))
  assert.equal(asked.status, 'timeout')
  release.resolve()
  assert.equal((await asked.late)?.reply, good)
})

test('an answer that is wrong for one caller does not count against the server', async () => {
  const { ask, question } = started()
  const wrong: HookReply = { ...good, status: 'invalid', detail: 'agentId names no active agent' }
  for (let i = 0; i < 5; i++) assert.equal((await ask(question(async () => wrong))).status, 'invalid')
})

test('a caller who hangs up ends the request, and says nothing about the server', async () => {
  const { ask, question, silent } = started()
  for (let i = 0; i < 5; i++) {
    const left = new AbortController()
    const asking = ask(question(silent, { signal: left.signal }))
    left.abort()
    const { status, late } = await asking
    assert.deepEqual([status, await late], ['skipped', null])
  }
  assert.equal((await ask(question(async () => good))).status, 'applied')
})

test('a user has a bounded number of requests under way; another user is not affected', async () => {
  const { ask, question, silent } = started()
  const hook = (i: number) => ({ id: `hok_${i}`, updatedAt: 'v1', timeoutMs: 30 })
  const all = Array.from({ length: 100 }, (_, i) => ask(question(silent, { hook: hook(i) })))
  const beyond = await ask(question(async () => good, { hook: hook(100) }))
  assert.deepEqual([beyond.status, beyond.detail], ['skipped', 'Too many requests are waiting for an answer'])
  assert.equal((await ask(question(async () => good, { userId: 'other' }))).status, 'applied')
  for (const { late } of await Promise.all(all)) await late
  assert.equal((await ask(question(async () => good, { hook: hook(101) }))).status, 'applied')
})

test('closing ends all requests, waited for or late, without a word against their servers; the next one is sent with its signal fired', async () => {
  const { ask, question, silent, close, healthOf } = started({ lateMs: 60_000 })
  const signals: AbortSignal[] = []
  const heldBy = (id: string, timeoutMs: number) =>
    question(
      (signal) => {
        signals.push(signal)
        return signal.aborted ? Promise.resolve(broken) : silent(signal)
      },
      { hook: { id, updatedAt: 'v1', timeoutMs } },
    )
  const waiting = [ask(heldBy('one', 60_000)), ask(heldBy('two', 60_000))]
  const late = await ask(heldBy('late', 1))
  assert.equal(late.status, 'timeout')
  const inProgress = () => signals.map(({ aborted }) => aborted)
  assert.deepEqual(inProgress(), [false, false, false])
  close()
  assert.deepEqual(inProgress(), [true, true, true])
  for (const { status, reply } of await Promise.all(waiting)) assert.deepEqual([status, reply], ['failed', broken])
  assert.equal((await late.late)?.reply, broken)
  assert.deepEqual([healthOf('one'), healthOf('two')], ['unused', 'unused'])
  assert.equal((await ask(heldBy('new', 60_000))).status, 'failed')
  assert.deepEqual([signals.at(-1)?.aborted, healthOf('new')], [true, 'unused'])
})
