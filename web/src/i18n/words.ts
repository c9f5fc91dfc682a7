// Words in three languages: each page has its own, next to it; that none is missing is checked by the types.
import type { Language } from './language.ts'

/** A word may be a function: of a number, a name … */
export type Word = string | ((...given: never[]) => string) | { readonly [key: string]: Word }
export type Words<W> = Readonly<Record<Language, W>>

/** English and Spanish must have exactly what Portuguese has. */
export const words = <const W extends { readonly [key: string]: Word }>(
  pt: W,
  en: Same<NoInfer<W>>,
  es: Same<NoInfer<W>>,
): Words<Same<W>> => ({ pt: pt as Same<W>, en, es })

type Same<W> = {
  readonly [K in keyof W]: W[K] extends string ? string : W[K] extends (...given: never[]) => string ? W[K] : Same<W[K]>
}
