// Streaming recognition: partial transcripts interrupt, replies begin early, and nothing is lost when a stream breaks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionEvent } from '../../src/voice/session.ts'
import { type Script, type ScriptedCall, scriptedCall } from './scripted-call.ts'

const long =
  'Temos muitos horários livres nesta semana e também na próxima, é só escolher o dia que for melhor para todos.'

/** A call in which the agent is in the middle of a long reply, and only words interrupt it. */
async function speaking(script: Script = {}) {
  const rules = { interruptAfterMs: 8000, ...script.rules }
  const call = scriptedCall({ reply: (_, turn) => (turn === 0 ? long : 'Pois não.'), ...script, rules })
  await call.pass(2000)
  await call.says('Quais horários?', 1000)
  await call.pass(2500)
  assert.ok(call.lastHeard(long), 'it speaks')
  return call
}

const silentAt = (call: ScriptedCall) => call.lastHeard(long)?.to ?? Number.NaN
const wantsTomorrow = 'Quero amanhã cedo por favor se ainda for possível.'

test('two words interrupt the agent while the caller still speaks; without partials it is heard out', async () => {
  const live = await speaking({ live: {} })
  const began = live.now
  await live.says(wantsTomorrow, 3000)
  const silentMs = silentAt(live) - began
  // "Quero amanhã" is spoken after 0.8 s, and recognized 0.25 s later.
  assert.ok(silentMs > 700 && silentMs < 1300, `silent after ${silentMs} ms`)
  await live.pass(4000)
  assert.equal(live.turns().at(-1), wantsTomorrow)
  await live.leaves()

  const batch = await speaking()
  const start = batch.now
  await batch.says(wantsTomorrow, 3000)
  await batch.pass(4000)
  assert.ok(silentAt(batch) - start > 3200, 'after the speech')
  await batch.leaves()
})

for (const backchannel of ['Uhum, sim, claro.', 'Claro que sim.'])
  test(`a partial "${backchannel}" does not interrupt`, async () => {
    const call = await speaking({ live: { partialMs: 100 } })
    await call.says(backchannel, 1200)
    await call.pass(10_000)
    assert.equal(call.lastHeard(long)?.isCut, false)
    assert.ok((call.streams.at(-1)?.partials.length ?? 0) > 0, 'there were partials')
    await call.leaves()
  })

test('an agent that must not be interrupted is not, whatever the words', async () => {
  const call = await speaking({ live: {}, rules: { interruptible: false } })
  await call.says(wantsTomorrow, 3000)
  await call.pass(9000)
  assert.equal(call.lastHeard(long)?.isCut, false)
  await call.leaves()
})

/** What was said and how it was recognized: the same with and without streaming. */
async function conversation(script: Script) {
  const call = scriptedCall({ opening: null, reply: (_, turn) => `Resposta ${turn}.`, ...script })
  await call.pass(200)
  await call.says('Eu queria saber', 1200)
  await call.pass(500)
  await call.says('quanto custa a consulta.', 1500)
  await call.pass(5000)
  await call.says('Obrigado, e na sexta?', 1300)
  await call.pass(5000)
  await call.leaves()
  return call
}

test('the final transcript is that of the whole turn, as it is without a stream', async () => {
  const [live, batch] = [await conversation({ live: {} }), await conversation({})]
  assert.deepEqual(live.turns(), ['Eu queria saber quanto custa a consulta.', 'Obrigado, e na sexta?'])
  assert.deepEqual(live.turns(), batch.turns())
})

test('nothing is streamed outside speech', async () => {
  const call = await conversation({ live: {} })
  assert.equal(call.streams.length, 3, 'one for each speech')
  const streamedMs = call.streams.reduce((sum, { heardMs }) => sum + heardMs, 0)
  // 4 s of speech, the first part again together with the second, and the padding around speech.
  assert.ok(streamedMs < 4000 + 1700 + 3 * 600, `${streamedMs} ms of a call of ${call.now} ms`)
  for (const { openedAt, endedAt } of call.streams) assert.ok(endedAt - openedAt < 2200, `${endedAt - openedAt} ms`)
})

for (const cutAtMs of [20, 300, 900, 1500])
  test(`a stream that breaks after ${cutAtMs} ms of audio loses no word`, async () => {
    const call = await conversation({ live: { cutAfterMs: (stream) => (stream % 2 === 0 ? cutAtMs : undefined) } })
    assert.deepEqual(call.turns(), ['Eu queria saber quanto custa a consulta.', 'Obrigado, e na sexta?'])
    const errors = call.events.filter((event): event is SessionEvent & { type: 'error' } => event.type === 'error')
    assert.ok(errors.length > 0 && errors.every(({ stage }) => stage === 'recognition'))
  })

test('words are shown while they are spoken, and do not shrink when the caller goes on', async () => {
  const call = await conversation({ live: {} })
  const shown = call.speaking.flatMap((one) => (one.who === 'caller' ? [one.text] : []))
  assert.deepEqual(shown.slice(0, 3), ['Eu', 'Eu queria', 'Eu queria saber'])
  const first = shown.slice(0, shown.indexOf('Eu queria saber quanto custa a consulta.') + 1)
  for (const [i, text] of first.entries()) assert.ok(text.length >= (first[i - 1]?.length ?? 0), `${first}`)
  const before = call.speaking.find(({ text }) => text === 'Eu queria')
  assert.ok(before && before.at < 200 + 1200, 'before the end of the speech')
})

test('the reply begins in the pause, from words that are stable, and is used if they are final', async () => {
  const asked = async (live: Script['live']) => {
    const call = scriptedCall({ opening: null, live, modelMs: 600 })
    await call.pass(200)
    await call.says('Quero marcar uma consulta', 1500)
    const endedAt = call.now
    await call.pass(6000)
    const from = (call.heard[0]?.from ?? Number.NaN) - endedAt
    await call.leaves()
    return { count: call.asked.length, from, turns: call.turns() }
  }
  const lower = (text: string) => text.toLowerCase()
  const stop = (text: string) => `${text}.`
  const early = await asked({ partialMs: 60, finalMs: 400, partial: lower, final: stop })
  assert.deepEqual([early.count, early.turns], [1, ['Quero marcar uma consulta.']])
  const late = await asked({ partialMs: 5000, finalMs: 400, final: stop })
  assert.deepEqual([late.count, late.turns], [1, ['Quero marcar uma consulta.']])
  assert.ok(late.from - early.from >= 300, `${early.from} and ${late.from} ms after the end of speech`)
  const question = await asked({ partialMs: 60, finalMs: 400, partial: lower, final: (text) => `${text}?` })
  assert.equal(question.count, 2, 'a question is not what was answered')
})

test('words of a caller who hangs up while speaking are on record', async () => {
  const call = scriptedCall({ opening: null, live: {} })
  await call.pass(200)
  call.begins('Preciso cancelar tudo agora mesmo', 2000)
  await call.pass(1500)
  await call.leaves()
  assert.match(call.turns().join(' '), /^Preciso cancelar tudo/)
})

test('during a transfer nothing is streamed', async () => {
  const call = scriptedCall({ opening: null, live: {} })
  await call.pass(200)
  call.begins('Pode me passar para alguém', 3000)
  await call.pass(1000)
  assert.equal(call.lead.suspend(), true)
  await call.pass(200)
  const [stream] = call.streams
  assert.ok(stream && stream.endedAt <= call.now, 'the stream has ended')
  await call.pass(3000)
  await call.says('Alô, quem fala?', 1000)
  await call.pass(1000)
  assert.equal(call.streams.length, 1)
  await call.leaves()
})

test('speech that goes on and on is recognised as a whole, and the agent interjects', async () => {
  const call = scriptedCall({ opening: null, live: {}, reply: () => 'Um momento.' })
  await call.pass(200)
  const words = Array.from({ length: 60 }, (_, i) => `palavra${i}`).join(' ')
  await call.says(words, 30_000)
  await call.pass(8000)
  assert.ok(
    call.heard.some(({ from }) => from < 30_000),
    'it does not wait for the end',
  )
  assert.equal(
    call
      .turns()
      .join(' ')
      .split(' ')
      .filter((word) => word.startsWith('palavra')).length,
    60,
  )
  await call.leaves()
})
