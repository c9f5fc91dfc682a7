// Words with which agents ask for something, in three languages. Without accents, like the text at lookup.

export type Expectation =
  | 'cpf'
  | 'cnpj'
  | 'cep'
  | 'phone'
  | 'email'
  | 'date'
  | 'money'
  | 'name'
  | 'plate'
  | 'number'
  /** Also a choice of two ("de manhã ou à tarde?"): the answer is as short. */
  | 'yes-no'
  | 'open'

export type QuestionWords = {
  /** Nouns and question words that name what is asked for; the first in the sentence counts. */
  readonly asked: ReadonlyMap<string, Expectation>
  /** Nouns that count only if no other does: "número do CPF" asks for a CPF. */
  readonly askedLast: ReadonlyMap<string, Expectation>
  /** Begin a question that yes or no cannot answer; those of `anywhere` may also stand within it. */
  readonly interrogatives: ReadonlySet<string>
  readonly anywhere: ReadonlySet<string>
  /** Ask the caller to say something. */
  readonly requests: ReadonlySet<string>
  /** Turn a request into a yes-or-no question: "me diga se". */
  readonly whether: ReadonlySet<string>
  /** Begin a yes-or-no question. */
  readonly verbs: ReadonlySet<string>
  /** Turn a statement into a question. */
  readonly tags: ReadonlySet<string>
  /** Two options: the answer names one of them. */
  readonly or: string
  readonly and: string
  /** May precede the question word. */
  readonly leading: ReadonlySet<string>
  /** Irrelevant to what is asked. */
  readonly polite: ReadonlySet<string>
}

const phrases = (...lines: string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(', ')))

const kinds = (table: Partial<Record<Expectation, string>>): ReadonlyMap<string, Expectation> =>
  new Map(
    Object.entries(table).flatMap(([kind, line]) =>
      line.split(', ').map((word) => [word, kind as Expectation] as const),
    ),
  )

const pt: QuestionWords = {
  asked: kinds({
    cpf: 'cpf',
    cnpj: 'cnpj',
    cep: 'cep, codigo postal',
    phone: 'telefone, telefones, celular, whatsapp, zap, numero para contato, numero de contato, ddd',
    email: 'email, e mail, correio eletronico',
    date: 'quando, que horas, que dia, que data, que horario, dia, data, horario, hora, horas, data de nascimento, nascimento',
    money: 'quanto, valor, quantia, preco, renda, salario',
    name: 'nome, sobrenome, se chama, quem fala, quem eu falo, quem falo, quem estou falando, quem eu estou falando, quem deseja falar',
    plate: 'placa',
    number: 'quantos, quantas, idade, rg, cartao, protocolo, matricula, quantidade',
    open: 'quanto tempo, o que, dia a dia, hora da consulta',
  }),
  askedLast: kinds({ number: 'numero, codigo, senha, digitos' }),
  interrogatives: phrases(
    'que, o que, qual, quais, quem, como, onde, aonde, quando, quanto, quanta, quantos, quantas, por que, porque',
  ),
  anywhere: phrases(
    'qual, quais, para quando, pra quando, que horas, que dia, que data, que horario, quantos, quantas, por que, em que, no que, com quem, para quem, o que aconteceu, o que houve, quanto tempo',
  ),
  requests: phrases(
    'me diga, me diz, me fala, me fale, me informe, me informa, me passe, me passa, me conte, me conta, me confirme, me explique, me de, diga, fale, informe, digite, conte, explique, repita, confirme, soletre, preciso do, preciso da, preciso de, preciso que, vou precisar, dizer, falar, informar, passar, repetir, soletrar, digitar, contar, explicar, descrever, detalhar, ditar, me confirmar, confirmar o seu, confirmar a sua, confirmar seu, confirmar sua',
  ),
  whether: phrases('se'),
  verbs: phrases(
    'posso, podemos, pode, quer, quer que, deseja, gostaria, prefere, e, esta, ta, seria, sera, foi, tem, ha, vai, vamos, confirma, confirmo, aceita, concorda, ja, ainda, entendeu, consegue, conseguiu, sabe, lembra, precisa, fica, ficou, seria, voce, o senhor, a senhora, mais, algo, alguma, algum, eu posso, eu',
  ),
  tags: phrases(
    'certo, correto, certinho, ne, nao e, nao e mesmo, e isso, e isso mesmo, isso mesmo, isso, ta, ta bom, ta certo, ok, okay, tudo bem, tudo certo, esta certo, esta correto, esta bem, confere, confirma, combinado, pode ser, beleza, entendeu, nao, sim, sim ou nao, verdade',
  ),
  or: 'ou',
  and: 'e',
  leading: phrases(
    'e, entao, mas, agora, bom, ok, certo, otimo, para, pra, por, em, com, de, a, do, da, ate, desde, no, na, sobre, primeiro, antes, so, favor',
  ),
  polite: phrases('por favor, por gentileza, senhor, senhora, obrigado, obrigada, entao, hoje'),
}

const en: QuestionWords = {
  asked: kinds({
    cpf: 'cpf',
    cnpj: 'cnpj',
    cep: 'cep, zip, zip code, postcode, postal code',
    phone: 'phone, telephone, mobile, cell, cellphone, whatsapp, phone number, contact number, number to reach',
    email: 'email, e mail',
    date: 'when, what time, what day, which day, which date, what date, date, day, time, birthday, date of birth, born',
    money: 'how much, amount, price, income, salary',
    name: 'name, surname, names, who am i speaking, who is calling, who is this, who am i talking',
    plate: 'plate, license plate, number plate, registration plate',
    number:
      'how many, how old, age, order number, account number, card, policy number, quantity, social security, passport',
    open: 'how long, how are you, what happened',
  }),
  askedLast: kinds({ number: 'number, code, digits, pin' }),
  interrogatives: phrases(
    'what, what s, which, who, who s, whom, whose, when, when s, where, where s, why, how, how s',
  ),
  anywhere: phrases('which, what time, what day, what date, how many, how much, how long, for what, with whom'),
  requests: phrases(
    'tell me, give me, let me know, let me have, please say, please enter, say, enter, spell, repeat, describe, explain, provide, share, confirm your, confirm the, i need your, i need the, i ll need, i will need, have your, have the, get your, get the, go ahead, read me, type',
  ),
  whether: phrases('if, whether'),
  verbs: phrases(
    'do, does, did, is, isn t, are, aren t, was, were, can, could, may, might, shall, should, will, would, have, has, had, am, don t, doesn t, anything, something, any, you, want, need, ready, may i, shall i, can i',
  ),
  tags: phrases(
    'right, correct, is that right, is that correct, is this correct, ok, okay, alright, all right, yes, no, isn t it, aren t you, don t you, doesn t it, does that work, is that ok, is that okay, sound good, sounds good, yeah, yes or no, understood',
  ),
  or: 'or',
  and: 'and',
  leading: phrases(
    'and, so, but, now, then, ok, okay, great, well, for, at, on, in, to, with, from, by, first, just, alright, of, about, please',
  ),
  polite: phrases('please, sir, madam, ma am, thanks, thank you, then, today'),
}

const es: QuestionWords = {
  asked: kinds({
    cpf: 'cpf',
    cnpj: 'cnpj',
    cep: 'codigo postal, cep',
    phone: 'telefono, telefonos, celular, movil, whatsapp, numero de contacto',
    email: 'email, e mail, correo, mail',
    date: 'cuando, que hora, que dia, que fecha, que horario, dia, fecha, hora, horario, fecha de nacimiento, nacimiento',
    money: 'cuanto, monto, importe, precio, valor, cantidad de dinero, sueldo, ingresos',
    name: 'nombre, apellido, apellidos, se llama, te llamas, quien hablo, quien habla, quien tengo el gusto, quien llama',
    plate: 'placa, patente, matricula, placas',
    number: 'cuantos, cuantas, edad, dni, documento, cedula, tarjeta, pedido numero, cantidad, pasaporte',
    open: 'cuanto tiempo, hace cuanto, que paso, que ocurrio',
  }),
  askedLast: kinds({ number: 'numero, codigo, clave, digitos' }),
  interrogatives: phrases(
    'que, cual, cuales, quien, quienes, como, donde, adonde, cuando, cuanto, cuanta, cuantos, cuantas, por que',
  ),
  anywhere: phrases(
    'cual, cuales, para cuando, que hora, que dia, que fecha, cuantos, cuantas, por que, en que, con quien, cuanto tiempo',
  ),
  requests: phrases(
    'digame, dime, deme, dame, me dice, me dices, me da, me das, me indica, me confirma su, me confirma el, me pasa, indique, indiqueme, informe, cuenteme, cuentame, diga, repita, deletree, marque, ingrese, explique, necesito su, necesito el, necesito la, necesito que, voy a necesitar, decirme, darme, indicarme, decir, repetir, repetirme, repetirlo, deletrear, deletrearme, contarme, explicarme, facilitarme, pasarme, confirmarme, confirmar su, describir, dictarme, facilita',
  ),
  whether: phrases('si'),
  verbs: phrases(
    'puedo, podemos, puede, podria, puedes, quiere, quieres, quisiera, desea, prefiere, le gustaria, te gustaria, le, te, es, esta, seria, fue, tiene, tienes, hay, va, vamos, confirma, confirmo, acepta, ya, aun, todavia, usted, algo, alguna, algun, necesita, sabe, recuerda, entendio, yo',
  ),
  tags: phrases(
    'verdad, cierto, correcto, no, si, si o no, vale, ok, okay, de acuerdo, esta bien, esta correcto, es correcto, es asi, no es asi, bien, entendido, le parece, le parece bien, te parece, te parece bien, no es cierto',
  ),
  or: 'o',
  and: 'y',
  leading: phrases(
    'y, entonces, pero, ahora, bueno, bien, ok, perfecto, para, por, en, con, de, a, desde, hasta, sobre, primero, el, la, su, favor',
  ),
  polite: phrases('por favor, senor, senora, gracias, entonces, hoy'),
}

const byLanguage: Readonly<Record<string, QuestionWords>> = { pt, en, es }

/** Undefined for other languages. */
export const questionWords = (language: string): QuestionWords | undefined =>
  byLanguage[language.slice(0, 2).toLowerCase()]
