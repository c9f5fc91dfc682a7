// Endpointing: when the caller has finished, judged by the pause, by what they said, and by what they are about to say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Script, scriptedCall } from './scripted-call.ts'

/** Time from the caller's last sound until the agent begins to think. */
async function thinksAfter(text: string, script: Script = {}): Promise<number> {
  const call = scriptedCall({ reply: () => 'Certo.', modelMs: 0, ...script })
  await call.pass(2000)
  await call.says(text, 1000)
  const quietAt = call.now
  await call.pass(6000)
  assert.deepEqual(call.questions(), [text])
  const turn = call.events.find((event) => event.type === 'turn')
  assert.ok(turn)
  await call.leaves()
  return turn.repliedAt - quietAt
}

function near(ms: number, expected: number, what: string): void {
  // VAD works in steps of 32 ms on frames of 20 ms.
  assert.ok(Math.abs(ms - expected) <= 60, `${what}: ${ms} ms instead of ${expected}`)
}

test('a complete sentence is answered after 400 ms, or as soon as it is transcribed', async () => {
  near(await thinksAfter('Que horas abre?', { recognitionMs: 20 }), 400, 'recognised early')
  near(await thinksAfter('Que horas abre?', { recognitionMs: 600 }), 850, 'recognised late')
})

test('an incomplete sentence waits 1500 ms', async () => {
  near(await thinksAfter('Eu queria marcar'), 1500, 'no full stop')
  near(await thinksAfter('Eu queria uma consulta e.'), 1500, 'an and')
})

test('a number waits 550 ms, dictated digits 1500 ms', async () => {
  near(await thinksAfter('São 25.', { recognitionMs: 20 }), 550, 'a number')
  near(await thinksAfter('Meu CPF é 1 2 3 4 5.'), 1500, 'digits')
})

test('an e-mail address that is being spelt waits 1500 ms', async () => {
  near(await thinksAfter('joão ponto silva arroba'), 1500, 'an address')
})

test("the pause stays within the agent's minimum and maximum", async () => {
  near(await thinksAfter('Que horas abre?', { rules: { minPauseMs: 900 } }), 900, 'the shortest')
  near(await thinksAfter('Eu queria marcar', { rules: { maxPauseMs: 700 } }), 700, 'the longest')
})

test('digits dictated in groups with a second between them are one turn', async () => {
  const call = scriptedCall({ reply: () => 'Anotado.' })
  await call.pass(2000)
  await call.says('Meu CPF é 1 2 3 4', 1500)
  await call.pass(1000)
  await call.says('5 6 7 8', 900)
  await call.pass(1000)
  await call.says('9 0 0.', 900)
  await call.pass(4000)
  assert.deepEqual(call.turns(), ['Meu CPF é 1 2 3 4 5 6 7 8 9 0 0.'])
  await call.leaves()
})

test('a recognition is cancelled when the caller goes on, and the whole is transcribed as one', async () => {
  const call = scriptedCall({ reply: () => 'Certo.', recognitionMs: 1000 })
  await call.pass(2000)
  await call.says('Quero saber', 800)
  await call.pass(600)
  await call.says('o preço.', 800)
  await call.pass(5000)
  assert.deepEqual(call.recognized, ['Quero saber', 'Quero saber o preço.'])
  assert.deepEqual(call.questions(), ['Quero saber o preço.'])
  await call.leaves()
})

test('noise after the words does not lose them', async () => {
  const call = scriptedCall({ reply: () => 'Certo.' })
  await call.pass(2000)
  await call.says('Eu queria marcar', 1000)
  await call.pass(700)
  await call.says('', 300)
  await call.pass(4000)
  assert.deepEqual(call.turns(), ['Eu queria marcar'])
  await call.leaves()
})

test('noise alone is not a turn', async () => {
  const call = scriptedCall()
  await call.pass(2000)
  for (let i = 0; i < 3; i++) {
    await call.says('', 300)
    await call.pass(900)
  }
  assert.deepEqual(call.asked, [])
  assert.deepEqual(call.record(), ['agent: Olá, sou a Ana.'])
  await call.leaves()
})

test('a minute of speech without a pause is transcribed meanwhile and answered in the end', async () => {
  const call = scriptedCall({ reply: () => 'Entendo.' })
  await call.pass(2000)
  const story = 'palavra '.repeat(100).trim()
  await call.says(story, 60_000)
  assert.equal(call.asked.length, 2, 'the agent does not wait for ever, and hears what follows')
  await call.pass(10_000)
  assert.ok(call.lines.some(({ text }) => text === 'Desculpe interromper, só um instante. Entendo.'))
  await call.leaves()
})

test('each turn reports the timestamps of its stages in order', async () => {
  const call = scriptedCall({ reply: () => 'Sim.' })
  await call.pass(2000)
  await call.says('Abre hoje?', 1000)
  const quietAt = call.now
  await call.pass(3000)
  const turn = call.events.find((event) => event.type === 'turn')
  assert.ok(turn)
  near(turn.speechEndedAt, quietAt, 'the end of the voice')
  near(turn.recognizedAt, quietAt + 250 + 200, 'the words')
  assert.ok(turn.repliedAt >= turn.recognizedAt)
  assert.equal(turn.firstWordAt, turn.repliedAt + 300)
  assert.equal(turn.synthesizedAt, call.lastHeard('Sim.')?.from)
  await call.leaves()
})
