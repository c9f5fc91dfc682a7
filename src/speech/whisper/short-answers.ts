// Short answers that callers give, by language. A single word carries too little sound for free recognition.

const pt = `Sim. Não. Alô? Oi. Ok. Isso. Isso mesmo. Claro. Pode. Pode ser. Quero. Não quero. Prefiro. Certo. Exato. Confirmo.
Tá. Tá bom. Tá certo. Beleza. Perfeito. Com certeza. Obrigado. Obrigada. Tchau. Bom dia. Boa tarde. Boa noite. Aham. Entendi.
Não sei. Talvez. Nenhum. Nenhuma. Qualquer um. Espera. Um momento. Por favor. Como? O quê? Quanto? Quando? Onde? Quem? Repete.
Zero. Um. Uma. Dois. Duas. Três. Quatro. Cinco. Seis. Meia. Sete. Oito. Nove. Dez. Onze. Doze. Vinte. Trinta.
Segunda. Terça. Quarta. Quinta. Sexta. Sábado. Domingo. Segunda-feira. Terça-feira. Quarta-feira. Quinta-feira. Sexta-feira.
Hoje. Amanhã. Manhã. Tarde. Noite. De manhã. De tarde. À tarde. À noite. Agora. Depois. Primeiro. Segundo. Último.
Pix. Cartão. Dinheiro. Boleto. Crédito. Débito. Convênio. Particular. Cancelar. Confirmar. Remarcar.`

const en = `Yes. No. Hello? Hi. Okay. Sure. Yeah. Yep. Nope. Right. Correct. Exactly. Of course. Please. Thanks. Thank you. Bye.
Maybe. None. Wait. What? When? Where? Who? How much? Sorry? Great. Perfect. Fine. Got it. I do. I don't know. Not yet.
Zero. One. Two. Three. Four. Five. Six. Seven. Eight. Nine. Ten. Eleven. Twelve. Twenty. Thirty.
Monday. Tuesday. Wednesday. Thursday. Friday. Saturday. Sunday. Today. Tomorrow. Morning. Afternoon. Evening. Now. Later. First. Second. Last.
Card. Cash. Credit. Debit. Cancel. Confirm. Reschedule. Good morning. Good afternoon.`

const es = `Sí. No. ¿Hola? ¿Diga? Vale. Bueno. Claro. Claro que sí. Eso. Eso es. Correcto. Exacto. De acuerdo. Perfecto. Por favor. Gracias.
Adiós. Quizás. Ninguno. Ninguna. Espere. ¿Cómo? ¿Qué? ¿Cuánto? ¿Cuándo? ¿Dónde? ¿Quién? Puede ser. Quiero. No quiero. No sé. Entiendo. Ajá.
Cero. Uno. Una. Dos. Tres. Cuatro. Cinco. Seis. Siete. Ocho. Nueve. Diez. Once. Doce. Veinte. Treinta.
Lunes. Martes. Miércoles. Jueves. Viernes. Sábado. Domingo. Hoy. Mañana. Tarde. Noche. Por la mañana. Por la tarde. Ahora. Después. Primero. Segundo. Último.
Tarjeta. Efectivo. Crédito. Débito. Cancelar. Confirmar. Cambiar. Buenos días. Buenas tardes.`

const listOf = (text: string): string[] =>
  text
    .split(/(?<=[.?])/)
    .map((answer) => answer.trim())
    .filter((answer) => answer !== '')

/** By Whisper's name of the language. */
const answers: Readonly<Record<string, readonly string[]>> = { pt: listOf(pt), en: listOf(en), es: listOf(es) }

/** Longer names and terms are not short answers. */
const MAX_HINT_LENGTH = 24
const MAX_HINTS = 100

/** The answers to look for: those of the language, and the agent's own short terms. */
export function answersFor(language: string, hints: readonly string[]): readonly string[] {
  const own = hints.filter((hint) => hint.length <= MAX_HINT_LENGTH).slice(0, MAX_HINTS)
  return [...(answers[language] ?? []), ...own.map((hint) => `${hint}.`)]
}
