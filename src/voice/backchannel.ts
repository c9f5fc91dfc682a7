// Short things people say over the agent: backchannels ("uh-huh"), requests to wait, and stop words.
import { foldText } from '../base/text.ts'

const folded = (text: string): string =>
  foldText(text)
    .replace(/[^\p{L}\p{N}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

export const wordsIn = (text: string): string[] => folded(text).split(' ').filter(Boolean)

const listed = (...lines: string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(', ')))

// Without accents, as the text when it is looked up.
const backchannels = listed(
  'aham, ahan, aha, uhum, uhm, hum, hm, hmm, mhm, ah, ta, ok, okay, okey, certo, claro, sim, isso, entendi, entendo, beleza, legal, perfeito, exato, pois, tudo bem, ta bom, ta certo, isso mesmo, e mesmo, pois e, pode ser, com certeza',
  'huh, uh huh, mm, mmhm, mm hmm, yeah, yep, yes, right, sure, alright, i see, got it, all right, of course, makes sense, very good',
  'si, vale, ya, aja, entiendo, bueno, bien, muy bien, claro que si, de acuerdo, esta bien, por supuesto, asi es',
)
/** The caller wants time, not an answer. */
const waitPhrases = listed(
  'espera, espere, calma, perai, pera ai, pera, um momento, um momentinho, so um momento, um minuto, um minutinho, um segundo, so um segundo, so um minuto',
  'wait, hold on, one moment, one second, one minute, just a moment, just a second, just a minute, hang on',
  'espere, espera, un momento, momento, un segundo, un minuto',
)
const stopPhrases = listed(
  'para, pare, chega, nao, silencio, quieto, quieta, cala a boca, ja entendi, deixa eu falar, com licenca',
  'stop, no, quiet, enough, shut up, excuse me, let me speak, be quiet',
  'alto, basta, callate, callese, silencio, pare, dejame hablar, perdone',
)

const MAX_BACKCHANNEL_WORDS = 4
const MAX_STOP_WORDS = 4

/** Shows that the caller listens; the agent goes on. */
export function isBackchannel(text: string): boolean {
  const words = wordsIn(text)
  return words.length > 0 && words.length <= MAX_BACKCHANNEL_WORDS && isMadeOf(words, backchannels)
}

/** Consists of words and phrases of the list alone. */
function isMadeOf(words: readonly string[], list: ReadonlySet<string>): boolean {
  if (words.length === 0) return true
  return words.some((_, i) => list.has(words.slice(0, i + 1).join(' ')) && isMadeOf(words.slice(i + 1), list))
}

const beginsWith = (words: readonly string[], list: ReadonlySet<string>) =>
  words.length <= MAX_STOP_WORDS && words.some((_, i) => list.has(words.slice(0, i + 1).join(' ')))

export const asksToWait = (text: string): boolean => beginsWith(wordsIn(text), waitPhrases)

/** The caller wants the floor at once. */
export function isStopWord(text: string): boolean {
  const words = wordsIn(text)
  return beginsWith(words, stopPhrases) || beginsWith(words, waitPhrases)
}

/** Contains one of the phrases, as whole words. */
export function saysOneOf(text: string, phrases: readonly string[]): boolean {
  const said = ` ${folded(text)} `
  return phrases.some((phrase) => folded(phrase) !== '' && said.includes(` ${folded(phrase)} `))
}
