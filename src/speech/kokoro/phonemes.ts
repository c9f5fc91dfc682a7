// Kokoro's alphabet: maps espeak-ng's IPA to the model's symbol ids.

/** Runs of symbols with consecutive ids in the model. */
const runs: readonly (readonly [number, string])[] = [
  [1, ';:,.!?'],
  [9, '—…"()“” \u0303ʣʥʦʨᵝꭧAI'],
  [31, 'O'],
  [33, 'Q'],
  [35, 'ST'],
  [39, 'W'],
  [41, 'Yᵊabcdef'],
  [50, 'hijklmnopqrstuvwxyzɑɐɒæ'],
  [75, 'βɔɕç'],
  [80, 'ɖðʤə'],
  [85, 'ɚɛɜ'],
  [90, 'ɟ'],
  [92, 'ɡ'],
  [99, 'ɥ'],
  [101, 'ɨɪʝ'],
  [110, 'ɯɰŋɳɲɴø'],
  [118, 'ɸθœ'],
  [123, 'ɹ'],
  [125, 'ɾɻ'],
  [128, 'ʁɽʂʃʈʧ'],
  [135, 'ʊʋ'],
  [138, 'ʌɣɤ'],
  [142, 'χʎ'],
  [147, 'ʒʔ'],
  [156, 'ˈˌː'],
  [162, 'ʰ'],
  [164, 'ʲ'],
  [169, '↓'],
  [171, '→↗↘'],
  [177, 'ᵻ'],
]

export const symbolNumbers: ReadonlyMap<string, number> = new Map(
  runs.flatMap(([first, symbols]) => [...symbols].map((symbol, i): [string, number] => [symbol, first + i])),
)

/** The voice files have 510 rows, one per symbol count. */
export const MAX_SYMBOLS = 509

/** Sounds that espeak writes with two letters and the model with one. */
const joined: Readonly<Record<string, string>> = {
  dʒ: 'ʤ',
  tʃ: 'ʧ',
  ts: 'ʦ',
  dz: 'ʣ',
  aɪ: 'I',
  aʊ: 'W',
  eɪ: 'A',
  oʊ: 'O',
  əʊ: 'Q',
  ɔɪ: 'Y',
}
const englishSounds: Readonly<Record<string, string>> = {
  ɜː: 'ɜɹ',
  ɚ: 'əɹ',
  e: 'A',
  ɐ: 'ə',
  r: 'ɹ',
  ɾ: 'T',
  ʔ: 't',
}

/** Unstressed, the Portuguese article "um" was heard as "o", and the English "I" at the start not at all. */
const words: Readonly<Record<string, string>> = { 'u\u0303_ŋ': 'ˈu_ŋ', aɪ: 'ˌaɪ' }

/** One espeak clause (sounds separated by `_`, words by a space) in the model's spelling. */
export function spelled(clause: string, language: string): string {
  const isEnglish = language.startsWith('en')
  const spellings = clause.split(' ').map((word) => {
    const sounds = (words[word.normalize('NFD')] ?? word).split('_')
    return sounds.map((sound) => spelledSound(sound, isEnglish)).join('')
  })
  return spellings.filter((spelling) => spelling !== '').join(' ')
}

function spelledSound(sound: string, isEnglish: boolean): string {
  const stress = /^[ˈˌ]*/u.exec(sound)?.[0] ?? ''
  const rest = sound.slice(stress.length)
  const known = joined[rest] ?? (isEnglish ? englishSounds[rest] : undefined)
  // NFD separates the nasal tilde, which is a symbol of its own; the cedilla is not.
  const plain =
    known ??
    rest
      .normalize('NFD')
      .replace(/c\u0327/g, 'ç')
      .replace(/-/g, '')
  return stress + (isEnglish ? plain.replace(/ː/g, '') : plain)
}

/** Punctuation that the model knows, at the end of a word: espeak drops it, and the intonation depends on it. */
const marks = /(?<![,.;:!?…—"“”()])([,.;:!?…—"“”()]+)(?=\s|$)|(?<=^|\s)(["“(—])/u

/** Text to the model's spelling: espeak converts the text between punctuation marks, which are kept. */
export function phonemesOf(text: string, language: string, toIpa: (piece: string) => readonly string[]): string {
  let spelling = ''
  for (const piece of text.split(new RegExp(marks, 'gu')).filter((part) => part !== undefined)) {
    if (piece.trim() === '') spelling += piece === '' ? '' : ' '
    else if (/^[,.;:!?…—"“”()]+$/u.test(piece)) spelling += piece
    else {
      // espeak runs the two halves of "terça-feira" together, and listeners misheard it.
      const said = toIpa(piece.replace(/[¿¡]|(?<=\p{L})-(?=\p{L})/gu, ' '))
      const lead = /^\s/.test(piece) ? ' ' : ''
      spelling += `${lead}${said.map((clause) => spelled(clause, language)).join(' ')}${/\s$/.test(piece) ? ' ' : ''}`
    }
  }
  return spelling.replace(/\s+/g, ' ').trim()
}

/** The ids of a spelling, without the zero that the model expects at both ends. */
export const numbersOf = (spelling: string): number[] =>
  [...spelling].map((symbol) => symbolNumbers.get(symbol)).filter((number) => number !== undefined)
