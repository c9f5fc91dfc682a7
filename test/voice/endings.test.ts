// The end of a call at every possible moment; and DTMF.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedCall } from './scripted-call.ts'

const long = 'Temos muitos horários livres nesta semana e também na próxima, é só escolher.'

test('when the caller hangs up during an answer, only what was heard is stored', async () => {
  const call = scriptedCall({ opening: long })
  await call.pass(2000)
  const { endReason } = await call.leaves()
  assert.equal(endReason, 'caller_hangup')
  const [line] = call.lines
  assert.ok(line?.isCut && line.text.length > 20 && long.startsWith(`${line.text} `), line?.text)
})

test('hanging up while speaking ends the session once the last words are recognised', async () => {
  const call = scriptedCall()
  await call.pass(2000)
  call.begins('Eu queria', 1000)
  await call.pass(500)
  await call.leaves()
  assert.equal(call.ended?.at, 2700)
  assert.deepEqual(call.record().slice(1), ['caller: Eu'], 'what was said so far is on record')
})

test('a recognition that takes too long when the caller hangs up is given up after 2 s', async () => {
  const call = scriptedCall({ recognitionMs: 3000 })
  await call.pass(2000)
  await call.says('Eu queria marcar.', 1000)
  await call.pass(500)
  await call.leaves()
  assert.equal(call.ended?.at, 5500)
  assert.equal(call.asked.length, 0)
})

test('the last words of a caller who hangs up are stored', async () => {
  const call = scriptedCall()
  await call.pass(2000)
  await call.says('Eu queria marcar', 1000)
  await call.pass(600)
  await call.leaves()
  assert.deepEqual(call.record(), ['agent: Olá, sou a Ana.', 'caller: Eu queria marcar'])
})

test('hanging up cancels the reply being generated', async () => {
  const call = scriptedCall({ reply: () => null })
  await call.pass(2000)
  await call.says('Que horas abre?', 1000)
  await call.pass(1000)
  await call.leaves()
  assert.deepEqual(call.record(), ['agent: Olá, sou a Ana.', 'caller: Que horas abre?'])
})

test('hanging up between an interruption and its transcript stores what was heard of both', async () => {
  const call = scriptedCall({ opening: long })
  await call.pass(1000)
  call.begins('Não', 800)
  await call.pass(500)
  await call.leaves()
  assert.equal(call.ended?.at, 1700)
  assert.ok(call.lines[0]?.isCut)
})

test('digits of a caller who hangs up are stored', async () => {
  const call = scriptedCall()
  await call.pass(2000)
  await call.presses('12')
  await call.leaves()
  assert.deepEqual(call.record(), ['agent: Olá, sou a Ana.', 'caller: 12'])
})

test('after the end nothing is played or reported', async () => {
  const call = scriptedCall({ reply: () => 'Certo.' })
  await call.pass(2000)
  await call.says('Que horas abre?', 1000)
  await call.pass(500)
  await call.leaves()
  const before = [call.heard.length, call.events.length]
  await call.pass(60_000)
  assert.deepEqual([call.heard.length, call.events.length], before)
})

test('an end phrase ends the call, matched as whole words and without accents', async () => {
  const call = scriptedCall({ options: { endPhrases: ['Até logo'] }, reply: () => 'Certo.' })
  await call.pass(2000)
  await call.says('Então ate logo!', 900)
  await call.pass(600)
  assert.equal(call.heard.at(-1)?.text, 'Certo. Até logo!')
  await call.pass(4000)
  assert.equal(call.ended?.endReason, 'end_phrase')
  assert.deepEqual(call.record().slice(-2), ['caller: Então ate logo!', 'agent: Certo. Até logo!'])
  assert.equal(call.heard.at(-1)?.isCut, false)
})

test('the goodbye after an end phrase is not interrupted, and the model is not called', async () => {
  const call = scriptedCall({
    options: { endPhrases: ['até logo'] },
    rules: { speculate: false },
    reply: () => 'Certo.',
  })
  await call.pass(2000)
  await call.says('Até logo!', 900)
  await call.pass(900)
  await call.says('Espere, mais uma coisa!', 1500)
  await call.pass(3000)
  assert.equal(call.ended?.endReason, 'end_phrase')
  assert.equal(call.heard.at(-1)?.text, 'Certo. Até logo!')
  assert.deepEqual(call.asked, [])
})

test('the call ends even if the goodbye cannot be synthesised', async () => {
  const call = scriptedCall({
    options: { endPhrases: ['até logo'] },
    saying: (text) => (text.startsWith('Certo') ? new Error('down') : undefined),
  })
  await call.pass(2000)
  await call.says('Até logo!', 900)
  await call.pass(20_000)
  assert.equal(call.ended?.endReason, 'end_phrase')
})

test('a word that merely contains an end phrase does not end the call', async () => {
  const call = scriptedCall({ options: { endPhrases: ['fim'] }, reply: () => 'Certo.' })
  await call.pass(2000)
  await call.says('Enfim, quero marcar.', 1000)
  await call.pass(3000)
  assert.equal(call.ended, undefined)
  assert.equal(call.lines.at(-1)?.text, 'Certo.')
  await call.leaves()
})

test('an end phrase said over the agent ends the call', async () => {
  const call = scriptedCall({ opening: long, options: { endPhrases: ['tchau'] } })
  await call.pass(1000)
  await call.says('Tchau.', 600)
  await call.pass(4000)
  assert.equal(call.ended?.endReason, 'end_phrase')
  assert.deepEqual(call.record().slice(-2), ['caller: Tchau.', 'agent: Certo. Até logo!'])
})

test('the first digit silences the agent at once', async () => {
  const call = scriptedCall({ opening: long, reply: () => 'Obrigada.' })
  await call.pass(1000)
  await call.presses('1')
  assert.ok(call.heard[0]?.isCut)
  assert.equal(call.heard[0]?.to, 1000)
  await call.presses('2#')
  await call.pass(3000)
  assert.deepEqual(call.questions(), ['12'])
  await call.leaves()
})

test('2.5 s after the last digit the number is complete', async () => {
  const call = scriptedCall({ reply: () => 'Obrigada.', modelMs: 0 })
  await call.pass(2000)
  await call.presses('1')
  await call.pass(2000)
  await call.presses('2')
  const from = call.now - 20
  await call.pass(4000)
  assert.deepEqual(call.questions(), ['12'])
  assert.equal(call.lastHeard('Obrigada.')?.from, from + 2500)
  await call.leaves()
})

test('digits and words of one turn are answered together', async () => {
  const call = scriptedCall({ reply: () => 'Obrigada.' })
  await call.pass(2000)
  await call.says('Meu número é', 900)
  await call.pass(500)
  await call.presses('99#')
  await call.pass(3000)
  assert.deepEqual(call.turns(), ['Meu número é 99'])
  await call.leaves()
})

test('digits entered while the caller speaks wait for the transcript', async () => {
  const call = scriptedCall({ reply: () => 'Obrigada.' })
  await call.pass(2000)
  call.begins('esse é o número.', 1500)
  await call.pass(500)
  await call.presses('99#')
  await call.pass(5000)
  assert.deepEqual(call.questions(), ['99 esse é o número.'])
  await call.leaves()
})

test('# alone is a digit like any other', async () => {
  const call = scriptedCall({ reply: () => 'Obrigada.' })
  await call.pass(2000)
  await call.presses('#')
  await call.pass(2000)
  assert.deepEqual(call.questions(), ['#'])
  await call.leaves()
})
