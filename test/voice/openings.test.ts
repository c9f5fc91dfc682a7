// Who speaks first, and what happens when both do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedCall } from './scripted-call.ts'

const opening = 'Olá, aqui é a Ana, da clínica. Em que posso ajudar?'
const calledOut = { opening, options: { openingDelayMs: 1200 }, reply: () => 'Certo.' }

test('who is called and says nothing hears the opening after 1.2 s', async () => {
  const call = scriptedCall(calledOut)
  await call.pass(6000)
  assert.equal(call.heard[0]?.from, 1200)
  await call.leaves()
})

test('who is called and says hello hears the opening as soon as he has said it', async () => {
  const call = scriptedCall(calledOut)
  await call.says('Alô?', 400)
  await call.pass(8000)
  const [first] = call.heard
  assert.ok(first && first.from < 1000, `at ${first?.from}`)
  assert.deepEqual(call.record(), ['caller: Alô?', `agent: ${opening}`])
  await call.leaves()
})

test('a hello across the 1.2 s is not spoken over', async () => {
  const call = scriptedCall(calledOut)
  await call.pass(900)
  await call.says('Alô, quem fala?', 900)
  const quietAt = call.now
  await call.pass(8000)
  assert.ok((call.heard[0]?.from ?? 0) >= quietAt)
  assert.deepEqual(call.record(), ['caller: Alô, quem fala?', `agent: ${opening}`])
  await call.leaves()
})

test('noise on a line that was just answered does not eat the opening', async () => {
  const call = scriptedCall(calledOut)
  await call.pass(1000)
  await call.says('', 400)
  await call.pass(8000)
  assert.deepEqual(call.record(), [`agent: ${opening}`])
  await call.leaves()
})

test('the opening can be interrupted, and is not said again', async () => {
  const call = scriptedCall({ opening, reply: () => 'Certo.' })
  await call.pass(1000)
  await call.says('Quero marcar uma consulta.', 1500)
  await call.pass(5000)
  assert.ok(call.heard[0]?.isCut)
  assert.deepEqual(call.questions(), ['Quero marcar uma consulta.'])
  const [first] = call.lines
  assert.ok(first?.isCut && opening.startsWith(first.text))
  assert.equal(call.heard.length, 2)
  await call.leaves()
})

test('an opening that is still being made waits for a caller who was quicker, and then is said', async () => {
  const call = scriptedCall({ opening, saying: (text, times) => (text === opening && times === 0 ? null : undefined) })
  await call.says('Alô?', 400)
  await call.pass(8000)
  assert.deepEqual(call.record(), ['caller: Alô?', `agent: ${opening}`])
  await call.leaves()
})

test('an opening that the model finds is its own words', async () => {
  const call = scriptedCall({ opening, options: { generatesOpening: true }, reply: () => 'Bom dia, quem fala?' })
  await call.pass(3000)
  assert.deepEqual(call.record(), ['agent: Bom dia, quem fala?'])
  assert.deepEqual(
    call.asked[0]?.map(({ role }) => role),
    ['system'],
  )
  await call.leaves()
})

test('the opening phrase stands in for a model that cannot find one', async () => {
  const call = scriptedCall({ opening, options: { generatesOpening: true }, reply: () => new Error('down') })
  await call.pass(5000)
  assert.deepEqual(call.record(), [`agent: ${opening}`])
  await call.leaves()
})

test('and for one that has found none after 3 s', async () => {
  const call = scriptedCall({ opening, options: { generatesOpening: true }, reply: () => null })
  await call.pass(8000)
  assert.equal(call.heard[0]?.from, 3000)
  assert.deepEqual(call.record(), [`agent: ${opening}`])
  await call.leaves()
})

test('a caller who is to speak first and does not is reminded', async () => {
  const call = scriptedCall({ opening: null })
  await call.pass(7900)
  assert.equal(call.heard.length, 0)
  await call.pass(2000)
  assert.equal(call.heard[0]?.from, 8000)
  await call.leaves()
})
