import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Message } from '../voice/ports.ts'
import { type MessageTakerOptions, messageTaker, type TakenMessage } from './message-taker.ts'

const OWN = '+5511987654321'
const tool = { name: 'lookup', description: '', parameters: {}, run: async () => ({ text: '', failed: false }) }

/** A conversation in which the message taker gives every reply. */
function conversation(options: Partial<MessageTakerOptions> & { language?: string; history?: Message[] } = {}) {
  const { language = 'pt-BR', history = [{ role: 'system', content: 'Você atende a clínica.' }] } = options
  const taken: TakenMessage[] = []
  const taker = messageTaker({ ownNumber: OWN, medium: 'voice', ...options, onMessage: (each) => taken.push(each) })
  const messages = [...history]
  let hasEnded = false

  async function reply(): Promise<string> {
    let text = ''
    for await (const part of taker.reply(messages, [tool], { language }, new AbortController().signal)) {
      assert.ok('say' in part)
      text += part.say
      hasEnded ||= part.endsCall === 'agent_ended'
    }
    return text
  }
  return {
    taker,
    taken,
    messages,
    reply,
    hasEnded: () => hasEnded,
    async say(text: string): Promise<string> {
      messages.push({ role: 'user', content: text })
      const answer = await reply()
      messages.push({ role: 'agent', content: answer })
      return answer
    },
  }
}

describe('the message taker', () => {
  test('takes name, own number and matter, reads back, and ends the call', async () => {
    const { say, taken, hasEnded } = conversation()
    assert.match(await say('Alô?'), /não está disponível no momento.*Qual é o seu nome\?$/)
    assert.match(await say('É a Maria Souza.'), /^Obrigado, Maria Souza\. .*final 4 3 2 1, serve/)
    assert.match(await say('Sim, pode ser.'), /Qual é o assunto\?$/)
    assert.match(
      await say('Quero remarcar a consulta de amanhã.'),
      /Nome: Maria Souza\. Telefone: 1 1, 9 8 7 meia 5, 4 3 2 1\. Assunto: Quero remarcar a consulta de amanhã\. Está certo\?$/,
    )
    assert.deepEqual(taken, [])
    assert.match(await say('Está certo.'), /Alguém vai ligar de volta para você\. Até logo!$/)
    const message = { name: 'Maria Souza', phoneNumber: OWN, matter: 'Quero remarcar a consulta de amanhã.' }
    assert.deepEqual(taken, [{ ...message, isComplete: true }])
    assert.equal(hasEnded(), true)
    assert.match(await say('Tchau.'), /já está anotado/)
    assert.equal(taken.length, 1)
  })

  test('takes another number, dictated in words or pressed on the keypad', async () => {
    const spoken = conversation({ language: 'en-US', ownNumber: '+14155550000' })
    await spoken.say('Hello?')
    await spoken.say('My name is John Smith')
    assert.match(await spoken.say('No, another one.'), /area code\? Or press the number on your keypad\.$/)
    assert.match(await spoken.say('four one five five five five'), /So far I have/)
    assert.match(await spoken.say('two six seven one'), /What is it about\?/)
    spoken.taker.end()
    assert.equal(spoken.taken[0]?.phoneNumber, '+14155552671')

    const pressed = conversation({ language: 'es-MX', ownNumber: null })
    assert.match(await pressed.say('Hola'), /no está disponible/)
    assert.match(await pressed.say('Me llamo Juan Pérez'), /^Gracias, Juan Pérez\. .*teclado del teléfono\.$/)
    assert.match(await pressed.say('5512345678'), /motivo/)
    pressed.taker.end()
    assert.deepEqual(pressed.taken, [
      { name: 'Juan Pérez', phoneNumber: '+525512345678', matter: null, isComplete: false },
    ])
  })

  test('asks an unclear answer again once, then goes on, and never for ever', async () => {
    const { say, taken, hasEnded } = conversation({ language: 'en', ownNumber: null })
    const answers: string[] = []
    for (let turn = 0; turn < 20 && !hasEnded(); turn++) answers.push(await say('uh'))
    assert.ok(hasEnded(), answers.join('\n'))
    assert.ok(answers.length <= 9, answers.join('\n'))
    assert.deepEqual(taken, [])
    assert.equal(new Set(answers).size, answers.length, 'no question is asked twice in the same words')
  })

  test('comes to its end whatever the caller says', async () => {
    const words =
      'sim,não,alô,um momento,11,98765,Maria,quero cancelar o plano hoje,por quê?,tchau,12 34,não entendi,errado'
    const lines = words.split(',')
    let seed = 7
    const next = () => {
      seed = (seed * 48271) % 2147483647
      return lines[seed % lines.length] ?? ''
    }
    for (let round = 0; round < 200; round++) {
      const { say, hasEnded } = conversation(round % 2 === 0 ? {} : { ownNumber: null })
      const said: string[] = []
      while (!hasEnded() && said.length < 25) said.push(await say(next()))
      assert.ok(hasEnded(), said.join('\n'))
    }
  })

  test('a request that nobody has answered is the matter, and a name said before is not asked for', async () => {
    const { say } = conversation({
      history: [
        { role: 'system', content: 'Você atende a clínica.' },
        { role: 'agent', content: 'Olá! Em que posso ajudar?' },
        { role: 'user', content: 'Oi, meu nome é Ana Lima.' },
        { role: 'agent', content: 'Pois não, Ana.' },
      ],
    })
    assert.match(await say('Preciso cancelar o exame de sangue de sexta'), /Obrigado, Ana Lima\. .*final 4 3 2 1/)
    assert.match(await say('Hein?'), /não entendi.*sim ou não/)
    assert.match(await say('serve'), /anotei: “Preciso cancelar o exame de sangue de sexta”\. Quer acrescentar/)
    assert.match(await say('não, só isso'), /Assunto: Preciso cancelar o exame de sangue de sexta\. Está certo/)
  })

  test('a sentence is no name', async () => {
    for (const [language, request, name] of [
      ['pt-BR', 'Quero remarcar a minha consulta', 'Will Costa'],
      ['es-MX', 'Quiero cambiar mi cita', 'Rosa Díaz'],
      ['en-US', 'I want to change my visit', 'Will Smith'],
    ] as const) {
      const { say, taker, taken } = conversation({ language })
      await say('…')
      await say(request)
      await say(name)
      taker.end()
      assert.deepEqual([taken[0]?.name, taken[0]?.matter], [name, request])
    }
  })

  test('starts in the middle of a tool call', async () => {
    const { reply } = conversation({
      history: [
        { role: 'user', content: 'Tem horário amanhã?' },
        { role: 'agent', content: '', calls: [{ id: 'c1', name: 'lookup', args: {} }] },
        { role: 'tool', content: '{"free":[]}', callId: 'c1' },
      ],
    })
    assert.match(await reply(), /não está disponível.*Qual é o seu nome/)
  })

  test('a reply that was generated early and thrown away changes nothing', async () => {
    const { messages, reply, say, taken } = conversation()
    await say('Alô')
    messages.push({ role: 'user', content: 'Maria' })
    assert.match(await reply(), /^Obrigado, Maria\./)
    messages.splice(-1, 1, { role: 'user', content: 'Maria da Silva' })
    assert.match(await reply(), /^Obrigado, Maria da Silva\./)
    assert.deepEqual(taken, [])
  })

  test('a caller who interrupts the opening is asked again; one who interrupts the question has answered it', async () => {
    const { messages, reply, say } = conversation()
    messages.push({ role: 'user', content: 'Alô' }, { role: 'agent', content: 'Desculpe, o nosso assistente não…' })
    assert.equal(await say('Oi, tem alguém aí?'), 'Qual é o seu nome?')
    messages.splice(-1, 1, { role: 'agent', content: 'Qual é o seu…' })
    messages.push({ role: 'user', content: 'Carlos Dias' })
    assert.match(await reply(), /^Obrigado, Carlos Dias\./)
  })

  test('a reminder between question and answer changes nothing', async () => {
    const { messages, say } = conversation()
    await say('Alô')
    messages.push({ role: 'agent', content: 'Você ainda está aí?' })
    assert.match(await say('Beatriz Nunes'), /^Obrigado, Beatriz Nunes\./)
  })

  test('when a model has come back and failed again, it goes on where it was', async () => {
    const { messages, say, taker, taken } = conversation()
    await say('Alô')
    await say('Maria Souza')
    await say('sim')
    messages.push({ role: 'user', content: 'Quero falar da minha fatura' })
    messages.push({ role: 'agent', content: 'Claro, o que houve com a fatura?' })
    assert.match(await say('Veio errada, o dobro do valor'), /indisponível de novo\. .*dobro do valor\. Está certo\?$/)
    taker.end()
    const matter = 'Quero falar da minha fatura Veio errada, o dobro do valor'
    assert.deepEqual(taken, [{ name: 'Maria Souza', phoneNumber: OWN, matter, isComplete: false }])
  })

  test('corrections to what was read back', async () => {
    const { say, taken } = conversation({ ownNumber: null })
    await say('Alô')
    await say('Pedro')
    await say('onze nove oito sete seis cinco quatro três dois um')
    await say('É sobre a entrega do sofá')
    assert.equal(await say('Não'), 'O que devo corrigir?')
    assert.match(await say('O telefone é 21 99876 5432'), /Telefone: 2 1, 9 9 8 7 meia, 5 4 3 2/)
    await say('Agora sim')
    assert.equal(taken.at(-1)?.phoneNumber, '+5521998765432')
    assert.equal(taken.at(-1)?.matter, 'É sobre a entrega do sofá')
  })

  test('who hangs up at once leaves nothing; who gave a matter leaves it with their number', async () => {
    const silent = conversation()
    await silent.reply()
    silent.taker.end()
    assert.deepEqual(silent.taken, [])

    const brief = conversation()
    await brief.say('Queria saber do resultado do meu exame')
    brief.taker.end()
    brief.taker.end()
    const matter = 'Queria saber do resultado do meu exame'
    assert.deepEqual(brief.taken, [{ name: null, phoneNumber: OWN, matter, isComplete: false }])
  })

  test('by text each answer is handed over as it comes, without digits read aloud', async () => {
    const { say, taken } = conversation({ medium: 'text', ownNumber: null, language: 'en' })
    await say('hi')
    assert.match(await say('Ann Lee'), /including the area code\?$/)
    await say('415 555 2671')
    assert.match(await say('my parcel has not arrived'), /Phone: \+14155552671\./)
    await say('yes')
    assert.deepEqual(
      taken.map(({ matter, isComplete }) => [matter, isComplete]),
      [
        [null, false],
        ['my parcel has not arrived', false],
      ],
    )
  })

  test('speaks the nearest of its languages', async () => {
    assert.match(await conversation({ language: 'ca-ES' }).say('Hola'), /asistente/)
    assert.match(await conversation({ language: 'fr-FR' }).say('Bonjour'), /our assistant/)
  })

  test('refuses to talk about the conversation', async () => {
    const { taker } = conversation()
    const options = { language: 'en', isAboutConversation: true }
    const reply = taker.reply([], [], options, new AbortController().signal)[Symbol.asyncIterator]()
    await assert.rejects(reply.next())
  })
})
