// Utterances and the rule agent's replies, in three languages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LlmPart, Message, Tool } from '../voice/ports.ts'
import { ruleAgent } from './rule-agent.ts'
import { phrases } from './rule-phrases.ts'

const agent = ruleAgent()
const never = new AbortController().signal

const prompts = {
  'pt-BR': `Você é a Ana, atendente da Clínica Sorriso. Seja educada e breve. Nunca fale de política.

## Horário
Abrimos de segunda a sexta, das 8h às 18h. Aos sábados abrimos das 8h às 12h.

## Preços
- A consulta com o Dr. Paulo custa R$ 200.
- A limpeza custa R$ 150.
- O clareamento custa R$ 900 e leva duas sessões.

Endereço: Rua das Flores, 120, Centro, perto da estação.

P: Vocês aceitam convênio?
R: Sim, aceitamos Unimed e Amil.

Pergunta: Tem estacionamento?
Resposta: Temos convênio com o estacionamento ao lado, com uma hora grátis.

Se o cliente perguntar sobre parcelamento, diga que parcelamos em até seis vezes no cartão.
Traga um documento com foto e chegue dez minutos antes. Crianças precisam vir com um responsável. Quem chegar com mais de quinze minutos de atraso deverá remarcar a consulta para outro dia.`,
  'es-ES': `Eres Lucía, recepcionista del Hotel Mar. Responde siempre con amabilidad.

Horario: la recepción está abierta las 24 horas.
El desayuno se sirve de 7 a 10 de la mañana.

La habitación doble cuesta 90 euros por noche. La habitación individual cuesta 60 euros por noche. Los niños menores de 4 años no pagan. El precio incluye el desayuno y la piscina.

P: ¿Admiten mascotas?
R: Sí, admitimos perros pequeños por 10 euros al día.

Si el cliente pregunta por el aparcamiento, responde que tenemos garaje gratuito.
Dirección: calle Mayor 5, frente a la playa.`,
  'en-US': `You are Sam from Northwind Books. Be polite. Do not talk about other shops.

# Opening hours
We are open Monday to Saturday from 9 am to 7 pm.

# Shipping
Standard delivery takes three days and costs 4 dollars.
Orders above 50 dollars ship for free.

Q: Can I return a book?
A: Yes, within 30 days with the receipt.

Q: Do you sell gift cards? A: Yes, from 10 to 200 dollars.

We are at 12 Harbor Street, next to the library.
If they ask about jobs, say: please send your resume by email.`,
} as const
type Language = keyof typeof prompts

const tool = (name: string, description: string, properties: object = {}, required: string[] = []): Tool => ({
  name,
  description,
  parameters: { type: 'object', properties, required },
  run: async () => ({ text: '', failed: false }),
})
const tools: Tool[] = [
  tool(
    'consultar_pedido',
    'Consulta o status de um pedido',
    { numero: { type: 'integer', description: 'Número do pedido' } },
    ['numero'],
  ),
  tool('agendar_visita', 'Agenda uma visita', { dia: { type: 'string', enum: ['segunda', 'quarta'] } }, ['dia']),
  tool('reservar_mesa', 'Reserva una mesa en el restaurante', {}, []),
  tool('checkOrder', 'Looks up the status of an order', { orderId: { type: 'string' } }, ['orderId']),
  tool('send_receipt', 'Sends the receipt by email', { email: { type: 'string', format: 'email' } }, ['email']),
  tool('transfer_call', 'Passes the call on to a person'),
  tool('end_call', 'Hangs up'),
]

const replyTo = (language: Language, turns: readonly string[], offered: readonly Tool[] = [], more: Message[] = []) => {
  const history: Message[] = [{ role: 'system', content: prompts[language] }]
  for (const [i, content] of turns.entries()) history.push({ role: i % 2 === 0 ? 'user' : 'agent', content })
  return Array.fromAsync(agent.reply([...history, ...more], offered, { language }, never))
}
const wordsOf = (parts: readonly LlmPart[]) => parts.map((part) => ('say' in part ? part.say : '')).join('')
const callOf = (parts: readonly LlmPart[]) => parts.flatMap((part) => ('call' in part ? [part.call] : []))[0]

const spoken: [language: Language, said: string, answer: string | RegExp][] = [
  ['pt-BR', 'Qual é o horário de funcionamento?', /^Abrimos de segunda a sexta/],
  ['pt-BR', 'Vocês abrem no sábado?', /sábados abrimos das 8h às 12h/],
  ['pt-BR', 'quanto custa uma limpeza', 'A limpeza custa R$ 150.'],
  ['pt-BR', 'Qual o preço da consulta?', 'A consulta com o Dr. Paulo custa R$ 200.'],
  ['pt-BR', 'E o clareamento, quanto fica?', /clareamento custa R\$ 900/],
  ['pt-BR', 'Onde vocês ficam?', /Rua das Flores, 120/],
  ['pt-BR', 'vocês aceitam convenios', 'Sim, aceitamos Unimed e Amil.'],
  ['pt-BR', 'Posso estacionar aí?', /uma hora grátis/],
  ['pt-BR', 'Dá pra parcelar no cartão?', 'Parcelamos em até seis vezes no cartão.'],
  ['pt-BR', 'Qual documento eu levo?', 'Traga um documento com foto e chegue dez minutos antes.'],
  ['pt-BR', 'Posso levar uma criança?', 'Crianças precisam vir com um responsável.'],
  ['pt-BR', 'Vocês vendem pneus de trator?', phrases.pt.askBack],
  ['pt-BR', 'O que você acha da política?', phrases.pt.askBack],
  ['pt-BR', 'Oi, bom dia!', phrases.pt.greeting],
  ['pt-BR', 'Bom dia, a limpeza custa quanto?', 'A limpeza custa R$ 150.'],
  ['pt-BR', 'Muito obrigada!', phrases.pt.welcome],
  ['pt-BR', 'Tá bom, era só isso, tchau', phrases.pt.goodbye],
  ['pt-BR', 'Não, obrigado', phrases.pt.goodbye],
  ['es-ES', '¿A qué hora es el desayuno?', /desayuno se sirve de 7 a 10/],
  ['es-ES', '¿Cuánto cuesta la habitación individual?', /individual cuesta 60 euros/],
  ['es-ES', 'cuanto vale la habitacion doble', /doble cuesta 90 euros/],
  ['es-ES', '¿Puedo llevar a mi perro?', /admitimos perros pequeños/],
  ['es-ES', '¿Tienen aparcamiento?', 'Tenemos garaje gratuito'],
  ['es-ES', '¿Dónde están?', /calle Mayor 5/],
  ['es-ES', '¿Los niños pagan?', /menores de 4 años no pagan/],
  ['es-ES', '¿Venden coches usados?', phrases.es.askBack],
  ['es-ES', 'Hola, buenas tardes', phrases.es.greeting],
  ['es-ES', 'Muchas gracias', phrases.es.welcome],
  ['es-ES', 'Eso es todo, adiós', phrases.es.goodbye],
  ['en-US', 'When are you open?', /Monday to Saturday/],
  ['en-US', 'How much is delivery?', /costs 4 dollars/],
  ['en-US', 'Is shipping free?', /ship for free/],
  ['en-US', 'Can I return the books I bought?', 'Yes, within 30 days with the receipt.'],
  ['en-US', 'Do you have gift cards?', 'Yes, from 10 to 200 dollars.'],
  ['en-US', 'Where are you?', /12 Harbor Street/],
  ['en-US', 'Are there any jobs?', 'Please send your resume by email.'],
  ['en-US', 'Can you repair my bicycle?', phrases.en.askBack],
  ['en-US', 'Good morning', phrases.en.greeting],
  ['en-US', 'Thank you so much', phrases.en.welcome],
  ['en-US', "That's all, bye", phrases.en.goodbye],
]

for (const [language, said, answer] of spoken)
  test(`${language}: ${said}`, async () => {
    const words = wordsOf(await replyTo(language, [said]))
    if (typeof answer === 'string') assert.equal(words.replace(/\.$/, ''), answer.replace(/\.$/, ''))
    else assert.match(words, answer)
  })

const called: [language: Language, said: string, name: string, args: object][] = [
  ['pt-BR', 'Qual é o status do meu pedido 4512?', 'consultar_pedido', { numero: 4512 }],
  ['pt-BR', 'quero consultar o pedido quatro cinco um dois', 'consultar_pedido', { numero: 4512 }],
  ['pt-BR', 'Queria agendar uma visita na quarta', 'agendar_visita', { dia: 'quarta' }],
  ['pt-BR', 'Quero falar com um atendente, por favor', 'transfer_call', {}],
  ['es-ES', 'Quiero reservar una mesa', 'reservar_mesa', {}],
  ['es-ES', '¿Puedo hablar con una persona?', 'transfer_call', {}],
  ['en-US', 'Please check my order AB-778', 'checkOrder', { orderId: 'AB-778' }],
  ['en-US', 'Send the receipt to sam@example.com', 'send_receipt', { email: 'sam@example.com' }],
  ['en-US', 'I want to speak to a human', 'transfer_call', {}],
]
for (const [language, said, name, args] of called)
  test(`${language}: ${said} (uses ${name})`, async () => {
    const call = callOf(await replyTo(language, [said], tools))
    assert.equal(call?.name, name)
    assert.deepEqual(call?.args, args)
    assert.ok(call?.id)
  })

test('a missing argument is asked for, and then recognized', async () => {
  const first = await replyTo('pt-BR', ['Quero consultar um pedido'], tools)
  const ask = phrases.pt.need('número do pedido')
  assert.equal(wordsOf(first), ask)
  assert.equal(callOf(first), undefined)
  const second = await replyTo('pt-BR', ['Quero consultar um pedido', ask, 'É o nove um sete.'], tools)
  assert.deepEqual(callOf(second)?.args, { numero: 917 })
  assert.equal(wordsOf(await replyTo('pt-BR', ['Quero consultar um pedido', ask, 'Não sei de cor'], tools)), ask)
  assert.match(
    wordsOf(await replyTo('pt-BR', ['Quero consultar um pedido', ask, 'Quanto custa a limpeza?'], tools)),
    /150/,
  )
})

test('a tool result is spoken: a text as it is, an object by its fields', async () => {
  const after = (content: string): Message[] => [
    { role: 'agent', content: '', calls: [{ id: 'c', name: 'consultar_pedido', args: {} }] },
    { role: 'tool', callId: 'c', content },
  ]
  const told = async (content: string) => wordsOf(await replyTo('pt-BR', ['Meu pedido 5'], tools, after(content)))
  assert.equal(await told('O pedido saiu hoje.'), 'O pedido saiu hoje.')
  assert.equal(
    await told('{"status":"a caminho","prazo_em_dias":2,"pago":true,"itens":[1]}'),
    'status: a caminho, prazo em dias: 2, pago: sim.',
  )
  assert.equal(await told(''), phrases.pt.done)
})

test('a goodbye hangs up if there is a tool for it', async () => {
  const parts = await replyTo('pt-BR', ['tchau, até logo'], tools)
  assert.equal(wordsOf(parts), phrases.pt.goodbye)
  assert.equal(callOf(parts)?.name, 'end_call')
})

test('it opens the call if nobody has spoken, repeats itself on request, and rephrases a repeated clarification', async () => {
  assert.equal(wordsOf(await replyTo('es-ES', [])), phrases.es.greeting)
  const price = 'A limpeza custa R$ 150.'
  assert.equal(wordsOf(await replyTo('pt-BR', ['Quanto custa a limpeza?', price, 'Pode repetir?'])), price)
  assert.equal(wordsOf(await replyTo('en-US', ['Blah?', phrases.en.askBack, 'Bleh?'])), phrases.en.askBackAgain)
  assert.equal(wordsOf(await replyTo('pt-BR', ['Obrigado', phrases.pt.welcome, 'Não.'])), phrases.pt.goodbye)
})

test('instructions to the agent are never spoken', async () => {
  for (const language of Object.keys(prompts) as Language[])
    for (const said of ['Ana', 'política', 'educada', 'amabilidad', 'polite', 'shops', 'Lucía'])
      assert.doesNotMatch(
        wordsOf(await replyTo(language, [said])),
        /Você é|Seja|Nunca|Eres|Responde|You are Sam|Be polite|Do not/,
      )
})

test('knowledge in a later system message counts too, and a plain-prose prompt is enough', async () => {
  const history: Message[] = [
    { role: 'system', content: 'Você é o Beto.' },
    { role: 'system', content: 'O guincho chega em quarenta minutos. A oficina conserta freios e embreagens.' },
    { role: 'user', content: 'Em quanto tempo o guincho chega?' },
  ]
  assert.match(
    wordsOf(await Array.fromAsync(agent.reply(history, [], { language: 'pt-BR' }, never))),
    /quarenta minutos/,
  )
})

test('lines and list items are separate passages, and a question for a number is answered with one', async () => {
  const content = `A pizzaria fica na Avenida Paulista, 900.
Segunda é fechado. Nos outros dias funcionamos das 18h às 23h30, menos em feriados, e a cozinha para de receber pedidos meia hora antes do fim, sem exceção, também para quem já está na casa esperando.
Cardápio:
  - Margherita: R$ 45
  - Quatro queijos:
    R$ 55
Bebidas: suco R$ 9, cerveja R$ 12`
  const answer = async (said: string) => {
    const history: Message[] = [
      { role: 'system', content },
      { role: 'user', content: said },
    ]
    return wordsOf(await Array.fromAsync(agent.reply(history, [], { language: 'pt-BR' }, never)))
  }
  assert.equal(await answer('Onde fica?'), 'A pizzaria fica na Avenida Paulista, 900.')
  assert.match(await answer('Que horas vocês abrem?'), /^Nos outros dias/)
  assert.equal(await answer('Abre segunda?'), 'Segunda é fechado.')
  assert.equal(await answer('E a margherita?'), 'Margherita: R$ 45')
  assert.equal(await answer('Tem cerveja?'), 'Bebidas: suco R$ 9, cerveja R$ 12')
})

test('it is not a model and says so, is deterministic, and stops on abort', async () => {
  assert.deepEqual([agent.name, agent.isModel], ['rules', false])
  const ask = () => replyTo('es-ES', ['¿Cuánto cuesta la habitación doble?'], tools)
  const first = await ask()
  for (let i = 0; i < 5; i++) assert.deepEqual(await ask(), first)
  assert.deepEqual(await Array.fromAsync(agent.reply([], [], { language: 'en' }, AbortSignal.abort())), [])
})

test('an adversarial prompt is not slow', async () => {
  const slow = [
    `P: ${' '.repeat(50_000)}`,
    'Dr. '.repeat(20_000),
    `se ${'a'.repeat(50_000)}`,
    '*'.repeat(50_000),
    'a. A'.repeat(20_000),
  ]
  for (const content of slow) {
    const history: Message[] = [
      { role: 'system', content },
      { role: 'user', content: 'Quanto custa?' },
    ]
    const began = process.cpuUsage() // CPU time: the machine may be busy with other things
    await Array.fromAsync(agent.reply(history, [], { language: 'pt-BR' }, never))
    const { user, system } = process.cpuUsage(began)
    const ms = (user + system) / 1000
    assert.ok(ms < 2_000, `${ms} ms for ${content.slice(0, 10)}`)
  }
})

test('a question that the prompt does not answer is searched for, and the sentence that answers it is spoken', async () => {
  const search: Tool = {
    name: 'documentos',
    description: 'Procura nos documentos da clínica',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    run: async () => ({ text: '', failed: false }),
  }
  const question = 'Preciso de jejum para o exame de sangue?'
  const call = callOf(await replyTo('pt-BR', [question], [...tools, search]))
  assert.deepEqual([call?.name, call?.args], ['documentos', { query: question }])
  // The prompt answers this one; a greeting needs no search.
  assert.match(wordsOf(await replyTo('pt-BR', ['Quanto custa a limpeza?'], [search])), /150/)
  assert.equal(callOf(await replyTo('pt-BR', ['Bom dia!'], [search])), undefined)
  assert.equal(callOf(await replyTo('pt-BR', ['Obrigado!'], [search])), undefined)

  const after = (content: string): Message[] => [
    { role: 'agent', content: '', calls: [{ id: 'c', name: 'documentos', args: { query: question } }] },
    { role: 'tool', callId: 'c', content },
  ]
  const found = `[1] Guia › Preparo
A sala de coleta fica no térreo e abre às sete da manhã, de segunda a sexta, menos em feriados nacionais e da cidade. O exame de sangue pede jejum de oito horas.

[2] Guia › Vacinas
A vacina da gripe custa R$ 95.`
  const told = async (content: string) => wordsOf(await replyTo('pt-BR', [question], [search], after(content)))
  assert.equal(await told(found), 'O exame de sangue pede jejum de oito horas.')
  assert.equal(await told('Nothing was found about this in the knowledge base.'), phrases.pt.askBack)
})
