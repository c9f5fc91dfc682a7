// What the agent says while it collects a value, and what the model is told afterwards, in three languages.
import type { ValueKind } from './kinds.ts'
import { type DictationLanguage, dictationLanguage } from './tokens.ts'

/** Why a value was not collected. */
export type CollectFailure = 'refused' | 'wants_person' | 'other_topic' | 'too_many_attempts'

export type CollectPhrases = {
  /** The value with its article: "o CPF". */
  readonly names: Readonly<Record<ValueKind, string>>
  readonly questions: Readonly<Record<ValueKind, string>>
  readonly ask: (name: string) => string
  readonly confirm: (spoken: string) => string
  readonly confirmCorrected: (spoken: string) => string
  readonly confirmAgain: (spoken: string) => string
  readonly goOn: (spoken: string) => string
  readonly goOnPhone: (spoken: string) => string
  readonly goOnDate: string
  readonly oneMissing: (name: string) => string
  readonly invalidDocument: (name: string) => string
  readonly invalid: (name: string) => string
  readonly keypad: string
  readonly repeat: (name: string) => string
  readonly notUnderstood: string
  readonly waiting: string
  /** For the model. */
  readonly collected: (name: string) => string
  readonly collectedUnconfirmed: (name: string) => string
  readonly failures: Readonly<Record<CollectFailure, (name: string) => string>>
  readonly goOnWithout: string
}

const pt: CollectPhrases = {
  names: {
    cpf: 'o CPF',
    cnpj: 'o CNPJ',
    cep: 'o CEP',
    phone: 'o telefone',
    email: 'o e-mail',
    date: 'a data',
    money: 'o valor',
    name: 'o nome',
    plate: 'a placa',
    number: 'o número',
  },
  questions: {
    cpf: 'Qual é o seu CPF?',
    cnpj: 'Qual é o CNPJ da empresa?',
    cep: 'Qual é o seu CEP?',
    phone: 'Qual é o seu telefone, com DDD?',
    email: 'Qual é o seu e-mail?',
    date: 'Qual é a data?',
    money: 'Qual é o valor?',
    name: 'Qual é o seu nome completo?',
    plate: 'Qual é a placa do veículo?',
    number: 'Qual é o número?',
  },
  ask: (name) => `Pode me informar ${name}?`,
  confirm: (spoken) => `Anotei ${spoken}. Está certo?`,
  confirmCorrected: (spoken) => `Corrigi: ${spoken}. Agora está certo?`,
  confirmAgain: (spoken) => `Só para confirmar: ${spoken}. Está certo?`,
  goOn: (spoken) => `Até agora anotei ${spoken}. Pode continuar?`,
  goOnPhone: (spoken) => `Até agora anotei ${spoken}. Falta o DDD ou o restante?`,
  oneMissing: (name) => `Acho que perdi um dígito. Pode repetir ${name} inteiro, devagar?`,
  goOnDate: 'Não peguei a data inteira. Pode me dizer o dia, o mês e o ano?',
  invalidDocument: (name) => `Tem algum dígito trocado: ${name} não confere. Pode repetir inteiro, devagar?`,
  invalid: (name) => `Acho que não entendi bem ${name}. Pode repetir, por favor?`,
  keypad: 'Se preferir, digite no teclado do telefone.',
  repeat: (name) => `Tudo bem. Pode repetir ${name}, por favor?`,
  notUnderstood: 'Desculpe, não entendi.',
  waiting: 'Claro, sem pressa. Eu espero.',
  collected: (name) => `Quem ligou confirmou ${name}. O valor foi validado: use-o como está e siga a conversa.`,
  collectedUnconfirmed: (name) => `Foi anotado ${name}, com formato validado, mas sem confirmação de quem ligou.`,
  failures: {
    refused: (name) => `Quem ligou não tem ou não quis informar ${name}.`,
    wants_person: () => 'Quem ligou pediu para falar com uma pessoa.',
    other_topic: (name) => `Quem ligou falou de outra coisa em vez de informar ${name}. Responda ao que foi dito.`,
    too_many_attempts: (name) =>
      `Não foi possível entender ${name} depois de várias tentativas. Ofereça outro caminho.`,
  },
  goOnWithout: 'Não é obrigatório: siga sem ele.',
}

const en: CollectPhrases = {
  names: {
    cpf: 'the CPF',
    cnpj: 'the CNPJ',
    cep: 'the postal code',
    phone: 'the phone number',
    email: 'the email address',
    date: 'the date',
    money: 'the amount',
    name: 'the name',
    plate: 'the license plate',
    number: 'the number',
  },
  questions: {
    cpf: 'What is your CPF number?',
    cnpj: 'What is the company’s CNPJ number?',
    cep: 'What is your postal code?',
    phone: 'What is your phone number, including the area code?',
    email: 'What is your email address?',
    date: 'What is the date?',
    money: 'What is the amount?',
    name: 'What is your full name?',
    plate: 'What is the license plate?',
    number: 'What is the number?',
  },
  ask: (name) => `Could you tell me ${name}?`,
  confirm: (spoken) => `I have ${spoken}. Is that right?`,
  confirmCorrected: (spoken) => `I’ve changed it to ${spoken}. Is that right now?`,
  confirmAgain: (spoken) => `Just to confirm: ${spoken}. Is that right?`,
  goOn: (spoken) => `So far I have ${spoken}. Please go on.`,
  goOnPhone: (spoken) => `So far I have ${spoken}. Is there an area code, or more digits?`,
  oneMissing: (name) => `I think I missed a digit. Could you repeat ${name}, all of it, slowly?`,
  goOnDate: 'I didn’t get the whole date. Could you tell me the day, month and year?',
  invalidDocument: (name) => `One of the digits must be off: ${name} isn’t valid. Could you repeat all of it, slowly?`,
  invalid: (name) => `I don’t think I got ${name} right. Could you repeat it, please?`,
  keypad: 'You can also type it on your keypad.',
  repeat: (name) => `No problem. Could you repeat ${name}, please?`,
  notUnderstood: 'Sorry, I didn’t understand.',
  waiting: 'Of course, take your time.',
  collected: (name) => `The caller confirmed ${name}. The value was validated: use it as it is and go on.`,
  collectedUnconfirmed: (name) => `Took down ${name} with a valid format, but the caller was not asked to confirm it.`,
  failures: {
    refused: (name) => `The caller does not have ${name} or does not want to give it.`,
    wants_person: () => 'The caller asked to speak to a person.',
    other_topic: (name) => `The caller spoke of something else instead of giving ${name}. Respond to what they said.`,
    too_many_attempts: (name) => `Could not understand ${name} after several attempts. Offer another way.`,
  },
  goOnWithout: 'It is optional: go on without it.',
}

const es: CollectPhrases = {
  names: {
    cpf: 'el CPF',
    cnpj: 'el CNPJ',
    cep: 'el código postal',
    phone: 'el teléfono',
    email: 'el correo electrónico',
    date: 'la fecha',
    money: 'el importe',
    name: 'el nombre',
    plate: 'la placa',
    number: 'el número',
  },
  questions: {
    cpf: '¿Cuál es su CPF?',
    cnpj: '¿Cuál es el CNPJ de la empresa?',
    cep: '¿Cuál es su código postal?',
    phone: '¿Cuál es su número de teléfono, con código de área?',
    email: '¿Cuál es su correo electrónico?',
    date: '¿Cuál es la fecha?',
    money: '¿Cuál es el importe?',
    name: '¿Cuál es su nombre completo?',
    plate: '¿Cuál es la placa o matrícula del vehículo?',
    number: '¿Cuál es el número?',
  },
  ask: (name) => `¿Me puede decir ${name}?`,
  confirm: (spoken) => `Tengo anotado ${spoken}. ¿Es correcto?`,
  confirmCorrected: (spoken) => `Corregido: ${spoken}. ¿Ahora es correcto?`,
  confirmAgain: (spoken) => `Solo para confirmar: ${spoken}. ¿Es correcto?`,
  goOn: (spoken) => `Hasta ahora tengo ${spoken}. ¿Puede continuar?`,
  goOnPhone: (spoken) => `Hasta ahora tengo ${spoken}. ¿Falta el código de área o el resto?`,
  oneMissing: (name) => `Creo que me faltó un dígito. ¿Puede repetir ${name} entero, despacio?`,
  goOnDate: 'No capté la fecha completa. ¿Puede decirme el día, el mes y el año?',
  invalidDocument: (name) => `Hay algún dígito cambiado: ${name} no es válido. ¿Puede repetirlo entero, despacio?`,
  invalid: (name) => `Creo que no entendí bien ${name}. ¿Puede repetirlo, por favor?`,
  keypad: 'Si prefiere, márquelo en el teclado del teléfono.',
  repeat: (name) => `De acuerdo. ¿Puede repetir ${name}, por favor?`,
  notUnderstood: 'Disculpe, no le entendí.',
  waiting: 'Claro, tómese su tiempo.',
  collected: (name) => `Quien llama confirmó ${name}. El valor está validado: úselo tal cual y siga la conversación.`,
  collectedUnconfirmed: (name) => `Se anotó ${name} con formato válido, pero sin pedir confirmación a quien llama.`,
  failures: {
    refused: (name) => `Quien llama no tiene o no quiso dar ${name}.`,
    wants_person: () => 'Quien llama pidió hablar con una persona.',
    other_topic: (name) => `Quien llama habló de otra cosa en vez de dar ${name}. Responda a lo que dijo.`,
    too_many_attempts: (name) => `No se pudo entender ${name} tras varios intentos. Ofrezca otra vía.`,
  },
  goOnWithout: 'No es obligatorio: siga sin él.',
}

const all: Readonly<Record<DictationLanguage, CollectPhrases>> = { pt, en, es }
export const collectPhrasesOf = (language: string): CollectPhrases => all[dictationLanguage(language)]
