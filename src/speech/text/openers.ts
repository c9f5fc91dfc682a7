// Openers that recur in replies ("Claro, …"). Their sound is kept, so that a reply that begins with one is heard at once.

const openers: Readonly<Record<string, ReadonlySet<string>>> = {
  pt: new Set([
    ...[
      'bem',
      'bom',
      'claro',
      'certo',
      'combinado',
      'com certeza',
      'beleza',
      'desculpe',
      'entendi',
      'entendo',
      'então',
    ],
    ...['imagina', 'isso', 'isso mesmo', 'legal', 'maravilha', 'não', 'obrigada', 'obrigado', 'ok', 'olha', 'ótimo'],
    ...[
      'perfeito',
      'pois não',
      'pronto',
      'que bom',
      'sem problema',
      'sem problemas',
      'sim',
      'tá',
      'tá bom',
      'tá certo',
    ],
    ...['tudo bem', 'tudo certo', 'um instante', 'um momento', 'só um instante', 'só um momento', 'vamos lá'],
    ...['bom dia', 'boa tarde', 'boa noite', 'oi', 'olá'],
  ]),
  en: new Set([
    ...['absolutely', 'all right', 'alright', 'certainly', 'got it', 'great', 'i see', "i'm sorry", 'just a moment'],
    ...['no', 'no problem', 'of course', 'okay', 'ok', 'one moment', 'perfect', 'right', 'so', 'sorry', 'sure'],
    ...['sure thing', 'thank you', 'thanks', 'understood', 'well', 'yes'],
    ...['good morning', 'good afternoon', 'good evening', 'hello', 'hi'],
  ]),
  es: new Set([
    ...[
      'a ver',
      'bien',
      'bueno',
      'claro',
      'claro que sí',
      'con gusto',
      'de acuerdo',
      'disculpe',
      'entendido',
      'entiendo',
    ],
    ...['genial', 'gracias', 'listo', 'lo siento', 'muy bien', 'no', 'ok', 'perdón', 'perfecto', 'por supuesto', 'sí'],
    ...['un momento', 'un segundo', 'vale', 'buenos días', 'buenas tardes', 'buenas noches', 'hola'],
  ]),
}

/** Letters and spaces before the first comma, and what follows it. */
const beforeComma = /^([\p{L}' ]{2,20}),\s+(?=\S)/u
/** With less behind it, the sentence is as quickly synthesized whole. */
const MIN_REST = 12

export type Opened = { readonly opener: string; readonly rest: string }

/** The opener with its comma, and the rest of the sentence; null without one. */
export function splitOpener(text: string, language: string): Opened | null {
  const [whole, words = ''] = beforeComma.exec(text) ?? []
  if (whole === undefined || !openers[language.slice(0, 2).toLowerCase()]?.has(words.toLowerCase())) return null
  const rest = text.slice(whole.length)
  return rest.length < MIN_REST ? null : { opener: `${words},`, rest }
}
