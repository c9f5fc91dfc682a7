// Words in three languages: each page has its own, next to it; that none is missing is checked by the types.
import type { Language } from './language.ts'

/** A word may be a function: of a number, a name … */
export type TextEntry = string | ((...given: never[]) => string) | { readonly [key: string]: TextEntry }
export type Texts<W> = Readonly<Record<Language, W>>

/** English and Spanish must have exactly what Portuguese has. */
export const texts = <const W extends { readonly [key: string]: TextEntry }>(
  pt: W,
  en: SameShape<NoInfer<W>>,
  es: SameShape<NoInfer<W>>,
): Texts<SameShape<W>> => ({ pt: pt as SameShape<W>, en, es })

type SameShape<W> = {
  readonly [K in keyof W]: W[K] extends string
    ? string
    : W[K] extends (...given: never[]) => string
      ? W[K]
      : SameShape<W[K]>
}
