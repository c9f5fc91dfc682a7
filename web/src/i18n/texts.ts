// Texts in three languages, defined next to each page; the types ensure that none is missing.
import type { Language } from './language.ts'

/** A text may be a function of a number, a name and so on. */
export type TextEntry = string | ((...given: never[]) => string) | { readonly [key: string]: TextEntry }
export type Texts<W> = Readonly<Record<Language, W>>

/** English and Spanish must have exactly the same keys as Portuguese. */
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
