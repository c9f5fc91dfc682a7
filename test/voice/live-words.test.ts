// Live words: what a screen shows before an utterance is complete.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedCall } from './scripted-call.ts'

const textsOf = (call: ReturnType<typeof scriptedCall>, who: 'caller' | 'agent') =>
  call.speaking.filter((one) => one.who === who).map(({ text }) => text)

test('each sentence of the agent is reported when it becomes audible, with the ones before it', async () => {
  const call = scriptedCall({ opening: null, reply: () => 'Temos às nove. Ou prefere às dez?' })
  await call.pass(200)
  await call.says('Quais horários?', 1000)
  await call.pass(12_000)
  const [first, second] = call.speaking.filter(({ who }) => who === 'agent')
  assert.ok(first?.who === 'agent' && second?.who === 'agent')
  assert.deepEqual([first.text, first.startsAt], ['Temos às nove.', 0])
  assert.deepEqual([second.text, second.startsAt], ['Temos às nove. Ou prefere às dez?', 15])
  assert.ok(first.durationMs > 300 && first.durationMs < 5000, `${first.durationMs} ms`)
  const played = call.heard.map(({ text, from }) => ({ text, from }))
  const startOf = (text: string) => played.find((one) => one.text === text)?.from ?? Number.NaN
  assert.ok(Math.abs(first.at - startOf('Temos às nove.')) <= 40, 'with its sound')
  assert.ok(Math.abs(second.at - startOf('Ou prefere às dez?')) <= 40, 'with its sound')
  await call.leaves()
})

test('what was recognised of the caller is reported before their turn is over, once per change', async () => {
  const call = scriptedCall({ opening: null })
  await call.pass(200)
  await call.says('Eu queria saber', 1200)
  await call.pass(500)
  assert.deepEqual(textsOf(call, 'caller'), ['Eu queria saber'])
  assert.deepEqual(call.turns(), [])
  await call.says('quanto custa a consulta.', 1500)
  await call.pass(6000)
  assert.equal(textsOf(call, 'caller').at(-1), 'Eu queria saber quanto custa a consulta.')
  assert.deepEqual(call.turns(), ['Eu queria saber quanto custa a consulta.'])
  assert.ok(!textsOf(call, 'caller').includes(''), 'an answered turn is not taken back')
  await call.leaves()
})
