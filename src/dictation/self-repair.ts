// Self-repair inside one dictation: "788, quer dizer, 789" replaces what it repeats.
import { matchesRule, plainSpeech, type WordRule, wordRules, wordsOf } from '../base/text/word-rules.ts'
import { digitsIn } from './spoken-numbers.ts'
import { type DictationLanguage, dictationLanguage, MAX_LETTERS } from './tokens.ts'

/** Whole words: \b takes "é" and "ú" for boundaries. */
const wholeWords = (words: string): string => `(?<!\\p{L})(?:${words})(?!\\p{L})`

/** Digits after these replace what they repeat. */
const markers: Readonly<Record<DictationLanguage, string>> = {
  pt: wholeWords('quer dizer|ali[aá]s|digo|minto|ou melhor|opa|perd[aã]o|desculpa|desculpe'),
  en: wholeWords('i mean|sorry|or rather|correction|scratch that'),
  es: wholeWords('quiero decir|digo|mejor dicho|perd[oó]n|disculpe|disculpa'),
}
/** Besides those, between two versions of a value; a plain "no" too: "cinquenta, não, sessenta". */
const more: Readonly<Record<DictationLanguage, string>> = {
  pt: `[,.;?!…]\\s{0,9}n[aã]o(?:,\\s{0,9}n[aã]o)?\\s{0,9}[,.;…]|${wholeWords('na verdade|corrigindo|errei|me enganei')}`,
  en: `[,.;?!…]\\s{0,9}(?:no|wait)(?:,?\\s(?:no|wait|it's))?\\s{0,9}[,.;…]|${wholeWords('no wait|wait no|make that|actually|i meant')}`,
  es: `[,.;?!…]\\s{0,9}no(?:,\\s{0,9}no)?\\s{0,9}[,.;…]|${wholeWords('en realidad|m[aá]s bien|me equivoqu[eé]')}`,
}
const patternsOf = (sources: (code: DictationLanguage) => string): Readonly<Record<DictationLanguage, RegExp>> => ({
  pt: new RegExp(sources('pt'), 'giu'),
  en: new RegExp(sources('en'), 'giu'),
  es: new RegExp(sources('es'), 'giu'),
})
const ofDigits = patternsOf((code) => markers[code])
const ofValues = patternsOf((code) => `${markers[code]}|${more[code]}`)
/** A clause that denies: "não é cinquenta", "nem hoje nem amanhã"; a plain "não" is a repair. */
const denies: Readonly<Record<DictationLanguage, RegExp>> = {
  pt: /^[\s¿¡]{0,9}(?:(?:e|mas|é|são|só) )?(?:n[aã]o|nem|nunca) \S|\S (?:n[aã]o)\s{0,9}$/iu,
  en: /^\s{0,9}(?:(?:and|but|just|it's|that's|i'm) )?(?:not|never|don['’]t|isn['’]t|nor|neither) \S|\S not\s{0,9}$/iu,
  es: /^[\s¿¡]{0,9}(?:(?:y|pero|es|son|sólo|solo) )?(?:no|ni|nunca) \S|\S no\s{0,9}$/iu,
}

const things = {
  pt: 'reuniao consulta compromisso medico dentista aula prova viagem exame plantao culto ensaio entrevista outro_compromisso',
  en: 'meeting appointment class exam interview shift flight conference_call dentist_appointment plans something_else',
  es: 'cita junta reunion clase examen compromiso consulta viaje entrevista turno evento',
}
/** A time at which the caller cannot: "hoje não dá", "tomorrow I'm busy". */
const cannot: Readonly<Record<DictationLanguage, readonly WordRule[]>> = {
  pt: wordRules(
    {},
    `nao|num da|posso|consigo|vai_dar|rola|vou_poder|estou|to|tou|vou_estar|serve !certeza
     to|tou|estou|estarei|vou_estar|vai_estar ~1 ocupad*|trabalhando|viajando|atolad*|enrolad*|no_trabalho|em_reuniao|fora .
     to|tou|estou|estarei|vou_estar ~1 ocupad*|trabalhando|viajando|atolad*|enrolad*|no_trabalho|em_reuniao
     viajo
     <no|do|meu|o|ao|pro|um|de trabalho`,
  ),
  en: wordRules(
    {},
    `can|could|will not ~1 do|make|talk|work|.
     does|will|would not work
     i|we am|are|will_be ~1 busy|booked|away|working|traveling|travelling|swamped|out_of_town|tied_up|in_a_meeting|unavailable
     is no_good|bad|out .`,
  ),
  es: wordRules(
    {},
    `no puedo|podre|me_queda|estoy|estare|se_puede|me_conviene|da|va_a_poder
     estoy|estare|ando|voy_a_estar ~1 ocupad*|trabajando|viajando|fuera|de_viaje|en_junta|en_una_junta
     viajo
     yo ~1 trabajo`,
  ),
}
/** This is left out only beside another clause: "tenho consulta amanhã" may be the answer. */
const has: Readonly<Record<DictationLanguage, readonly WordRule[]>> = {
  pt: wordRules(things, 'tenho|vou_ter|tem|tinha|marquei ~2 $pt'),
  en: wordRules(things, 'i|we have|got|have_got ~3 $en'),
  es: wordRules(things, 'tengo|voy_a_tener|hay ~2 $es'),
}

/** Clauses end with a mark before a space; 65,00 has none. */
function withoutDenied(text: string, code: DictationLanguage): string {
  const wordsIn = (clause: string) => wordsOf(plainSpeech(clause))
  const clauses = text
    .split(/(?<=[,.;:!?…])(?=\s|$)|(?=\s(?:mas|pero|but|mejor|melhor|prefiro|prefiero)\s)/iu)
    .filter((clause) => !denies[code].test(clause.replace(/[,.;:!?…]{1,9}$/u, '')))
    .filter((clause) => !matchesRule(wordsIn(clause), cannot[code]))
  const free = clauses.filter((clause) => !matchesRule(wordsIn(clause), has[code]))
  return (free.some((clause) => wordsIn(clause).length > 0) ? free : clauses).join('')
}

/**
 * What was said before and after each repair: the last version with a value counts. Clauses that deny, or in which the
 * caller cannot, are left out.
 */
export function versionsIn(text: string, language: string): string[] {
  const code = dictationLanguage(language)
  return withoutDenied(text.slice(0, MAX_LETTERS), code).split(ofValues[code])
}

/** All digits, with each repair replacing what it repeats. */
export function repairedDigits(text: string, language: string): string {
  const pieces = text.slice(0, MAX_LETTERS).split(ofDigits[dictationLanguage(language)])
  return pieces.map((piece) => digitsIn(piece, language)).reduce(repaired)
}

/**
 * A repair repeats the digits before the wrong one and continues: in 456788, "78900" replaces 788. Without a repeated
 * digit it replaces the last one.
 */
export function repaired(before: string, repair: string): string {
  if (before === '' || repair === '') return before + repair
  for (let at = Math.max(0, before.length - repair.length); at < before.length; at++)
    if (repair.startsWith(before.slice(at, -1))) return before.slice(0, at) + repair
  return before + repair
}
