// Which answer an agent's question expects, in three languages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { expectationOf } from './expectation.ts'
import type { Expectation } from './expectation-words.ts'

type Table = Partial<Record<Expectation | 'nothing', readonly string[]>>

const tables: Record<string, Table> = {
  'pt-BR': {
    cpf: [
      'Qual é o seu CPF?',
      'Pode me informar o número do seu CPF, por favor?',
      'Claro! Para localizar o cadastro, me diga o seu CPF.',
      'Preciso do seu CPF. Pode falar devagar.',
      'Desculpe, não entendi o CPF. Pode repetir?',
      'Pode confirmar o seu CPF?',
      'E o CPF do titular?',
      'Por favor, digite ou fale o seu CPF.',
    ],
    cnpj: ['Qual o CNPJ da empresa?'],
    cep: ['Me passa o CEP, por favor?', 'Qual é o CEP do endereço de entrega?'],
    phone: [
      'Certo, anotei o seu nome. Qual é o seu telefone?',
      'Anotei o seu nome, João, e qual é o seu telefone?',
      'Qual o melhor número para contato?',
      'E o seu celular?',
      'Pode me dizer o seu nome e o seu telefone?',
    ],
    email: ['Qual é o seu e-mail para eu enviar a confirmação da data?', 'Pode soletrar o e-mail?'],
    date: [
      'Para quando o senhor gostaria de marcar?',
      'Que dia fica melhor para você?',
      'Você quer marcar para que horas?',
      'Qual é a sua data de nascimento?',
      'Qual horário você prefere?',
      'Pode me informar o CPF e a data de nascimento?',
      'Quando começou a dor?',
    ],
    money: ['Qual o valor da compra?', 'Quanto o senhor pagou?'],
    name: ['Qual é o seu nome?', 'Com quem eu falo?', 'Como o senhor se chama?', 'Seu nome completo, por favor?'],
    plate: ['Qual é a placa do carro?'],
    number: [
      'Quantas pessoas vão?',
      'Qual é o número do pedido?',
      'Qual a sua idade?',
      'Me diga o código que recebeu.',
    ],
    'yes-no': [
      'Posso confirmar?',
      'Está certo?',
      'É para hoje?',
      'O seu CPF é 529.982.247-25, certo?',
      'A consulta fica para sexta às dez, tudo bem?',
      'Quer que eu avise quando ele voltar?',
      'Você tem telefone fixo?',
      'Posso ajudar em mais alguma coisa?',
      'Mais alguma coisa?',
      'Você ainda está aí?',
      'Que ótimo, posso confirmar?',
      'Me diga se está correto.',
      'Prefere de manhã ou à tarde?',
      'Confirma?',
      'Gostaria de marcar uma consulta?',
      'Temos vaga na sexta. Pode ser?',
      'Qual prefere, azul ou verde?',
    ],
    open: [
      'Olá! Como posso ajudar?',
      'Em que posso ajudar?',
      'O que aconteceu?',
      'Pode me explicar melhor?',
      'Me conte o que houve.',
      'Qual especialidade você procura?',
      'Há quanto tempo você sente dor?',
      'O seu CPF foi confirmado. Pode me dizer o que aconteceu?',
      'Por que o senhor quer cancelar?',
      'Posso confirmar? Antes disso, como o senhor prefere pagar?',
    ],
    nothing: [
      '',
      'A consulta está marcada para sexta.',
      'Um momento, por favor.',
      'O número do seu protocolo é 123.',
      'Até logo!',
      '…',
    ],
  },
  en: {
    cpf: ['Could you tell me your CPF, please?'],
    cep: ["What's your zip code?"],
    phone: ['What is your phone number?', 'And your phone number?', 'Please tell me your name and phone number.'],
    email: ['Could I get your email address?', 'Sorry, I did not get your email. Could you repeat that?'],
    date: ['When would you like to come in?', 'What time works for you?', 'What is your date of birth?'],
    money: ['How much did you pay?'],
    name: ['May I have your name, please?', 'Who am I speaking with?', "What's your full name?"],
    plate: ['What is the license plate?'],
    number: ['How many people?', 'What is your order number?', 'Please enter the code.', 'How old are you?'],
    'yes-no': [
      'Would you like me to book it?',
      'Is that correct?',
      'Your number is 555 1234, right?',
      'Do you have an email address?',
      'Anything else?',
      'Can I help you with anything else?',
      'Are you still there?',
      'Morning or afternoon?',
      'Let me know if that works.',
      'Shall I confirm it for Friday?',
    ],
    open: [
      'How can I help you?',
      'What happened?',
      'Could you describe the problem?',
      'Tell me more.',
      'How long have you had it?',
    ],
    nothing: ['Your appointment is on Friday.', 'One moment, please.', 'Goodbye!'],
  },
  es: {
    cep: ['¿Cuál es su código postal?'],
    phone: ['¿Me dice su número de teléfono?', '¿Y su celular?'],
    email: ['¿Cuál es su correo electrónico?', 'Necesito su correo. ¿Puede deletrearlo? Diga, por favor.'],
    date: [
      '¿Para cuándo quiere la cita?',
      '¿Qué día le viene bien?',
      '¿A qué hora prefiere?',
      '¿Cuál es su fecha de nacimiento?',
    ],
    money: ['¿Cuánto pagó?'],
    name: ['¿Cómo se llama?', '¿Con quién hablo?', '¿Cuál es su nombre completo?'],
    plate: ['¿Cuál es la matrícula del coche?'],
    number: ['¿Cuántas personas son?', '¿Me indica su número de pedido?'],
    'yes-no': [
      '¿Puedo confirmar?',
      '¿Está correcto?',
      'Su cita es el viernes, ¿verdad?',
      '¿Le parece bien?',
      '¿Desea algo más?',
      '¿Por la mañana o por la tarde?',
      'Dígame si es correcto.',
      '¿Sigue ahí?',
    ],
    open: ['¿En qué puedo ayudarle?', '¿Qué pasó?', 'Cuénteme más.', '¿Cómo puedo ayudarle?'],
    nothing: ['Su cita es el viernes.', 'Un momento, por favor.'],
  },
}

for (const [language, table] of Object.entries(tables))
  test(`questions in ${language} set what is expected`, () => {
    const rows = Object.entries(table).flatMap(([kind, texts]) =>
      texts.map((text) => [text, kind === 'nothing' ? null : kind]),
    )
    assert.deepEqual(
      rows.map(([text]) => [text, expectationOf(text as string, language)]),
      rows,
    )
  })

test('in a language without lists any question is open', () => {
  assert.equal(expectationOf('Wie heißen Sie?', 'de'), 'open')
  assert.equal(expectationOf('Bis bald.', 'de'), null)
})

test('any text is judged, and a very long one does not cost more than its length', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('pt-BR', 'en', 'es', 'fr'), (text, language) => {
      expectationOf(text, language)
    }),
  )
  // With quadratic cost this would take hours.
  const expected = ['a? ', 'qual ', ', '].map((text) => expectationOf(text.repeat(2_000_000), 'pt'))
  assert.deepEqual(
    expected,
    ['a? ', 'qual ', ', '].map((text) => expectationOf(text.repeat(2000), 'pt')),
  )
})
