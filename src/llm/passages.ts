// Splits a prompt into speakable passages, and finds the one that answers a question.
import { foldText } from '../base/text/text.ts'
import {
  asksForNumbers,
  isCommonTopic,
  type Language,
  questionStems,
  sentencesOf,
  stemsIn,
  synonymsOf,
} from './words.ts'

export type Passage = {
  /** The text to speak. */
  say: string
  /** How specific each keyword is to this passage. */
  weights: ReadonlyMap<string, number>
}

const IN_HEADING = 0.8
const IN_ANSWER = 0.7
const IN_SENTENCE_BEFORE = 0.4
const ALIKE = 0.6
const WITH_FIGURES = 1.1
const COMMON = 0.6 // attributes (price, opening hours) are less specific than the thing they belong to
const WHOLE_PARAGRAPH = 160 // characters that can be spoken in one breath

/** Folded openings of sentences that instruct the agent and are not meant for callers. */
const orders: Readonly<Record<Language, RegExp>> = {
  pt: /^(voce (e|deve|nao|pode|esta|vai|sera)|seu (papel|objetivo|nome|trabalho)|sua (tarefa|funcao|missao)|seja|nunca|jamais|sempre|nao (diga|fale|informe|invente|use|prometa|passe|forneca|responda)|responda|fale|use|utilize|cumprimente|pergunte|ofereca|evite|mantenha|trate|aja|comece|termine|ajude|atenda|lembre|diga|confirme|peca|informe|objetivo|regras|instruc)/,
  es: /^(eres|usted es|tu (papel|objetivo|nombre|tarea|trabajo)|su (papel|tarea|funcion)|se (amable|breve|cort|educad)|nunca|jamas|siempre|no (digas|diga|hables|hable|inventes|uses|prometas|des)|debes|debe|responde|responda|habla|hable|usa|use|saluda|salude|pregunta|pregunte|ofrece|ofrezca|evita|evite|mant|trata|actua|ayuda|atiende|recuerda|di |diga|confirma|pide|objetivo|reglas|instruc)/,
  en: /^(you (are|must|should|will|can|may|never|always)\b|your (role|goal|job|task|name|purpose)|be (kind|polite|brief|friendly|concise|helpful|nice|short|warm)|never|always|do not|don.?t|answer|speak|use|greet|ask|offer|avoid|keep|act|start|begin|end|help|remember|say|confirm|tell|respond|reply|goal|rules|instructions)\b/,
}

/** "If they ask for the price, say that it is ten" contains a question and its answer. */
const saying =
  /^(?:se|quando|caso|si|cuando|if|when) (.{3,200}?), ?(?:diga|responda|informe|explique|di|dile|responde|contesta|say|answer|reply|respond|tell (?:them|him|her)) ?(?:que|that|with)? ?:? ?["“']?(.+?)["”']?$/isu
const condition =
  /^(se|quando|caso|si|cuando|if|when)\b.*\b(cliente|caller|customer|usuari|llamante|pessoa|person|they|pergunt|pregunt|ask)/

const question = /^(?:q|p|pergunta|pregunta|question|pr) ?[:.)-] ?(.+)/iu
const answer = /^(?:a|r|resposta|respuesta|answer|resp) ?[:.)-] ?(.+)/iu
const inOneLine = /^(?:q|p|pergunta|pregunta|question) ?[:.)-] ?(.+?) (?:a|r|resposta|respuesta|answer) ?: ?(.+)/iu

export function passagesOf(text: string, language: Language): Passage[] {
  const passages: Passage[] = []
  let heading = new Set<string>()
  let asked: string | null = null
  let told: string[] = []
  let lines: string[] = []
  let wasItem = false

  const add = (say: string, ...sources: [stems: Iterable<string>, weight: number][]) => {
    const weights = new Map<string, number>()
    for (const [stems, weight] of [...sources, [heading, IN_HEADING] as const])
      for (const stem of stems) weights.set(stem, Math.max(weight, weights.get(stem) ?? 0))
    if (weights.size > 0) passages.push({ say, weights })
  }
  const addPair = (q: string, a: string) => add(a, [stemsIn(q, language), 1], [stemsIn(a, language), IN_ANSWER])

  function addParagraph(paragraph: string): void {
    const sentences = sentencesOf(paragraph).flatMap((sentence) => {
      const [, when, what] = saying.exec(sentence) ?? []
      if (when && what) addPair(when, capital(what))
      const plain = foldText(sentence)
      return (when && what) || orders[language].test(plain) || condition.test(plain) ? [] : [sentence]
    })
    const whole = sentences.join(' ')
    if (sentences.length <= 2 && whole.length <= WHOLE_PARAGRAPH) {
      if (whole !== '') add(whole, [stemsIn(whole, language), 1])
      return
    }
    for (const [i, sentence] of sentences.entries())
      add(sentence, [stemsIn(sentence, language), 1], [stemsIn(sentences[i - 1] ?? '', language), IN_SENTENCE_BEFORE])
  }

  function flush(): void {
    if (asked !== null && told.length > 0) addPair(asked, told.join(' '))
    if (lines.length > 0) addParagraph(lines.join(' '))
    asked = null
    told = []
    lines = []
  }

  for (const raw of text.split('\n')) {
    const line = raw.replace(/\s+/g, ' ').trim() // the patterns above expect single spaces
    const plain = line.replace(/^#+\s*|^(?:[-*•–]|\d+[.)])\s+/u, '').replace(/\*{1,3}|`+/g, '')
    const [, q1, a1] = inOneLine.exec(plain) ?? []
    const [, q2] = question.exec(plain) ?? []
    const [, a2] = asked === null ? [] : (answer.exec(plain) ?? [])
    if (plain === '') flush()
    else if (q1 && a1) {
      flush()
      addPair(q1, a1)
    } else if (q2) {
      flush()
      asked = q2
    } else if (asked !== null) told.push(a2 ?? plain)
    else if (isHeading(line, plain)) {
      flush()
      heading = stemsIn(plain, language)
    } else {
      // A list item is a passage of its own, and so is a line after a complete sentence.
      const hasEnded = wasItem || /[.!?…;]$/.test(lines.at(-1) ?? '')
      const isItem = plain !== line
      const isIndented = /^\s/.test(raw)
      if (isItem || (hasEnded && !isIndented)) flush()
      lines.push(plain)
      wasItem = isItem || isIndented
    }
  }
  flush()
  return passages
}

const isHeading = (line: string, plain: string) =>
  line.startsWith('#') || (plain.length <= 60 && (/:$/.test(plain) || /^\*\*[^*]+\*\*$/.test(line)))

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

type FoundPassage = { passage: Passage; score: number }

/** The best passage and its score: 1 is every keyword of the question. Ties: fewer keywords, then the first. */
export function bestPassage(passages: readonly Passage[], text: string, language: Language): FoundPassage | undefined {
  const stems = [...questionStems(text, language)]
  const scarcity = stems.map((stem) => {
    const holders = passages.filter((passage) => weightOf(passage, stem, language) > 0).length
    // A word found nowhere counts little: callers say a lot that no prompt covers.
    const value = holders === 0 ? Math.log(2) / 2 : Math.log(1 + passages.length / holders)
    return isCommonTopic(stem, language) ? COMMON * value : value
  })
  const all = scarcity.reduce((sum, value) => sum + value, 0)
  const wantsFigures = asksForNumbers(stems, language)
  let best: FoundPassage | undefined
  for (const passage of passages) {
    const sum = stems.reduce((total, stem, i) => total + weightOf(passage, stem, language) * (scarcity[i] ?? 0), 0)
    const score = all === 0 ? 0 : (sum / all) * (wantsFigures && /\d/.test(passage.say) ? WITH_FIGURES : 1)
    if (score === 0) continue
    const isBetter =
      !best ||
      score > best.score + 1e-9 ||
      (Math.abs(score - best.score) <= 1e-9 && passage.weights.size < best.passage.weights.size)
    if (isBetter) best = { passage, score }
  }
  return best
}

function weightOf({ weights }: Passage, stem: string, language: Language): number {
  const own = weights.get(stem)
  if (own !== undefined) return own
  let most = 0
  for (const other of synonymsOf(stem, language)) most = Math.max(most, ALIKE * (weights.get(other) ?? 0))
  return most
}
