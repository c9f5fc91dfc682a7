// Barge-in: the caller speaks over the agent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Script, scriptedCall } from './scripted-call.ts'

const long =
  'Temos muitos horários livres nesta semana e também na próxima, é só escolher o dia que for melhor para todos.'

/** A call in which the agent is in the middle of a long reply. */
async function speaking(script: Script = {}) {
  const rules = { interruptAfterMs: 300, ...script.rules }
  const call = scriptedCall({ reply: (_, turn) => (turn === 0 ? long : 'Pois não.'), ...script, rules })
  await call.pass(2000)
  await call.says('Quais horários?', 1000)
  await call.pass(2500)
  assert.ok(call.lastHeard(long), 'it speaks')
  return call
}

test('speech as loud as the caller was before ducks the agent at once and silences it within 320 ms', async () => {
  const call = await speaking()
  const began = call.now
  await call.says('Quero amanhã cedo.', 1500)
  const [quieter, normal] = call.volumes
  assert.ok(
    quieter && quieter.gain < 0.5 && quieter.at - began <= 160,
    `quieter after ${(quieter?.at ?? 0) - began} ms`,
  )
  const silent = call.lastHeard(long)
  assert.ok(silent && call.holds.at(-1)?.isHeld)
  assert.ok(silent.to - began <= 320, `silent after ${silent.to - began} ms`)
  assert.deepEqual(normal, { at: silent.to, gain: 1 })
  await call.leaves()
})

test('shorter speech does not interrupt, and the volume is restored', async () => {
  const call = await speaking()
  await call.says('', 200)
  await call.pass(10_000)
  assert.equal(call.lastHeard(long)?.isCut, false)
  assert.deepEqual(
    call.volumes.map(({ gain }) => gain),
    [0.25, 1],
  )
  await call.leaves()
})

test('an interrupted answer is stored as far as it was heard, in whole words', async () => {
  const call = await speaking()
  await call.says('Quero amanhã cedo.', 1500)
  await call.pass(4000)
  const cut = call.lines.find(({ isCut }) => isCut)
  assert.ok(cut && long.startsWith(`${cut.text} `), cut?.text)
  const heardMs = (call.lastHeard(long)?.to ?? 0) - (call.lastHeard(long)?.from ?? 0)
  const saidMs = cut.text.length * 60
  assert.ok(saidMs <= heardMs && heardMs - saidMs < 900, `${saidMs} ms of ${heardMs}`)
  assert.deepEqual(call.asked[1]?.slice(-2), [
    { role: 'agent', content: `${cut.text}…` },
    { role: 'user', content: 'Quero amanhã cedo.' },
  ])
  await call.leaves()
})

test('with word timings the cut is exact', async () => {
  const call = await speaking({ hasTimings: true })
  await call.says('Quero amanhã cedo.', 1500)
  await call.pass(4000)
  const cut = call.lines.find(({ isCut }) => isCut)
  const sound = call.lastHeard(long)
  assert.ok(cut && sound)
  const letters = (sound.to - sound.from) / 60
  const sounding = long.slice(cut.text.length + 1).split(' ')[0] ?? ''
  assert.ok(
    cut.text.length < letters && letters <= cut.text.length + 1 + sounding.length + 1,
    `${cut.text}| ${letters}`,
  )
  await call.leaves()
})

test('after a false interruption the agent resumes at the word it stopped at', async () => {
  const call = await speaking()
  await call.says('', 600)
  await call.pass(12_000)
  assert.deepEqual(
    call.holds.map(({ isHeld }) => isHeld),
    [true, false],
  )
  assert.equal(call.lastHeard(long)?.isCut, false, 'nothing is synthesised again')
  assert.equal(call.lines.at(-1)?.text, long, 'and is one answer on record')
  await call.leaves()
})

test('half a second of speech was a backchannel: 160 ms after its end the agent goes on, however slow STT is', async () => {
  const call = await speaking({ hearing: (_, times) => (times === 1 ? 200 : 4000) })
  await call.says('', 500)
  const quietAt = call.now
  await call.pass(3000)
  const resumed = call.holds.at(-1)
  assert.ok(resumed?.isHeld === false)
  assert.ok(resumed.at - quietAt <= 200, `after ${resumed.at - quietAt} ms`)
  await call.leaves()
})

test('continuous noise is recognised as such 1.2 s after it paused the agent', async () => {
  const call = await speaking()
  const began = call.now
  call.begins('', 20_000)
  await call.pass(3000)
  const resumed = call.holds.at(-1)
  assert.ok(resumed?.isHeld === false)
  assert.ok(Math.abs(resumed.at - began - (300 + 1200 + 200)) <= 80, `after ${resumed.at - began} ms`)
  await call.leaves()
})

test('a long interruption is recognised while it lasts and transcribed as a whole', async () => {
  const call = await speaking()
  const story = 'Na verdade eu queria saber se vocês atendem crianças pequenas.'
  await call.says(story, 5000)
  assert.ok(call.lines.at(-1)?.isCut, 'the agent has given up its sentence')
  await call.pass(4000)
  assert.deepEqual(call.questions().slice(1), [story])
  assert.equal(call.recognized.at(-1), story)
  await call.leaves()
})

test('a backchannel of any length lets the agent go on', async () => {
  const call = await speaking()
  await call.says('Tá bom, entendi.', 900)
  await call.pass(12_000)
  assert.deepEqual(call.record().slice(1), ['caller: Quais horários?', `agent: ${long}`])
  await call.leaves()
})

test('a "yes" over the last word of a question answers it', async () => {
  const call = scriptedCall({ reply: (_, turn) => (turn === 0 ? 'Posso marcar para amanhã?' : 'Marcado.') })
  await call.pass(2000)
  await call.says('Quero marcar uma consulta.', 1000)
  // Recognized 100 ms before the agent finishes.
  await call.pass(1450)
  await call.says('Sim.', 200)
  await call.pass(4000)
  assert.equal(call.lastHeard('Posso')?.isCut, false)
  assert.deepEqual(call.questions(), ['Quero marcar uma consulta.', 'Sim.'])
  await call.leaves()
})

test('a short stop word interrupts the agent as soon as it is transcribed', async () => {
  const call = await speaking()
  await call.says('Para!', 200)
  const quietAt = call.now
  await call.pass(4000)
  const stopped = call.lastHeard(long)
  assert.ok(stopped?.isCut)
  // The end of speech is known after 250 ms, its words 200 ms later.
  assert.ok(stopped.to - quietAt <= 480, `after ${stopped.to - quietAt} ms`)
  assert.equal(call.questions().at(-1), 'Para!')
  await call.leaves()
})

test('a caller who asks for a moment gets 2.5 s', async () => {
  const call = await speaking()
  await call.says('Espera!', 400)
  const quietAt = call.now
  await call.pass(600)
  assert.ok(call.lines.at(-1)?.isCut, 'what was heard until then is on record at once')
  await call.pass(5400)
  const asked = call.lastHeard('Pois não.')
  assert.ok(asked && Math.abs(asked.from - quietAt - (2500 + 300)) <= 80, `${(asked?.from ?? 0) - quietAt} ms`)
  await call.leaves()
})

test('one short word does not interrupt the agent but is answered when it has finished', async () => {
  const call = await speaking()
  await call.says('Amanhã.', 200)
  await call.pass(12_000)
  assert.deepEqual(call.record().slice(2), [`agent: ${long}`, 'caller: Amanhã.', 'agent: Pois não.'])
  await call.leaves()
})

test('an uninterruptible agent finishes, then answers what was said over it', async () => {
  const call = await speaking({ rules: { interruptible: false } })
  await call.says('Quero amanhã cedo.', 1500)
  await call.pass(12_000)
  assert.deepEqual(call.record().slice(2), [`agent: ${long}`, 'caller: Quero amanhã cedo.', 'agent: Pois não.'])
  assert.deepEqual(call.volumes, [])
  await call.leaves()
})

test('sentences queued behind an interrupted one are not played', async () => {
  const call = await speaking({ reply: (_, turn) => (turn === 0 ? `${long} E mais isto. E ainda isto.` : 'Pois não.') })
  await call.says('Quero amanhã cedo.', 1500)
  await call.pass(5000)
  assert.ok(!call.heard.some(({ text }) => /mais|ainda/.test(text)))
  await call.leaves()
})

test('the agent can be interrupted again and again', async () => {
  const call = await speaking({ reply: () => long })
  for (const text of ['Não é isso.', 'Também não.', 'Outra coisa.']) {
    await call.says(text, 900)
    await call.pass(2500)
  }
  assert.deepEqual(call.questions(), ['Quais horários?', 'Não é isso.', 'Também não.', 'Outra coisa.'])
  assert.equal(call.lines.filter(({ isCut }) => isCut).length, 3)
  await call.leaves()
})

test('a caller who starts as the agent ends is heard', async () => {
  const call = scriptedCall({ reply: (_, turn) => (turn === 0 ? 'Para quando?' : 'Marcado.') })
  await call.pass(2000)
  await call.says('Quero marcar uma consulta.', 1000)
  // 450 ms to recognize, 300 to think, 720 to speak: 60 ms before its end.
  await call.pass(1410)
  await call.says('Para amanhã às nove.', 1200)
  await call.pass(4000)
  assert.deepEqual(call.record().slice(2), ['agent: Para quando?', 'caller: Para amanhã às nove.', 'agent: Marcado.'])
  await call.leaves()
})
