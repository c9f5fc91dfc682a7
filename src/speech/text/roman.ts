// Roman numerals.

const values: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 }
const canonical = /^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/

/** Null if it is not a Roman numeral. */
export function romanOf(text: string): number | null {
  if (text === '' || !canonical.test(text)) return null
  let sum = 0
  for (let i = 0; i < text.length; i++) {
    const value = values[text[i] ?? ''] ?? 0
    sum += value < (values[text[i + 1] ?? ''] ?? 0) ? -value : value
  }
  return sum
}
