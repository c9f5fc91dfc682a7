import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  broken,
  failing,
  history,
  never,
  refused,
  replyOf,
  type Script,
  said,
  saying,
  silent,
  stage,
  timed,
} from '../../test/failover/scripted-models.ts'
import { appError } from '../base/errors/errors.ts'
import { backgroundPatience, llmChain } from './llm-chain.ts'

test('the first link replies while it can, and no other is called', async () => {
  const at = stage()
  const llm = at.chain(at.link('a', saying('One ', 'two.')), at.link('b', saying('No.')))
  assert.deepEqual(await replyOf(at, llm), { text: 'One two.', ms: 0 })
  assert.deepEqual([at.asked, llm.name, llm.isModel], [['a'], 'a', true])
  assert.deepEqual(at.events, [{ type: 'served', kind: 'llm', providerId: 'a', name: 'Account a', model: 'model-a' }])
  assert.equal(at.breakers.healthOf('llm', 'a').state, 'ok')
})

test('the next link replies at once if the first fails before its first word', async () => {
  for (const words of [[], [' '], ['', '\n']]) {
    const at = stage()
    const llm = at.chain(at.link('a', failing(refused, ...words)), at.link('b', saying('Here.')))
    assert.deepEqual(await replyOf(at, llm), { text: 'Here.', ms: 0 })
    const degraded = at.events.find(({ type }) => type === 'degraded')
    assert.ok(degraded?.type === 'degraded')
    assert.deepEqual([degraded.from.providerId, degraded.to.providerId, degraded.reason], ['a', 'b', 'key_refused'])
  }
})

test('a silent link is joined by the next after 1.2 s, and counted as failed when its own time is over', async () => {
  const at = stage()
  const llm = at.chain(
    at.link('a', silent(at)),
    at.link('b', timed(at, [[200, 'Here.']], true)),
    at.link('embedded', saying('Rules.')),
  )
  assert.deepEqual(await replyOf(at, llm), { text: 'Here.', ms: 1_400 })
  assert.equal(at.breakers.healthOf('llm', 'a').state, 'unused')
  await at.clock.pass(2_000)
  assert.deepEqual(
    [at.breakers.healthOf('llm', 'a').state, at.breakers.healthOf('llm', 'a').reason],
    ['failing', 'timeout'],
  )
})

test('whoever speaks first is heard: a slow first link wins against a slower second, which has not failed', async () => {
  const at = stage()
  const llm = at.chain(
    at.link('a', timed(at, [[1_500, 'Slow.']], true)),
    at.link('b', timed(at, [[900, 'Slower.']], true)),
  )
  assert.deepEqual(await replyOf(at, llm), { text: 'Slow.', ms: 1_500 })
  await at.clock.pass(5_000)
  assert.deepEqual([at.asked, at.breakers.healthOf('llm', 'b').state, at.types()], [['a', 'b'], 'ok', []])
})

test('the rules are no hedge: they answer only when the models have failed', async () => {
  const at = stage()
  const llm = at.chain(at.link('a', timed(at, [[5_000, 'Slow.']], true)), at.link('embedded', saying('Rules.')))
  assert.deepEqual(await replyOf(at, llm), { text: 'Slow.', ms: 5_000 })
  const quick = stage()
  quick.breakers.of('llm', { id: 'a', version: '1' }).succeeded(100)
  const other = quick.chain(quick.link('a', silent(quick)), quick.link('embedded', saying('Rules.')))
  assert.deepEqual(await replyOf(quick, other), { text: 'Rules.', ms: 2_500 })
})

test('a second call does not wait for what the first has learned, and the provider recovers in the background', async () => {
  const at = stage()
  let isDown = true
  const a = at.link('a', (signal) => (isDown ? silent(at)(signal, []) : saying('Again.')(signal, [])))
  const links = [a, at.link('b', saying('Here.'))] as const
  const calls = [at.chain(...links), at.chain(...links), at.chain(...links)] as const
  for (const call of calls.slice(0, 2)) assert.equal((await replyOf(at, call)).ms, 1_200)
  await at.clock.pass(1_500)
  assert.deepEqual(await replyOf(at, calls[2]), { text: 'Here.', ms: 0 })
  assert.equal(calls[2].name, links[1].engine.name, 'named by who replied')
  assert.deepEqual(await replyOf(at, at.chain(...links)), { text: 'Here.', ms: 0 })
  isDown = false
  await at.clock.pass(60_000)
  assert.deepEqual(await replyOf(at, calls[2]), { text: 'Again.', ms: 0 })
  assert.equal(calls[2].name, a.engine.name)
  assert.deepEqual(at.types(), ['degraded', 'degraded', 'degraded', 'degraded', 'recovered'])
})

test('a call stays with the link that works, and is told of each change once', async () => {
  const at = stage()
  let isDown = true
  const a = at.link('a', (signal) => (isDown ? failing(broken)(signal, []) : saying('First.')(signal, [])))
  const llm = at.chain(a, at.link('b', saying('Second.')))
  for (let i = 0; i < 3; i++) assert.equal((await replyOf(at, llm)).text, 'Second.')
  assert.deepEqual([at.asked, at.types()], [['a', 'b', 'b', 'b'], ['degraded']])
  isDown = false
  await at.clock.pass(31_000)
  assert.equal((await replyOf(at, llm)).text, 'First.')
  assert.deepEqual(at.types(), ['degraded', 'recovered'])
})

test('an answer that breaks off is continued from the words already given out', async () => {
  const at = stage()
  const llm = at.chain(
    at.link('a', failing(broken, 'Your appoint', 'ment is on Mon')),
    at.link('b', saying('is on ', 'Monday at', ' nine.')),
  )
  assert.equal((await replyOf(at, llm)).text, 'Your appointment is on Monday at nine.')
  const [, , interrupted, order] = [undefined, ...(at.histories[1] ?? [])]
  assert.deepEqual(interrupted, { role: 'agent', content: 'Your appointment is on' })
  assert.match(order?.content ?? '', /do not repeat/)
  assert.equal(at.breakers.healthOf('llm', 'a').reason, 'broken_off')
})

test('an answer that stalls for 2 s has broken off; the rules begin a new sentence', async () => {
  const at = stage()
  const llm = at.chain(
    at.link(
      'a',
      timed(at, [
        [100, 'We open '],
        [400, 'at '],
      ]),
    ),
    at.link('embedded', saying('Please call later.')),
  )
  assert.deepEqual(await replyOf(at, llm), { text: 'We open at …\nPlease call later.', ms: 2_400 })
  assert.deepEqual(at.histories[1], history, 'the rules answer the caller')
})

test('tool calls of an answer that is not complete are not passed on', async () => {
  const at = stage()
  const call = { id: 'c', name: 'book', args: {} }
  const cut: Script = async function* () {
    yield { say: 'Sure. ' }
    yield { call }
    throw broken
  }
  const whole: Script = async function* () {
    yield { call: { ...call, id: 'd' } }
  }
  const llm = at.chain(at.link('a', cut), at.link('b', whole))
  const parts = await Array.fromAsync(llm.reply(history, [], { language: 'en' }, never))
  assert.deepEqual(parts, [{ say: 'Sure. ' }, { call: { ...call, id: 'd' } }])
})

test('links whose breaker is open are asked when nothing else is left, and the last failure is reported', async () => {
  const at = stage()
  const llm = at.chain(at.link('a', failing(refused)), at.link('b', failing(broken)))
  await assert.rejects(replyOf(at, llm), /It failed/)
  await assert.rejects(replyOf(at, llm))
  assert.deepEqual(at.asked, ['a', 'b', 'b', 'a'])
})

test('a request that a model refuses does not take the model away from others', async () => {
  const at = stage()
  const refusal = appError('service_refused_status', { service: 'a', status: 400 })
  const llm = at.chain(at.link('a', failing(refusal)), at.link('b', saying('Here.')))
  for (let i = 0; i < 3; i++) assert.equal((await replyOf(at, llm)).text, 'Here.')
  assert.equal(at.breakers.healthOf('llm', 'a').state, 'unused')
})

test('a link that ignores its signal does not delay the next', async () => {
  const at = stage()
  const deaf: Script = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) })
  const llm = at.chain(at.link('a', deaf), at.link('b', saying('Here.')))
  assert.deepEqual(await replyOf(at, llm), { text: 'Here.', ms: 1_200 })
})

test('an abort stops every link and counts as no failure', async () => {
  const at = stage()
  let stopped = 0
  const stalling: Script = async function* (signal) {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    stopped++
    yield { say: '' }
  }
  const llm = at.chain(at.link('a', stalling), at.link('b', stalling), at.link('embedded', saying('No.')))
  const leaving = new AbortController()
  const reply = Array.fromAsync(llm.reply(history, [], { language: 'en' }, leaving.signal))
  await at.clock.pass(1_300)
  leaving.abort()
  assert.deepEqual(await reply, [])
  assert.deepEqual([at.asked, stopped], [['a', 'b'], 2])
  assert.deepEqual([at.breakers.healthOf('llm', 'a').state, at.events], ['unused', []])
  assert.deepEqual(await replyOf(at, llm, AbortSignal.abort()), { text: '', ms: 0 })
})

test('background work waits as long as it takes, and an empty reply is a reply', async () => {
  const at = stage()
  const links = [at.link('a', timed(at, [[80_000, 'Done.']], true)), at.link('b', saying('No.'))]
  const llm = llmChain({
    links,
    breakers: at.breakers,
    clock: at.clock,
    onEvent: () => {},
    patience: backgroundPatience,
  })
  assert.deepEqual(await replyOf(at, llm), { text: 'Done.', ms: 80_000 })
  assert.equal((await replyOf(at, at.chain(at.link('c', saying()), at.link('d', saying('No.'))))).text, '')
})

test('words that end the call still do behind the chain', async () => {
  const at = stage()
  const llm = at.chain(
    at.link('a', failing(broken)),
    at.link('embedded', async function* () {
      yield { say: 'Goodbye!', endsCall: 'agent_ended' }
    }),
  )
  const parts = await Array.fromAsync(llm.reply(history, [], { language: 'en' }, never))
  assert.deepEqual(parts.at(-1), { say: '', endsCall: 'agent_ended' })
  assert.equal(said(parts), 'Goodbye!')
})

test('a provider is tried again without the budget of the user whose call found it down', async () => {
  const at = stage()
  let isDown = true
  const script: Script = (signal, asked) =>
    failing(isDown ? refused : appError('budget_model_used_up', { limit: 1 }))(signal, asked)
  const uncounted = at.link('a', saying('Back.')).engine
  const llm = at.chain({ ...at.link('a', script), uncounted }, at.link('embedded', saying('Rules.')))
  assert.equal((await replyOf(at, llm)).text, 'Rules.')
  assert.equal(at.breakers.healthOf('llm', 'a').state, 'down')
  isDown = false
  await at.clock.pass(6_000)
  assert.equal(at.breakers.healthOf('llm', 'a').state, 'ok', 'other users get it back')
  assert.equal((await replyOf(at, llm)).text, 'Rules.', 'this user has no budget left')
  assert.equal(at.breakers.healthOf('llm', 'a').state, 'ok', 'which says nothing about the provider')
})
