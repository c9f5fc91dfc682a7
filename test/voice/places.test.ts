// The position of each utterance in the call's recording, and how fast the agent yields to a voice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UtteranceEvent } from '../../src/voice/history.ts'
import { type Script, type ScriptedCall, scriptedCall } from './scripted-call.ts'

const long =
  'Temos muitos horários livres nesta semana e também na próxima, é só escolher o dia que for melhor para todos.'

const saidBy = (call: ScriptedCall, who: UtteranceEvent['who']) =>
  call.events.filter((event): event is UtteranceEvent => event.type === 'utterance' && event.who === who)

/** Levels are measured in blocks of 10 ms, on frames of 20 ms. */
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

test('each utterance has its first and last sound in the recording, on both channels', async () => {
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

test('an interrupted answer ends where it was silenced, after the start of the interrupting speech', async () => {
  const call = await speaking()
  const began = call.now
  await call.says('Quero amanhã cedo.', 1500)
  await call.pass(4000)
  const cut = saidBy(call, 'agent').find(({ isCut }) => isCut)
  near(cut?.timing?.recorded?.toMs, call.lastHeard(long)?.to, 'the end of what was heard')
  near(saidBy(call, 'caller')[1]?.timing?.recorded?.fromMs, began, 'the beginning of the interruption')
  await call.leaves()
})

test('an answer that was paused and resumed is one utterance', async () => {
  const call = await speaking()
  await call.says('', 400)
  await call.pass(15_000)
  const [, agent] = saidBy(call, 'agent')
  assert.equal(agent?.isCut, false)
  const sentence = call.heard[1]
  near(agent?.timing?.recorded?.fromMs, sentence?.from, 'its first sound')
  near(agent?.timing?.recorded?.toMs, sentence?.to, 'its last')
  await call.leaves()
})

test(`a "yes" in the agent's last second has its timing, and noise before a question is not part of it`, async () => {
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

test('digits have no timing, and their answer has no latency', async () => {
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

test('a caller who hangs up mid-word has timing up to there', async () => {
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

test('possible speech ducks the agent within 100 ms', async () => {
  const call = await speaking()
  const began = call.now
  await call.says('Quero amanhã cedo.', 1500)
  const quieter = call.volumes[0]
  assert.ok(quieter && quieter.gain < 0.5 && quieter.at - began <= 100, `${(quieter?.at ?? 0) - began} ms`)
  await call.leaves()
})

test('a click ducks the agent for a moment and has no other effect', async () => {
  const call = await speaking()
  await call.says('', 100)
  const [quieter, normal] = call.volumes
  await call.pass(8000)
  assert.deepEqual([quieter?.gain, call.volumes[1]?.gain, call.volumes.length], [0.25, 1, 2])
  assert.ok(normal === undefined || normal.at - (quieter?.at ?? 0) <= 100)
  assert.equal(call.lastHeard(long)?.isCut, false)
  assert.deepEqual(call.recognized, ['Quais horários?'])
  await call.leaves()
})
