// Slow models: within an answer, as the only model, and for the next call.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replyOf, type Script, type Stage, saying, silent, stage, timed } from '../../test/failover/scripted-models.ts'

/** Streams one word at a fixed interval until the text ends. */
const trickling = (at: Stage, text: string, ms: number): Script =>
  timed(
    at,
    text.split(/(?<= )/).map((word, i) => [(i + 1) * ms, word]),
    true,
  )
const ANSWER = 'We are open from nine to five on weekdays and on Saturdays until noon.'

test('a model that trickles is left for one that can feed speech, which continues its answer', async () => {
  const at = stage()
  const llm = at.chain(
    at.link('a', trickling(at, ANSWER, 1_500)),
    at.link('b', async function* () {
      yield { say: `open ${ANSWER.slice('We are open '.length)}` }
    }),
    at.link('embedded', saying('Rules.')),
  )
  // The second model is asked in parallel, because the first one's first word is late.
  const { text, ms } = await replyOf(at, llm)
  assert.ok(ms < 6_000, `${ms} ms`)
  assert.match(text, /until noon\.$/)
  const slow = stage()
  const words = timed(
    slow,
    ANSWER.split(/(?<= )/).map((word, i) => [500 + i * 1_500, word]),
    true,
  )
  const pair = slow.chain(
    slow.link('a', words),
    slow.link('b', async function* (_, asked) {
      const said = asked.findLast(({ role }) => role === 'agent')?.content ?? ''
      yield { say: ANSWER.slice(said.length).trim() }
    }),
    slow.link('embedded', saying('Rules.')),
  )
  const reply = await replyOf(slow, pair)
  assert.equal(reply.text, ANSWER)
  assert.ok(reply.ms < 5_000, `${reply.ms} ms`)
  const degraded = slow.events.find(({ type }) => type === 'degraded')
  assert.ok(degraded?.type === 'degraded')
  assert.deepEqual([degraded.from.providerId, degraded.to.providerId, degraded.reason], ['a', 'b', 'timeout'])
})

test('a model that trickles goes on where no other model can', async () => {
  const at = stage()
  const alone = at.chain(at.link('a', trickling(at, ANSWER, 1_500)), at.link('embedded', saying('Rules.')))
  assert.equal((await replyOf(at, alone)).text, ANSWER)
  for (let i = 0; i < 2; i++) at.breakers.of('llm', { id: 'b', version: '1' }).failed('unreachable')
  const down = at.chain(
    at.link(
      'a',
      timed(
        at,
        ANSWER.split(/(?<= )/).map((word, i) => [500 + i * 1_500, word]),
        true,
      ),
    ),
    at.link('b', saying('No.')),
    at.link('embedded', saying('Rules.')),
  )
  assert.equal((await replyOf(at, down)).text, ANSWER)
})

test('a model that is slow but quick enough for speech is kept', async () => {
  const at = stage()
  const llm = at.chain(at.link('a', trickling(at, ANSWER, 450)), at.link('b', saying('No.')))
  assert.equal((await replyOf(at, llm)).text, ANSWER)
  assert.deepEqual([at.asked, at.types()], [['a'], []])
})

test('a model that trickles is not taken back for one quick word', async () => {
  const at = stage()
  const words = ANSWER.split(/(?<= )/).map((word, i): [number, string] => [500 + i * 1_500, word])
  const links = () => [at.link('a', (signal) => timed(at, words, true)(signal, [])), at.link('b', saying('Here.'))]
  await replyOf(at, at.chain(...links()))
  await replyOf(at, at.chain(...links()))
  await at.clock.pass(10_000)
  assert.equal(at.breakers.healthOf('llm', 'a').state, 'failing', 'not healed by being asked beside the other')
  const down = stage()
  down.breakers.of('llm', { id: 'a', version: '1' }).failed('unreachable')
  const trickles = down.link('a', (signal) => timed(down, words, true)(signal, []))
  await replyOf(down, down.chain(trickles, down.link('b', saying('Here.'))))
  assert.equal(down.breakers.healthOf('llm', 'a').state, 'down')
  await down.clock.pass(100_000)
  assert.equal(down.breakers.healthOf('llm', 'a').state, 'down')
})

test('a silent model alone is not waited for longer on the second turn than on the first', async () => {
  for (const knownMs of [null, 100]) {
    const at = stage()
    if (knownMs !== null) at.breakers.of('llm', { id: 'a', version: '1' }).succeeded(knownMs)
    const llm = at.chain(at.link('a', silent(at)), at.link('embedded', saying('Rules.')))
    const first = await replyOf(at, llm)
    const second = await replyOf(at, llm)
    assert.deepEqual([first.text, second.text], ['Rules.', 'Rules.'])
    assert.ok(second.ms <= first.ms, `${first.ms} ms, then ${second.ms} ms`)
  }
})

test('what one call has waited for in vain, the next does not wait for: both models are asked at once', async () => {
  const at = stage()
  const b = () => at.link('b', timed(at, [[300, 'Here.']], true))
  const silentLinks = () => [at.link('a', silent(at)), b()]
  assert.equal((await replyOf(at, at.chain(...silentLinks()))).ms, 1_500)
  await at.clock.pass(2_000)
  assert.equal(at.breakers.healthOf('llm', 'a').state, 'failing')
  assert.deepEqual(await replyOf(at, at.chain(...silentLinks())), { text: 'Here.', ms: 300 })
  const other = stage()
  other.breakers.of('llm', { id: 'a', version: '1' }).failed('timeout')
  const again = other.chain(
    other.link('a', timed(other, [[400, 'Back.']], true)),
    other.link('b', timed(other, [[300, 'Here.']], true)),
  )
  assert.deepEqual(await replyOf(other, again), { text: 'Here.', ms: 300 })
  await other.clock.pass(3_000)
  assert.equal(other.breakers.healthOf('llm', 'a').state, 'ok', 'it has answered in time')
})
