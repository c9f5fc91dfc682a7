// What the fake model understands, by keyword, and what it replies.
import { foldText } from '../../src/base/text/text.ts'
import type { Language } from './dialogue.ts'
import { digitsIn } from './digits.ts'

type Entry = { readonly keywords: readonly string[]; readonly reply: string }
type Entries = Readonly<Record<string, Entry>>

const story = {
  pt: 'a clínica foi fundada há trinta anos por duas irmãs que queriam cuidar das famílias do bairro e desde então cresceu muito e ganhou novos médicos e uma sala de exames moderna que hoje atende a cidade inteira de segunda a sábado sem fechar na hora do almoço',
  en: 'the clinic was founded thirty years ago by two sisters who wanted to care for the families of the neighbourhood and since then it has grown a lot and has new doctors and a modern laboratory that serves the whole city from Monday to Saturday without closing at lunch time',
  es: 'la clínica fue fundada hace treinta años por dos hermanas que querían cuidar de las familias del barrio y desde entonces creció mucho y tiene nuevos médicos y un laboratorio moderno que hoy atiende a toda la ciudad de lunes a sábado sin cerrar a la hora del almuerzo',
}

/** Checked in this order. */
const pt: Entries = {
  story: { keywords: ['historia'], reply: story.pt },
  address: { keywords: ['endereco', 'onde fica'], reply: 'ficamos na rua das Flores, número cem, perto da praça.' },
  price: { keywords: ['custa', 'preco', 'valor'], reply: 'a consulta custa duzentos reais.' },
  hours: {
    keywords: ['que horas', 'horario', 'abre', 'abrem', 'funciona'],
    reply: 'abrimos das oito às dezoito horas.',
  },
  pay: { keywords: ['cartao', 'pagar', 'pix'], reply: 'aceitamos cartão, dinheiro e transferência.' },
  insurance: { keywords: ['convenio', 'plano de saude'], reply: 'atendemos os principais convênios da cidade.' },
  parking: { keywords: ['estacionamento', 'estacionar'], reply: 'temos estacionamento gratuito ao lado da entrada.' },
  results: { keywords: ['resultado', 'exame'], reply: 'o resultado do exame fica pronto em dois dias.' },
  cancel: { keywords: ['cancelar', 'desmarcar'], reply: 'a consulta foi cancelada, sem nenhum custo.' },
  person: { keywords: ['atendente', 'pessoa'], reply: 'vou chamar uma atendente para falar com você.' },
  book: { keywords: ['marcar', 'agendar', 'consulta'], reply: 'temos horário na sexta-feira à tarde.' },
  doctor: { keywords: ['medico', 'medica', 'doutor', 'doutora'], reply: 'a doutora Helena atende todos os dias.' },
  friday: { keywords: ['sexta'], reply: 'sexta-feira então, está anotado.' },
  tomorrow: { keywords: ['amanha'], reply: 'amanhã então, está anotado.' },
  yes: { keywords: ['sim'], reply: 'que bom, está confirmado.' },
  no: { keywords: ['nao'], reply: 'tudo bem, fica para outra vez.' },
  hello: { keywords: ['alo'], reply: 'estou ouvindo, pode falar.' },
  two: { keywords: ['dois', 'duas', '2'], reply: 'duas pessoas, está anotado.' },
}
const en: Entries = {
  story: { keywords: ['history', 'story'], reply: story.en },
  address: {
    keywords: ['address', 'where is', 'where are'],
    reply: 'we are at one hundred Flower Street, near the square.',
  },
  price: { keywords: ['cost', 'price', 'how much'], reply: 'an appointment costs eighty dollars.' },
  hours: { keywords: ['what time', 'open', 'hours'], reply: 'we are open from eight to six.' },
  pay: { keywords: ['card', 'pay'], reply: 'we take cards, cash and transfers.' },
  insurance: { keywords: ['insurance'], reply: 'we work with most insurance companies.' },
  parking: { keywords: ['parking', 'park'], reply: 'there is free parking next to the entrance.' },
  results: { keywords: ['result', 'test'], reply: 'your results are ready in two days.' },
  cancel: { keywords: ['cancel'], reply: 'your appointment is cancelled, free of charge.' },
  person: { keywords: ['person', 'human'], reply: 'I will call a colleague to talk to you.' },
  book: { keywords: ['appointment', 'book', 'schedule'], reply: 'we have a free hour on Friday afternoon.' },
  doctor: { keywords: ['doctor'], reply: 'doctor Miller is here every day.' },
  friday: { keywords: ['friday'], reply: 'Friday it is, I have written it down.' },
  tomorrow: { keywords: ['tomorrow'], reply: 'tomorrow it is, I have written it down.' },
  yes: { keywords: ['yes', 'yeah'], reply: 'great, that is confirmed.' },
  no: { keywords: ['no'], reply: 'all right, maybe another time.' },
  hello: { keywords: ['hello'], reply: 'I can hear you, please go ahead.' },
  two: { keywords: ['two', '2'], reply: 'two people, I have written it down.' },
}
const es: Entries = {
  story: { keywords: ['historia'], reply: story.es },
  address: {
    keywords: ['direccion', 'donde queda', 'donde esta'],
    reply: 'estamos en la calle de las Flores, cerca de la plaza.',
  },
  price: { keywords: ['cuesta', 'precio'], reply: 'la consulta cuesta cuarenta euros.' },
  hours: { keywords: ['que hora', 'horario', 'abren', 'abre'], reply: 'abrimos de ocho a seis de la tarde.' },
  pay: { keywords: ['tarjeta', 'pagar'], reply: 'aceptamos tarjeta, efectivo y transferencia.' },
  insurance: { keywords: ['seguro'], reply: 'trabajamos con los principales seguros.' },
  parking: {
    keywords: ['aparcamiento', 'estacionamiento', 'aparcar'],
    reply: 'hay aparcamiento gratuito junto a la entrada.',
  },
  results: { keywords: ['resultado'], reply: 'los resultados están listos en dos días.' },
  cancel: { keywords: ['cancelar', 'anular'], reply: 'la cita está cancelada, sin ningún coste.' },
  person: { keywords: ['persona'], reply: 'voy a llamar a una compañera para que le atienda.' },
  book: { keywords: ['cita', 'reservar'], reply: 'tenemos un hueco el viernes por la tarde.' },
  doctor: { keywords: ['medico', 'doctor', 'doctora'], reply: 'la doctora Elena atiende todos los días.' },
  friday: { keywords: ['viernes'], reply: 'el viernes entonces, queda anotado.' },
  tomorrow: { keywords: ['manana'], reply: 'mañana entonces, queda anotado.' },
  yes: { keywords: ['si'], reply: 'muy bien, queda confirmado.' },
  no: { keywords: ['no'], reply: 'de acuerdo, quizá otro día.' },
  hello: { keywords: ['hola'], reply: 'le escucho, puede hablar.' },
  two: { keywords: ['dos', '2'], reply: 'dos personas, queda anotado.' },
}
const entries: Readonly<Record<Language, Entries>> = { 'pt-BR': pt, 'en-US': en, 'es-ES': es }

export type Intent =
  | 'story'
  | 'address'
  | 'price'
  | 'hours'
  | 'pay'
  | 'insurance'
  | 'parking'
  | 'results'
  | 'cancel'
  | 'person'
  | 'book'
  | 'doctor'
  | 'friday'
  | 'tomorrow'
  | 'yes'
  | 'no'
  | 'hello'
  | 'two'
  | 'number'
  | 'unknown'

/** A text with at least this many digits is a dictated number. */
const NUMBER_DIGITS = 5
const MAX_TEXT = 4000

const others: Readonly<Record<Language, Record<'number' | 'unknown', string>>> = {
  'pt-BR': { number: 'obrigada, anotei o número.', unknown: 'desculpe, não entendi a pergunta.' },
  'en-US': { number: 'thank you, I have the number.', unknown: 'sorry, I did not understand the question.' },
  'es-ES': { number: 'gracias, tengo el número.', unknown: 'disculpe, no entendí la pregunta.' },
}

/** The first intent with a keyword in the text, matched as whole words. */
export function intentOf(text: string, language: Language): Intent {
  const bounded = text.slice(-MAX_TEXT)
  if (digitsIn(bounded, language).length >= NUMBER_DIGITS) return 'number'
  const said = ` ${foldText(bounded)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
  const found = Object.entries(entries[language]).find(([, { keywords }]) =>
    keywords.some((keyword) => said.includes(` ${keyword} `) || said.includes(` ${keyword}s `)),
  )
  return (found?.[0] ?? 'unknown') as Intent
}

export const usualReply = (intent: Intent, language: Language): string =>
  intent === 'number' || intent === 'unknown' ? others[language][intent] : (entries[language][intent]?.reply ?? '')
