// Translates the server's error codes. The sign-in texts are part of the initial bundle; the others are loaded with the
// first error.
import type * as AllErrorTexts from './error-texts/all.ts'
import { signInErrorTexts } from './error-texts/sign-in.ts'
import { type Language, localeOf } from './language.ts'
import type { ErrorProblem } from './parse-error-codes.ts'

type Table = Readonly<Record<string, string>>
const firstTexts: Readonly<Record<Language, Table>> = signInErrorTexts

let all: typeof AllErrorTexts | undefined

/** Resolves once the texts for these problems are loaded, or failed to load: then the server's English is shown. */
export async function loadErrorTexts(problems: readonly ErrorProblem[]): Promise<void> {
  if (!problems.every(({ code }) => code in firstTexts.en)) await loadAllErrorTexts()
}

export async function loadAllErrorTexts(): Promise<void> {
  all ??= await import('./error-texts/all.ts').catch(() => undefined)
}

/** Translates a server message that came without its error code. */
export const messageInWords = (message: string, language: Language): string =>
  all?.serverText(message, language) ?? message

/** All problems as one text; undefined if there are none, or if one has no translation. */
export function problemsInWords(problems: readonly ErrorProblem[], language: Language): string | undefined {
  const sentences = problems.map((problem) => sentenceOf(problem, language))
  if (sentences.length === 0 || sentences.includes(undefined)) return undefined
  return [...new Set(sentences)].join(' ')
}

function sentenceOf({ code, params }: ErrorProblem, language: Language): string | undefined {
  if (code === 'not_found') return all?.notFoundText(String(params.what), language)
  const template = firstTexts[language][code] ?? all?.allErrorTexts[language][code]
  return template?.replace(/\{(\w+)\}/g, (whole, name: string) =>
    params[name] === undefined ? whole : paramInWords(name, params[name], language),
  )
}

function paramInWords(name: string, value: string | number, language: Language): string {
  if (typeof value === 'number') return new Intl.NumberFormat(localeOf[language]).format(value)
  if (all === undefined) return value
  switch (name) {
    case 'field':
      return all.fieldLabel(value, language)
    case 'reason':
    case 'notice':
    case 'service':
    case 'expected':
    case 'type':
    case 'format':
      return all.serverText(value, language)
    default:
      return value
  }
}
