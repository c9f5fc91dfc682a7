// Yes or no: "com certeza", "pode ser", "não tem problema", "I don't think so"; "não sei" is neither.
import { folded } from './answers.ts'
import { type DictationLanguage, dictationLanguage, MAX_LETTERS } from './tokens.ts'

type YesNo = 'yes' | 'no' | null

type Words = {
  /** A yes on its own, and at the beginning of a longer answer. */
  firm: ReadonlySet<string>
  /** A yes where nothing else is said: "quero" is, "quero saber" is not. */
  soft: ReadonlySet<string>
  /** Only accompany a yes. */
  beside: ReadonlySet<string>
  /** Idioms that agree, most with a word of denial in them: "não tem problema". */
  agrees: readonly string[]
  denies: readonly string[]
  /** Neither: the caller does not know, or did not understand. */
  unsure: readonly string[]
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))
const phrases = (text: string): readonly string[] =>
  text.split(',').map((phrase) => ` ${phrase.trim().replace(/\s+/g, ' ')} `)

const all: Readonly<Record<DictationLanguage, Words>> = {
  pt: {
    firm: words(`sim isso certo correto exato exatamente perfeito certinho joia positivo confirmo confirmado confere ok okay beleza blz aham uhum ta claro
      isto combinado fechado concordo aceito otimo maravilha logico obvio evidente evidentemente certamente perfeitamente afirmativo`),
    soft: words('pode quero tenho posso da serve sou vamos bora show valeu bem demorou segue'),
    beside:
      words(`esta e mesmo ai tudo bom bem ser seguir com obrigado obrigada por favor que o a ele ela s eu la sim daqui dai ah hum bom entao
      marcar confirmar mandar agendar continuar enviar fazer senhor senhora de acordo mim absoluta legal acho creio pra para mais sou as`),
    agrees:
      phrases(`com certeza, nao tem problema, sem problema, sem problemas, nao vejo problema, nao vejo problemas, pois nao, por que nao, porque nao,
      e ele mesmo, e ela mesma, e ele, e ela, de acordo, ta bom, ta bem, esta bem, tudo bem, sem duvida, sem duvidas, nao ha problema, claro que sim,
      acho que sim, creio que sim, eu mesmo, eu mesma, nao me importo, que sim, a propria, o proprio, vai la, nada errado`),
    denies:
      phrases(`nao, errado, errada, incorreto, incorreta, negativo, nada disso, um erro, de jeito nenhum, de jeito algum, de forma alguma, de modo algum,
      nem pensar, nem a pau, nem morto, nunca, jamais, dispenso, deixa pra la, negativa, nem quero, que nada, nem um pouco, longe disso, trocado, trocada, faltou`),
    unsure:
      phrases(`nao sei, nao entendi, nao entendo, nao ouvi, nao escutei, nao escuto, nao to ouvindo, nao estou ouvindo, nao tenho certeza, nao estou certo,
      nao estou certa, nao lembro, nao me lembro, nao faco ideia, nao tenho ideia, sei la, talvez, depende, mais ou menos, nao compreendi, pode ser que,
      quem sabe, nao tenho como saber, sim e nao`),
  },
  en: {
    firm: words(`yes yeah yep yup correct right exactly perfect sure okay ok absolutely confirmed confirm mhm hmm huh good fine definitely certainly indeed
      agreed great alright cool affirmative totally`),
    soft: words('speaking do am can will works deal'),
    beside:
      words(`thats that is it its sounds all uh mm s please thank you thanks i sir madam oh well this me he she go ahead bet of course for so thing very
      much then we be ll d love to guess think yes`),
    agrees:
      phrases(`of course, no problem, no problems, not a problem, no worries, why not, go ahead, you bet, by all means, that s me, this is he, this is she,
      sounds good, that works, works for me, all right, i agree, i do, i am, it is, that s it, i think so, i guess so, i would love to, i d love to,
      i don t mind, without a doubt, no doubt, not a bad idea, that would be me, not wrong, nothing wrong, go right ahead`),
    denies:
      phrases(`no, nope, nah, not, wrong, incorrect, negative, a mistake, an error, never, don t, isn t, can t, cannot, won t, aren t, doesn t, wasn t, didn t,
      of course not, no way, uh uh, is off`),
    unsure:
      phrases(`don t know, do not know, not sure, no idea, don t understand, do not understand, didn t understand, didn t catch, can t hear, cannot hear,
      didn t hear, don t remember, do not remember, maybe, perhaps, it depends, depends, not certain, say that again, sorry, pardon, can you repeat, could you repeat,
      hard to say, yes and no, can t remember, can t recall, could be`),
  },
  es: {
    firm: words(`si claro correcto exacto exactamente perfecto eso confirmo confirmado vale ok okay okey bueno aja acuerdo supuesto dale sale orale listo
      adelante acepto seguro efectivamente cierto ciertamente afirmativo obvio`),
    soft: words('quiero puedo puede soy gusto bien asi mismo'),
    beside:
      words(`es esta muy de gracias por favor todo ese esa el ella lo ser que con mucho senor senora me parece yo ah bueno entonces creo desde luego
      confirmar agendar continuar seguir enviar mandar hacer y a la los`),
    agrees:
      phrases(`como no, sin problema, sin problemas, no hay problema, no pasa nada, por que no, desde luego, por supuesto, de acuerdo, esta bien, claro que si,
      soy yo, el mismo, la misma, con gusto, con mucho gusto, creo que si, asi es, eso es, no hay inconveniente, no tengo problema, sin duda, que si, tal cual, con ella habla, con el habla, servidora, la escucho, lo escucho`),
    denies:
      phrases(`no, mal, incorrecto, incorrecta, equivocado, equivocada, negativo, un error, para nada, de ninguna manera, de ningun modo, ni hablar, ni loco, nunca,
      jamas, tampoco, nada de eso, en absoluto, ni de broma, nop, nel`),
    unsure:
      phrases(`no se, no lo se, no entiendo, no entendi, no le entiendo, no estoy seguro, no estoy segura, no oigo, no escuche, no escucho, no recuerdo,
      no me acuerdo, ni idea, no tengo idea, tal vez, quiza, quizas, a lo mejor, depende, mas o menos, puede repetir, me lo repite, puede ser que, si y no, no le entendi, no te entendi, no lo escucho, no la escucho, no le escucho`),
  },
}

/** "não, está certo", "no, wait, yes": the comma makes the difference. */
const leadingNo = /^\s{0,9}(?:(?:n[aã]o|no|ah|pera|espera|espere|peraí|wait|pues|oh|well)[,.…]{1,3}\s{0,9}){1,4}/iu
/** "não tá errado" agrees; "não, tá errado" does not. */
const doubleNo = /(?<![\p{L}])(?:n[aã]o|no) (?:es)?t[aá] (?:errad[oa]|mal)(?: n[aã]o)?(?![\p{L}])/giu
/** Before the answer. */
const hesitation = /^\s{0,9}(?:(?:hum|hmm|ahn|ah|eh|este|um|uh|er|bom|bueno|well|so|é)[,.…]{1,3}\s{0,9}){1,3}/iu
/** Always an answer, whatever follows; "si" without its accent is "if". */
const strong = /^[\s¿¡]{0,9}(?:sim|yes|yeah|yep|sí|claro)(?![\p{L}])/iu

/** In an answer of at most this many words, a yes counts anywhere: "agora sim". */
const MAX_SHORT = 4
/** Stand for an idiom that was said. */
const [AGREES, DENIES] = ['@yes', '@no']

const replaced = (text: string, list: readonly string[], by: string): string =>
  list.reduce((said, phrase) => said.replaceAll(phrase, ` ${by} `), text)

/** The words of an answer, with idioms as AGREES and DENIES; null if the caller is unsure. */
function answerWords(text: string, { agrees, denies, unsure }: Words): string[] | null {
  const said = folded(text.replace(doubleNo, ' ok '))
  if (unsure.some((phrase) => said.includes(phrase))) return null
  return replaced(replaced(said, agrees, AGREES), denies, DENIES)
    .trim()
    .split(/\s+/)
}

/** A plain yes or no, or an answer that begins with one; null if neither. */
export function yesNoIn(text: string, language: string): YesNo {
  const meant = all[dictationLanguage(language)]
  const plain = text.slice(0, MAX_LETTERS)
  const answer = answerIn(plain.replace(hesitation, '') || plain, meant)
  if (answer !== 'no') return answer
  const rest = plain.replace(leadingNo, '')
  return rest !== plain && rest.trim() !== '' && answerIn(rest, meant) === 'yes' ? 'yes' : answer
}

function answerIn(text: string, meant: Words): YesNo {
  const said = answerWords(text, meant)
  if (!said) return null
  if (said.includes(DENIES)) return 'no'
  if (/\?\s*$/.test(text)) return null
  if (isPlain(said, meant, text)) return 'yes'
  const isFirm = (word: string) => word === AGREES || meant.firm.has(word)
  const isFirst = isFirm(said[0] ?? '') && (strong.test(text) || /^[\s¿¡]{0,9}[\p{L}\s]{1,30}[,.;!…]/u.test(text))
  return isFirst || (said.some(isFirm) && said.length <= MAX_SHORT) ? 'yes' : null
}

/** Only words of agreement. */
export function isPlainYes(text: string, language: string): boolean {
  const meant = all[dictationLanguage(language)]
  const said = answerWords(text, meant)
  return said !== null && !said.includes(DENIES) && isPlain(said, meant, text)
}

function isPlain(said: readonly string[], { firm, soft, beside }: Words, text: string): boolean {
  const isYes = (word: string) => word === AGREES || firm.has(word) || soft.has(word)
  // In Portuguese, "é" alone means yes.
  if (said.length === 1 && /^\s*é/iu.test(text)) return true
  return said.some(isYes) && said.every((word) => isYes(word) || beside.has(word))
}
