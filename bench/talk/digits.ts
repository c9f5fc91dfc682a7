// Reads the digits of a text, written or spoken one by one, in tens or in hundreds.
import { foldText } from '../../src/base/text/text.ts'
import type { Language } from './dialogue.ts'

const listed = (words: string): string[] => words.split(' ')
type Words = { digits: Map<string, number>; tens: Map<string, number>; hundreds: Map<string, number>; and: string }

function wordsFor(lists: { units: string; teens: string; tens: string; hundreds: string; and: string }): Words {
  const digits = new Map(listed(lists.units).flatMap((names, i) => names.split('/').map((name) => [name, i] as const)))
  for (const [i, names] of listed(lists.teens).entries()) for (const name of names.split('/')) digits.set(name, 10 + i)
  const tens = new Map(listed(lists.tens).map((name, i) => [name, 20 + 10 * i] as const))
  const hundreds = new Map(
    listed(lists.hundreds).flatMap((names, i) => names.split('/').map((name) => [name, 100 * (i + 1)] as const)),
  )
  return { digits, tens, hundreds, and: lists.and }
}

const words: Readonly<Record<Language, Words>> = {
  'pt-BR': wordsFor({
    units: 'zero um/uma dois/duas tres quatro cinco seis/meia sete oito nove',
    teens: 'dez onze doze treze quatorze/catorze quinze dezesseis dezessete dezoito dezenove',
    tens: 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
    hundreds: 'cem/cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos',
    and: 'e',
  }),
  'en-US': wordsFor({
    units: 'zero/oh one two three four five six seven eight nine',
    teens: 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
    tens: 'twenty thirty forty fifty sixty seventy eighty ninety',
    hundreds: 'hundred',
    and: 'and',
  }),
  'es-ES': wordsFor({
    units: 'cero uno/un/una dos tres cuatro cinco seis siete ocho nueve',
    teens: 'diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve',
    tens: 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
    hundreds:
      'cien/ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
    and: 'y',
  }),
}

/** Reads the number at this token: "cento e vinte e três" is one number, "dois três" are two. */
function numberAt(tokens: readonly string[], at: number, language: Language): { value: number; next: number } | null {
  const { digits, tens, hundreds, and } = words[language]
  const lists = [hundreds, tens, digits]
  const level = lists.findIndex((list) => list.has(tokens[at] as string))
  if (level < 0) return null
  let value = lists[level]?.get(tokens[at] as string) as number
  let next = at + 1
  for (const list of lists.slice(level + 1)) {
    const isJoined = tokens[next] === and
    const more = list.get(tokens[next + (isJoined ? 1 : 0)] ?? '')
    // Without "e" a number continues only in English: "twenty one" is 21, "vinte um" is 20 and 1.
    if (more === undefined || more === 0 || (more > 9 && list === digits && value < 100)) continue
    if (!isJoined && !(language === 'en-US' && list === digits)) continue
    value += more
    next += isJoined ? 2 : 1
  }
  return { value, next }
}

/** The digits in spoken order: "oito, vinte e três" is 823. */
export function digitsIn(text: string, language: Language): string {
  const tokens = foldText(text).match(/\d+|\p{L}+/gu) ?? []
  let found = ''
  for (let i = 0; i < tokens.length; ) {
    const number = numberAt(tokens, i, language)
    found += number ? String(number.value) : (tokens[i] as string).replace(/\D/g, '')
    i = number?.next ?? i + 1
  }
  return found
}
