// How much of a text is spoken, measured in letters of an alphabet. Leaves out what a voice may skip.

/** Scripts where one character is a syllable or a word. */
const dense = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/gu
const LETTERS_PER_DENSE = 3

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/** Tags such as <break/> and [laughs] are instructions; "nãããão" is one long letter. */
export function spokenLetters(text: string): number {
  const said = text.replace(/<[^<>]*>|\[[^[\]]*\]/g, '').replace(/([\p{L}\p{N}])\1{2,}/gu, '$1')
  return countOf(said, /[\p{L}\p{N}]/gu) + (LETTERS_PER_DENSE - 1) * countOf(said, dense)
}
