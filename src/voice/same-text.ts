// Whether two transcripts call for the same answer: a partial one often lacks the capital and the full stop. Question marks and commas
// count: they may change the meaning.

const ENDINGS = '.!… '

export function plainText(text: string): string {
  let end = text.length
  while (end > 0 && ENDINGS.includes(text.charAt(end - 1))) end--
  return text.slice(0, end).trimStart().toLowerCase()
}

export const isSameText = (a: string, b: string): boolean => a === b || plainText(a) === plainText(b)
