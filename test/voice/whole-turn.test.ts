// The caller's turn is heard as a whole: pauses are bridged, a premature reply is withdrawn, and nobody waits in
// silence.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Llm, Message, Stt, SttOptions } from '../../src/voice/ports.ts'
import { type Script, scriptedCall } from './scripted-call.ts'

/** An STT that already recognizes during the pause. */
const embedded = (script: Script): Script => ({ ...script, rules: { earlyRecognitionMs: 32, ...script.rules } })

test('after a pause the whole turn is recognised again, not the last fragment', async () => {
  const call = scriptedCall({ reply: () => 'Certo.' })
  await call.pass(2000)
  await call.says('Eu queria', 800)
  await call.pass(900)
  await call.says('marcar uma consulta', 1500)
  await call.pass(900)
  await call.says('para sexta.', 900)
  await call.pass(3000)
  assert.deepEqual(call.turns(), ['Eu queria marcar uma consulta para sexta.'])
  assert.equal(call.recognized.at(-1), 'Eu queria marcar uma consulta para sexta.')
  await call.leaves()
})

test('a recogniser that leaves out the first part of a turn loses nothing', async () => {
  const texts = ['E que horas', 'vocês abrem?', 'vocês abrem?']
  const stt: Stt = {
    name: 'forgetful',
    async *transcribe(audio) {
      for await (const _ of audio);
      yield { text: texts.shift() ?? '', isFinal: true }
    },
  }
  const call = scriptedCall({ stt, reply: () => 'Às oito.' })
  await call.pass(2000)
  await call.says('E que horas', 800)
  await call.pass(900)
  await call.says('vocês abrem?', 900)
  await call.pass(3000)
  assert.deepEqual(call.turns(), ['E que horas vocês abrem?'])
  await call.leaves()
})

test('an answered turn is not recognised again', async () => {
  const call = scriptedCall({ reply: (to) => `Sobre ${to}` })
  await call.pass(2000)
  await call.says('Que horas abre?', 1000)
  await call.pass(6000)
  await call.says('E no sábado?', 900)
  await call.pass(4000)
  assert.equal(call.recognized.at(-1), 'E no sábado?')
  assert.deepEqual(call.turns(), ['Que horas abre?', 'E no sábado?'])
  await call.leaves()
})

test('digits that were answered are not part of an interruption', async () => {
  const long = 'Anotei o número. Agora preciso de mais alguns dados da senhora, para completar o cadastro na clínica.'
  const call = scriptedCall({ reply: (_, turn) => (turn === 0 ? long : 'Certo.') })
  await call.pass(2000)
  await call.presses('123#')
  await call.pass(3000)
  await call.says('Quero falar com alguém.', 1400)
  await call.pass(4000)
  assert.deepEqual(call.turns(), ['123', 'Quero falar com alguém.'])
  await call.leaves()
})

test('a turn longer than 12 s is recognised in pieces and answered as one', async () => {
  const call = scriptedCall({ reply: () => 'Certo.' })
  await call.pass(2000)
  await call.says('Então eu liguei ontem e falei com', 7000)
  await call.pass(600)
  await call.says('uma moça que me disse para', 6000)
  await call.pass(600)
  await call.says('ligar hoje de novo.', 2000)
  await call.pass(4000)
  assert.deepEqual(call.turns(), ['Então eu liguei ontem e falei com uma moça que me disse para ligar hoje de novo.'])
  assert.equal(call.recognized.at(-1), 'ligar hoje de novo.')
  await call.leaves()
})

test('a reply that has only just begun is taken back when the caller goes on', async () => {
  const call = scriptedCall({ reply: (to) => `Sobre isto: ${to}`, modelMs: 300 })
  await call.pass(2000)
  await call.says('Que horas abre?', 1000)
  // The reply becomes audible after 750 ms.
  await call.pass(900)
  const began = call.now
  await call.says('no sábado de manhã', 1200)
  assert.ok(
    call.holds[0]?.isHeld && call.holds[0].at - began <= 200,
    `silent after ${(call.holds[0]?.at ?? 0) - began} ms`,
  )
  await call.pass(6000)
  assert.deepEqual(call.turns(), ['Que horas abre? no sábado de manhã'])
  assert.equal(call.lines.at(-1)?.text, 'Sobre isto: Que horas abre? no sábado de manhã')
  await call.leaves()
})

test('a reply that has been audible for a while is interrupted, not taken back', async () => {
  const call = scriptedCall({ reply: (to) => `Sobre isto posso dizer muita coisa, por exemplo: ${to}` })
  await call.pass(2000)
  await call.says('Que horas abre?', 1000)
  await call.pass(2500)
  await call.says('Quero saber do sábado.', 1400)
  await call.pass(6000)
  assert.deepEqual(call.turns(), ['Que horas abre?', 'Quero saber do sábado.'])
  assert.ok(call.lines.find(({ who, isCut }) => who === 'agent' && isCut))
  await call.leaves()
})

test('a noise over a reply that has just begun is not a reason to say it again', async () => {
  const call = scriptedCall({ reply: () => 'Abrimos às oito da manhã.' })
  await call.pass(2000)
  await call.says('Que horas abre?', 1000)
  await call.pass(900)
  await call.says('', 300)
  await call.pass(6000)
  assert.deepEqual(call.record().slice(1), ['caller: Que horas abre?', 'agent: Abrimos às oito da manhã.'])
  assert.equal(call.asked.length, 1)
  assert.equal(call.heard.length, 2)
  await call.leaves()
})

test('a sound over the agent without words is not heard again with what follows', async () => {
  const long = 'Temos muitos horários livres nesta semana e também na próxima, é só escolher o dia que for melhor.'
  const call = scriptedCall(embedded({ reply: (_, turn) => (turn === 0 ? long : 'Certo.') }))
  await call.pass(2000)
  await call.says('Quais horários?', 1000)
  await call.pass(2500)
  await call.says('', 300)
  await call.pass(1500)
  await call.says('Quero amanhã cedo.', 1200)
  await call.pass(3000)
  assert.equal(call.recognized.at(-1), 'Quero amanhã cedo.')
  await call.leaves()
})

test('an embedded recogniser starts with the pause, and the agent answers sooner', async () => {
  const gap = async (script: Script) => {
    const call = scriptedCall({ reply: () => 'Às oito.', modelMs: 200, recognitionMs: 150, ...script })
    await call.pass(2000)
    await call.says('Que horas abre?', 1000)
    const quietAt = call.now
    await call.pass(3000)
    assert.deepEqual(call.turns(), ['Que horas abre?'])
    const answer = call.lastHeard('Às oito.')
    await call.leaves()
    return (answer?.from ?? Number.NaN) - quietAt
  }
  const [sooner, later] = [await gap(embedded({})), await gap({})]
  assert.ok(later - sooner >= 150, `${sooner} and ${later} ms`)
})

test('a pause within speech that is not the end costs nothing', async () => {
  const call = scriptedCall(embedded({ reply: () => 'Certo.' }))
  await call.pass(2000)
  await call.says('Eu queria marcar', 1000)
  await call.pass(180)
  await call.says('uma consulta para amanhã.', 1200)
  await call.pass(4000)
  assert.deepEqual(call.turns(), ['Eu queria marcar uma consulta para amanhã.'])
  assert.equal(call.lines.at(-1)?.text, 'Certo.')
  await call.leaves()
})

test('the opening is said 2 s after the answer, even into speech', async () => {
  const call = scriptedCall({ opening: 'Olá, sou a Ana.', options: { openingDelayMs: 0 } })
  call.begins('fala sem parar e não deixa ninguém', 20_000)
  await call.pass(4500)
  const opening = call.lastHeard('Olá, sou a Ana.')
  assert.ok(opening && opening.from <= 2000 && !opening.isCut, `${opening?.from}`)
  await call.leaves()
})

test('so it is when the caller spoke before its first sound', async () => {
  const call = scriptedCall({ opening: 'Olá, sou a Ana.', saying: () => 400 })
  await call.pass(100)
  call.begins('quero saber uma coisa e depois outra coisa', 20_000)
  await call.pass(5000)
  const opening = call.lastHeard('Olá, sou a Ana.')
  assert.ok(opening && opening.from <= 2000 && !opening.isCut, `${opening?.from}`)
  await call.leaves()
})

test('a caller who repeats sentences with short pauses is transcribed and answered', async () => {
  const call = scriptedCall({ reply: () => 'Certo.' })
  await call.pass(2000)
  for (let i = 0; i < 12; i++) {
    await call.says('quero saber o preço e', 2200)
    await call.pass(400)
  }
  assert.ok(
    call.heard.some(({ text }) => text.startsWith('Desculpe interromper')),
    'the agent interjects',
  )
  await call.pass(8000)
  assert.ok(call.turns().join(' ').split('preço').length - 1 >= 10, JSON.stringify(call.record()))
  assert.ok(call.lines.some(({ text }) => text === 'Desculpe interromper, só um instante. Certo.'))
  await call.leaves()
})

test('a caller who talks on after the agent interjected is heard to the end, and not reminded meanwhile', async () => {
  const call = scriptedCall({ reply: () => 'Certo.' })
  await call.pass(2000)
  const words = Array.from({ length: 120 }, (_, i) => `palavra${i}`).join(' ')
  call.begins(words, 60_000)
  await call.pass(68_500)
  const said = call.heard.map(({ text }) => text)
  assert.ok(
    said.some((text) => text.startsWith('Desculpe interromper')),
    said.join(),
  )
  assert.ok(!said.some((text) => /ainda está aí|Ainda posso ajudar/.test(text)), said.join())
  assert.ok(call.turns().join(' ').split('palavra').length - 1 >= 110, JSON.stringify(call.record()))
  await call.leaves()
})

test('what was said is on record when the call ends in the middle of it', async () => {
  const call = scriptedCall({ reply: () => 'Certo.' })
  await call.pass(2000)
  call.begins('eu queria dizer uma coisa muito importante', 10_000)
  await call.pass(5000)
  await call.leaves()
  assert.match(call.turns().join(' '), /^eu queria dizer/)
})

/** An STT that hears speech but no words. */
const noWords: Stt = {
  name: 'no words',
  async *transcribe(audio) {
    for await (const _ of audio);
    yield { text: '', isFinal: true, hasSpeech: true }
  },
}

test('speech without words is asked about, twice at most', async () => {
  const call = scriptedCall({ stt: noWords })
  await call.pass(2000)
  for (let i = 0; i < 3; i++) {
    await call.says('?', 800)
    await call.pass(4000)
  }
  const asked = call.heard.filter(({ text }) => /entendi|entender/.test(text))
  assert.equal(asked.length, 2)
  assert.notEqual(asked[0]?.text, asked[1]?.text)
  await call.leaves()
})

test('there is no filler in the middle of an answer', async () => {
  const call = scriptedCall({ reply: () => [{ say: 'Abrimos às oito. ' }, 4500, { say: 'Fechamos às seis.' }] })
  await call.pass(2000)
  await call.says('Que horas abre?', 1000)
  await call.pass(10_000)
  assert.equal(call.lines.at(-1)?.text, 'Abrimos às oito. Fechamos às seis.')
  await call.leaves()
})

test('the recogniser is told what to expect, and the model what was heard unclearly', async () => {
  const expected: SttOptions[] = []
  const heard = [
    { text: 'Qual é o interesse?', isUnclear: true },
    { text: 'O endereço.', isUnclear: false },
  ]
  const stt: Stt = {
    name: 'unsure',
    isEmbedded: true,
    async *transcribe(audio, options) {
      for await (const _ of audio);
      expected.push(options)
      yield { ...(heard[call.turns().length] ?? { text: '' }), isFinal: true }
    },
  }
  const prompts: Message[][] = []
  const wrap = (llm: Llm): Llm => ({
    ...llm,
    reply(history, ...rest) {
      prompts.push([...history])
      return llm.reply(history, ...rest)
    },
  })
  const options = { systemPrompt: 'Você é a Ana da Clínica Aurora.', hints: ['Unimed'] }
  const call = scriptedCall({ stt, wrap, options, reply: () => 'O endereço da clínica em Araraquara?' })
  await call.pass(2000)
  await call.says('Qual é o interesse?', 1000)
  await call.pass(6000)
  await call.says('O endereço.', 1000)
  await call.pass(6000)
  assert.deepEqual(expected[0]?.names, ['Ana', 'Clínica Aurora'])
  assert.deepEqual(expected.at(-1)?.names, ['Araraquara', 'Ana', 'Clínica Aurora'])
  assert.deepEqual(expected.at(-1)?.hints, ['Unimed'])
  assert.equal(expected.at(-1)?.words?.[0], 'endereço')
  assert.deepEqual(
    prompts.at(-1)?.flatMap(({ role, content, isUnclear }) => (role === 'user' ? [[content, isUnclear]] : [])),
    [
      ['Qual é o interesse?', true],
      ['O endereço.', undefined],
    ],
  )
  assert.deepEqual(call.turns(), ['Qual é o interesse?', 'O endereço.'])
  await call.leaves()
})
