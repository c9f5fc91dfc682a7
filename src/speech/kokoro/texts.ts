// The sentences that a voice is measured with: statements, questions and exclamations with most sounds of their language.

const portuguese = [
  'Bom dia! Com quem eu falo, por favor?',
  'A sua encomenda saiu do depósito ontem à noite, e chega entre quinta e sexta-feira.',
  'Não se preocupe, já anotei tudo aqui.',
  'Para falar com o financeiro, diga um; para agendar uma visita, diga dois.',
  'O joelho ainda dói quando o senhor sobe a escada?',
  'Muitíssimo obrigada, viu? Um grande abraço e até amanhã.',
]
const english = [
  'Good morning! Who am I speaking with, please?',
  'Your parcel left the warehouse last night, and it should arrive by Thursday or Friday.',
  "Don't worry, I have written everything down.",
  'For billing, say one; to schedule a visit, say two.',
  'Does your knee still hurt when you climb the stairs?',
  'Thank you very much indeed. Take care, and talk to you tomorrow.',
]
const spanish = [
  '¡Buenos días! ¿Con quién hablo, por favor?',
  'Su paquete salió del depósito anoche, y llega entre el jueves y el viernes.',
  'No se preocupe, ya lo anoté todo aquí.',
  'Para hablar con facturación, diga uno; para agendar una visita, diga dos.',
  '¿Todavía le duele la rodilla cuando sube la escalera?',
  'Muchísimas gracias, señor. Un fuerte abrazo y hasta mañana.',
]

export const measuringTexts = (language: string): readonly string[] =>
  language.startsWith('en') ? english : language.startsWith('es') ? spanish : portuguese
