// Short things people say over the agent: backchannels ("uh-huh"), requests to wait, stop words, and answers of yes or no.
import { foldSpaces, withoutAccents } from '../../base/text/text.ts'
import type { FinalProsody } from '../ports.ts'

/** Longer texts are none of these; bounds the cost. */
const MAX_LETTERS = 200

const folded = (text: string): string => foldSpaces(withoutAccents(text).replace(/[^\p{L}\p{N}\s]/gu, ' '))

export const wordsIn = (text: string): string[] => folded(text).split(' ').filter(Boolean)

const listed = (...lines: string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(', ')))

// Without accents, like the text at lookup. Each list ends with how recognizers write the sounds:
// "A hã", "Arrã", "Hum hum", "Um-hum", "Entende."
const backchannels = listed(
  'aham, aha, uhum, hum, hm, hmm, ah, oh, ta, ta bom, ta bem, ta certo, ta ok, ta joia, ta legal, esta bom, esta bem, esta certo, ah ta, ah sim, ah bom, ah e, ah entendi, ok, okay, certo, certinho, claro, claro que sim, sim, sim senhor, sim senhora, isso, isso ai, isso mesmo, e isso, e isso ai, e isso mesmo, entendi, entendo, entendido, compreendi, compreendo, beleza, legal, que legal, perfeito, otimo, que otimo, que bom, maravilha, joia, bacana, exato, exatamente, com certeza, pois, pois e, pois nao, e, e mesmo, e sim, verdade, e verdade, sei, eu sei, sei sim, tudo bem, tudo certo, pode ser, fechado, combinado, muito bem, muito bom, nossa, poxa, puxa, obrigado, obrigada, muito obrigado, muito obrigada',
  'ahan, ahm, uhm, uhun, uhu, unhum, hunhum, humhum, hum hum, um hum, uh hum, hu hum, hum rum, rum rum, a ha, a ham, ah ha, ah ham, ah hum, ah rum, arra, arram, a ram, aram, mhm, mm, mmm, humm, ata, a ta, a sim, ah sei, okey, oquei, entende, entendi sim, ta bom ta, ta entendi, tabom, ta bao, e e',
  'huh, uh huh, mm hmm, yeah, yep, yup, yes, right, sure, sure thing, alright, all right, i see, i know, got it, i got it, gotcha, i understand, understood, makes sense, that makes sense, of course, cool, great, good, fine, nice, very good, sounds good, perfect, excellent, exactly, absolutely, definitely, true, that s right, that s fine, that s good, oh okay, oh ok, oh right, oh wow, wow, fair enough, thanks, thank you',
  'uh hu, ah huh, u huh, a huh, mmhm, mhmm, mm hm, m hm, hm hm, hmm hmm, um hmm, um hm, uhhuh, yea, yah, ya, k, o k',
  'si, vale, ya, ya veo, aja, entiendo, lo entiendo, ya entiendo, bueno, bien, muy bien, claro, claro que si, de acuerdo, esta bien, por supuesto, asi es, eso, eso es, exacto, perfecto, correcto, cierto, es cierto, es verdad, genial, estupendo, que bien, que bueno, listo, dale, sale, orale, ah ya, ah ok, ah vale, ah claro, gracias, muchas gracias',
  'a ja, ah ja, aja aja, ta bien, sip, mju, ujum, aha aha',
)

/** Continuers that always rise: their tone asks nothing. */
const risingByNature = listed('uhum, uh huh, uh hum, um hum, hum hum, mhm, mm hmm, mm hm, mmhm, mhmm, uh hu, hm hm')

/** The caller wants time, not an answer. */
const waitPhrases = listed(
  'espera, espere, espera ai, calma, calma ai, perai, pera ai, pera, um momento, um momentinho, so um momento, so um momentinho, um minuto, um minutinho, um segundo, um segundinho, so um segundo, so um segundinho, so um minuto, so um minutinho, um instante, um instantinho, so um instante, so um instantinho, so um pouco, so um pouquinho, aguarde, aguarda, guenta ai, aguenta ai, segura ai',
  'wait, hold on, hold up, one moment, one second, one sec, one minute, just a moment, just a second, just a sec, just a minute, hang on, give me a second, give me a moment, give me a minute',
  'espere, espera, espereme, esperame, un momento, un momentito, momento, momentito, un segundo, un segundito, un minuto, un minutito, aguarde, aguanta, deme un segundo, dame un segundo',
)
const stopPhrases = listed(
  'pare, chega, nao, silencio, quieto, quieta, cala a boca, ja entendi, deixa eu falar, me deixa falar, me deixe falar, posso falar, com licenca, licenca, pode parar, escuta, escute, me escuta, ta errado, esta errado, errado, nada disso',
  'stop, no, quiet, enough, shut up, excuse me, let me speak, let me talk, be quiet, listen, wrong, that s wrong, that s not right, that s not it, nope',
  'alto, basta, callate, callese, silencio, pare, dejame hablar, dejeme hablar, perdone, disculpe, escuche, escucha, oiga, eso no, esta mal',
)
/** Stop phrases only if they stand alone: "para sexta" is not one. */
const stopUtterances = listed('para, para ai, para para, para por favor, para com isso, para de falar, para um pouco')

const yesOrNo = listed(
  'sim, nao, e, isso, isso ai, isso mesmo, e isso, e isso mesmo, certo, correto, certinho, exato, exatamente, claro, claro que sim, claro que nao, com certeza, pode, pode sim, pode ser, quero, quero sim, aceito, confirmo, confirmado, confirma, positivo, negativo, perfeito, ok, okay, ta, ta bom, ta certo, esta certo, esta correto, beleza, combinado, fechado, tudo bem, tudo certo, acho que sim, acho que nao, ainda nao, agora nao, ja, tambem, de jeito nenhum, nao quero, nao posso, nao precisa, so isso, mais nada, nada, e so isso, por favor, obrigado, obrigada, nao senhor, nao senhora, sim senhor, sim senhora, aham, uhum, aha, ahan, ah ha, a ha, sou eu, sou, sou eu mesmo, sou eu mesma, tenho, tenho sim, vou, nunca, talvez, tanto faz, nao sei, verdade',
  'yes, no, yeah, yep, yup, nope, sure, right, correct, that s right, that s correct, of course, absolutely, definitely, exactly, please, yes please, thanks, thank you, no thanks, no thank you, not really, not yet, not now, i do, i don t, i am, i m not, i can, i can t, i would, it is, it s not, that is, that s fine, that works, fine, alright, all right, sounds good, perfect, go ahead, maybe, i think so, i don t think so, i guess so, uh huh, mm hmm, mhm, never, nothing else, that s all, that s it, i don t know, not at all',
  'si, claro que si, claro que no, por supuesto, correcto, cierto, asi es, eso es, eso, vale, bueno, bien, muy bien, esta bien, de acuerdo, perfecto, exacto, gracias, no gracias, si gracias, puede ser, creo que si, creo que no, todavia no, ahora no, ya, tampoco, tambien, nada mas, nada, soy yo, quiero, si quiero, no quiero, puede, no puedo, tal vez, quizas, no se, dale, listo, aja, para nada',
)

const MAX_BACKCHANNEL_WORDS = 4
const MAX_STOP_WORDS = 4
const MAX_ANSWER_WORDS = 5

/** Consists only of listed words and phrases. */
function isMadeOf(words: readonly string[], list: ReadonlySet<string>): boolean {
  if (words.length === 0) return true
  return words.some((_, i) => list.has(words.slice(0, i + 1).join(' ')) && isMadeOf(words.slice(i + 1), list))
}

const isShortAndMadeOf = (text: string, list: ReadonlySet<string>, maxWords: number): boolean => {
  if (text.length > MAX_LETTERS) return false
  const words = wordsIn(text)
  return words.length > 0 && words.length <= maxWords && isMadeOf(words, list)
}

/** Shows that the caller is listening; the agent continues. */
const isBackchannel = (text: string): boolean => isShortAndMadeOf(text, backchannels, MAX_BACKCHANNEL_WORDS)

/** All beginnings of the listed phrases, by whole words. */
const backchannelBeginnings: ReadonlySet<string> = new Set(
  [...backchannels].flatMap((phrase) => {
    const words = phrase.split(' ')
    return words.map((_, i) => words.slice(0, i + 1).join(' '))
  }),
)

/** Words that are a backchannel or may become one: "claro que" may become "claro que sim". */
export function isBackchannelSoFar(text: string): boolean {
  if (text.length > MAX_LETTERS) return false
  const words = wordsIn(text)
  if (words.length === 0 || words.length > MAX_BACKCHANNEL_WORDS) return false
  return words.some(
    (_, i) => isMadeOf(words.slice(0, i), backchannels) && backchannelBeginnings.has(words.slice(i).join(' ')),
  )
}

/** Only answers a yes-or-no question. */
export const isYesOrNo = (text: string): boolean => isShortAndMadeOf(text, yesOrNo, MAX_ANSWER_WORDS)

const beginsWith = (words: readonly string[], list: ReadonlySet<string>) =>
  words.length <= MAX_STOP_WORDS && words.some((_, i) => list.has(words.slice(0, i + 1).join(' ')))

const asksToWait = (text: string): boolean => beginsWith(wordsIn(text), waitPhrases)

/** The caller wants the floor at once. */
const asksToStop = (text: string): boolean => {
  const words = wordsIn(text)
  return beginsWith(words, stopPhrases) || stopUtterances.has(words.join(' '))
}

/** `words`: anything else, or a question. The agent pauses for all but a backchannel. */
export type OverlapKind = 'backchannel' | 'stop' | 'wait' | 'words'

/** "Aham?": a backchannel in one tone asks for a repetition in another. */
function isQuestioning(text: string, prosody: FinalProsody | null): boolean {
  if (text.includes('?')) return true
  return prosody === 'rising' && !risingByNature.has(wordsIn(text).join(' '))
}

/** What speech over the agent means, also by its final tone (null: unknown). Speech without words is a backchannel: nothing to stop for. */
export function overlapKind(text: string, prosody: FinalProsody | null = null): OverlapKind {
  if (text.length > MAX_LETTERS) return 'words'
  if (wordsIn(text).length === 0) return 'backchannel'
  if (asksToWait(text)) return 'wait'
  if (isQuestioning(text, prosody)) return 'words'
  if (asksToStop(text)) return 'stop'
  return isBackchannel(text) ? 'backchannel' : 'words'
}

/** Contains one of the phrases, as whole words. */
export function saysOneOf(text: string, phrases: readonly string[]): boolean {
  const said = ` ${folded(text)} `
  return phrases.some((phrase) => folded(phrase) !== '' && said.includes(` ${folded(phrase)} `))
}
