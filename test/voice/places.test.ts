// Where in the call's recording each was said, and how soon the agent makes room for a voice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UtteranceEvent } from '../../src/voice/history.ts'
import { type Script, type ScriptedCall, scriptedCall } from './scripted-call.ts'

const long =
  'Temos muitos horários livres nesta semana e também na próxima, é só escolher o dia que for melhor para todos.'

const saidBy = (call: ScriptedCall, who: UtteranceEvent['who']) =>
  call.events.filter((event): event is UtteranceEvent => event.type === 'utterance' && event.who === who)

/** By its level, in blocks of 10 ms, and frames of 20. */
function near(actual: number | undefined, wanted: number | undefined, what: string): void {
  assert.ok(Math.abs((actual ?? Number.NaN) - (wanted ?? Number.NaN)) <= 20, `${what}: ${actual}, not ${wanted}`)
}

async function speaking(script: Script = {}) {
  const call = scriptedCall({ reply: (_, turn) => (turn === 0 ? long : 'Pois não.'), ...script })
  await call.pass(2000)
  await call.says('Quais horários?', 1000)
  await call.pass(2500)
  assert.ok(call.lastHeard(long), 'it speaks')
  return call
}

test('each that was said has its first and its last sound in the recording, on both sides', async () => {
  const call = scriptedCall({ opening: 'Olá.' })
  await call.pass(2010)
  const from = call.now
  await call.says('Eu queria marcar', 900)
  await call.pass(700)
  await call.says('uma consulta.', 800)
  const to = call.now
  await call.pass(6000)
  const [caller] = saidBy(call, 'caller')
  near(caller?.timing?.recorded?.fromMs, from, 'the first sound of two voices')
  near(caller?.timing?.recorded?.toMs, to, 'the last')
  near(caller?.timing?.startedAt, from, 'and on the clock')
  const agent = saidBy(call, 'agent')
  const heard = [call.lastHeard('Olá.'), call.lastHeard('Resposta')]
  for (const [i, wanted] of heard.entries()) {
    near(agent[i]?.timing?.recorded?.fromMs, wanted?.from, `sound ${i}`)
    near(agent[i]?.timing?.recorded?.toMs, wanted?.to, `its end`)
  }
  await call.leaves()
})

test('an answer that was cut ends where it was silenced, and the voice that cut it began before', async () => {
  const call = await speaking()
  const began = call.now
  await call.says('Quero amanhã cedo.', 1500)
  await call.pass(4000)
  const cut = saidBy(call, 'agent').find(({ isCut }) => isCut)
  near(cut?.timing?.recorded?.toMs, call.lastHeard(long)?.to, 'the end of what was heard')
  near(saidBy(call, 'caller')[1]?.timing?.recorded?.fromMs, began, 'the beginning of the interruption')
  await call.leaves()
})

test('an answer that was held by a noise and went on is one, from its first sound to its last', async () => {
  const call = await speaking()
  await call.says('', 400)
  await call.pass(15_000)
  const [, agent] = saidBy(call, 'agent')
  assert.equal(agent?.isCut, false)
  const parts = call.heard.slice(1, 3)
  near(agent?.timing?.recorded?.fromMs, parts[0]?.from, 'its first sound')
  near(agent?.timing?.recorded?.toMs, parts[1]?.to, 'its last')
  await call.leaves()
})

test('a yes in the last second of the agent has its place, and a noise before a question is no part of it', async () => {
  const call = scriptedCall({ opening: 'Posso marcar para amanhã?', reply: () => 'Feito.' })
  await call.pass(900)
  const yes = call.now
  await call.says('Sim.', 250)
  await call.pass(4000)
  await call.says('', 500)
  await call.pass(1000)
  const question = call.now
  await call.says('E depois?', 700)
  await call.pass(3000)
  const [first, second] = saidBy(call, 'caller')
  near(first?.timing?.recorded?.fromMs, yes, 'the yes')
  near(second?.timing?.recorded?.fromMs, question, 'the question')
  await call.leaves()
})

test('keys have no sound, and the time of their answer is not counted from the last voice', async () => {
  const call = scriptedCall({ reply: () => 'Certo.' })
  await call.pass(2000)
  await call.says('Quero digitar.', 800)
  await call.pass(4000)
  await call.presses('12#')
  await call.pass(3000)
  assert.deepEqual(
    saidBy(call, 'caller').map(({ text, timing: when }) => [text, when === null]),
    [['Quero digitar.', false], ['12', true]], // biome-ignore format: pairs
  )
  assert.equal(call.events.filter(({ type }) => type === 'turn').length, 1)
  await call.leaves()
})

test('who hangs up in the middle of a word has said it up to there', async () => {
  const call = scriptedCall({ opening: null })
  await call.pass(1000)
  const from = call.now
  await call.says('Queria saber', 1200)
  await call.pass(500)
  await call.says('uma coisa', 300)
  await call.leaves()
  const [said] = saidBy(call, 'caller')
  near(said?.timing?.recorded?.fromMs, from, 'its beginning')
  await call.leaves()
})

test('the agent is quieter within 100 ms of a voice, before it is certain that it is one', async () => {
  const call = await speaking()
  const began = call.now
  await call.says('Quero amanhã cedo.', 1500)
  const quieter = call.volumes[0]
  assert.ok(quieter && quieter.gain < 0.5 && quieter.at - began <= 100, `${(quieter?.at ?? 0) - began} ms`)
  await call.leaves()
})

test('a click shorter than a voice makes it quieter for a moment, and nothing is asked or lost', async () => {
  const call = await speaking()
  await call.says('', 100)
  const [quieter, normal] = call.volumes
  await call.pass(8000)
  assert.deepEqual([quieter?.gain, call.volumes[1]?.gain, call.volumes.length], [0.25, 1, 2])
  assert.ok(normal === undefined || normal.at - (quieter?.at ?? 0) <= 100)
  assert.equal(call.lastHeard(long)?.isCut, false)
  assert.deepEqual(call.recognised, ['Quais horários?'])
  await call.leaves()
})
