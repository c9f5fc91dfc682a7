// The part of a text that differs from another, in whole words. Pure.

/** The parts before, within and after the difference; joined, they are the text. */
export function differingPart(text: string, other: string): readonly [string, string, string] {
  const [own, others] = [text.split(/(?<=\s)/), other.split(/(?<=\s)/)]
  const most = Math.min(own.length, others.length)
  let from = 0
  while (from < most && own[from] === others[from]) from++
  let left = 0
  while (left < most - from && own[own.length - 1 - left] === others[others.length - 1 - left]) left++
  const to = own.length - left
  return [own.slice(0, from).join(''), own.slice(from, to).join(''), own.slice(to).join('')]
}
