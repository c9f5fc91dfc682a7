import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { spokenDigits, validCpf } from '../../test/dictated-digits.ts'
import type { Llm, Message, Tool, ToolCall } from '../voice/ports.ts'
import { expectationFromHistory } from './collect-history.ts'
import { collectTool } from './collect-tool.ts'
import { collectingLlm } from './collecting-llm.ts'

/** A conversation in which the model has called `collect`, and continues with "continued" once it gets a result. */
async function collecting(args: Record<string, unknown>, { language = 'pt-BR', introduction = '' } = {}) {
  const asked: (readonly Message[])[] = []
  const model: Llm = {
    name: 'model',
    isModel: true,
    async *reply(history) {
      asked.push([...history])
      yield { say: 'continued' }
    },
  }
  const llm = collectingLlm(model)
  const tool = collectTool({ language, today: () => '2026-11-16' })
  const call: ToolCall = { id: 'c1', name: tool.name, args }
  const history: Message[] = [
    { role: 'system', content: 'You are Ana.' },
    { role: 'user', content: 'Oi' },
    { role: 'agent', content: introduction, calls: [call] },
    { role: 'tool', content: await result(tool, call), callId: 'c1' },
  ]
  async function reply(): Promise<string> {
    let said = ''
    for await (const part of llm.reply(history, [tool], { language }, new AbortController().signal))
      if ('say' in part) said += part.say
    if (said !== '') history.push({ role: 'agent', content: said })
    return said
  }
  return {
    history,
    asked,
    reply,
    says(text: string) {
      history.push({ role: 'user', content: text })
      return reply()
    },
    expected: () => expectationFromHistory(history),
    /** The tool result that the model received. */
    result: () => JSON.parse(asked.at(-1)?.findLast(({ role }) => role === 'tool')?.content ?? 'null'),
  }
}

const result = async (tool: Tool, call: ToolCall) =>
  (await tool.run(call, { act: async () => ({ status: 'failed' }), history: [] }, new AbortController().signal)).text

test('a CPF in three groups, confirmed, reaches the model as a checked value', async () => {
  const call = await collecting({ kind: 'cpf' })
  assert.equal(await call.reply(), 'Qual é o seu CPF?')
  assert.equal(call.expected(), 'cpf')
  assert.equal(await call.says('um dois três'), 'Até agora anotei 1 2 3. Pode continuar?')
  assert.equal(await call.says('quatro cinco meia'), 'Até agora anotei 1 2 3, 4 5 meia. Pode continuar?')
  assert.equal(await call.says('sete oito nove, zero nove'), 'Anotei 1 2 3, 4 5 meia, 7 8 9, traço 0 9. Está certo?')
  assert.equal(call.expected(), 'yes-no')
  assert.equal(call.asked.length, 0)
  assert.equal(await call.says('Isso mesmo.'), 'continued')
  assert.equal(call.expected(), null)
  const { message, ...rest } = call.result()
  assert.deepEqual(rest, {
    status: 'collected',
    kind: 'cpf',
    value: '12345678909',
    formatted: '123.456.789-09',
    confirmed: true,
  })
  assert.match(message, /^Quem ligou confirmou o CPF/)
})

test('the model sees the dialogue first, then its call with the result', async () => {
  const call = await collecting({ kind: 'cep' })
  await call.reply()
  await call.says('01310-100')
  await call.says('sim')
  assert.deepEqual(
    call.asked[0]?.map(({ role, calls }) => (calls ? 'call' : role)),
    ['system', 'user', 'agent', 'user', 'agent', 'user', 'call', 'tool'],
  )
  // In later turns it is still there.
  await call.says('Obrigado')
  assert.deepEqual(
    call.asked[1]?.map(({ role, calls }) => (calls ? 'call' : role)),
    ['system', 'user', 'agent', 'user', 'agent', 'user', 'call', 'tool', 'agent', 'user'],
  )
})

test('a question that the model has just asked is not asked again', async () => {
  const call = await collecting({ kind: 'cpf' }, { introduction: 'Claro! Qual é o seu CPF?' })
  assert.equal(await call.reply(), '')
  assert.equal(await call.says('123.456.789-09'), 'Anotei 1 2 3, 4 5 meia, 7 8 9, traço 0 9. Está certo?')
})

test('a correction is applied and confirmed again', async () => {
  const call = await collecting({ kind: 'cpf' })
  await call.reply()
  await call.says('529.982.247-25')
  assert.equal(
    await call.says('não, o final é 35'),
    'Tem algum dígito trocado: o CPF não confere. Pode repetir inteiro, devagar?',
  )
  await call.says('123 456 789 09')
  assert.equal(await call.says('não, é 529 982 247 25'), 'Corrigi: 5 2 9, 9 8 2, 2 4 7, traço 2 5. Agora está certo?')
  await call.says('agora sim')
  assert.equal(call.result().value, '52998224725')
})

test('a correction of what was heard so far', async () => {
  const call = await collecting({ kind: 'cpf' })
  await call.reply()
  await call.says('123 455')
  assert.equal(await call.says('não, quatro cinco meia'), 'Até agora anotei 1 2 3, 4 5 meia. Pode continuar?')
  await call.says('789 09')
  await call.says('certo')
  assert.equal(call.result().value, '12345678909')
})

test('keypad digits count as said', async () => {
  const call = await collecting({ kind: 'cpf' })
  await call.reply()
  await call.says('um dois três')
  assert.equal(await call.says('45678909'), 'Anotei 1 2 3, 4 5 meia, 7 8 9, traço 0 9. Está certo?')
})

test('a value from the beginning replaces the part heard before', async () => {
  const call = await collecting({ kind: 'cpf' })
  await call.reply()
  await call.says('123 456')
  assert.equal(await call.says('123 456 789'), 'Até agora anotei 1 2 3, 4 5 meia, 7 8 9. Pode continuar?')
})

test('wrong check digits are asked again; after three failures the model gets what was heard', async () => {
  const call = await collecting({ kind: 'cpf' })
  await call.reply()
  assert.match(await call.says('123 456 789 10'), /não confere. Pode repetir inteiro, devagar\?$/)
  assert.match(await call.says('123 456 789 11'), /digite no teclado do telefone\.$/)
  assert.equal(await call.says('123 456 789 12'), 'continued')
  const { status, reason, lastHeard } = call.result()
  assert.deepEqual(
    { status, reason, lastHeard },
    { status: 'not_collected', reason: 'too_many_attempts', lastHeard: '12345678912' },
  )
})

const ends: readonly (readonly [language: string, text: string, reason: string])[] = [
  ['pt-BR', 'não tenho aqui comigo', 'refused'],
  ['pt-BR', 'quero falar com um atendente', 'wants_person'],
  ['pt-BR', 'por que você precisa disso?', 'other_topic'],
  ['en-US', "I don't know it", 'refused'],
  ['en-US', 'can I talk to a person', 'wants_person'],
  ['es-MX', 'no lo sé', 'refused'],
  ['es-MX', '¿para qué lo necesita?', 'other_topic'],
]
for (const [language, text, reason] of ends)
  test(`"${text}" ends it: ${reason}`, async () => {
    const call = await collecting({ kind: 'cpf' }, { language })
    await call.reply()
    assert.equal(await call.says(text), 'continued')
    assert.equal(call.result().reason, reason)
    assert.equal(
      call.asked[0]?.some(({ role, content }) => role === 'user' && content === text),
      true,
    )
  })

for (const [kind, said] of [
  ['number', 'uma pessoa'],
  ['email', 'supervisor arroba empresa ponto com ponto br'],
] as const)
  test(`"${said}" is a value of kind ${kind}, and asks for nobody`, async () => {
    const call = await collecting({ kind })
    await call.reply()
    assert.notEqual(await call.says(said), 'continued')
  })

test('who asks for a person is heard while a number is collected', async () => {
  const call = await collecting({ kind: 'number' })
  await call.reply()
  assert.equal(await call.says('quero falar com uma pessoa'), 'continued')
  assert.equal(call.result().reason, 'wants_person')
})

test('who needs time gets it, and it counts as no failure', async () => {
  const call = await collecting({ kind: 'cpf' })
  await call.reply()
  for (let i = 0; i < 4; i++) assert.equal(await call.says('só um minutinho'), 'Claro, sem pressa. Eu espero.')
  assert.match(await call.says('123 456 789 09'), /^Anotei/)
})

test('what the caller has already said is confirmed at once', async () => {
  const call = await collecting({ kind: 'phone', said: 'meu número é onze 98765 4321' })
  assert.equal(await call.reply(), 'Anotei 1 1, 9 8 7 meia 5, 4 3 2 1. Está certo?')
})

test('an area code may come last', async () => {
  const call = await collecting({ kind: 'phone' })
  await call.reply()
  assert.equal(await call.says('98765 4321'), 'Até agora anotei 9 8 7, meia 5 4, 3 2 1. Falta o DDD ou o restante?')
  assert.equal(await call.says('onze'), 'Anotei 1 1, 9 8 7 meia 5, 4 3 2 1. Está certo?')
})

test('without confirmation the value reaches the model at once', async () => {
  const call = await collecting({ kind: 'date', confirm: false })
  await call.reply()
  assert.equal(await call.says('sexta que vem'), 'continued')
  assert.equal(call.result().value, '2026-11-20')
  assert.equal(call.result().confirmed, false)
})

test('a number of a given length waits for all its digits', async () => {
  const call = await collecting({ kind: 'number', digits: 6, label: 'o número do pedido' })
  assert.equal(await call.reply(), 'Pode me informar o número do pedido?')
  assert.equal(await call.says('um dois três'), 'Até agora anotei 123. Pode continuar?')
  assert.equal(await call.says('quatro cinco seis'), 'Anotei 1 2 3, 4 5 meia. Está certo?')
})

const dialogues: readonly (readonly [
  args: Record<string, unknown>,
  language: string,
  texts: string[],
  value: string,
])[] = [
  [{ kind: 'email' }, 'pt-BR', ['joão ponto silva arroba', 'gmail ponto com', 'isso'], 'joao.silva@gmail.com'],
  [{ kind: 'email' }, 'en-US', ['john at gmail dot com', 'no, it is hotmail, not gmail', 'yes'], 'john@hotmail.com'],
  [{ kind: 'email' }, 'es-MX', ['juan arroba outlook punto com', 'sí, correcto'], 'juan@outlook.com'],
  [{ kind: 'name' }, 'pt-BR', ['Meu nome é Tiago Souza', 'não, T H I A G O', 'perfeito'], 'Thiago'],
  [{ kind: 'name' }, 'en-US', ['my name is John Smith', "that's right"], 'John Smith'],
  [{ kind: 'plate' }, 'pt-BR', ['A B C um D', 'dois três', 'não, é E, não D', 'isso'], 'ABC1E23'],
  [{ kind: 'date' }, 'pt-BR', ['doze de março', 'não, de 1985', 'é'], '1985-03-12'],
  [{ kind: 'date' }, 'en-US', ['March twelfth nineteen eighty five', 'correct'], '1985-03-12'],
  [{ kind: 'money' }, 'pt-BR', ['mil e quinhentos', 'não, mil e seiscentos reais', 'sim'], '1600.00 BRL'],
  [{ kind: 'cep' }, 'pt-BR', ['01310', '100', 'sim'], '01310100'],
  [
    { kind: 'cnpj' },
    'pt-BR',
    ['onze, duzentos e vinte e dois', '333 barra 0001', 'oitenta e um', 'confere'],
    '11222333000181',
  ],
  [{ kind: 'phone' }, 'en-US', ['four one five', 'five five five one two one two', 'yes please'], '+14155551212'],
  [{ kind: 'phone' }, 'es-ES', ['612 345 678', '612 345 678'], '+34612345678'],
]
for (const [args, language, texts, value] of dialogues)
  test(`${args.kind} in ${language}: ${texts.join(' / ')}`, async () => {
    const call = await collecting(args, { language })
    await call.reply()
    let last = ''
    for (const text of texts) last = await call.says(text)
    assert.equal(last, 'continued')
    assert.equal(call.result().value, value)
  })

test('two values of one step are asked one after the other', async () => {
  const call = await collecting({ kind: 'cep' })
  const tool = collectTool({ language: 'pt-BR', today: () => '2026-11-16' })
  const second: ToolCall = { id: 'c2', name: 'collect', args: { kind: 'cpf' } }
  const step = call.history[2] as Message
  call.history[2] = { ...step, calls: [...(step.calls ?? []), second] }
  call.history.push({ role: 'tool', content: await result(tool, second), callId: 'c2' })
  await call.reply()
  await call.says('01310 100')
  assert.equal(await call.says('sim'), 'Qual é o seu CPF?')
  await call.says('123 456 789 09')
  assert.equal(await call.says('sim'), 'continued')
  const results = call.asked[0]?.filter(({ role }) => role === 'tool').map(({ content }) => JSON.parse(content).value)
  assert.deepEqual(results, ['01310100', '12345678909'])
})

test('invalid arguments are an error for the model, and nothing is collected', async () => {
  const call = await collecting({ kind: 'passport' })
  assert.equal(await call.reply(), 'continued')
  assert.match(call.asked[0]?.at(-1)?.content ?? '', /^Invalid arguments/)
})

test('a rule agent is left alone', () => {
  const rules: Llm = { name: 'rules', isModel: false, async *reply() {} }
  assert.equal(collectingLlm(rules), rules)
})

test('a CPF in any number of turns and any words reaches the model', async () => {
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 10 }), { maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(validCpf, spokenDigits('pt-BR'), cuts, async (cpf, spoken, at) => {
      const call = await collecting({ kind: 'cpf' })
      await call.reply()
      const bounds = [0, ...at.sort((a, b) => a - b), 11]
      // A last part that happens to repeat the beginning reads as a restart; callers do not dictate like that.
      fc.pre(bounds.slice(2).every((end, i) => !cpf.slice(bounds[i + 1], end).startsWith(cpf.slice(0, bounds[i + 1]))))
      for (const [i, from] of bounds.slice(0, -1).entries()) await call.says(spoken(cpf.slice(from, bounds[i + 1])))
      assert.equal(await call.says('sim'), 'continued')
      assert.equal(call.result().value, cpf)
    }),
  )
})

test('a dialogue ends, whatever the caller says', async () => {
  const utterance = fc.oneof(
    fc.constantFrom(
      'sim',
      'não',
      'um momento',
      'não, 45',
      'arroba',
      'ponto a',
      '123',
      'o quê',
      'hum',
      '529 982 247 25',
    ),
    fc.string({ maxLength: 40 }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('cpf', 'phone', 'email', 'name', 'date'),
      fc.array(utterance, { minLength: 25, maxLength: 25 }),
      async (kind, texts) => {
        const call = await collecting({ kind })
        await call.reply()
        for (const text of texts) assert.notEqual(await call.says(text), '')
        assert.equal(call.expected(), null)
      },
    ),
    { numRuns: 60 },
  )
})

test('the question is asked after an introduction that asks nothing', async () => {
  const call = await collecting({ kind: 'cpf' }, { introduction: 'Tudo bem? Vou precisar de um dado.' })
  assert.equal(await call.reply(), 'Qual é o seu CPF?')
})

test('"não, está certo" confirms, "não está certo" does not', async () => {
  for (const [text, last] of [
    ['Não, está certo.', 'continued'],
    ['Não está certo.', 'Tudo bem. Pode repetir o CEP, por favor?'],
  ] as const) {
    const call = await collecting({ kind: 'cep' })
    await call.reply()
    await call.says('01310 100')
    assert.equal(await call.says(text), last)
  }
})

test('two hearings that each lost a digit are merged by the check digits', async () => {
  const call = await collecting({ kind: 'cpf' })
  await call.reply()
  assert.equal(await call.says('529.982.27-25'), 'Acho que perdi um dígito. Pode repetir o CPF inteiro, devagar?')
  assert.equal(await call.says('529 982 247 5'), 'Anotei 5 2 9, 9 8 2, 2 4 7, traço 2 5. Está certo?')
})

test('a caller who only adds the missing digit is understood too', async () => {
  const call = await collecting({ kind: 'cpf' })
  await call.reply()
  await call.says('529 982 247 2')
  assert.equal(await call.says('cinco'), 'Anotei 5 2 9, 9 8 2, 2 4 7, traço 2 5. Está certo?')
})
