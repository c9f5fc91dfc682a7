// What the message taker says, in three languages.
import { type Language, ruleLanguage } from './words.ts'

export type MessagePhrases = {
  readonly opening: string
  /** A model had taken over again and failed. */
  readonly resumed: string
  readonly askName: string
  readonly askNameAgain: string
  readonly thanks: (name: string) => string
  /** Offers the caller's own number, by its last digits. */
  readonly offerNumber: (lastDigits: string) => string
  readonly offerNumberAgain: (lastDigits: string) => string
  readonly askNumber: string
  readonly keypad: string
  readonly askMatter: string
  readonly askMatterAgain: string
  /** The caller has already said something about it. */
  readonly askMore: (matter: string) => string
  readonly goAhead: string
  readonly readBack: (parts: { name: string | null; phone: string | null; matter: string | null }) => string
  readonly readBackAgain: string
  readonly askCorrection: string
  /** `willCall`: there is a number to call. */
  readonly goodbye: (parts: { name: string | null; willCall: boolean }) => string
  readonly lastWord: string
}

const listed = (parts: readonly (readonly [label: string, value: string | null])[]): string =>
  parts.flatMap(([label, value]) => (value === null ? [] : [`${label}: ${value.replace(/[.!?…]$/, '')}.`])).join(' ')

const pt: MessagePhrases = {
  opening:
    'Desculpe, o nosso assistente não está disponível no momento. Vou anotar um recado para que alguém retorne o seu contato.',
  resumed: 'Desculpe, o assistente ficou indisponível de novo. Vamos continuar o recado.',
  askName: 'Qual é o seu nome?',
  askNameAgain: 'Desculpe, não entendi. Pode me dizer só o seu nome?',
  thanks: (name) => `Obrigado, ${name}.`,
  offerNumber: (digits) => `O número do qual você está ligando, final ${digits}, serve para o retorno?`,
  offerNumberAgain: (digits) => `Desculpe, não entendi. Podemos retornar para o número de final ${digits}: sim ou não?`,
  askNumber: 'Qual é o telefone para o retorno, com DDD?',
  keypad: 'Se preferir, digite o número no teclado do telefone.',
  askMatter: 'Qual é o assunto?',
  askMatterAgain: 'Desculpe, não entendi. Em poucas palavras, qual é o assunto?',
  askMore: (matter) => `Sobre o assunto, anotei: “${matter}”. Quer acrescentar alguma coisa?`,
  goAhead: 'Claro, pode falar.',
  readBack: ({ name, phone, matter }) =>
    `Vou confirmar. ${listed([
      ['Nome', name],
      ['Telefone', phone],
      ['Assunto', matter],
    ])} Está certo?`,
  readBackAgain: 'Desculpe, não entendi. Os dados do recado estão certos?',
  askCorrection: 'O que devo corrigir?',
  goodbye: ({ name, willCall }) =>
    `Obrigado${name ? `, ${name}` : ''}. ${willCall ? 'Alguém vai ligar de volta para você.' : 'O seu recado foi anotado.'} Até logo!`,
  lastWord: 'O recado já está anotado. Até logo!',
}

const es: MessagePhrases = {
  opening:
    'Disculpe, nuestro asistente no está disponible en este momento. Voy a tomar un mensaje para que alguien se comunique con usted.',
  resumed: 'Disculpe, el asistente dejó de estar disponible otra vez. Sigamos con el mensaje.',
  askName: '¿Cuál es su nombre?',
  askNameAgain: 'Disculpe, no le entendí. ¿Me dice solo su nombre?',
  thanks: (name) => `Gracias, ${name}.`,
  offerNumber: (digits) => `¿El número desde el que llama, terminado en ${digits}, sirve para devolverle la llamada?`,
  offerNumberAgain: (digits) => `Disculpe, no le entendí. ¿Podemos llamar al número terminado en ${digits}: sí o no?`,
  askNumber: '¿A qué número de teléfono podemos llamarle, con código de área?',
  keypad: 'Si prefiere, márquelo en el teclado del teléfono.',
  askMatter: '¿Cuál es el motivo de su llamada?',
  askMatterAgain: 'Disculpe, no le entendí. En pocas palabras, ¿cuál es el motivo?',
  askMore: (matter) => `Sobre el motivo, anoté: “${matter}”. ¿Quiere agregar algo más?`,
  goAhead: 'Claro, dígame.',
  readBack: ({ name, phone, matter }) =>
    `Voy a confirmar. ${listed([
      ['Nombre', name],
      ['Teléfono', phone],
      ['Motivo', matter],
    ])} ¿Es correcto?`,
  readBackAgain: 'Disculpe, no le entendí. ¿Los datos del mensaje son correctos?',
  askCorrection: '¿Qué debo corregir?',
  goodbye: ({ name, willCall }) =>
    `Gracias${name ? `, ${name}` : ''}. ${willCall ? 'Alguien le devolverá la llamada.' : 'Su mensaje quedó anotado.'} ¡Hasta luego!`,
  lastWord: 'Su mensaje ya está anotado. ¡Hasta luego!',
}

const en: MessagePhrases = {
  opening:
    'I’m sorry, our assistant isn’t available right now. I’ll take a message so that somebody can get back to you.',
  resumed: 'I’m sorry, the assistant has become unavailable again. Let’s go on with your message.',
  askName: 'What is your name?',
  askNameAgain: 'Sorry, I didn’t catch that. Could you tell me just your name?',
  thanks: (name) => `Thank you, ${name}.`,
  offerNumber: (digits) => `Is the number you are calling from, ending in ${digits}, good for calling you back?`,
  offerNumberAgain: (digits) => `Sorry, I didn’t catch that. May we call the number ending in ${digits}: yes or no?`,
  askNumber: 'What phone number can we call you back on, including the area code?',
  keypad: 'Or press the number on your keypad.',
  askMatter: 'What is it about?',
  askMatterAgain: 'Sorry, I didn’t catch that. In a few words, what is it about?',
  askMore: (matter) => `About the matter, I noted: “${matter}”. Would you like to add anything?`,
  goAhead: 'Of course, go ahead.',
  readBack: ({ name, phone, matter }) =>
    `Let me confirm. ${listed([
      ['Name', name],
      ['Phone', phone],
      ['Matter', matter],
    ])} Is that right?`,
  readBackAgain: 'Sorry, I didn’t catch that. Are the details of the message right?',
  askCorrection: 'What should I correct?',
  goodbye: ({ name, willCall }) =>
    `Thank you${name ? `, ${name}` : ''}. ${willCall ? 'Somebody will call you back.' : 'Your message has been noted.'} Goodbye!`,
  lastWord: 'Your message has been noted. Goodbye!',
}

const all: Readonly<Record<Language, MessagePhrases>> = { pt, es, en }

/** Languages whose speakers understand Spanish; others are addressed in English. */
const nearSpanish: ReadonlySet<string> = new Set(['ca', 'eu', 'gl', 'qu', 'gn', 'ay'])

/** The agent's language, or the nearest supported one. */
export const messageLanguage = (language: string): string => {
  const code = language.slice(0, 2).toLowerCase()
  if (nearSpanish.has(code)) return 'es'
  return ruleLanguage(language) === code ? language : 'en'
}

export const messagePhrasesOf = (language: string): MessagePhrases => all[ruleLanguage(messageLanguage(language))]
