// Short things that people say while another speaks: those that mean "go on", and those that mean "stop".

const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

export const wordsIn = (text: string): string[] => folded(text).split(' ').filter(Boolean)

const goOn = new Set(
  `aham aha uhum uhm hum hm hmm mhm ah ta ta bom ok okay okey certo claro sim isso isso mesmo entendi entendo beleza legal perfeito
  uh huh uh-huh yeah yep yes right sure i see got it alright mm mmhm
  si vale ya ajá aja claro que si entiendo bueno bien de acuerdo`
    .split('\n')
    .flatMap((line) => line.trim().split(' ')),
)
const goOnPhrases = new Set([
  'ta bom',
  'ta certo',
  'isso mesmo',
  'i see',
  'got it',
  'uh huh',
  'claro que si',
  'de acuerdo',
  'sim sim',
])
const stopWords = new Set(
  'para pare espera espere calma chega nao peraí perai silencio stop wait hold no quiet espere alto callate basta momento'.split(
    ' ',
  ),
)
const stopPhrases = [
  'um momento',
  'so um momento',
  'um minuto',
  'hold on',
  'one moment',
  'un momento',
  'un segundo',
  'pera ai',
]

/** Said to show that one listens; the speaker goes on. */
export function isAcknowledgement(text: string): boolean {
  const words = wordsIn(text)
  if (words.length === 0 || words.length > 3) return false
  return goOnPhrases.has(words.join(' ')) || words.every((word) => goOn.has(word))
}

/** Said to have the floor at once. */
export function isStopWord(text: string): boolean {
  const words = wordsIn(text)
  if (words.length === 0 || words.length > 4) return false
  const phrase = words.join(' ')
  return stopPhrases.some((known) => phrase.startsWith(known)) || stopWords.has(words[0] as string)
}
